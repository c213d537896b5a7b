/* SPDX-License-Identifier: Apache-2.0 */
/* spirv-bind: a workspace is a group of programs that share descriptor sets and one lock file (docs/workspaces.md):
 *
 *     spb_workspace_create(context, lock, "game.lock", false, &workspace);
 *     spb_workspace_share(workspace, 0, NULL);
 *     spb_workspace_add_program(workspace, "sky", NULL);               for every program
 *     options.mode = SPB_MODE_COLLECT;
 *     options.layout.lock = spb_workspace_text(workspace, SPB_WORKSPACE_PROGRAM_LOCK, "sky", NULL);
 *     ... create sky, add its modules, spb_program_bind(sky) ...       for every program, in any thread
 *     spb_workspace_add_facts(workspace, "sky", spb_program_text(sky, SPB_TEXT_FACTS, NULL, NULL), NULL);
 *     spb_workspace_decide(workspace);
 *     options.mode = SPB_MODE_BIND;
 *     options.layout.lock = spb_workspace_text(workspace, SPB_WORKSPACE_PROGRAM_LOCK, "sky", NULL);
 *     options.layout.update_lock = true;
 *     ... create, add, bind as above ...                               for every program, in any thread
 *     lock = spb_workspace_text(workspace, SPB_WORKSPACE_LOCK, NULL, &length);
 *
 * Like a program it belongs to its context, whose thread rules apply, and to which it reports errors. Ownership is as
 * in spirv_bind.h, too: arguments are copied, and what is returned belongs to the workspace. */
#ifndef SPIRV_BIND_WORKSPACE_H
#define SPIRV_BIND_WORKSPACE_H

#include <spirv-bind/spirv_bind.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct spb_workspace spb_workspace;

/* What spb_workspace_decide means for a program. */
typedef enum spb_workspace_verdict {
	SPB_WORKSPACE_UNCHANGED = 0, /* its numbers are those of the lock, or nothing has been decided */
	SPB_WORKSPACE_DIFFERS = 1,   /* the lock lacks some of its resources, or has other facts about them */
	/* It is not among the programs that are bound: it failed (spb_workspace_leave_out), contradicts another one, or
	 * is not in the workspace. */
	SPB_WORKSPACE_LEFT_OUT = 2,
	/* The lock has another number for one of its resources, since a module or a policy fixes it there. */
	SPB_WORKSPACE_MOVED = 3
} spb_workspace_verdict;

/* For spb_workspace_text. */
typedef enum spb_workspace_text_kind {
	SPB_WORKSPACE_LOCK = 0, /* the lock file of all programs, after the decision or a merge */
	/* The lock for one program, for spb_layout_options.lock: before the decision the one to collect it with, after
	 * it the one to bind it with, together with update_lock. argument: the program. The text is valid until the
	 * next call for this kind. */
	SPB_WORKSPACE_PROGRAM_LOCK = 1,
	/* The lines of the lock given to spb_workspace_create which the programs of this workspace depend on: with
	 * them, the programs get the same numbers in a partial workspace. NULL without a lock and after the
	 * decision. */
	SPB_WORKSPACE_PART_OF_LOCK = 2,
	/* The facts that have been added, sorted by program, for spb_workspace_add_facts elsewhere. Texts of different
	 * programs can be added in any order. */
	SPB_WORKSPACE_FACTS = 3,
	/* The layout of the shared sets in the format of workspace.schema.json: a descriptor has the stages of all
	 * programs. After the decision. */
	SPB_WORKSPACE_LAYOUT_JSON = 4,
	/* A page of HTML about the shared sets and the programs that have them. argument: an older text of
	 * SPB_WORKSPACE_LAYOUT_JSON, since which it shows the changes; NULL: none. After the decision. */
	SPB_WORKSPACE_REPORT = 5,
	/* The tables of the shared sets as a header of C, like SPB_TEXT_LAYOUT_HEADER, with the stages of all programs.
	 * argument: PREFIX, with which names begin; those of sets that only some programs share, or a family, begin
	 * with PREFIX and the name of these. After the decision. */
	SPB_WORKSPACE_LAYOUT_HEADER = 6
} spb_workspace_text_kind;

/* Creates an empty workspace.
 *     lock        text of the lock file, of version 1 or 2; NULL: there is none
 *     lock_name   for messages; may be NULL
 *     partial     some programs are not added: their lines of the lock stay as they are, and so do those of shared sets
 *                 that the programs here do not have
 *     workspace   receives the workspace, to be destroyed before the context; NULL on failure
 * Returns SPB_ERROR_INVALID_ARGUMENT, with a message if a line of the lock is malformed, or SPB_ERROR_OUT_OF_MEMORY. */
SPB_API spb_status spb_workspace_create(spb_context *context, const char *lock, const char *lock_name, bool partial,
					spb_workspace **workspace);

/* Destroys a workspace and everything it returned. NULL is ignored. */
SPB_API void spb_workspace_destroy(spb_workspace *workspace);

/* As the set: the heaps of descriptors, in one set that nothing else of these programs uses. */
#define SPB_SHARE_HEAPS 0xFFFFFFFFu

/* Shares a descriptor set: the resources of programs in it are numbered once for all of them. Sets that the lock shares
 * are shared without this call, unless it is made for other sets.
 *     set        its number, or SPB_SHARE_HEAPS
 *     programs   names (* matches any run of characters, ? any one); NULL: all programs
 * Returns SPB_ERROR_INVALID_ARGUMENT after spb_workspace_add_program, or SPB_ERROR_OUT_OF_MEMORY. */
SPB_API spb_status spb_workspace_share(spb_workspace *workspace, uint32_t set, const char *programs);

/* Adds a program. Shared resources are numbered in the order in which programs are added.
 *     name         unique in the workspace
 *     variant_of   the name of another program, with which this one is interchangeable: the whole family is numbered as
 *                  one program that has the resources of all; its own name: it has variants, which need not be in this
 *                  workspace; NULL: it has none
 * Returns SPB_ERROR_INVALID_ARGUMENT if there is such a program already or after the first
 * SPB_WORKSPACE_PROGRAM_LOCK, or SPB_ERROR_OUT_OF_MEMORY. */
SPB_API spb_status spb_workspace_add_program(spb_workspace *workspace, const char *name, const char *variant_of);

/* Adds the facts of a program, or of several.
 *     program   whose SPB_TEXT_FACTS they are; NULL: a text of SPB_WORKSPACE_FACTS, of programs of this workspace
 *     facts     the text
 *     name      of the file that it comes from, for messages; may be NULL
 * Returns SPB_ERROR_INVALID_ARGUMENT if there is no such program, if it has facts already, after
 * spb_workspace_decide or, with a message, if a line is malformed; or SPB_ERROR_OUT_OF_MEMORY. */
SPB_API spb_status spb_workspace_add_facts(spb_workspace *workspace, const char *program, const char *facts,
					   const char *name);

/* Marks a program as failed: it needs no facts, and the others are decided as if it had not been added to a partial
 * workspace. Returns SPB_ERROR_INVALID_ARGUMENT if there is no such program, or after spb_workspace_decide. */
SPB_API spb_status spb_workspace_leave_out(spb_workspace *workspace, const char *program);

/* Decides all numbers that programs have in common. Every program must have its facts. It may be called once, and again
 * after SPB_ERROR_OUT_OF_MEMORY. A program that declares a resource otherwise than one before it, or fixes another
 * place for it, is left out, with a message, and the others are decided. Then the result is SPB_ERROR_CONFLICT, but
 * SPB_WORKSPACE_LOCK is available; if it is not, nothing has been decided, and the result is SPB_ERROR_CONFLICT (there
 * are no numbers that fit all), SPB_ERROR_INVALID_ARGUMENT or SPB_ERROR_OUT_OF_MEMORY. */
SPB_API spb_status spb_workspace_decide(spb_workspace *workspace);

/* Returns what the decision means for a program. */
SPB_API spb_workspace_verdict spb_workspace_judge(const spb_workspace *workspace, const char *program);

/* Merges another lock into the one that was given to spb_workspace_create, as a merge of two branches does; the
 * workspace must have no programs. Resources that only `theirs` has added get other numbers if `ours` uses theirs, with
 * a warning.
 *     base     text of the lock that both come from; "": none
 *     theirs   text of the other lock
 *     name     of theirs, for messages; may be NULL
 * The result is SPB_WORKSPACE_LOCK. Returns SPB_ERROR_CONFLICT if the locks are of different versions,
 * SPB_ERROR_INVALID_ARGUMENT if a line is malformed or after a decision, or SPB_ERROR_OUT_OF_MEMORY. */
SPB_API spb_status spb_workspace_merge_lock(spb_workspace *workspace, const char *base, const char *theirs,
					    const char *name);

/* Returns a text of the workspace, NUL-terminated, and its length in bytes without the NUL in *length, which may be
 * NULL.
 *     argument   as the kind says; otherwise ignored. Read during the call only.
 * NULL if it is too early or too late for this text, if there is no such program, or when memory runs out. */
SPB_API const char *spb_workspace_text(spb_workspace *workspace, spb_workspace_text_kind kind, const char *argument,
				       size_t *length);

#ifdef __cplusplus
}
#endif

#endif
