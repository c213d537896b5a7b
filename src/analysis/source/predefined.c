/* SPDX-License-Identifier: Apache-2.0 */
/* predefined: the macros that glslang defines before it reads a text: extensions, profiles, stages. */
#include "analysis/source/text.h"

enum { ES = 1, DESKTOP = 2, COMPATIBILITY = 4, ANY = -1 };

static const struct {
	const char *name;
	int profiles;
	int stage; /* an execution model */
} predefined[] = {
#include "analysis/source/predefined.inc"
};

/* The table has glslang's stages, which do not distinguish NV from EXT. */
static int stage_of(uint32_t model)
{
	return model == SpvExecutionModelMeshEXT   ? SpvExecutionModelMeshNV
	       : model == SpvExecutionModelTaskEXT ? SpvExecutionModelTaskNV
						   : (int)model;
}

void spb_predefine(struct spb_reader *r, bool compatibility, uint32_t stage)
{
	static const struct spb_token one = {.kind = SPB_TOKEN_NUMBER, .bytes = "1", .length = 1};
	int profile = r->es ? ES : compatibility ? COMPATIBILITY : DESKTOP;
	struct spb_macro *macro = spb_alloc_zeroed(r->arena, 1, sizeof *macro);

	macro->body = &one;
	macro->count = 1;
	for (size_t i = 0; i < SPB_COUNT(predefined) && !r->failure; i++) {
		const uint32_t name = spb_intern(r, predefined[i].name, strlen(predefined[i].name));
		struct spb_word *word = &r->words.items[name]; /* which spb_intern may have moved */
		word->predefined = true;
		if ((predefined[i].profiles & profile) &&
		    (predefined[i].stage == ANY || predefined[i].stage == stage_of(stage)))
			word->macro = macro;
	}
}
