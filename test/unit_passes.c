/* SPDX-License-Identifier: Apache-2.0 */
/* What passes make of modules, row by row: which lines go, and which come. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <spirv-tools/libspirv.h>

#include "lib/plugin/job.h"
#include "texts.h"

/* All ids of a row have their names. `%x` of a resolver may be one of the module's, too. */
struct row {
	const char *options;   /* words: `only=` passes, `1.4`: the version, `rebind=all` and other options */
	const char *head;      /* in front of names */
	const char *notes;     /* names and decorations */
	const char *globals;   /* behind TYPES */
	const char *functions; /* behind `main`, unless they begin with it; */
	/* Lines that go (-) and come (+), but for names of ids that go; and messages (!). */
	const char *wanted;
};

#define HEAD                                                                                                           \
	"OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\n"                  \
	"OpExecutionMode %main LocalSize 1 1 1\n"
#define TYPES                                                                                                          \
	"%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%int = OpTypeInt 32 1\n%uint = OpTypeInt 32 0\n"              \
	"%bool = OpTypeBool\n%float = OpTypeFloat 32\n%false = OpConstantFalse %bool\n%zero = OpConstant %int 0\n"     \
	"%one = OpConstant %int 1\n%maybe = OpUndef %bool\n%s = OpTypeStruct %int\n"                                   \
	"%ps = OpTypePointer StorageBuffer %s\n%pi = OpTypePointer StorageBuffer %int\n"
#define FUNCTION(name, body) "%" #name " = OpFunction %void None %fn\n%" #name "0 = OpLabel\n" body "OpFunctionEnd\n"
#define MAIN(body)           FUNCTION(main, body)

static const spb_plugin *plugin;

struct heard {
	struct text text;
};

static void hear(void *user, const spb_message *message)
{
	put(user, "! %s\n", message->text);
}

static const char *end_of_line(const char *at)
{
	return at + strcspn(at, "\n");
}

/* Each id that a line of `text` defines is named after itself. */
static void put_names(struct text *to, const char *text)
{
	for (const char *at = text; *at; at = end_of_line(at) + (*end_of_line(at) == '\n')) {
		const int length = (int)strcspn(at, " \n");
		if (*at == '%' && !strncmp(at + length, " = ", 3))
			put(to, "OpName %.*s \"%.*s\"\n", length, at, length - 1, at + 1);
	}
}

static spv_binary assembled(const char *text)
{
	spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
	spv_binary binary = NULL;
	spv_diagnostic wrong = NULL;

	if (spvTextToBinary(context, text, strlen(text), &binary, &wrong) != SPV_SUCCESS)
		fail_msg("line %u: %s\n%s", (unsigned)wrong->position.line + 1, wrong->error, text);
	spvContextDestroy(context);
	return binary;
}

static spv_text disassembled(const uint32_t *words, size_t count)
{
	spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
	spv_text text = NULL;

	assert_int_equal(spvBinaryToText(context, words, count,
					 SPV_BINARY_TO_TEXT_OPTION_NO_HEADER | SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES,
					 &text, NULL),
			 SPV_SUCCESS);
	spvContextDestroy(context);
	return text;
}

enum { LINES = 400 };

static size_t lines_of(const char *text, const char **lines)
{
	size_t count = 0;

	for (const char *at = text; *at; at = end_of_line(at) + 1) {
		assert_true(count < LINES);
		lines[count++] = at;
	}
	return count;
}

static bool is_same_line(const char *x, const char *y)
{
	const size_t length = strcspn(x, "\n");

	return length == strcspn(y, "\n") && !memcmp(x, y, length);
}

/* `OpName %x "x"`, where the line `%x = ` goes, too. */
static bool is_name_of_lost(const char *line, const char *const *was, const bool *stays, size_t count)
{
	if (strncmp(line, "OpName ", 7) != 0)
		return false;
	const size_t length = strcspn(line + 7, " ");
	for (size_t i = 0; i < count; i++) {
		if (!stays[i] && !strncmp(was[i], line + 7, length) && !strncmp(was[i] + length, " = ", 3))
			return true;
	}
	return false;
}

/* The longest sequence of lines that both have stays. */
static void put_difference(struct text *to, const char *before, const char *after)
{
	static uint16_t longest[LINES + 1][LINES + 1];
	const char *was[LINES], *is[LINES];
	bool stays[LINES] = {false}, stood[LINES] = {false};
	const size_t n = lines_of(before, was), k = lines_of(after, is);

	memset(longest, 0, sizeof longest);
	for (size_t i = n; i-- > 0;) {
		for (size_t j = k; j-- > 0;) {
			const uint16_t x = longest[i + 1][j], y = longest[i][j + 1];
			longest[i][j] = is_same_line(was[i], is[j]) ? (uint16_t)(longest[i + 1][j + 1] + 1)
					: x > y                     ? x
								    : y;
		}
	}
	for (size_t i = 0, j = 0; i < n && j < k;) {
		if (is_same_line(was[i], is[j]))
			stays[i++] = stood[j++] = true;
		else if (longest[i + 1][j] >= longest[i][j + 1])
			i++;
		else
			j++;
	}
	for (size_t i = 0, j = 0; i < n || j < k;) {
		if (i < n && !stays[i]) {
			if (!is_name_of_lost(was[i], was, stays, n))
				put(to, "- %.*s\n", (int)strcspn(was[i], "\n"), was[i]);
			i++;
		} else if (j < k && !stood[j]) {
			put(to, "+ %.*s\n", (int)strcspn(is[j], "\n"), is[j]);
			j++;
		} else {
			i++, j++;
		}
	}
}

static void set_options(spb_job *job, const char *words, uint32_t *version)
{
	static char only[100];
	char word[200];

	*version = 0x10300;
	while (*word_of(&words, word)) {
		char *value = strchr(word, '=');
		if (value)
			*value++ = '\0';
		if (!strncmp(word, "1.", 2)) {
			*version = 0x10000 | (uint32_t)(word[2] - '0') << 8;
		} else if (!strcmp(word, "only")) {
			snprintf(only, sizeof only, "%s", value);
			job->options.debug.only = only;
		} else {
			assert_int_equal(plugin->set(job, word, value), SPB_OK);
		}
	}
}

/* Is it as wanted? */
static bool check(const struct row *row)
{
	static struct text text, got;
	const spb_plugin_host host = {.struct_size = sizeof host, .user = &got, .message = hear};
	spb_job *job;
	uint32_t version;
	size_t count;

	text.count = got.count = 0;
	put(&text, "%s", row->head);
	put_names(&text, TYPES);
	put_names(&text, row->notes);
	put_names(&text, row->globals);
	put_names(&text, row->functions);
	put(&text, "%s%s%s%s", row->notes, TYPES, row->globals, row->functions);
	put(&got, "%s", "");
	assert_int_equal(plugin->create(&host, &job), SPB_OK);
	set_options(job, row->options, &version);
	spv_binary binary = assembled(text.items);
	binary->code[1] = version;
	assert_int_equal(plugin->add(job, "m", binary->code, binary->wordCount), SPB_OK);
	if (plugin->run(job) == SPB_OK) {
		const uint32_t *words = plugin->module(job, 0, &count);
		spv_text before = disassembled(binary->code, binary->wordCount), after = disassembled(words, count);
		put_difference(&got, before->str, after->str);
		spvTextDestroy(before);
		spvTextDestroy(after);
	}
	const bool same = !strcmp(got.items, row->wanted);
	if (!same)
		fprintf(stderr, "%s:\n%s\nwith %s; wanted was\n%s\nbut made is\n%s\n", "Of", row->functions,
			row->options, row->wanted, got.items);
	spvBinaryDestroy(binary);
	plugin->destroy(job);
	return same;
}

static void check_all(const struct row *rows, size_t count)
{
	size_t wrong = 0;

	for (size_t i = 0; i < count; i++)
		wrong += !check(&rows[i]);
	assert_int_equal(wrong, 0);
}

/* remove-unused */

#define GONE      "%gone = OpVariable %ps StorageBuffer\n"
#define NO_GONE   "- %gone = OpVariable %ps StorageBuffer\n"
#define USE(n)    "%p" #n " = OpAccessChain %pi %gone %zero\n%v" #n " = OpLoad %int %p" #n "\n"
#define NO_USE(n) "- %p" #n " = OpAccessChain %pi %gone %zero\n- %v" #n " = OpLoad %int %p" #n "\n"
/* A loop whose continue construct has a dead block, %d, which names what goes. */
#define CONTINUED(dead)                                                                                                \
	"OpBranch %h\n%h = OpLabel\nOpLoopMerge %m %c None\nOpBranchConditional %maybe %c %m\n%c = OpLabel\n"          \
	"OpSelectionMerge %cm None\nOpBranchConditional %false %d %cm\n%d = OpLabel\n" USE(1) dead                     \
	    "%cm = OpLabel\nOpBranch %h\n%m = OpLabel\nOpReturn\n"
#define REMOVE "only=remove-unused unused=remove validate=none"

static void dead_code_goes_with_what_it_names(void **state)
{
	static const struct row rows[] = {
	    /* A dead construct in the continue construct of a live loop keeps its branches; what chooses
	       becomes anything. */
	    {REMOVE, HEAD, "", GONE,
	     MAIN(CONTINUED("OpSelectionMerge %dm None\nOpSwitch %v1 %dm 0 %d0 1 %d1\n%d0 = OpLabel\n" USE(
		 2) "OpBranch %dm\n%d1 = OpLabel\nOpSwitch %zero %dm\n%dm = OpLabel\nOpBranch %cm\n")),
	     "- %gone = OpVariable %ps StorageBuffer\n"
	     "+ %29 = OpUndef %int\n"
	     "- %p1 = OpAccessChain %pi %gone %zero\n"
	     "- %v1 = OpLoad %int %p1\n"
	     "- OpSwitch %v1 %dm 0 %d0 1 %d1\n"
	     "+ OpSwitch %29 %dm 0 %d0 1 %d1\n"
	     "- %p2 = OpAccessChain %pi %gone %zero\n"
	     "- %v2 = OpLoad %int %p2\n"},
	    {REMOVE, HEAD, "", GONE,
	     MAIN(CONTINUED(
		 "%x = OpSLessThan %bool %zero %v1\nOpSelectionMerge %dm None\nOpBranchConditional %x %d0 %dm\n"
		 "%d0 = OpLabel\nOpSelectionMerge %em None\nOpBranchConditional %maybe %e0 %em\n%e0 = "
		 "OpLabel\nOpBranch %em\n"
		 "%em = OpLabel\n" USE(2) "OpBranch %dm\n%dm = OpLabel\nOpBranch %cm\n")),
	     "- %gone = OpVariable %ps StorageBuffer\n"
	     "+ %31 = OpUndef %bool\n"
	     "- %p1 = OpAccessChain %pi %gone %zero\n"
	     "- %v1 = OpLoad %int %p1\n"
	     "- %x = OpSLessThan %bool %zero %v1\n"
	     "- OpBranchConditional %x %d0 %dm\n"
	     "+ OpBranchConditional %31 %d0 %dm\n"
	     "- %p2 = OpAccessChain %pi %gone %zero\n"
	     "- %v2 = OpLoad %int %p2\n"},
	    /* No block there may end otherwise, but if one does, it ends so that nothing is named. */
	    {REMOVE, HEAD, "", GONE,
	     MAIN(CONTINUED("OpSelectionMerge %dm None\nOpBranchConditional %maybe %d0 %dm\n"
			    "%d0 = OpLabel\nOpKill\n%dm = OpLabel\nOpReturn\n")),
	     "- %gone = OpVariable %ps StorageBuffer\n"
	     "- %p1 = OpAccessChain %pi %gone %zero\n"
	     "- %v1 = OpLoad %int %p1\n"
	     "- OpKill\n"
	     "+ OpUnreachable\n"
	     "- OpReturn\n"
	     "+ OpUnreachable\n"},
	    /* A loop in a dead continue construct. */
	    {REMOVE, HEAD, "", GONE,
	     MAIN(
		 CONTINUED("OpBranch %dh\n%dh = OpLabel\nOpLoopMerge %dm %dc None\nOpBranchConditional %maybe %dc %dm\n"
			   "%dc = OpLabel\n" USE(2) "OpBranch %dh\n%dm = OpLabel\nOpBranch %cm\n")),
	     "- %gone = OpVariable %ps StorageBuffer\n"
	     "- %p1 = OpAccessChain %pi %gone %zero\n"
	     "- %v1 = OpLoad %int %p1\n"
	     "- %p2 = OpAccessChain %pi %gone %zero\n"
	     "- %v2 = OpLoad %int %p2\n"},
	    /* A loop that continues at its header has no continue construct of its own. */
	    {REMOVE, HEAD, "", GONE,
	     MAIN("OpBranch %h\n%h = OpLabel\nOpLoopMerge %m %h None\nOpBranchConditional %maybe %b %m\n"
		  "%b = OpLabel\nOpSelectionMerge %bm None\nOpBranchConditional %false %d %bm\n%d = "
		  "OpLabel\n" USE(1) "OpBranch %bm\n%bm = OpLabel\nOpBranch %h\n%m = OpLabel\nOpReturn\n"),
	     "- %gone = OpVariable %ps StorageBuffer\n"
	     "- %p1 = OpAccessChain %pi %gone %zero\n"
	     "- %v1 = OpLoad %int %p1\n"
	     "- OpBranch %bm\n"
	     "+ OpUnreachable\n"},
	    /* Dead blocks behind the merge block of such a loop are none of it. */
	    {REMOVE, HEAD, "", GONE,
	     MAIN("OpBranch %h\n%h = OpLabel\nOpLoopMerge %m %c None\nOpBranchConditional %maybe %c %m\n"
		  "%c = OpLabel\nOpBranchConditional %maybe %h %m\n"
		  "%m = OpLabel\nOpSelectionMerge %mm None\nOpBranchConditional %false %d %mm\n%d = "
		  "OpLabel\n" USE(1) "OpBranch %e\n%e = OpLabel\nOpBranch %mm\n%mm = OpLabel\nOpReturn\n"),
	     "- %gone = OpVariable %ps StorageBuffer\n"
	     "- %p1 = OpAccessChain %pi %gone %zero\n"
	     "- %v1 = OpLoad %int %p1\n"
	     "- OpBranch %e\n"
	     "- %e = OpLabel\n"
	     "- OpBranch %mm\n"
	     "+ OpUnreachable\n"},
	    /* A dead continue target branches back, and no more out of the loop: the merge block loses a pair.
	     */
	    {REMOVE, HEAD, "", GONE,
	     MAIN("OpBranch %h\n%h = OpLabel\n%x = OpPhi %int %zero %main0 %v1 %c\nOpLoopMerge %m %c None\n"
		  "OpBranch %b\n%b = OpLabel\nOpBranch %m\n%c = OpLabel\n" USE(
		      1) "OpBranchConditional %maybe %h %m\n"
			 "%m = OpLabel\n%y = OpPhi %int %one %b %v1 %c\nOpReturn\n"),
	     "- %gone = OpVariable %ps StorageBuffer\n"
	     "+ %25 = OpUndef %int\n"
	     "- %x = OpPhi %int %zero %main0 %v1 %c\n"
	     "+ %x = OpPhi %int %zero %main0 %25 %c\n"
	     "- %p1 = OpAccessChain %pi %gone %zero\n"
	     "- %v1 = OpLoad %int %p1\n"
	     "- OpBranchConditional %maybe %h %m\n"
	     "+ OpBranch %h\n"
	     "- %y = OpPhi %int %one %b %v1 %c\n"
	     "+ %y = OpPhi %int %one %b\n"},
	    /* The block that branched back is gone: the header gets a pair for the continue target, of each
	       type one value. */
	    {REMOVE, HEAD, "", GONE,
	     MAIN("OpBranch %h\n%h = OpLabel\n%x = OpPhi %int %zero %main0 %v1 %k\n%y = OpPhi %int %one %main0 "
		  "%one %k\n"
		  "%z = OpPhi %bool %false %main0 %maybe %k\nOpLoopMerge %m %c None\n"
		  "OpBranch %b\n%b = OpLabel\nOpBranch %m\n%c = OpLabel\n" USE(
		      1) "OpBranch %k\n%k = OpLabel\nOpBranch %h\n"
			 "%m = OpLabel\nOpReturn\n"),
	     "- %gone = OpVariable %ps StorageBuffer\n"
	     "+ %27 = OpUndef %int\n"
	     "+ %28 = OpUndef %bool\n"
	     "- %x = OpPhi %int %zero %main0 %v1 %k\n"
	     "- %y = OpPhi %int %one %main0 %one %k\n"
	     "- %z = OpPhi %bool %false %main0 %maybe %k\n"
	     "+ %x = OpPhi %int %zero %main0 %27 %c\n"
	     "+ %y = OpPhi %int %one %main0 %27 %c\n"
	     "+ %z = OpPhi %bool %false %main0 %28 %c\n"
	     "- %p1 = OpAccessChain %pi %gone %zero\n"
	     "- %v1 = OpLoad %int %p1\n"
	     "- OpBranch %k\n"
	     "- %k = OpLabel\n"},
	    /* Pairs of live blocks and of values that stay are as they were, and where nothing changes, the
	       OpPhi is. */
	    {REMOVE, HEAD, "", GONE,
	     MAIN("OpSelectionMerge %m None\nOpBranchConditional %false %d %b\n%d = OpLabel\n" USE(
		 1) "OpBranch %m\n"
		    "%b = OpLabel\nOpBranch %m\n%m = OpLabel\n%x = OpPhi %int %v1 %d %one %b\n%y = OpPhi %int "
		    "%zero %b %one %d\n"
		    "OpSelectionMerge %n None\nOpBranchConditional %maybe %f %n\n%f = OpLabel\nOpBranch %n\n"
		    "%n = OpLabel\n%z = OpPhi %int %x %m %zero %f\nOpReturn\n"),
	     "- %gone = OpVariable %ps StorageBuffer\n"
	     "- %p1 = OpAccessChain %pi %gone %zero\n"
	     "- %v1 = OpLoad %int %p1\n"
	     "- OpBranch %m\n"
	     "+ OpUnreachable\n"
	     "- %x = OpPhi %int %v1 %d %one %b\n"
	     "- %y = OpPhi %int %zero %b %one %d\n"
	     "+ %x = OpPhi %int %one %b\n"
	     "+ %y = OpPhi %int %zero %b\n"},
	    /* A pointer of device addresses may be undefined, others are null. */
	    {REMOVE,
	     "OpCapability Shader\nOpCapability PhysicalStorageBufferAddresses\nOpCapability VariablePointers\n"
	     "OpMemoryModel PhysicalStorageBuffer64 GLSL450\nOpEntryPoint GLCompute %main "
	     "\"main\"\nOpExecutionMode %main LocalSize 1 1 1\n",
	     "",
	     "OpTypeForwardPointer %pp PhysicalStorageBuffer\n%t = OpTypeStruct %pp\n"
	     "%pp = OpTypePointer PhysicalStorageBuffer %t\n%pt = OpTypePointer StorageBuffer %t\n%ppp = "
	     "OpTypePointer StorageBuffer %pp\n"
	     "%gone = OpVariable %pt StorageBuffer\n%other = OpVariable %pt StorageBuffer\n",
	     MAIN("%w = OpAccessChain %ppp %other %zero\n%q = OpLoad %pp %w\nOpBranch %h\n%h = OpLabel\n%x = "
		  "OpPhi %ppp %w %main0 %v %c\n%y = OpPhi %pp %q %main0 %u %c\n"
		  "OpLoopMerge %m %c None\nOpBranch %b\n%b = OpLabel\nOpBranch %m\n%c = OpLabel\n%v = "
		  "OpAccessChain %ppp %gone %zero\n"
		  "%u = OpLoad %pp %v Aligned 8\nOpBranch %h\n%m = OpLabel\nOpReturn\n"),
	     "! the module contains no source text, so its resources are numbered in the order of OpVariable, which "
	     "changes with function bodies; compile with -g, or pass --order=name or --order=module\n"
	     "- %gone = OpVariable %pt StorageBuffer\n"
	     "+ %32 = OpConstantNull %ppp\n"
	     "+ %33 = OpUndef %pp\n"
	     "- %x = OpPhi %ppp %w %main0 %v %c\n"
	     "- %y = OpPhi %pp %q %main0 %u %c\n"
	     "+ %x = OpPhi %ppp %w %main0 %32 %c\n"
	     "+ %y = OpPhi %pp %q %main0 %33 %c\n"
	     "- %v = OpAccessChain %ppp %gone %zero\n"
	     "- %u = OpLoad %pp %v Aligned 8\n"},
	    /* Functions that nobody calls go with the lines in front of them, wherever they are, and with their
	       callers. */
	    {REMOVE, HEAD "%file = OpString \"file\"\n", "", GONE,
	     "OpLine %file 1 1\n" FUNCTION(f, USE(1) "OpReturn\n") "OpLine %file 2 1\n" MAIN(
		 "OpReturn\n") "OpLine %file 3 1\nOpNoLine\n" FUNCTION(g,
								       USE(2) "OpReturn\n") "OpLine %file 4 "
											    "1\n" FUNCTION(
												i,
												"OpReturn"
												"\n") "Op"
												      "Li"
												      "ne"
												      " %"
												      "fi"
												      "le"
												      " 5"
												      " "
												      "1"
												      "\n" FUNCTION(
													  k,
													  "%x = "
													  "OpFunction"
													  "Call "
													  "%void "
													  "%f\nOpRetu"
													  "rn\n"),
	     "- %gone = OpVariable %ps StorageBuffer\n"
	     "- OpLine %2 1 1\n"
	     "- %f = OpFunction %void None %fn\n"
	     "- %f0 = OpLabel\n"
	     "- %p1 = OpAccessChain %pi %gone %zero\n"
	     "- %v1 = OpLoad %int %p1\n"
	     "- OpReturn\n"
	     "- OpFunctionEnd\n"
	     "- OpLine %2 3 1\n"
	     "- OpNoLine\n"
	     "- %g = OpFunction %void None %fn\n"
	     "- %g0 = OpLabel\n"
	     "- %p2 = OpAccessChain %pi %gone %zero\n"
	     "- %v2 = OpLoad %int %p2\n"
	     "- OpReturn\n"
	     "- OpFunctionEnd\n"
	     "- OpLine %2 5 1\n"
	     "- %k = OpFunction %void None %fn\n"
	     "- %k0 = OpLabel\n"
	     "- %x = OpFunctionCall %void %f\n"
	     "- OpReturn\n"
	     "- OpFunctionEnd\n"},
	    /* A remark between functions stays, and so do the lines in front of it. */
	    {REMOVE,
	     "OpCapability Shader\nOpExtension \"SPV_KHR_non_semantic_info\"\n%set = OpExtInstImport "
	     "\"NonSemantic.Mine\"\nOpMemoryModel Logical GLSL450\n"
	     "OpEntryPoint GLCompute %main \"main\"\nOpExecutionMode %main LocalSize 1 1 1\n%file = OpString "
	     "\"file\"\n",
	     "", GONE,
	     MAIN("OpReturn\n") "OpLine %file 3 1\n%r = OpExtInst %void %set 1 %zero\nOpLine %file 4 "
				"1\n" FUNCTION(g, USE(2) "OpReturn\n"),
	     "- %gone = OpVariable %ps StorageBuffer\n"
	     "- OpLine %3 4 1\n"
	     "- %g = OpFunction %void None %fn\n"
	     "- %g0 = OpLabel\n"
	     "- %p2 = OpAccessChain %pi %gone %zero\n"
	     "- %v2 = OpLoad %int %p2\n"
	     "- OpReturn\n"
	     "- OpFunctionEnd\n"},
	    /* A remark that names what goes does, too. */
	    {REMOVE,
	     "OpCapability Shader\nOpExtension \"SPV_KHR_non_semantic_info\"\n%set = OpExtInstImport "
	     "\"NonSemantic.Mine\"\nOpMemoryModel Logical GLSL450\n"
	     "OpEntryPoint GLCompute %main \"main\"\nOpExecutionMode %main LocalSize 1 1 1\n",
	     "", GONE, MAIN("%x = OpExtInst %void %set 1 %gone\n%y = OpExtInst %void %set 1 %zero\nOpReturn\n"),
	     "- %gone = OpVariable %ps StorageBuffer\n"
	     "- %x = OpExtInst %void %1 1 %gone\n"},
	    /* Interfaces, decorations and initializers name nothing that is gone; what stays is as it was. */
	    {REMOVE " 1.4",
	     "OpCapability Shader\nOpExtension \"SPV_GOOGLE_hlsl_functionality1\"\nOpMemoryModel Logical "
	     "GLSL450\n"
	     "OpEntryPoint GLCompute %main \"main\" %kept %gone\nOpExecutionMode %main LocalSize 1 1 1\n",
	     "OpDecorate %gone DescriptorSet 0\nOpDecorate %gone Binding 0\nOpDecorate %kept DescriptorSet "
	     "0\nOpDecorate %kept Binding 1\n"
	     "OpDecorateId %kept CounterBuffer %gone\n",
	     GONE "%kept = OpVariable %ps StorageBuffer\n%pps = OpTypePointer Private %ps\n%own = OpVariable "
		  "%pps Private %gone\n",
	     MAIN("%x = OpAccessChain %pi %kept %zero\nOpReturn\n"),
	     "- OpEntryPoint GLCompute %main \"main\" %kept %gone\n"
	     "+ OpEntryPoint GLCompute %main \"main\" %kept\n"
	     "- OpDecorate %gone DescriptorSet 0\n"
	     "- OpDecorate %gone Binding 0\n"
	     "- OpDecorateId %kept CounterBuffer %gone\n"
	     "- %gone = OpVariable %ps StorageBuffer\n"
	     "- %own = OpVariable %pps Private %gone\n"},
	};

	(void)state;
	check_all(rows, SPB_COUNT(rows));
}

/* expand-groups */

#define EXPAND "only=expand-groups validate=none"
#define KEPT   "%kept = OpVariable %ps StorageBuffer\n%other = OpVariable %ps StorageBuffer\n"

static void groups_become_decorations(void **state)
{
	static const struct row rows[] = {
	    /* What was said of the group before is said of each target, where the group was applied. */
	    {EXPAND, HEAD,
	     "OpDecorate %group NonWritable\nOpDecorate %kept Binding 1\nOpDecorate %group "
	     "DescriptorSet 3\n"
	     "OpDecorateId %group UniformId %one\nOpDecorateString %group UserSemantic \"POS\"\n%group = "
	     "OpDecorationGroup\n"
	     "OpGroupDecorate %group %kept %other\nOpDecorate %other Binding 2\n",
	     KEPT, MAIN("OpReturn\n"),
	     "- OpDecorate %group NonWritable\n"
	     "- OpDecorate %group DescriptorSet 3\n"
	     "- OpDecorateId %group UniformId %one\n"
	     "- OpDecorateString %group UserSemantic \"POS\"\n"
	     "- %group = OpDecorationGroup\n"
	     "- OpGroupDecorate %group %kept %other\n"
	     "+ OpDecorate %kept NonWritable\n"
	     "+ OpDecorate %kept DescriptorSet 3\n"
	     "+ OpDecorateId %kept UniformId %one\n"
	     "+ OpDecorateString %kept UserSemantic \"POS\"\n"
	     "+ OpDecorate %other NonWritable\n"
	     "+ OpDecorate %other DescriptorSet 3\n"
	     "+ OpDecorateId %other UniformId %one\n"
	     "+ OpDecorateString %other UserSemantic \"POS\"\n"},
	    /* Also of members, in pairs, of which OpDecorateId cannot be said. */
	    {EXPAND, HEAD,
	     "OpDecorate %group NonWritable\nOpDecorate %group Offset 0\nOpDecorateString %group UserSemantic "
	     "\"POS\"\n%group = OpDecorationGroup\n"
	     "OpGroupMemberDecorate %group %s 0 %t 1\n",
	     "%t = OpTypeStruct %int %int\n" KEPT, MAIN("OpReturn\n"),
	     "! the module contains no source text, so its resources are numbered in the order of OpVariable, which "
	     "changes with function bodies; compile with -g, or pass --order=name or --order=module\n"
	     "- OpDecorate %group NonWritable\n"
	     "- OpDecorate %group Offset 0\n"
	     "- OpDecorateString %group UserSemantic \"POS\"\n"
	     "- %group = OpDecorationGroup\n"
	     "- OpGroupMemberDecorate %group %s 0 %t 1\n"
	     "+ OpMemberDecorate %s 0 NonWritable\n"
	     "+ OpMemberDecorate %s 0 Offset 0\n"
	     "+ OpMemberDecorateString %s 0 UserSemantic \"POS\"\n"
	     "+ OpMemberDecorate %t 1 NonWritable\n"
	     "+ OpMemberDecorate %t 1 Offset 0\n"
	     "+ OpMemberDecorateString %t 1 UserSemantic \"POS\"\n"},
	    {EXPAND, HEAD,
	     "OpDecorateId %group UniformId %one\n%group = OpDecorationGroup\nOpGroupMemberDecorate %group %s 0\n",
	     KEPT, MAIN("OpReturn\n"), "! OpDecorateId in a decoration group cannot be applied to a member\n"},
	    /* Several groups, one that nothing is said of, and one that is applied to nothing. */
	    {EXPAND, HEAD,
	     "%none = OpDecorationGroup\nOpDecorate %a Aliased\n%a = OpDecorationGroup\nOpDecorate %b Restrict\n%b = "
	     "OpDecorationGroup\n"
	     "OpDecorate %c Volatile\n%c = OpDecorationGroup\nOpGroupDecorate %none %kept\nOpGroupDecorate %b "
	     "%kept\nOpGroupDecorate %a %other\nOpGroupDecorate %b %other\n",
	     KEPT, MAIN("OpReturn\n"),
	     "! the module contains no source text, so its resources are numbered in the order of OpVariable, which "
	     "changes with function bodies; compile with -g, or pass --order=name or --order=module\n"
	     "- %none = OpDecorationGroup\n"
	     "- OpDecorate %a Aliased\n"
	     "- %a = OpDecorationGroup\n"
	     "- OpDecorate %b Restrict\n"
	     "- %b = OpDecorationGroup\n"
	     "- OpDecorate %c Volatile\n"
	     "- %c = OpDecorationGroup\n"
	     "- OpGroupDecorate %none %kept\n"
	     "- OpGroupDecorate %b %kept\n"
	     "- OpGroupDecorate %a %other\n"
	     "- OpGroupDecorate %b %other\n"
	     "+ OpDecorate %kept Restrict\n"
	     "+ OpDecorate %other Aliased\n"
	     "+ OpDecorate %other Restrict\n"},
	    /* A group that another decoration names says nothing about what it is applied to. */
	    {EXPAND, HEAD,
	     "OpDecorate %group NonWritable\nOpDecorateId %kept CounterBuffer %group\n%group = "
	     "OpDecorationGroup\nOpGroupDecorate %group %other\n",
	     KEPT, MAIN("OpReturn\n"), "! OpDecorateId names %15, but a OpDecorationGroup cannot be named here\n"},
	    /* What is no group, and a group that is a value. */
	    {EXPAND, HEAD, "OpGroupDecorate %other %kept\n", KEPT, MAIN("OpReturn\n"),
	     "! %16 is not an OpDecorationGroup\n"},
	    {EXPAND, HEAD, "OpGroupMemberDecorate %other %s 0\n", KEPT, MAIN("OpReturn\n"),
	     "! %16 is not an OpDecorationGroup\n"},
	    {EXPAND, HEAD, "%group = OpDecorationGroup\n", KEPT, MAIN("%x = OpCopyObject %int %group\nOpReturn\n"),
	     "! the decoration group %15 is used as a value\n"},
	    {EXPAND, HEAD, "OpDecorate %kept NonWritable\nOpMemberDecorate %s 0 Offset 0\n", KEPT, MAIN("OpReturn\n"),
	     "! the module contains no source text, so its resources are numbered in the order of OpVariable, which "
	     "changes with function bodies; compile with -g, or pass --order=name or --order=module\n"},
	};

	(void)state;
	check_all(rows, SPB_COUNT(rows));
}

/* declare-runtime-arrays, unsize-arrays */

#define DECLARE "only=declare-runtime-arrays validate=none"
#define IMAGES                                                                                                         \
	"%image = OpTypeImage %float 2D 0 0 0 1 Unknown\n%c3 = OpConstant %uint 3\n%array = OpTypeRuntimeArray "       \
	"%image\n"                                                                                                     \
	"%three = OpTypeArray %image %c3\n%p1 = OpTypePointer UniformConstant %image\n"                                \
	"%p3 = OpTypePointer UniformConstant %three\n%pn = OpTypePointer UniformConstant %array\n"
#define VARIABLE(name, type) "%" #name " = OpVariable %" #type " UniformConstant\n"
#define PLACED(name, set, binding)                                                                                     \
	"OpDecorate %" #name " DescriptorSet " #set "\nOpDecorate %" #name " Binding " #binding "\n"

static void arrays_without_a_size_are_declared(void **state)
{
	static const struct row rows[] = {
	    {DECLARE " 1.4", HEAD, PLACED(lone, 0, 0) PLACED(three3, 0, 1) PLACED(many, 0, 2) PLACED(more, 0, 3),
	     IMAGES VARIABLE(lone, p1) VARIABLE(three3, p3) VARIABLE(many, pn) VARIABLE(more, pn), MAIN("OpReturn\n"),
	     "! %24 \"many\" is an array of descriptors without a size, but the module does not declare the capability "
	     "RuntimeDescriptorArray, which is added: enable runtimeDescriptorArray, or declare a size\n"
	     "+ OpCapability RuntimeDescriptorArray\n"
	     "+ OpExtension \"SPV_EXT_descriptor_indexing\"\n"},
	    {DECLARE " 1.5", HEAD, PLACED(many, 0, 2) PLACED(more, 0, 3), IMAGES VARIABLE(many, pn) VARIABLE(more, pn),
	     MAIN("OpReturn\n"),
	     "! %22 \"many\" is an array of descriptors without a size, but the module does not declare the capability "
	     "RuntimeDescriptorArray, which is added: enable runtimeDescriptorArray, or declare a size\n"
	     "+ OpCapability RuntimeDescriptorArray\n"},
	    {DECLARE,
	     "OpCapability Shader\nOpCapability RuntimeDescriptorArray\nOpExtension "
	     "\"SPV_EXT_descriptor_indexing\"\nOpMemoryModel Logical GLSL450\n"
	     "OpEntryPoint GLCompute %main \"main\"\nOpExecutionMode %main LocalSize 1 1 1\n",
	     PLACED(many, 0, 2), IMAGES VARIABLE(many, pn), MAIN("OpReturn\n"), ""},
	    {DECLARE, HEAD, PLACED(lone, 0, 0) PLACED(three3, 0, 1), IMAGES VARIABLE(lone, p1) VARIABLE(three3, p3),
	     MAIN("OpReturn\n"), ""},
	    /* The last member of a block needs no capability, an array of blocks does. */
	    {DECLARE, HEAD,
	     "OpDecorate %b Block\nOpMemberDecorate %b 0 Offset 0\nOpDecorate %ints ArrayStride 4\n" PLACED(
		 buffer, 0, 0) PLACED(images, 0, 1),
	     IMAGES "%ints = OpTypeRuntimeArray %int\n%b = OpTypeStruct %ints\n%pb = OpTypePointer StorageBuffer "
		    "%b\n%buffer = OpVariable %pb StorageBuffer\n" VARIABLE(images, p3),
	     MAIN("OpReturn\n"), ""},
	    {DECLARE, HEAD, "OpDecorate %s Block\nOpMemberDecorate %s 0 Offset 0\n" PLACED(buffers, 0, 0),
	     "%blocks = OpTypeRuntimeArray %s\n%pb = OpTypePointer StorageBuffer %blocks\n%buffers = OpVariable %pb "
	     "StorageBuffer\n",
	     MAIN("OpReturn\n"),
	     "! %17 \"buffers\" is an array of descriptors without a size, but the module does not declare the "
	     "capability RuntimeDescriptorArray, which is added: enable runtimeDescriptorArray, or declare a size\n"
	     "+ OpCapability RuntimeDescriptorArray\n"
	     "+ OpExtension \"SPV_EXT_descriptor_indexing\"\n"},
	};

	(void)state;
	check_all(rows, SPB_COUNT(rows));
}

#define UNSIZE "only=unsize-arrays rules=hlsl validate=none"
#define HLSL(text)                                                                                                     \
	"OpCapability Shader\nOpExtension \"SPV_KHR_non_semantic_info\"\n%set = OpExtInstImport "                      \
	"\"NonSemantic.Mine\"\n"                                                                                       \
	"OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\nOpExecutionMode %main LocalSize 1 1 "   \
	"1\n"                                                                                                          \
	"%file = OpString \"a.hlsl\"\nOpSource HLSL 500 %file \"" text "\"\n"
#define MANY           HLSL("Texture2D many[];\nTexture2D other[3];\n")
#define CHAIN(n, base) "%a" #n " = OpAccessChain %p1 %" #base " %zero\n"

static void arrays_that_hlsl_declares_without_a_size_have_none(void **state)
{
	static const struct row rows[] = {
	    {UNSIZE, MANY, PLACED(many, 0, 0) PLACED(other, 0, 9), IMAGES VARIABLE(many, p3) VARIABLE(other, p3),
	     MAIN(CHAIN(1, many) CHAIN(2, other) "%l = OpLoad %image %a1\nOpReturn\n"),
	     "! %24 \"many\" is declared without a size (a.hlsl:1), so its array of 3 becomes a runtime array, which "
	     "needs runtimeDescriptorArray; --keep-array-sizes leaves it\n"
	     "+ OpCapability RuntimeDescriptorArray\n"
	     "+ OpExtension \"SPV_EXT_descriptor_indexing\"\n"
	     "- %many = OpVariable %p3 UniformConstant\n"
	     "+ %_runtimearr_image = OpTypeRuntimeArray %image\n"
	     "+ %_ptr_UniformConstant__runtimearr_image = OpTypePointer UniformConstant %_runtimearr_image\n"
	     "+ %many = OpVariable %_ptr_UniformConstant__runtimearr_image UniformConstant\n"},
	    {UNSIZE " 1.5", MANY, PLACED(many, 0, 0), IMAGES VARIABLE(many, p3), MAIN(CHAIN(1, many) "OpReturn\n"),
	     "! %24 \"many\" is declared without a size (a.hlsl:1), so its array of 3 becomes a runtime array, which "
	     "needs runtimeDescriptorArray; --keep-array-sizes leaves it\n"
	     "+ OpCapability RuntimeDescriptorArray\n"
	     "- %many = OpVariable %p3 UniformConstant\n"
	     "+ %_runtimearr_image = OpTypeRuntimeArray %image\n"
	     "+ %_ptr_UniformConstant__runtimearr_image = OpTypePointer UniformConstant %_runtimearr_image\n"
	     "+ %many = OpVariable %_ptr_UniformConstant__runtimearr_image UniformConstant\n"},
	    {UNSIZE " 1.4", MANY, PLACED(many, 0, 0), IMAGES VARIABLE(many, p3), MAIN(CHAIN(1, many) "OpReturn\n"),
	     "! %24 \"many\" is declared without a size (a.hlsl:1), so its array of 3 becomes a runtime array, which "
	     "needs runtimeDescriptorArray; --keep-array-sizes leaves it\n"
	     "+ OpCapability RuntimeDescriptorArray\n"
	     "+ OpExtension \"SPV_EXT_descriptor_indexing\"\n"
	     "- %many = OpVariable %p3 UniformConstant\n"
	     "+ %_runtimearr_image = OpTypeRuntimeArray %image\n"
	     "+ %_ptr_UniformConstant__runtimearr_image = OpTypePointer UniformConstant %_runtimearr_image\n"
	     "+ %many = OpVariable %_ptr_UniformConstant__runtimearr_image UniformConstant\n"},
	    {UNSIZE " keep-array-sizes", MANY, PLACED(many, 0, 0), IMAGES VARIABLE(many, p3),
	     MAIN(CHAIN(1, many) "OpReturn\n"), ""},
	    /* What is one texture, or a runtime array already, stays. */
	    {UNSIZE, MANY, PLACED(many, 0, 0), IMAGES VARIABLE(many, p1), MAIN("%l = OpLoad %image %many\nOpReturn\n"),
	     ""},
	    {UNSIZE, MANY, PLACED(many, 0, 0), IMAGES VARIABLE(many, pn), MAIN(CHAIN(1, many) "OpReturn\n"), ""},
	    /* Uses: remarks may name it, and chains begin with it; anything else needs its type. */
	    {UNSIZE, MANY, PLACED(many, 0, 0), IMAGES VARIABLE(many, p3),
	     MAIN("%x = OpExtInst %void %set 1 %many\n" CHAIN(1, many) "OpReturn\n"),
	     "! %24 \"many\" is declared without a size (a.hlsl:1), so its array of 3 becomes a runtime array, which "
	     "needs runtimeDescriptorArray; --keep-array-sizes leaves it\n"
	     "+ OpCapability RuntimeDescriptorArray\n"
	     "+ OpExtension \"SPV_EXT_descriptor_indexing\"\n"
	     "- %many = OpVariable %p3 UniformConstant\n"
	     "+ %_runtimearr_image = OpTypeRuntimeArray %image\n"
	     "+ %_ptr_UniformConstant__runtimearr_image = OpTypePointer UniformConstant %_runtimearr_image\n"
	     "+ %many = OpVariable %_ptr_UniformConstant__runtimearr_image UniformConstant\n"},
	    {UNSIZE, MANY, PLACED(many, 0, 0), IMAGES VARIABLE(many, p3),
	     MAIN(CHAIN(1, many) "%l = OpLoad %three %many\nOpReturn\n"), ""},
	    {UNSIZE, MANY, PLACED(many, 0, 0), IMAGES VARIABLE(many, p3),
	     MAIN("%l = OpCopyObject %p3 %many\nOpReturn\n"), ""},
	    {UNSIZE, MANY, PLACED(many, 0, 0) PLACED(other, 0, 9), IMAGES VARIABLE(many, p3) VARIABLE(other, p3),
	     MAIN("%a = OpAccessChain %p1 %other %many\nOpReturn\n"), ""},
	    {UNSIZE, MANY, PLACED(many, 0, 0), IMAGES VARIABLE(many, p3), MAIN("OpReturn\n"),
	     "! %24 \"many\" is declared without a size (a.hlsl:1), so its array of 3 becomes a runtime array, which "
	     "needs runtimeDescriptorArray; --keep-array-sizes leaves it\n"
	     "+ OpCapability RuntimeDescriptorArray\n"
	     "+ OpExtension \"SPV_EXT_descriptor_indexing\"\n"
	     "- %many = OpVariable %p3 UniformConstant\n"
	     "+ %_runtimearr_image = OpTypeRuntimeArray %image\n"
	     "+ %_ptr_UniformConstant__runtimearr_image = OpTypePointer UniformConstant %_runtimearr_image\n"
	     "+ %many = OpVariable %_ptr_UniformConstant__runtimearr_image UniformConstant\n"},
	};

	(void)state;
	check_all(rows, SPB_COUNT(rows));
}

/* assign-bindings */

#define CLSPV(set)                                                                                                     \
	"OpCapability Shader\nOpExtension \"SPV_KHR_non_semantic_info\"\n%std = OpExtInstImport \"GLSL.std.450\"\n"    \
	"%set = OpExtInstImport \"NonSemantic." set "\"\nOpMemoryModel Logical GLSL450\n"                              \
	"OpEntryPoint GLCompute %main \"main\"\nOpExecutionMode %main LocalSize 1 1 1\n"
#define ASSIGN "only=assign-bindings order=module validate=none"

static void decorations_say_what_was_assigned(void **state)
{
	static const struct row rows[] = {
	    /* Patched, added, and said once; what is said of others, or something else, stays. */
	    {ASSIGN " rebind=all", HEAD,
	     PLACED(lone, 0,
		    7) "OpDecorate %two Binding 8\nOpDecorate %two NonWritable\nOpDecorate %three3 DescriptorSet 0\n",
	     IMAGES VARIABLE(lone, p1) VARIABLE(two, p1) VARIABLE(three3, p3) VARIABLE(four, p1), MAIN("OpReturn\n"),
	     "- OpDecorate %lone Binding 7\n"
	     "- OpDecorate %two Binding 8\n"
	     "+ OpDecorate %lone Binding 0\n"
	     "+ OpDecorate %two Binding 1\n"
	     "+ OpDecorate %two DescriptorSet 0\n"
	     "+ OpDecorate %three3 Binding 2\n"
	     "+ OpDecorate %four DescriptorSet 0\n"
	     "+ OpDecorate %four Binding 3\n"},
	    {ASSIGN " rebind=all,sets default-set=2", HEAD,
	     PLACED(lone, 0,
		    7) "OpDecorate %two Binding 8\nOpDecorate %two NonWritable\nOpDecorate %three3 DescriptorSet 0\n",
	     IMAGES VARIABLE(lone, p1) VARIABLE(two, p1) VARIABLE(three3, p3) VARIABLE(four, p1), MAIN("OpReturn\n"),
	     "- OpDecorate %lone DescriptorSet 0\n"
	     "- OpDecorate %lone Binding 7\n"
	     "- OpDecorate %two Binding 8\n"
	     "+ OpDecorate %lone DescriptorSet 2\n"
	     "+ OpDecorate %lone Binding 0\n"
	     "+ OpDecorate %two Binding 1\n"
	     "- OpDecorate %three3 DescriptorSet 0\n"
	     "+ OpDecorate %three3 DescriptorSet 2\n"
	     "+ OpDecorate %two DescriptorSet 2\n"
	     "+ OpDecorate %three3 Binding 2\n"
	     "+ OpDecorate %four DescriptorSet 2\n"
	     "+ OpDecorate %four Binding 3\n"},
	    {ASSIGN, HEAD,
	     PLACED(lone, 0, 0) "OpDecorate %lone Binding 0\nOpDecorate %lone DescriptorSet 0\n" PLACED(
		 two, 0, 1) "OpDecorate %lone Binding 0\n",
	     IMAGES VARIABLE(lone, p1) VARIABLE(two, p1), MAIN("OpReturn\n"),
	     "- OpDecorate %lone Binding 0\n"
	     "- OpDecorate %lone DescriptorSet 0\n"
	     "- OpDecorate %lone Binding 0\n"},
	    {ASSIGN, HEAD, PLACED(lone, 0, 3) "OpDecorate %lone Binding 4\nOpDecorate %lone DescriptorSet 1\n",
	     IMAGES VARIABLE(lone, p1) VARIABLE(two, p1), MAIN("OpReturn\n"),
	     "- OpDecorate %lone DescriptorSet 0\n"
	     "- OpDecorate %lone Binding 3\n"
	     "- OpDecorate %lone Binding 4\n"
	     "+ OpDecorate %lone Binding 4\n"
	     "+ OpDecorate %two DescriptorSet 0\n"
	     "+ OpDecorate %two Binding 0\n"},
	    {ASSIGN, HEAD, PLACED(lone, 0, 0) PLACED(two, 0, 1), IMAGES VARIABLE(lone, p1) VARIABLE(two, p1),
	     MAIN("OpReturn\n"), ""},
	    {ASSIGN " unused=remove rebind=all", HEAD, PLACED(lone, 0, 3) PLACED(two, 0, 4),
	     IMAGES VARIABLE(lone, p1) VARIABLE(two, p1), MAIN("%l = OpLoad %image %two\nOpReturn\n"),
	     "- OpDecorate %two Binding 4\n"
	     "+ OpDecorate %two Binding 0\n"},
	    /* clspv's reflection keeps old numbers: one warning, of what has moved. */
	    {ASSIGN " rebind=all", CLSPV("ClspvReflection.1"),
	     PLACED(lone, 0, 0) PLACED(two, 0, 4) PLACED(three3, 0, 9),
	     IMAGES VARIABLE(new, p1) VARIABLE(lone, p1) VARIABLE(two, p1) VARIABLE(three3, p3), MAIN("OpReturn\n"),
	     "! %25 \"lone\" moves from set 0, binding 0 to set 0, binding 1, but the NonSemantic.ClspvReflection of "
	     "this module keeps the old numbers; keep what clspv assigned, or let the host read the layout JSON\n"
	     "- OpDecorate %lone Binding 0\n"
	     "+ OpDecorate %lone Binding 1\n"
	     "- OpDecorate %two Binding 4\n"
	     "+ OpDecorate %two Binding 2\n"
	     "- OpDecorate %three3 Binding 9\n"
	     "+ OpDecorate %three3 Binding 3\n"
	     "+ OpDecorate %new DescriptorSet 0\n"
	     "+ OpDecorate %new Binding 0\n"},
	    {ASSIGN " rebind=all", CLSPV("ClspvReflection.1"), PLACED(lone, 0, 0) PLACED(two, 0, 1),
	     IMAGES VARIABLE(lone, p1) VARIABLE(two, p1), MAIN("OpReturn\n"), ""},
	    {ASSIGN, CLSPV("ClspvReflection.1"), "", IMAGES VARIABLE(lone, p1) VARIABLE(two, p1), MAIN("OpReturn\n"),
	     "+ OpDecorate %lone DescriptorSet 0\n"
	     "+ OpDecorate %lone Binding 0\n"
	     "+ OpDecorate %two DescriptorSet 0\n"
	     "+ OpDecorate %two Binding 1\n"},
	    {ASSIGN " rebind=all", CLSPV("ClspvReflection"), PLACED(lone, 0, 5), IMAGES VARIABLE(lone, p1),
	     MAIN("OpReturn\n"),
	     "- OpDecorate %lone Binding 5\n"
	     "+ OpDecorate %lone Binding 0\n"},
	    {ASSIGN " rebind=all", CLSPV("Clsp"), PLACED(lone, 0, 5), IMAGES VARIABLE(lone, p1), MAIN("OpReturn\n"),
	     "- OpDecorate %lone Binding 5\n"
	     "+ OpDecorate %lone Binding 0\n"},
	};

	(void)state;
	check_all(rows, SPB_COUNT(rows));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(dead_code_goes_with_what_it_names),
	    cmocka_unit_test(groups_become_decorations),
	    cmocka_unit_test(arrays_without_a_size_are_declared),
	    cmocka_unit_test(arrays_that_hlsl_declares_without_a_size_have_none),
	    cmocka_unit_test(decorations_say_what_was_assigned),
	};

	plugin = spb_plugin_get(SPB_PLUGIN_VERSION);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
