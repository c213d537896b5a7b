/* SPDX-License-Identifier: Apache-2.0 */
/* option_table: every option, in the order in which help and the man page list them. The texts become plain text, man
 * source and completions, so they contain no markup; a word that begins with -- is set in bold where that is possible.
 */
#include <string.h>

#include "cli/args/args.h"

/* ORDER option_group */
const struct group arg_groups[GROUPS] = {
    {"output", "Output"},
    {"batch", "Many programs"},
    {"layout", "Layout"},
    {"locks", "Lock files"},
    {"handles", "Descriptor handles and heaps"},
    {"samplers", "Combined image-samplers"},
    {"uniformity", "NonUniform"},
    {"validation", "Validation"},
    {"general", "General"},
    {"debug", "Debugging spirv-bind"},
};

/* Verbs that take an option. */
enum {
	B = VERB_BIND,
	C = VERB_CHECK,
	L = VERB_LINT,
	Y = VERB_LAYOUT,
	E = VERB_EXPLAIN,
	P = VERB_PASS,
	M = VERB_LOCK_MERGE,
	ALL = VERBS & ~VERB_LOCK_MERGE
};

#define SPB_CHOICES(name)                          static const struct choice name[] = {
#define SPB_CHOICE(word, value, is_default, means) {word, value, means, is_default},
#define SPB_END_CHOICES                                                                                                \
	{                                                                                                              \
		0                                                                                                      \
	}                                                                                                              \
	}                                                                                                              \
	;
#define SPB_LIBRARY_CHOICE(...) /* which has a verb */
#include "lib/options/choices.inc"

static const struct choice words[] = {
    {"binary", WORDS_BINARY, "as files of SPIR-V", true},
    {"num", WORDS_NUMBERS, "as numbers of C with commas, what glslc -mfmt=num and glslangValidator -x write", false},
    {"c", WORDS_C, "the same in braces, what glslc -mfmt=c writes", false},
    {0}};

static const struct choice progress[] = {
    {"auto", PROGRESS_AUTO, "if the standard error is a terminal", true},
    {"never", PROGRESS_NEVER, "never", false},
    {"always", PROGRESS_ALWAYS, "always; elsewhere than on a terminal, one line a second and one at the end", false},
    {0}};

static const struct choice colors[] = {
    {"auto", COLOR_AUTO, "on a terminal, unless the environment variable NO_COLOR is set or TERM is dumb", true},
    {"never", COLOR_NEVER, "never", false},
    {"always", COLOR_ALWAYS, "always", false},
    {0}};

static const struct choice batches[] = {
    {"inputs", BATCH_INPUTS, "each input is a program; meant if no value is given", false},
    {"stem", BATCH_STEMS,
     "inputs are stages of one program if their names differ only in the extension of the stage: lit.vert.spv and "
     "lit.frag.spv",
     false},
    {0}};

static const struct choice stages[] = {{"vert", 0, "vertex", false},
				       {"tesc", 0, "tessellation control, HLSL's hull shader", false},
				       {"tese", 0, "tessellation evaluation, HLSL's domain shader", false},
				       {"geom", 0, "geometry", false},
				       {"frag", 0, "fragment, HLSL's pixel shader", false},
				       {"comp", 0, "compute", false},
				       {"task", 0, "task, HLSL's amplification shader", false},
				       {"mesh", 0, "mesh", false},
				       {"rgen", 0, "ray generation", false},
				       {"rint", 0, "intersection", false},
				       {"rahit", 0, "any hit", false},
				       {"rchit", 0, "closest hit", false},
				       {"rmiss", 0, "miss", false},
				       {"rcall", 0, "callable", false},
				       {0}};

static const struct choice version_formats[] = {
    {"text", VERSION_TEXT, "a line for each", true},
    {"json", VERSION_JSON,
     "a JSON object, which also has the BLAKE2b-256 hash of the executable: what a cache of results needs to know of "
     "spirv-bind. With the same object, options and files, the results are the same",
     false},
    {0}};

static const struct choice diagnostics[] = {
    {"text", DIAGNOSTICS_TEXT, "one message per line, as compilers write them", true},
    {"json", DIAGNOSTICS_JSON, "one JSON object per line", false},
    {"sarif", DIAGNOSTICS_SARIF, "one SARIF 2.1.0 log", false},
    {"github", DIAGNOSTICS_GITHUB, "workflow commands of GitHub Actions", false},
    {0}};

#define FIELD(f)                                                                                                       \
	{                                                                                                              \
		offsetof(struct arguments, f), sizeof((struct arguments *)0)->f                                        \
	}
#define IN_GROUP(g) .group = GROUP_##g

static const struct option options[] = {
    {"-o", .value = "FILE", .is_of_run = true, .brief = B | P | VERB_COLLECT | VERB_LOCK_PART,
     .verbs = B | P | VERB_COLLECT | VERB_LOCK_PART, .kind = CALL, .is_repeated = true, .is_glued = true,
     IN_GROUP(OUTPUT), .read = arg_add_output, .summary = "write the module to FILE",
     .text = "Writes the module to FILE, which may be the input itself; - is the standard output. Several modules are "
	     "written with --out-dir, or with one -o for each, in the order of the inputs and then of --import."},
    {"-I", .value = "DIR", .is_path = true, .verbs = ALL, .kind = CALL, .is_repeated = true, .is_glued = true,
     IN_GROUP(OUTPUT), .read = arg_add_include_path, .summary = "where inputs in GLSL or HLSL may include files from",
     .text =
	 "A folder from which inputs and resolvers in GLSL or HLSL may include files. Inputs whose names say a stage, "
	 "as "
	 "lit.frag, lit.frag.glsl, lit.fs, lit.frag.hlsl and lit.ps.hlsl do, and those that -S gives one, are compiled "
	 "by "
	 "glslangValidator or glslc from PATH, for --target-env, and inputs that end in .spvasm are assembled. Numbers "
	 "that the source does not have are those that spirv-bind gives. Written with --out-dir, they become "
	 "lit.frag.spv and so on."},
    {"-D", .value = "NAME[=VALUE]", .verbs = ALL, .kind = CALL, .is_repeated = true, .is_glued = true, IN_GROUP(OUTPUT),
     .read = arg_add_macro, .summary = "define a macro for inputs in GLSL or HLSL",
     .text = "Defines a macro for inputs and resolvers in GLSL or HLSL, and for the source text in modules whose "
	     "compiler does not "
	     "record the macros of its command line, as glslc and dxc do not. Give those all of them."},
    {"-S", .value = "STAGE", .brief = B, .verbs = ALL, .kind = CALL, .is_repeated = true, .is_glued = true,
     IN_GROUP(OUTPUT), .read = arg_read_stage, .choices = stages,
     .summary = "stage of the inputs after it whose names say none",
     .text = "The stage of the inputs in GLSL or HLSL after it, up to the next -S, whose names do not say one: -S vert "
	     "sky.hlsl. Behind all inputs, it is for those that have none before them. HLSL ends in .hlsl; everything "
	     "else is GLSL."},
    {"--out-dir", .value = "DIR", .is_of_run = true, .brief = B | P, .verbs = B | P, .kind = TEXT, .is_neutral = true,
     IN_GROUP(OUTPUT), .field = FIELD(program.modules.folder),
     .summary = "write each module to DIR under its own file name",
     .text = "Writes each module to DIR under its own file name. DIR is created if it does not exist, with the "
	     "folders above it. The folders of all other files, such as those of -o, --layout-json, --report, "
	     "--depfile or --stamp, must exist already, unless they are DIR. With -m, the folders of the inputs are "
	     "kept, relative to the manifest, and % in DIR stands for the name of the program."},
    {"--base", .value = "DIR", .is_of_run = true, .verbs = B | P, .kind = TEXT, .is_neutral = true, IN_GROUP(OUTPUT),
     .field = FIELD(program.modules.base), .summary = "keep the folders of inputs below DIR in --out-dir",
     .text =
	 "With --out-dir, each module keeps its folders below DIR: with --base=shaders, shaders/sky/lit.frag becomes "
	 "OUT/sky/lit.frag.spv. All inputs must be below DIR, so adding one moves no other. Without --base, no input "
	 "keeps a folder."},
    {"--words", .value = "FORM", .verbs = B | P, .kind = CHOICE, IN_GROUP(OUTPUT),
     .field = FIELD(program.modules.words), .choices = words, .summary = "write modules as text that C can include",
     .text = "How modules are written. With num and c, --out-dir names them lit.frag.inc and so on, for "
	     "static const uint32_t words[] = and #include \"lit.frag.inc\"."},
    {"--layout-json", .value = "FILE", .optional = Y, .brief = B | Y | VERB_DECIDE, .verbs = B | Y | VERB_DECIDE,
     .kind = TEXT, IN_GROUP(OUTPUT), .field = FIELD(program.layout.files[LAYOUT_JSON]),
     .summary = "write the layout of the program as JSON",
     .text = "Writes the layout of the program as JSON in the format of layout.schema.json, which is installed with "
	     "the C header; - is the standard output. With -m, it is the layout of the shared sets."},
    {"--record-options", .verbs = B | P, .kind = SWITCH, IN_GROUP(OUTPUT), .field = FIELD(program.given.is_recorded),
     .summary = "note in each changed module what was done",
     .text = "Adds a note to each module that changes: the version of spirv-bind and the options that affect "
	     "modules, as OpModuleProcessed, or as OpSourceExtension before SPIR-V 1.1. Files are noted by name, "
	     "without folders."},
    {"--strip-debug", .verbs = B | C | P, .kind = LIBRARY, IN_GROUP(OUTPUT),
     .summary = "remove names, lines and source text from the modules at the end",
     .text = "Removes names, lines, source text and other debug information from the modules as the last step: "
	     "layouts, locks and messages still have the names. Notes of spirv-bind stay, for later runs."},
    {"--depfile", .value = "FILE", .is_of_run = true, .verbs = ALL, .kind = TEXT, IN_GROUP(OUTPUT),
     .field = FIELD(run.depfile), .summary = "write what the run has read to FILE, for Make and Ninja",
     .text = "Writes a Make rule to FILE: the outputs, or the file of --stamp if it is given, depend on every "
	     "file that the run has read, such as modules, policies, locks, and resolvers with their includes. A "
	     "lock that the run may write is left out. Outputs that do not change keep their age, "
	     "which Ninja takes into account (restat = 1). Make does not, so they are renewed if it runs spirv-bind "
	     "(MAKELEVEL is set) without --stamp."},
    {"--stamp", .value = "FILE", .is_of_run = true, .verbs = ALL, .kind = TEXT, IN_GROUP(OUTPUT),
     .field = FIELD(run.stamp), .summary = "write an empty FILE when the run succeeds, each time",
     .text = "Writes an empty FILE at the end of each run that succeeds, for build systems that compare the ages "
	     "of files, since outputs that do not change keep theirs. It is also useful for verbs without other "
	     "outputs, such as check."},
    {"--layout-header", .value = "FILE", .optional = Y, .brief = B | Y, .verbs = B | Y, .kind = TEXT, IN_GROUP(OUTPUT),
     .field = FIELD(program.layout.files[LAYOUT_HEADER]), .summary = "write the layout as a C header",
     .text =
	 "Writes the layout as a header for C99 and C++: the set, the binding and the number of descriptors "
	 "of each resource as macros, structs of the data that shaders read and, where PREFIX_tables is defined "
	 "before the header is included, tables for the Vulkan functions that create descriptor set layouts, "
	 "pipeline layouts, descriptor pools, update templates and pipelines. - is the standard output. With -m, "
	 "it is that of the shared sets; with % in FILE, which stands for the name of the program, each program has "
	 "its own."},
    {"--layout-glsl", .value = "FILE", .optional = Y, .verbs = B | Y, .kind = TEXT, IN_GROUP(OUTPUT),
     .field = FIELD(program.layout.files[LAYOUT_GLSL]), .summary = "write sets and bindings as macros for GLSL",
     .text = "Writes the same macros, without tables, for shaders. - is the standard output. With -m, % stands for "
	     "the name of the program."},
    {"--report", .value = "FILE", .optional = Y, .brief = Y, .verbs = B | Y | VERB_DECIDE, .kind = TEXT,
     IN_GROUP(OUTPUT), .field = FIELD(program.layout.files[LAYOUT_REPORT]),
     .summary = "write the layout as a page to look at",
     .text = "Writes the layout as a single HTML page that loads no other files: what is bound where, the stages "
	     "that read and write it, which accesses are NonUniform, and where their indices come from, with "
	     "source lines. For a manifest, the page lists the sets that programs share, and which parts of them "
	     "each program uses. - is the standard output."},
    {"--accesses", .brief = Y, .verbs = B | Y | VERB_DECIDE, .kind = LIBRARY, IN_GROUP(OUTPUT),
     .summary = "list every access in the layout JSON",
     .text = "The layout JSON also lists every access to a resource: module, function, resource, range, index (null if "
	     "it is not a constant), whether it is decorated NonUniform, and the source line if the module has debug "
	     "lines."},
    {"--against", .value = "OLD.json[:SET,...]", .brief = C | Y, .verbs = B | C | Y | VERB_DECIDE, .kind = CALL,
     .is_path = true, IN_GROUP(OUTPUT), .read = arg_read_against, .summary = "compare with an older layout JSON",
     .text = "Compares the layout with that of an earlier run. With --report, the report also shows which "
	     "resources have another place, type or count.\n\nThe verb check prints which descriptor sets stay "
	     "compatible for pipeline layouts, and what makes the others incompatible; the exit status is 3 "
	     "unless all are compatible. A set is compatible if it and every set below it are identically defined "
	     "(bindings, types, counts, stages, flags and immutable samplers) and the push constant ranges are "
	     "identical. With a list of sets, as in layout.json:0,1, only these have to be identically defined, "
	     "so that descriptor sets made for the older layout can still be bound. With -m, the sets that "
	     "programs share are compared with those that --layout-json has written for them. Such a file can "
	     "also be given for a single program: each descriptor that the program has in these sets must then "
	     "have the same type, at most as many elements and no other stages, so that it can be used with their "
	     "set layouts."},
    {"--name", .value = "GLOB", .brief = E, .verbs = E, .kind = TEXT, IN_GROUP(OUTPUT),
     .field = FIELD(program.explained), .summary = "explain only the matching resources",
     .text = "Explains only the resources whose names match."},
    {"--each", .value = "HOW", .is_of_run = true, .brief = C | L | Y | E, .verbs = ALL, .kind = CHOICE, IN_GROUP(BATCH),
     .optional = VERBS, .set = BATCH_INPUTS, .field = FIELD(run.each), .choices = batches,
     .summary = "each input is a program; =stem: each name of stages is",
     .text = "Binds many programs in one run, each on its own and with the same options. Imported modules belong "
	     "to each of them. A refused program does not stop the others. The files of a program are all written "
	     "or none. The exit status is that of the worst program: 4, then 1, then 3. In the file names of "
	     "--layout-json, --layout-header, --layout-glsl, --report and --against, % stands for the name of the "
	     "program: that of its input without .spv."},
    {"-j", .value = "N", .is_of_run = true, .verbs = ALL, .kind = CALL, .is_neutral = true, IN_GROUP(BATCH),
     .is_glued = true, .read = arg_read_threads,
     .summary = "bind N programs at the same time (default: as many as there are cores)",
     .text = "Binds N programs at the same time, and runs N compilers of inputs in GLSL and HLSL; by default, as many "
	     "as there are cores. What is written and printed does not depend on it."},
    {"--fail-fast", .is_of_run = true, .verbs = ALL, .kind = SWITCH, .is_neutral = true, IN_GROUP(BATCH),
     .field = FIELD(run.fail_fast), .summary = "stop at the first program that fails",
     .text = "Stops at the first program that fails, in the order of the programs. Those before it are written, those "
	     "after it are not."},
    {"--cache", .value = "DIR", .is_of_run = true, .verbs = ALL, .kind = TEXT, IN_GROUP(BATCH), .is_neutral = true,
     .field = FIELD(run.cache), .summary = "do not compile or bind again what is in DIR",
     .text =
	 "Keeps in DIR the modules that are compiled from GLSL and HLSL and, with --each or -m, the results of each "
	 "program, and reuses them if the sources, the options, the compiler and spirv-bind are unchanged. Messages "
	 "and reports are repeated. DIR is created if it does not exist, and must not be writable by other users. "
	 "Damaged entries are ignored."},
    {"--progress", .value = "WHEN", .is_of_run = true, .verbs = ALL, .kind = CHOICE, .is_neutral = true,
     IN_GROUP(BATCH), .field = FIELD(run.progress), .choices = progress, .summary = "show how many programs are done",
     .text = "Shows on the standard error how many programs are done, how many have failed, and how many are done in a "
	     "second."},
    {"-m", .value = "MANIFEST", .is_of_run = true, .brief = ALL, .verbs = ALL, .kind = TEXT, .is_glued = true,
     .is_neutral = true, IN_GROUP(BATCH), .field = FIELD(run.manifest),
     .summary = "the programs that MANIFEST lists, in place of inputs",
     .text = "Reads the programs from MANIFEST, which lists one per line with its files and options, instead of "
	     "taking the inputs as one program. Programs can share descriptor sets and one lock file (see "
	     "docs/workspaces.md). Paths in MANIFEST are relative to its folder, and --out-dir keeps the folders "
	     "of the inputs. Options in its lines that the verb does not take are ignored; they are for other "
	     "verbs."},
    {"--programs", .value = "GLOB", .is_of_run = true, .verbs = ALL, .kind = TEXT, .is_neutral = true, IN_GROUP(BATCH),
     .field = FIELD(run.programs), .summary = "of the manifest, only these programs",
     .text = "Selects the programs of the manifest whose names match. When the lock file is written, only their "
	     "own lines change, and lines of shared sets are only added."},
    {"--shard", .value = "K/N", .is_of_run = true, .brief = VERB_COLLECT | VERB_LOCK_PART,
     .verbs = B | C | L | VERB_COLLECT | VERB_LOCK_PART, .kind = CALL, .is_neutral = true, IN_GROUP(BATCH),
     .read = arg_read_shard, .summary = "of the manifest, only the K-th of N parts",
     .text =
	 "Selects the K-th of N parts of the manifest. A program stays in its part when others are added or removed."},

    {"--rules", .value = "RULES", .brief = B | C | Y, .verbs = ALL, .kind = LIBRARY, IN_GROUP(LAYOUT), .choices = rules,
     .summary = "rules that assign bindings", .text = "The rules by which bindings are assigned."},
    {"--rebind", .value = "WHAT", .verbs = ALL, .kind = LIBRARY, IN_GROUP(LAYOUT), .choices = rebind,
     .summary = "which existing bindings are reassigned",
     .text = "Which of the sets and bindings in the input are reassigned."},
    {"--order", .value = "ORDER", .verbs = ALL, .kind = LIBRARY, IN_GROUP(LAYOUT), .choices = order,
     .summary = "order in which resources are numbered",
     .text = "The order in which the resources of a module are numbered."},
    {"--auto-binding", .value = "N", .brief = B | C | Y | E | VERB_LOCK_CHECK | VERB_LOCK_UPDATE, .verbs = ALL,
     .kind = LIBRARY, IN_GROUP(LAYOUT), .summary = "treat Binding N as missing",
     .text = "Treats a Binding decoration of N as missing. GLSL compilers demand a binding; this gives them one that "
	     "means \"assign it\"."},
    {"--place", .value = "GLOB=SET.BINDING", .verbs = ALL, .kind = LIBRARY, IN_GROUP(LAYOUT),
     .summary = "place the matching resources at SET.BINDING",
     .text = "Places the resources whose names match at this set and binding."},
    {"--policy", .value = "RULE", .verbs = ALL, .kind = LIBRARY, IN_GROUP(LAYOUT),
     .summary = "apply a rule of the policy language",
     .text =
	 "Applies one rule, as a line of a policy file has it: --policy='descriptor name=Draw -> type=dynamic' (see "
	 "POLICIES in the man page). It comes before those of profiles; shift and option lines come after them."},
    {"--profile", .value = "NAME|FILE", .is_path = true, .verbs = ALL, .kind = CALL, .is_repeated = true,
     IN_GROUP(LAYOUT), .read = arg_add_profile, .names = SPB_NAME_PROFILE,
     .summary = "apply a built-in profile or a policy file",
     .text = "Applies a built-in profile, or the rules of a policy file (see POLICIES in the man page)."},
    {"--shift", .value = "CLASS[:SPACE][@STAGE]=N", .verbs = ALL, .kind = LIBRARY, IN_GROUP(LAYOUT),
     .summary = "add N to the numbers of register class b, t, s or u",
     .text =
	 "Adds N to the numbers of register class b, t, s or u, in one space or in all, for all stages or for "
	 "one. Under --rules=slang this applies to unassigned resources, and the class is then numbered separately. "
	 "With --profile=glslang or --profile=dxc-auto-shift, N is the binding where unassigned resources begin, and "
	 "CLASS "
	 "may be kinds of resources instead, as in --shift=texture,combined@fragment=32. The last one for a class, "
	 "space and stage wins."},
    {"--unused", .value = "WHAT", .verbs = ALL, .kind = LIBRARY, IN_GROUP(LAYOUT), .choices = unused,
     .summary = "what happens to resources that no entry point reaches",
     .text = "What happens to resources that no entry point can reach."},
    {"--allow-overlap", .verbs = ALL, .kind = LIBRARY, IN_GROUP(LAYOUT),
     .summary = "accept different resources at one binding, with a warning",
     .text = "Different resources that are fixed at one binding are a warning instead of an error."},
    {"-e", .value = "NAME", .verbs = ALL, .kind = CALL, .is_glued = true, .is_repeated = true, IN_GROUP(LAYOUT),
     .read = arg_read_entry, .summary = "compile HLSL and bind for the entry point NAME",
     .text =
	 "Inputs in HLSL after it, up to the next -e, are compiled for this entry point instead of main; behind all "
	 "inputs, it is for those that have none before them. One file can be given several times, as in -S vert "
	 "-e VSMain sky.hlsl -S frag -e PSMain sky.hlsl.\n\nModules are bound for the entry points with these "
	 "names only. Resources that only other entry points use keep the "
	 "set and the binding of the input, take no part in numbering, conflicts or removal, and are not in the "
	 "layout JSON."},
    {"--spec", .value = "ID=VALUE", .verbs = ALL, .kind = LIBRARY, IN_GROUP(LAYOUT),
     .summary = "the host gives specialization constant ID this value",
     .text = "The host creates the pipelines with this value of the specialization constants whose SpecId is ID: "
	     "an integer, and for a bool 0 or 1. The value is used for lengths of arrays and to prove what is "
	     "uniform: the size of the workgroup, and branches that are never taken. The constants stay in the "
	     "modules; a pipeline with other values needs another run. IDs that no module has are ignored."},
    {"--import", .value = "FILE", .is_of_run = true, .is_path = true, .verbs = ALL, .kind = CALL, .is_repeated = true,
     IN_GROUP(LAYOUT), .read = arg_add_import, .summary = "add a module that is numbered after all inputs",
     .text = "Adds a module whose resources are numbered after those of all inputs, even those that an input "
	     "declares as well because its source includes the same text. The module is written like an input."},

    {"--lock", .value = "FILE", .is_of_run = true,
     .brief = B | C | VERB_DECIDE | VERB_LOCK_PART | VERB_LOCK_CHECK | VERB_LOCK_UPDATE, .verbs = ALL & ~L,
     .kind = TEXT, .is_neutral = true, IN_GROUP(LOCKS), .field = FIELD(program.lock.file),
     .summary = "keep the bindings recorded in FILE",
     .text = "Keeps the bindings recorded in FILE. New resources take free bindings; the binding of a removed resource "
	     "stays reserved for its return."},
    {"--locked", .is_of_run = true, .brief = VERB_DECIDE, .verbs = B | Y | VERB_DECIDE, .kind = SWITCH,
     .is_neutral = true, IN_GROUP(LOCKS), .field = FIELD(program.lock.locked),
     .summary = "exit with 3 if the lock file would change",
     .text = "If the lock file would change, prints the difference, writes nothing and exits with 3."},
    {"--update-lock", .is_of_run = true, .brief = B, .verbs = B, .kind = LIBRARY, .is_neutral = true, IN_GROUP(LOCKS),
     .summary = "write the lock file",
     .text =
	 "Writes the lock file, together with the modules or not at all. Resources no longer in the program stay in "
	 "the file, marked removed. Where a module fixes a resource at another binding, the file follows the module."},

    {"--heap-model", .value = "MODEL", .verbs = ALL, .kind = LIBRARY, IN_GROUP(HANDLES), .choices = heap_models,
     .summary = "which descriptors share a heap",
     .text =
	 "How the descriptors that handles refer to are arranged in heaps, which are arrays of "
	 "descriptors. Given explicitly, all but descriptor-heap also turn the built-in heaps of a module that uses "
	 "SPV_EXT_descriptor_heap into such arrays.\n\nWith descriptor-heap, the x of a sampler handle is an "
	 "index into the sampler heap and the x of any other handle one into the resource heap; handles of "
	 "combined image-samplers are split. "
	 "These heaps need no NonUniform decoration and get none. SPIRV-Tools before 2026.1 cannot validate the "
	 "output: pass --allow-unvalidated and run a newer spirv-val on it."},
    {"--heap-set", .value = "N", .verbs = ALL, .kind = LIBRARY, IN_GROUP(HANDLES),
     .summary = "lowest set the heaps may use (default: 0)",
     .text =
	 "The lowest set that the heaps may use; 0 by default. They take the first set from there on that nothing "
	 "else uses.\n\nHeaps that a module already has, from an earlier run, from Slang (__slang_resource_heap) "
	 "or from DXC (ResourceDescriptorHeap and the like), keep their bindings whatever --place and policies say. "
	 "--heap moves one kind; --rebind=all together with --heap-set, or --rebind=all,sets, moves all of them to "
	 "the bindings of --heap-model."},
    {"--heap", .value = "KIND=SET.BINDING", .verbs = ALL, .kind = LIBRARY, IN_GROUP(HANDLES),
     .summary = "place the heap of one kind of descriptor at SET.BINDING",
     .text = "Places the heap of one kind of descriptor at this set and binding, as if it had been declared there. All "
	     "its views move, including those that Slang, DXC or an earlier run made. A runtime array in the module of "
	     "the same type at this binding is taken for the heap. Given several times for a kind, each type of "
	     "descriptor goes where such an array is, and those without one to the last place.\n\nThe kinds have the "
	     "names of the layout JSON: utexbuf stands for uniform texel buffers, stexbuf for storage texel buffers, "
	     "as for acceleration structures, and counter for the counters of the buffers in DXC's heap. "
	     "--heap=as=address makes handles of acceleration structures device addresses."},
    {"--heap-size", .value = "N[:ID]", .verbs = ALL, .kind = LIBRARY, IN_GROUP(HANDLES),
     .summary = "heaps are arrays of N descriptors (default: runtime arrays)",
     .text =
	 "Heaps are arrays of N descriptors, which does not require the feature runtimeDescriptorArray. 0, the "
	 "default, stands for runtime arrays. A constant index of N or more is an error. With N:ID, N is the default "
	 "of a specialization constant with this SpecId, so that the host sets the length when it creates the "
	 "pipeline."},
    {"--heap-stride", .value = "RESOURCES[,SAMPLERS]", .verbs = ALL, .kind = LIBRARY, IN_GROUP(HANDLES),
     .summary = "distance between descriptors, with --heap-model=descriptor-heap",
     .text =
	 "With --heap-model=descriptor-heap, the distance in bytes from one descriptor to the next in the resource "
	 "heap and in the sampler heap: a multiple of 4 up to 65536. size, the default, is the size of the descriptor "
	 "type, which the driver knows (OpConstantSizeOfEXT); an index of an image and an index of a buffer then count "
	 "in different steps. unified, for resources only, is the larger of the sizes of images and buffers."},
    {"--combined", .value = "WHAT", .verbs = ALL, .kind = LIBRARY, IN_GROUP(HANDLES), .choices = combined,
     .summary = "what a handle of a combined image-sampler contains",
     .text = "What a handle of a combined image-sampler contains."},
    {"--bounds-check", .value = "WHAT", .verbs = ALL, .kind = LIBRARY, IN_GROUP(HANDLES), .choices = bounds_checks,
     .summary = "what happens when an index is outside its heap",
     .text = "What happens when an index that is not a constant is outside its heap, whose size --heap-size gives. A "
	     "constant index outside the heap is always an error."},
    {"--instrument-handles", .value = "SET.BINDING", .verbs = ALL, .kind = LIBRARY, IN_GROUP(HANDLES),
     .summary = "count dereferences of handles that name no descriptor",
     .text = "For debugging: each dereference compares its handle with a table that the host fills, a storage "
	     "buffer at SET.BINDING, and counts errors in a second buffer at the next binding. The layout JSON "
	     "says which counter belongs to which line; docs/handles.md describes the buffers."},
    {"--resolver", .value = "FILE", .is_path = true, .verbs = ALL, .kind = CALL, .is_repeated = true, IN_GROUP(HANDLES),
     .read = arg_add_resolver, .summary = "define how a handle maps to a descriptor",
     .text = "Adds a file with functions that map a handle to a descriptor, instead of taking its x as the "
	     "index:\n\nuint getDescriptorIndexFromHandle(uint2 handle) or (uint2 handle, uint kind), where kind is a "
	     "value of spb_heap_kind, returns the index;\n\nT getDescriptorFromHandle...(uint2 handle), with any "
	     "suffix, returns a descriptor of one opaque type T.\n\nA function is exported by LinkageAttributes or has "
	     "this name by OpName. The file is SPIR-V, SPIR-V assembly (.spvasm), or otherwise GLSL, which is compiled "
	     "by glslangValidator or glslc from PATH. What a module needs of the file is merged into the module. A "
	     "module may also define such a function itself."},
    {"--lower-buffer-references", .value = "GLOB[,GLOB]", .verbs = ALL, .kind = LIBRARY, IN_GROUP(HANDLES),
     .summary = "treat a uvec2 converted to a buffer reference as a handle",
     .text = "Treats a uvec2 that is converted to a buffer reference (GL_EXT_buffer_reference_uvec2, or by way of a "
	     "uint64) as a descriptor handle: the reference becomes an access to the heap of storage buffers. With "
	     "GLOB, only references to blocks with matching names. A reference that is loaded from memory, or made "
	     "from any other number, is a device address and stays one."},

    {"--split-combined", .verbs = ALL, .kind = LIBRARY, IN_GROUP(SAMPLERS),
     .summary = "split each combined image-sampler into a texture and a sampler",
     .text = "Splits each combined image-sampler into a texture, which keeps its name and place, and a sampler, which "
	     "takes the next free binding of the set. The sampler is NAME.sampler in the layout; its variable is "
	     "called NAME_sampler. Heaps of combined image-samplers stay as they are."},
    {"--merge-combined", .value = "TEX:SMP", .verbs = ALL, .kind = LIBRARY, IN_GROUP(SAMPLERS),
     .summary = "merge a texture and a sampler into a combined image-sampler",
     .text = "Merges the texture and the sampler with these names (OpName) into one combined image-sampler in every "
	     "module that has both. It is the texture itself if that is used with no other sampler and named in one "
	     "pair only; otherwise it is a new variable, TEX.SMP in the layout. The sampler is removed when nothing "
	     "else uses it. Merging happens before splitting."},

    {"--nonuniform", .value = "MODE", .verbs = B | C | Y | E | P, .kind = LIBRARY, IN_GROUP(UNIFORMITY),
     .choices = nonuniform, .summary = "which accesses are decorated NonUniform",
     .text = "Which accesses to arrays of descriptors are decorated NonUniform."},
    {"--prune", .verbs = B | C | Y | E | P, .kind = LIBRARY, IN_GROUP(UNIFORMITY),
     .summary = "remove NonUniform decorations that no access needs",
     .text =
	 "Removes NonUniform decorations that no access needs, and then the capabilities that nothing needs any more."},
    {"--uniform-scope", .value = "SCOPE", .verbs = B | C | L | Y | E | P, .kind = LIBRARY, IN_GROUP(UNIFORMITY),
     .choices = uniform_scopes, .summary = "scope in which an index must be uniform",
     .text = "The scope in which an index must be uniform for NonUniform to be unnecessary."},
    {"--waterfall", .value = "WHAT", .verbs = B | C | Y | E | P, .kind = LIBRARY, IN_GROUP(UNIFORMITY),
     .choices = waterfalls, .names = SPB_NAME_HEAP_KIND,
     .summary = "turn divergent accesses into loops over uniform ones",
     .text = "Puts divergent accesses into waterfall loops, which handle one index of the subgroup at a time, for "
	     "devices without non-uniform indexing. Several kinds of descriptors may be given, with commas between "
	     "them: accesses to others are decorated. Decorations and capabilities that are no longer needed are "
	     "removed, and implicit derivatives are computed before the loop. The device must support subgroup ballot "
	     "operations in the stages of the module. Implies --uniform-scope=group-or-subgroup.\n\nAccesses that "
	     "cannot be looped keep their decoration, with a warning: those whose index is hidden behind a parameter "
	     "or a choice between pointers, and OpImageQueryLod."},
    {"--host-features", .value = "LIST", .verbs = B | C | Y | E | P, .kind = LIBRARY, IN_GROUP(UNIFORMITY),
     .names = SPB_NAME_HOST_FEATURE, .summary = "Vulkan features that the host enables",
     .text = "The Vulkan features that the host enables, by their names in vulkan.h, as "
	     "runtimeDescriptorArray, separated by commas; for short, vulkan1.3, vulkan1.4, roadmap2022, roadmap2024 "
	     "and roadmap2026 are all that devices of this version or profile have, and none is none. Only features "
	     "that concern descriptors count. Several lists add up.\n\nWhere non-uniform indexing of a kind of "
	     "descriptors is missing, its accesses go into loops, as with --waterfall, if the list has "
	     "VK_SUBGROUP_FEATURE_BALLOT_BIT. A module that needs more in any other way is an error. Without this "
	     "option, what is needed is assumed to be there; -v and the layout JSON say which features that adds."},
    {"--distrust-uniform", .verbs = B | C | L | Y | E | P, .kind = LIBRARY, IN_GROUP(UNIFORMITY),
     .summary = "ignore the decorations Uniform and UniformId",
     .text = "Ignores the decorations Uniform and UniformId, which otherwise prove that a value is uniform."},
    {"--assume-aliased-references", .verbs = B | C | L | Y | E | P, .kind = LIBRARY, IN_GROUP(UNIFORMITY),
     .summary = "writes through buffer references may reach any buffer",
     .text = "Assumes that a write through a buffer reference may change any buffer that the module reads through a "
	     "descriptor. Otherwise only those decorated Aliased."},
    {"--ycbcr", .value = "GLOB", .verbs = L, .kind = LIBRARY, IN_GROUP(UNIFORMITY),
     .summary = "combined image-samplers with a Y'CbCr conversion, for lint",
     .text = "Names the combined image-samplers that the host creates with a sampler Y'CbCr conversion. "
	     "An index into an array of them that is not a constant is a finding."},

    {"--lint", .value = "RULE[=SEVERITY],...", .optional = B | C, .brief = C | L, .verbs = B | C | L, .kind = CALL,
     IN_GROUP(UNIFORMITY), .read = arg_read_lint, .choices = lint_rules, .names = SPB_NAME_LINT_RULE,
     .summary = "which rules are checked",
     .text = "With bind and check, also looks for what lint finds; if there is an error, bind writes nothing, and the "
	     "exit status is 3.\n\nWhich rules are checked, and how grave what they find is: error, warning, note or "
	     "off. By "
	     "default, all."},
    {"--check-assertions", .value = "WHEN", .verbs = B | C | Y | E | P, .kind = LIBRARY, IN_GROUP(UNIFORMITY),
     .choices = assertions, .summary = "how assert_uniform_...(x) is checked",
     .text = "How assert_uniform_workgroup(x) and assert_uniform_subgroup(x), which the header "
	     "assert_uniform.glsl declares, are checked. They are removed in any case. With runtime, the storage "
	     "buffer spb_assertions_N counts, for each assertion that is not proven, how many invocations "
	     "executed it while the value differed; the layout JSON says which member belongs to which line."},
    {"--suppress", .value = "RULE[@WHERE],...", .brief = L, .verbs = B | C | L, .kind = LIBRARY, IN_GROUP(UNIFORMITY),
     .summary = "findings of the lint that do not count",
     .text = "Findings that do not count and are not shown. RULE is a rule, a message code, or *. "
	     "WHERE is FILE:LINE, FILE, or the name of a resource or a function; * and ? match as in file names."},
    {"--baseline", .value = "FILE", .is_path = true, .brief = L, .verbs = B | C | L, .kind = TEXT, IN_GROUP(UNIFORMITY),
     .field = FIELD(program.lint.baseline), .summary = "findings of an earlier run, which do not count",
     .text = "A log that an earlier run wrote with --diagnostics=sarif:FILE. What was found then does not "
	     "count and is not shown again. Findings are recognised by names, not by lines."},

    {"--target-env", .value = "ENV", .verbs = ALL, .kind = LIBRARY, IN_GROUP(VALIDATION), .choices = environments,
     .summary = "Vulkan environment to validate for",
     .text = "The Vulkan environment to validate for. By default, the oldest that accepts the SPIR-V version of the "
	     "module."},
    {"--validate", .value = "WHICH", .verbs = B | C, .kind = LIBRARY, IN_GROUP(VALIDATION), .choices = validations,
     .summary = "what is validated",
     .text = "Which modules are validated by the built-in SPIRV-Tools. When a rewritten module is not valid, the "
	     "input is validated as well, which distinguishes a fault of the shader from one of spirv-bind; if "
	     "layout options make the module valid, the message names them. A module that needs no change is written "
	     "back as it is, and its faults are warnings, unless --validate=strict or check asks for errors."},
    {"--allow-unvalidated", .verbs = B | C, .kind = LIBRARY, IN_GROUP(VALIDATION),
     .summary = "faults of the input are warnings",
     .text = "Faults that the input has, too, and modules that are too new for the built-in SPIRV-Tools, are warnings "
	     "instead of errors."},
/* clang-format off */
#define ROW(name, bit, option) \
    {option, .verbs = B | C, .kind = LIBRARY, IN_GROUP(VALIDATION), .summary = "as in spirv-val", \
     .text = "As in spirv-val(1)."},
    SPB_VALIDATOR_FLAGS(ROW)
#undef ROW
    /* clang-format on */

    {"--diagnostics", .value = "FORMAT[:PATH]", .is_of_run = true, .brief = C | L, .verbs = ALL | M, .kind = CALL,
     IN_GROUP(GENERAL), .read = arg_read_diagnostics, .choices = diagnostics, .summary = "format of messages",
     .text = "The format of messages (see DIAGNOSTICS in the man page). Usage errors are always plain text. With PATH, "
	     "the messages are written there in this format, and as text on the standard error."},
    {"--color", .value = "WHEN", .verbs = ALL | M, .kind = CHOICE, .is_neutral = true, IN_GROUP(GENERAL),
     .field = FIELD(messages.color), .choices = colors, .summary = "color error, warning and note in messages",
     .text = "Whether error, warning and note are colored in messages."},
    {"-q", .brief = C | L, .verbs = ALL | M, .kind = SWITCH, .is_neutral = true, IN_GROUP(GENERAL),
     .field = FIELD(messages.quiet), .summary = "suppress warnings and notes",
     .text = "Suppresses warnings and notes."},
    {"-v", .brief = B | C, .verbs = ALL | M, .kind = SWITCH, .is_neutral = true, IN_GROUP(GENERAL),
     .field = FIELD(program.verbose), .summary = "list the files that are written",
     .text = "Lists on the standard error which files are written and which are unchanged. With check, lists "
	     "all modules, and what shares a binding legally."},
    {"--version", .value = "FORMAT", .is_of_run = true, .verbs = ALL | M, .kind = CALL, IN_GROUP(GENERAL),
     .optional = VERBS, .read = arg_print_version, .choices = version_formats,
     .summary = "print the versions of spirv-bind and of what it is made of",
     .text =
	 "Prints the versions of spirv-bind, of the SPIRV-Tools that it validates with, and of the SPIR-V grammar."},
    {"--help", .short_name = "-h", .value = "TOPIC", .is_of_run = true, .brief = VERBS, .verbs = ALL | M, .kind = HELP,
     IN_GROUP(GENERAL), .optional = VERBS, .summary = "print this overview, or all about TOPIC",
     .text = "Prints an overview of the options. TOPIC is an option, to describe it in full; a group of options, as "
	     "the overview names them; "
	     "or all."},

    {"--dump-after", .value = "PASS", .brief = P, .verbs = B | P, .kind = LIBRARY, IN_GROUP(DEBUG),
     .summary = "write each module as it is after this pass",
     .text = "Writes each module as it is after this pass, as SPIR-V. With -o FILE or --out-dir=DIR, the dump is "
	     "written next to the output, with its name followed by .PASS.spv. Without them, the dump of the only "
	     "module goes to the standard output, and no other file is written. A dump is written even if a later "
	     "pass refuses the program."},
};

const struct option *arg_find_option(const char *name)
{
	for (size_t i = 0; i < SPB_COUNT(options); i++) {
		const struct option *o = &options[i];
		if (!strcmp(o->name, name) || (o->short_name && !strcmp(o->short_name, name)))
			return o;
	}
	return NULL;
}

const struct option *arg_next_option(const struct option *after, uint32_t verbs)
{
	for (const struct option *o = after ? after + 1 : options; o < options + SPB_COUNT(options); o++) {
		if (o->verbs & verbs)
			return o;
	}
	return NULL;
}
