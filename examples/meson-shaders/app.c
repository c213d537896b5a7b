/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the set and binding of the shader's buffer, from the header that spirv-bind wrote. */
#include <stdio.h>

#include "shader.h"

int main(void)
{
	printf("set %d, binding %d\n", shader_Numbers_set, shader_Numbers_binding);
	return 0;
}
