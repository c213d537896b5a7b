/* SPDX-License-Identifier: Apache-2.0 */
/* shape_refuse: the error exit of resolve-descriptors. */
#include "pass/shapes/shape.h"

noreturn void spb_refuse(const struct shapes *p, uint32_t code, spb_at at, const char *format, ...)
{
	struct spb_text_buffer text = {.arena = &p->m->context->scratch};
	va_list arguments;

	va_start(arguments, format);
	spb_text_vformat(&text, format, arguments);
	va_end(arguments);
	spb_fail(p->m, SPB_ERROR_UNSUPPORTED, code, at, "%r", spb_text_end(&text));
}
