/* SPDX-License-Identifier: Apache-2.0 */
/* The codes of messages. codes.inc lists them with causes and remedies; docs/messages.md is generated from it. */
#ifndef SPB_CODES_H
#define SPB_CODES_H

enum spb_code {
#define SPB_CODE(name, number, cause, remedy) name = number,
#include "base/codes.inc"
#undef SPB_CODE
};

#endif
