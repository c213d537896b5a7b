/* SPDX-License-Identifier: Apache-2.0 */
/* report: self-contained HTML pages. The HTML, style and script of each are files next to this one, which
 * scripts/gen_layout_page.py writes into pages.c; a page contains the JSON that it shows, and its script draws it. */
#ifndef SPB_REPORT_H
#define SPB_REPORT_H

#include "base/base.h"

enum spb_page {
	SPB_PAGE_LAYOUT,   /* layout_page.html: of the layout JSON of a program */
	SPB_PAGE_WORKSPACE /* workspace_page.html: of that of a workspace, with what each program declares */
};

/* before: an older JSON of the same form; "": none */
void spb_put_page(struct spb_text_buffer *text, enum spb_page page, const char *json, const char *before);

#endif
