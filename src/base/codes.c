/* SPDX-License-Identifier: Apache-2.0 */
/* codes: what the codes of messages mean. */
#include "base/codes.h"
#include "base/base.h"

bool spb_describe_code(uint32_t code, const char **cause, const char **remedy)
{
	static const struct {
		uint32_t code;
		const char *cause, *remedy;
	} codes[] = {
#define SPB_CODE(name, number, cause, remedy) {number, cause, remedy},
#include "base/codes.inc"
#undef SPB_CODE
	};

	for (size_t i = 0; i < SPB_COUNT(codes); i++) {
		if (codes[i].code != code)
			continue;
		*cause = codes[i].cause;
		*remedy = codes[i].remedy;
		return true;
	}
	return false;
}
