/* SPDX-License-Identifier: Apache-2.0 */
/* Reads texts as the library does, many in one process. Requests are lines on standard input:
 *
 *     text hlsl 4 8                language; execution model and generator, as in SPIR-V
 *     define NAME=VALUE
 *     file NAME LENGTH             followed by so many bytes
 *     tokens                       prints the tokens after preprocessing, one a line
 *     declarations                 prints what is declared, one a line: NAME KIND SIZES FILE:LINE REGISTERS,
 *                                  with how many resources and registers of each class a struct has: struct:3t5u1
 *
 * The last two end the text; a line "=end" follows what they print, or "=fails FILE:LINE REASON". */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/source/text.h"

static char *read_bytes(struct spb_arena *arena, size_t length)
{
	char *bytes = malloc(length + 1), *copy;

	if (!bytes || fread(bytes, 1, length, stdin) != length)
		abort();
	copy = spb_copy_text(arena, bytes, length);
	free(bytes);
	return copy;
}

static void print_tokens(struct spb_reader *r)
{
	spb_push_file(r, 0, 1);
	for (spb_take(r); r->token.kind != SPB_TOKEN_END; spb_take(r))
		printf(r->token.kind == SPB_TOKEN_STRING ? "\"%.*s\"\n" : "%.*s\n", (int)r->token.length,
		       r->token.bytes);
}

static void print_type(const struct spb_reader *r, const struct spb_type *type)
{
	const char *kind = type->kind < SPB_DESCRIPTOR_COUNT
			       ? spb_descriptor_info((enum spb_descriptor)type->kind)->kind
			   : type->kind == SPB_KIND_STRUCT ? "struct"
			   : type->kind == SPB_KIND_DATA   ? "data"
							   : "unknown";

	printf(" %s", kind);
	if (type->kind == SPB_KIND_STRUCT) {
		const struct spb_structure *s = &r->structures.items[type->structure];
		printf(":%" PRIu64, s->leaves);
		for (int k = 0; k < SPB_CLASS_COUNT; k++) {
			const uint64_t registers = s->registers[k];
			if (registers)
				printf("%c%" PRIu64, "btsu"[k], registers);
		}
	}
	printf(" ");
	for (uint32_t i = 0; i < type->dimensions.count; i++) {
		int64_t extent = r->extents.items[type->dimensions.first + i];
		if (extent > 0)
			printf("[%" PRId64 "]", extent);
		else
			printf(extent == SPB_EXTENT_OPEN ? "[]" : "[?]");
	}
	if (!type->dimensions.count)
		printf("-");
}

static void print_declarations(struct spb_reader *r)
{
	spb_read_text(r);
	for (size_t i = 0; i < r->declarations.count && !r->failure; i++) {
		const struct spb_declared *d = &r->declarations.items[i];
		const struct spb_word *word = &r->words.items[d->word];
		printf("%.*s", (int)word->length, word->bytes);
		print_type(r, &d->type);
		printf(" %s:%u", r->names.items[d->file], d->line);
		for (int k = 0; k < SPB_CLASS_COUNT; k++) {
			if (d->has_register[k])
				printf(" %c%u", "btsu"[k], d -> number[k]);
			if (d->has_space[k])
				printf(" %cspace%u", "btsu"[k], d -> space[k]);
		}
		printf("%s%s\n", d->has_place ? " place" : "", d->again ? " again" : "");
	}
}

static void answer(struct spb_reader *r, bool tokens)
{
	if (tokens)
		print_tokens(r);
	else
		print_declarations(r);
	if (r->failure)
		printf("=fails %s:%u %s\n", r->names.items[r->failure_file], r->failure_line, r->failure);
	else
		printf("=end\n");
	fflush(stdout);
}

int main(void)
{
	static char line[4096], name[4096], defines[64][4096];
	spb_context *context;
	unsigned model = 0, generator = 0;
	size_t length, define_count = 0, all = 0;
	bool hlsl = false;
	struct spb_reader r;

	if (spb_context_create(NULL, NULL, &context) != SPB_OK)
		return 1;
	struct spb_arena arena = {.context = context};
	while (fgets(line, sizeof line, stdin)) {
		line[strcspn(line, "\n")] = 0;
		if (sscanf(line, "text %4095s %u %u", name, &model, &generator) == 3) {
			spb_arena_reset(&arena);
			spb_reader_begin(&r, &arena, INT64_C(1) << 18);
			hlsl = !strcmp(name, "hlsl");
			define_count = all = 0;
		} else if (!strncmp(line, "define ", 7) && define_count < 64) {
			strcpy(defines[define_count++], line + 7);
		} else if (sscanf(line, "file %4095s %zu", name, &length) == 2) {
			const struct spb_file file = {.name = spb_copy_text(&arena, name, strlen(name)),
						      .bytes = read_bytes(&arena, length),
						      .length = length};
			SPB_PUSH(&arena, &r.files, file);
			all += length;
		} else {
			r.budget += 4 * (int64_t)all;
			spb_begin_text(&r, hlsl ? SpvSourceLanguageHLSL : SpvSourceLanguageGLSL, generator, model);
			for (size_t i = 0; i < define_count; i++)
				spb_define_text(&r, defines[i]);
			answer(&r, !strcmp(line, "tokens"));
		}
	}
	spb_arena_release(&arena);
	spb_context_destroy(context);
	return 0;
}
