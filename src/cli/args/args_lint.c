/* SPDX-License-Identifier: Apache-2.0 */
/* args_lint: the options of the lint, the file of --diagnostics, and the baseline. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "cli/args/args.h"

/* FORMAT or FORMAT:FILE. */
void arg_read_diagnostics(struct arguments *a, const struct option *o, const char *value)
{
	const char *colon = strchr(value, ':');
	size_t length = colon ? (size_t)(colon - value) : strlen(value);

	for (const struct choice *c = o->choices; c->word; c++) {
		if (strlen(c->word) != length || memcmp(c->word, value, length) != 0)
			continue;
		a->messages.diagnostics = (enum diagnostics)c->value;
		a->messages.diagnostics_file = colon ? colon + 1 : NULL;
		if (colon && !colon[1])
			cli_usage(a, WORDS(o->name, ": the name of the file is missing in ", value, MSG_REMEDY "Write ",
					   value, "FILE."));
		return;
	}
	arg_refuse_choice(a, o, value);
}

/* value: which rules; NULL: all of them */
void arg_read_lint(struct arguments *a, const struct option *o, const char *value)
{
	struct spb_option_reader r = arg_option_reader(a);

	a->program.lint.asked = true;
	if (!value || spb_option_read(&r, spb_option_find("lint"), value))
		return;
	if (r.no_memory)
		cli_no_memory(a);
	else
		arg_refuse_value(a, o, r.expected, value);
}

void arg_check_lint_options(struct arguments *a)
{
	struct program_options *p = &a->program;

	if (p->verb != VERB_LINT && !p->lint.asked && (p->lint.baseline || p->library.uniformity.suppress))
		cli_usage(a, WORDS("--suppress and --baseline are about what --lint finds" MSG_REMEDY "Add --lint."));

	if (a->messages.diagnostics_file && p->lint.baseline &&
	    cli_is_same_file(a->messages.diagnostics_file, p->lint.baseline))
		cli_usage(a, WORDS("--diagnostics would overwrite the baseline ", p->lint.baseline,
				   MSG_REMEDY "Write another file, and replace the baseline by it afterwards."));
	p->library.uniformity.lint_all =
	    a->messages.diagnostics == DIAGNOSTICS_JSON || a->messages.diagnostics == DIAGNOSTICS_SARIF;
}

/* The fingerprints of all results of a log, one a line. NULL: no memory. */
static char *fingerprints(json_t *log)
{
	json_t *run, *result;
	size_t i, k, room = 1, length = 0;
	char *text;

	json_array_foreach(json_object_get(log, "runs"), i, run) room +=
	    17 * json_array_size(json_object_get(run, "results"));
	text = calloc(room, 1);
	if (!text)
		return NULL;
	json_array_foreach(json_object_get(log, "runs"), i, run)
	{
		json_array_foreach(json_object_get(run, "results"), k, result)
		{
			json_t *all = json_object_get(result, "partialFingerprints");
			const char *one = json_string_value(json_object_get(all, SARIF_FINGERPRINT));
			if (!one || strlen(one) != 16)
				continue;
			memcpy(text + length, one, 16);
			text[length + 16] = '\n';
			length += 17;
		}
	}
	return text;
}

int arg_read_baseline(struct arguments *a)
{
	struct program_options *p = &a->program;
	char *text;
	json_t *log;

	if (!p->lint.baseline)
		return EXIT_DONE;
	text = cli_read_text_file(p->lint.baseline);
	if (!text)
		return EXIT_IO;
	log = json_loads(text, 0, NULL);
	free(text);
	if (!json_is_array(json_object_get(log, "runs"))) {
		json_decref(log);
		msg_report_line(p->lint.baseline, 0, "baseline",
				WORDS("this is not a SARIF log" MSG_REMEDY "--diagnostics=sarif:FILE writes one."));
		return EXIT_IO;
	}
	p->lint.baseline_text = fingerprints(log);
	json_decref(log);
	p->library.uniformity.baseline = p->lint.baseline_text;
	if (!p->lint.baseline_text)
		msg_say(SPB_SEVERITY_ERROR, WORDS("out of memory"));
	return p->lint.baseline_text ? EXIT_DONE : EXIT_IO;
}
