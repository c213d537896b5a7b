/* SPDX-License-Identifier: Apache-2.0 */
/* args_policies: --bind, --parameter-block, --policy, --shift and --profile as lines of the policy language. The first
 * line that fits a resource counts, of shifts and options the last: so the order is rules, profiles, shifts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args.h"

/* name="GLOB" with what must be escaped; returns where it ends. */
static char *put_name(char *to, const char *glob, size_t length)
{
	to += sprintf(to, "name=\"");
	for (size_t i = 0; i < length; i++) {
		if (glob[i] == '"' || glob[i] == '\\')
			*to++ = '\\';
		*to++ = glob[i];
	}
	*to++ = '"';
	*to = '\0';
	return to;
}

static size_t digits(const char *text)
{
	return strspn(text, "0123456789");
}

/* GLOB=SET.BINDING */
static bool bind_line(char *line, const char *value)
{
	const char *equals = strrchr(value, '=');
	size_t set = equals ? digits(equals + 1) : 0;

	if (!set || equals == value || equals[1 + set] != '.' || !equals[2 + set] ||
	    equals[2 + set + digits(equals + 2 + set)])
		return false;
	line += sprintf(line, "place ");
	line = put_name(line, value, (size_t)(equals - value));
	sprintf(line, " -> set=%.*s binding=%s", (int)set, equals + 1, equals + 2 + set);
	return true;
}

/* GLOB or GLOB=SET */
static bool block_line(char *line, const char *value)
{
	const char *equals = strrchr(value, '=');
	bool set = equals && equals[1] && !equals[1 + digits(equals + 1)];

	if (equals == value)
		return false;
	line += sprintf(line, "block ");
	line = put_name(line, value, set ? (size_t)(equals - value) : strlen(value));
	if (set)
		sprintf(line, " -> set=%s", equals + 1);
	return true;
}

static bool is_class(const char *what, size_t length)
{
	return length == 1 && strchr("btsu", *what);
}

/* CLASS=N, CLASS:SPACE=N or CLASS@STAGE=N; KIND instead of CLASS */
static bool shift_line(char *line, const char *value)
{
	size_t what = strcspn(value, ":@="), space = 0, stage = 0;
	const char *p = value + what;

	if (!what || (what == 1 && !is_class(value, what)))
		return false;
	if (*p == ':' && !(space = digits(++p)))
		return false;
	const char *set = p, *at = p += space;
	if (*p == '@' && !(stage = strcspn(p + 1, "=")))
		return false;
	p += stage ? stage + 1 : 0;
	if (*p != '=' || !digits(p + 1) || p[1 + digits(p + 1)])
		return false;
	line += sprintf(line, "shift %s=%.*s by=%s", is_class(value, what) ? "class" : "kind", (int)what, value, p + 1);
	if (space)
		line += sprintf(line, " set=%.*s", (int)space, set);
	if (stage)
		sprintf(line, " stage=%.*s", (int)stage, at + 1);
	return true;
}

/* One line of the language, as it is. */
static bool rule_line(char *line, const char *value)
{
	strcpy(line, value);
	return *value && !strpbrk(value, "\n\r");
}

void add_policy(struct arguments *a, const struct option *o, const char *value)
{
	static const struct {
		const char *option;
		bool (*line)(char *line, const char *value);
		const char *expected;
	} lines[] = {
	    {"--bind", bind_line, "GLOB=SET.BINDING"},
	    {"--parameter-block", block_line, "GLOB or GLOB=SET"},
	    {"--policy", rule_line, "one rule, such as \"place kind=sampler -> set=1\""},
	    {"--shift", shift_line,
	     "CLASS=N, CLASS:SPACE=N or CLASS@STAGE=N, where CLASS is b, t, s or u, or kinds of resources"},
	};
	size_t length = strlen(o->name) + strlen(value) + 2, i = 0;
	struct policy_argument *p = &a->policies[a->policy_count];

	*p =
	    (struct policy_argument){.option = o->name, .name = malloc(length), .text = malloc(2 * strlen(value) + 64)};
	a->policy_count++;
	if (!p->name || !p->text) {
		no_memory(a);
		return;
	}
	snprintf(p->name, length, "%s=%s", o->name, value);
	while (strcmp(o->name, lines[i].option) != 0)
		i++;
	if (!lines[i].line(p->text, value))
		refuse_value(a, o, lines[i].expected, value);
}

static bool is_profile(const char *name)
{
	for (uint32_t i = 0; spb_profile_name(i); i++) {
		if (!strcmp(spb_profile_name(i), name))
			return true;
	}
	return false;
}

char *read_text_file(const char *path)
{
	size_t size;
	unsigned char *bytes = read_file(path, &size);
	char *text = bytes ? realloc(bytes, size + 1) : NULL;

	if (bytes && !text) {
		free(bytes);
		say(SPB_SEVERITY_ERROR, WORDS("out of memory"));
		return NULL;
	}
	if (!text)
		return NULL;
	text[size] = '\0';
	for (size_t i = 0; i < size; i++) {
		if (!text[i])
			text[i] = '?'; /* not text: a line will be malformed */
	}
	return text;
}

void add_profile(struct arguments *a, const struct option *o, const char *value)
{
	struct policy_argument *p = &a->policies[a->policy_count++];

	*p = (struct policy_argument){.option = o->name, .file = value};
	if (is_profile(value))
		return;
	if (!os_is_there(value)) {
		refuse_choice(a, o, value);
		return;
	}
	p->text = read_text_file(value);
	if (!p->text)
		a->done = EXIT_IO + 1;
}

/* Of these the last one counts. */
static bool is_late(const struct policy_argument *p)
{
	const char *rule = !strcmp(p->option, "--policy") ? p->text + strspn(p->text, " \t") : "";

	return !strcmp(p->option, "--shift") || !strncmp(rule, "shift ", 6) || !strncmp(rule, "option ", 7);
}

static bool is_profile_option(const struct policy_argument *p)
{
	return !strcmp(p->option, "--profile");
}

void order_policies(struct arguments *a)
{
	size_t n = 0;

	for (int round = 0; round < 3; round++) {
		for (size_t i = 0; i < a->policy_count; i++) {
			const struct policy_argument *p = &a->policies[i];
			int own = is_late(p) ? 2 : is_profile_option(p) ? 1 : 0;
			if (own == round)
				a->ordered[n++] = (spb_policy){p->name ? p->name : p->file, p->text};
		}
	}
	a->options.layout.policies = a->ordered;
	a->options.layout.policy_count = (uint32_t)n;
}

void free_policies(struct arguments *a)
{
	for (size_t i = 0; i < a->policy_count; i++) {
		free(a->policies[i].name);
		free(a->policies[i].text);
	}
	free(a->policies);
	free(a->ordered);
}
