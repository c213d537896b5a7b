/* SPDX-License-Identifier: Apache-2.0 */
/* spirv-bind: a workspace is a number of programs that share descriptor sets and one lock file (docs/workspaces.md):
 *
 *     spb_workspace_create(context, lock, "game.lock", &workspace);
 *     spb_workspace_share(workspace, 0, NULL);
 *     spb_workspace_add_program(workspace, "sky", NULL);               for every program
 *     options.layout.lock = spb_workspace_program_lock(workspace, "sky", NULL);
 *     ... spb_program_collect(sky) ...                                 for every program, in any thread
 *     spb_workspace_set_facts(workspace, "sky", spb_program_facts(sky, NULL));
 *     spb_workspace_decide(workspace);
 *     options.layout.lock = spb_workspace_program_lock(workspace, "sky", NULL);
 *     options.layout.update_lock = 1;
 *     ... spb_program_bind(sky) ...                                    for every program, in any thread
 *     lock = spb_workspace_lock(workspace, &length);
 *
 * Like a program it belongs to its context, whose thread rules apply, and to which it reports errors. */
#ifndef SPIRV_BIND_WORKSPACE_H
#define SPIRV_BIND_WORKSPACE_H

#include <spirv-bind/spirv_bind.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct spb_workspace spb_workspace;

/* Creates an empty workspace.
 *     lock        text of the lock file, of version 1 or 2; NULL: there is none. Copied.
 *     lock_name   for messages; may be NULL. Copied.
 *     workspace   receives the workspace, to be destroyed before the context; NULL on failure
 * Returns SPB_ERROR_INVALID_ARGUMENT, with a message if a line of the lock is malformed, or SPB_ERROR_OUT_OF_MEMORY. */
SPB_API spb_status spb_workspace_create(spb_context *context, const char *lock, const char *lock_name,
					spb_workspace **workspace);

/* Destroys a workspace and everything it returned. NULL is ignored. */
SPB_API void spb_workspace_destroy(spb_workspace *workspace);

/* Says that a set is shared: what programs have there is numbered once for all of them. Sets that the lock shares are
 * shared without this call, unless it is made for other sets.
 *     programs   names (* matches any run of characters, ? any one); NULL: all programs. Copied.
 * Returns SPB_ERROR_INVALID_ARGUMENT after spb_workspace_add_program, or SPB_ERROR_OUT_OF_MEMORY. */
SPB_API spb_status spb_workspace_share(spb_workspace *workspace, uint32_t set, const char *programs);

/* Says that there are other programs, too: their lines of the lock stay as they are, and so do those of shared sets
 * that the programs here do not have. Before the first spb_workspace_add_program. */
SPB_API spb_status spb_workspace_set_partial(spb_workspace *workspace);

/* Adds a program. The order in which programs are added is that in which shared resources are numbered.
 *     name         unique in the workspace. Copied.
 *     variant_of   the name of another program, with which this one can be interchanged: all of the family get the
 *                  numbers of one program that has the resources of all; its own name: it has variants, which need
 *                  not be in this workspace; NULL: it is of no family. Copied.
 * Returns SPB_ERROR_INVALID_ARGUMENT if there is such a program already or after the first
 * spb_workspace_program_lock, or SPB_ERROR_OUT_OF_MEMORY. */
SPB_API spb_status spb_workspace_add_program(spb_workspace *workspace, const char *name, const char *variant_of);

/* Returns the lock for a program of the workspace as a program by itself, for spb_layout_options.lock, and its length
 * in bytes without the NUL in *length, which may be NULL: before spb_workspace_decide the one to collect it with, after
 * it the one to bind it with, together with update_lock. It is there until this function is called again for this
 * workspace; spb_program_create copies it. NULL if there is no such program or when memory runs out. */
SPB_API const char *spb_workspace_program_lock(spb_workspace *workspace, const char *program, size_t *length);

/* Gives a program its facts, from spb_program_facts. Copied. Returns SPB_ERROR_INVALID_ARGUMENT if there is no such
 * program, if it has facts already or, with a message, if a line is malformed; or SPB_ERROR_OUT_OF_MEMORY. */
SPB_API spb_status spb_workspace_set_facts(spb_workspace *workspace, const char *program, const char *facts);

/* The same for the text of spb_workspace_collected, of other programs of this workspace.
 *     name   of the file, for messages */
SPB_API spb_status spb_workspace_read_collected(spb_workspace *workspace, const char *name, const char *text);

/* Says that a program has turned out to have faults: the others are decided as if it were another one of a workspace
 * that is partial (spb_workspace_set_partial), and it needs no facts. Returns SPB_ERROR_INVALID_ARGUMENT if there is no
 * such program, or after spb_workspace_decide. */
SPB_API spb_status spb_workspace_leave_out(spb_workspace *workspace, const char *program);

/* Returns the facts of all programs that have some, sorted by program, NUL-terminated, and the length in bytes without
 * the NUL in *length, which may be NULL. Texts of different programs can be read one after the other, in any order.
 * NULL when memory runs out. */
SPB_API const char *spb_workspace_collected(spb_workspace *workspace, size_t *length);

/* Decides all numbers that programs have in common. Every program must have its facts. It may be called once.
 * A program that declares a resource otherwise than one before it, or fixes another place for it, is left out, with a
 * message, and the others are decided. Then the result is SPB_ERROR_CONFLICT, but spb_workspace_lock returns the lock;
 * if that returns NULL, nothing has been decided, and the result is SPB_ERROR_CONFLICT (there are no numbers that fit
 * all), SPB_ERROR_INVALID_ARGUMENT or SPB_ERROR_OUT_OF_MEMORY. */
SPB_API spb_status spb_workspace_decide(spb_workspace *workspace);

/* Returns true if the program is left out, by spb_workspace_leave_out or since it contradicts another one. */
SPB_API bool spb_workspace_leaves_out(spb_workspace *workspace, const char *program);

/* Returns the lock file of all programs, of version 2, NUL-terminated, and its length in bytes without the NUL in
 * *length, which may be NULL. NULL before a successful decision or when memory runs out. */
SPB_API const char *spb_workspace_lock(spb_workspace *workspace, size_t *length);

/* Merges another lock into the one that was given to spb_workspace_create, as a merge of two branches does; it has no
 * programs then. Resources that only `theirs` has added get other numbers if `ours` has theirs; a warning says so.
 *     base     text of the lock that both come from; "": none
 *     theirs   text of the other lock
 *     name     of theirs, for messages
 * spb_workspace_lock returns the result. Returns SPB_ERROR_CONFLICT if the locks are of different versions,
 * SPB_ERROR_INVALID_ARGUMENT if a line is malformed or after a decision, or SPB_ERROR_OUT_OF_MEMORY. */
SPB_API spb_status spb_workspace_merge_lock(spb_workspace *workspace, const char *base, const char *theirs,
					    const char *name);

/* Returns the lines of the lock that was given to spb_workspace_create which the programs of this workspace depend on,
 * NUL-terminated, and the length without the NUL in *length, which may be NULL: with them, the programs get the same
 * numbers in a workspace that is partial. NULL without a lock, after spb_workspace_decide, or when memory runs out. */
SPB_API const char *spb_workspace_part_of_lock(spb_workspace *workspace, size_t *length);

/* Returns whether the lock that was given to spb_workspace_create lacks what a program has, or has it otherwise: then
 * its modules would change with the lock. False before a successful decision. */
SPB_API bool spb_workspace_differs(spb_workspace *workspace, const char *program);

/* Returns the layout of the shared sets as JSON in the format of workspace.schema.json: a descriptor has the stages of
 * all programs. NUL-terminated, and its length without the NUL in *length, which may be NULL. NULL before a successful
 * decision or when memory runs out. */
SPB_API const char *spb_workspace_layout_json(spb_workspace *workspace, size_t *length);

/* Returns a page of HTML about the shared sets and the programs that have them, as spb_program_report does of a
 * program. before   an older JSON of spb_workspace_layout_json, against which changes are shown; NULL: none
 * NUL-terminated, and its length without the NUL in *length, which may be NULL. NULL before a successful decision or
 * when memory runs out. */
SPB_API const char *spb_workspace_report(spb_workspace *workspace, const char *before, size_t *length);

#ifdef __cplusplus
}
#endif

#endif
