/* SPDX-License-Identifier: Apache-2.0 */
/* Prints where the buffer of the shader is, as the header says that spirv-bind wrote. */
#include <stdio.h>

#include "shader.h"

int main(void)
{
	printf("set %d, binding %d\n", shader_Numbers_set, shader_Numbers_binding);
	return 0;
}
