/* SPDX-License-Identifier: Apache-2.0 */
/* HTML reports: their files assembled, with the JSON inserted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "lib/report/report.h"

enum { ROOM = 400000 };

static void read_file(const char *name, char *to)
{
	char path[600];

	snprintf(path, sizeof path, "%s/../src/lib/report/%s", SPB_FIXTURES, name);
	FILE *f = fopen(path, "rb");
	assert_non_null(f);
	const size_t length = fread(to, 1, ROOM - 1, f);
	fclose(f);
	assert_in_range(length, 10, ROOM - 2);
	to[length] = 0;
}

/* Replaces the only occurrence of `name`, if there is one, by `with`. */
static void replace(char *text, const char *name, const char *with)
{
	static char rest[ROOM];
	char *at = strstr(text, name);

	assert_non_null(at);
	strcpy(rest, at + strlen(name));
	strcpy(at, with);
	strcat(at, rest);
	assert_null(strstr(at + strlen(with), name));
}

static const struct {
	const char *json, *escaped;
} texts[] = {{"", ""},
	     {"{}", "{}"},
	     {"<", "\\u003c"},
	     {"a<", "a\\u003c"},
	     {"<b", "\\u003cb"},
	     {"{\"name\": \"</script><script>\"}", "{\"name\": \"\\u003c/script>\\u003cscript>\"}"},
	     {"<<", "\\u003c\\u003c"},
	     {"@BEFORE@", "@BEFORE@"}};

static void pages_are_their_sources_with_the_json(void **state)
{
	static const char *const pages[] = {
	    [SPB_PAGE_LAYOUT] = "layout_page.html", [SPB_PAGE_WORKSPACE] = "workspace_page.html"};
	static char page[ROOM], style[ROOM], script[ROOM], wanted[ROOM];
	spb_context *context;

	(void)state;
	assert_int_equal(spb_context_create(NULL, NULL, &context), SPB_OK);
	read_file("report.css", style);
	read_file("report.js", script);
	for (size_t i = 0; i < SPB_COUNT(pages); i++) {
		read_file(pages[i], page);
		for (size_t k = 0; k < SPB_COUNT(texts); k++) {
			const size_t other = (k + 3) % (SPB_COUNT(texts) - 1);
			struct spb_text_buffer text = {.arena = &context->scratch};
			strcpy(wanted, page);
			replace(wanted, "@BEFORE@", texts[other].escaped);
			replace(wanted, "@LAYOUT@", texts[k].escaped);
			replace(wanted, "@report.css@", style);
			replace(wanted, "@report.js@", script);
			spb_put_page(&text, (enum spb_page)i, texts[k].json, texts[other].json);
			const char *made = spb_text_end(&text);
			const size_t length = strlen(wanted);
			size_t at = 0;
			while (at < length && made[at] == wanted[at])
				at++;
			if (at < length || made[at])
				print_message("%s differs at %u: %.60s\n", pages[i], (unsigned)at, made + at);
			assert_string_equal(made, wanted);
			spb_arena_reset(&context->scratch);
		}
	}
	spb_context_destroy(context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(pages_are_their_sources_with_the_json),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
