/* SPDX-License-Identifier: Apache-2.0 */
/* layout_page: the layout as a page to look at. layout_page.html is the page, without anything from the network; the
 * layout JSON goes into it, and a script of the page draws it. */
#include "lib/lib.h"

/* Lines; of some compilers no longer string is portable. */
static const char *const page[] = {
#include "lib/layout_page.inc"
};

/* JSON in a script element: no name may end the element. In JSON, < stands within strings only. */
static void put_json(struct spb_text_buffer *text, const char *json)
{
	for (size_t run; *json; json += run) {
		run = strcspn(json, "<");
		spb_text_add(text, json, run);
		if (json[run]) {
			spb_text_put(text, "\\u003c");
			run++;
		}
	}
}

const char *spb_write_report(struct spb_program *p, const char *before, size_t *length)
{
	struct spb_text_buffer text = {.arena = &p->keep};

	for (size_t i = 0; i < SPB_COUNT(page); i++) {
		const char *at = strchr(page[i], '@');
		bool is_layout = at && !strncmp(at, "@LAYOUT@", 8), is_before = at && !strncmp(at, "@BEFORE@", 8);
		if (!is_layout && !is_before) {
			spb_text_put(&text, page[i]);
			continue;
		}
		spb_text_add(&text, page[i], (size_t)(at - page[i]));
		put_json(&text, is_layout ? p->json : before);
		spb_text_put(&text, at + 8);
	}
	*length = text.count;
	return spb_text_end(&text);
}
