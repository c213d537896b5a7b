/* SPDX-License-Identifier: Apache-2.0 */
/* os: the interface to the operating system: files and folders, child processes, signals. Each has a file for POSIX and
 * one for Windows; functions that both have, such as close() and POSIX threads, are called directly.
 *
 * Paths are UTF-8, with slashes. Errors are in errno. A file may be named relative to an open folder. */
#ifndef SPB_OS_H
#define SPB_OS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h> /* S_IWUSR */
#include <sys/types.h>

enum { OS_HERE = -2 }; /* instead of an open folder: the current one */

/* files_*.c */

enum os_open {
	OS_READ = 0,
	OS_WRITE = 1,
	OS_READ_WRITE = 2,
	OS_CREATE = 4,   /* if it does not exist */
	OS_NEW = 8,      /* it must not exist: EEXIST */
	OS_NO_LINK = 16, /* ELOOP */
	OS_NO_WAIT = 32, /* not even for a pipe */
	OS_FOLDER = 64,  /* for the functions below */
};

/* A descriptor for read, write and close, which child processes do not inherit; -1: errno. */
int os_open(int folder, const char *name, unsigned how, mode_t mode);
ssize_t os_read(int fd, void *to, size_t size); /* as read() and write() */
ssize_t os_write(int fd, const void *bytes, size_t size);
bool os_is_terminal(int fd);
FILE *os_open_stream(const char *path, const char *mode); /* as fopen() */

enum os_kind { OS_FILE, OS_DIRECTORY, OS_LINK, OS_OTHER };

struct os_status {
	enum os_kind kind;
	mode_t mode; /* permissions */
	uintmax_t size;
	uint64_t device, number; /* both equal: the same file */
	uint64_t owner;
	int64_t modified; /* as time() */
};

bool os_status(int fd, struct os_status *s);
bool os_look(int folder, const char *name, struct os_status *s); /* does not follow a symbolic link */
bool os_look_through(const char *path, struct os_status *s);     /* follows symbolic links */
bool os_is_same(const struct os_status *a, const struct os_status *b);
bool os_is_own(const struct os_status *s); /* this user's */
bool os_is_there(const char *path);
bool os_is_readable(const char *path);

bool os_rename(int from_folder, const char *from, int to_folder, const char *to); /* replaces an existing file */
bool os_link(int from_folder, const char *from, int to_folder, const char *to);   /* a second name */
bool os_remove(int folder, const char *name);
bool os_make_folder(int folder, const char *name, mode_t mode);
bool os_remove_folder(int folder, const char *name);
bool os_temporary_base(char *path, size_t size);        /* of temporary folders; "" and false: does not fit */
#define OS_TEMPORARY "spirv-bind."                      /* what their names begin with */
bool os_make_temporary_folder(char *path, size_t size); /* "" and false: errno */
bool os_set_mode(int fd, mode_t mode);
bool os_sync(int fd);
bool os_sync_device(int folder);  /* all files of its file system */
bool os_is_in_memory(int folder); /* its file system is, so a sync does nothing; false if unknown */

/* Locks of whole files, which end with the process. EACCES, EAGAIN: another process holds it. */
bool os_lock(int fd);
bool os_wait_for_lock(int fd);
unsigned long os_lock_holder(int fd); /* that process; 0: it is unknown, or there is none */

/* Calls take() for each name in a folder, until it returns false. false: the folder cannot be read. */
bool os_list(int folder, const char *path, bool (*take)(void *user, const char *name), void *user);

char *os_real_path(const char *path);                       /* without links; NULL: errno. Free with free() */
bool os_read_link(const char *path, char *to, size_t size); /* where a symbolic link leads */
bool os_is_absolute(const char *path);
bool os_current_folder(char *to, size_t size);
const char *os_executable(void); /* path of this program */

/* A file in memory. Closing and flushing it set *bytes, with a 0 at the end that *size does not count. */
FILE *os_open_text(char **bytes, size_t *size);
bool os_flush_text(FILE *text); /* false: no memory */
bool os_close_text(FILE *text);

bool os_matches(const char *pattern, const char *text); /* a pattern of the shell: * ? [a-z] \ */

/* build_id.c */

/* The linker's hash of this program, and of the libraries that results depend on. Returns its size; 0: unknown. */
size_t os_build_id(unsigned char *id, size_t room);

/* memory_posix.c, process_windows.c */

void os_return_blocks(size_t bytes); /* larger blocks are returned to the system when they are freed */
void os_expect_need(size_t bytes);   /* about so many will be allocated: prepares large pages, if available */

/* process_*.c */

void os_begin(int *argc, char ***argv); /* called first: prepares streams, and converts arguments to UTF-8 */
unsigned long os_process(void);         /* the number of this process */
long os_cores(void);                    /* -1: it is unknown */
double os_seconds(void);                /* since an arbitrary time */
void os_pause(unsigned milliseconds);   /* async-signal-safe */

char *os_find_program(const char *name); /* the file that os_run_child() would run; NULL: none. free() */

enum {
	OS_CHILD_NOT_FOUND = -1, /* there is no such program */
	OS_CHILD_FAILED = -2,    /* it could not be started: errno */
	OS_CHILD_TOO_LONG = -3,  /* it was killed at the time limit */
	OS_CHILD_KILLED = -4,    /* it was ended by a signal */
	OS_CHILD_TOO_LOUD = -5,  /* it was killed: its log had become too long */
	OS_MOST_LOG = 1 << 20    /* bytes */
};

/* Runs a program with its outputs in the file `log`, for at most so many seconds, or as long as it takes (0), and until
 * os_stop_signal() reports one. However this process ends, the child ends with it, together with its own children
 * (Linux, Windows). Its exit status, or OS_CHILD_*. Threads may run several. */
int os_run_child(const char *const *arguments, const char *log, unsigned seconds);

/* What SIGINT, SIGTERM and SIGHUP call before they end the process; it must be async-signal-safe. NULL: nothing. Those
 * that are ignored, as under nohup, stay ignored. On Windows: Ctrl-C, and the end of the console or the session. */
void os_on_fatal_signals(void (*function)(void));
/* While they are deferred, these signals only set what os_stop_signal() returns, and the functions above do nothing;
 * the second one ends the process. */
void os_defer_signals(bool defer); /* false: no longer */
int os_stop_signal(void);          /* 0: none has come */
void os_die_of_signal(int number);
void os_heed_signals(void); /* no longer defers them; one that has come takes effect now */

#ifdef _WIN32
typedef int os_signals;
#else
typedef sigset_t os_signals;
#endif
void os_hold_signals(os_signals *before); /* until os_release_signals() */
void os_release_signals(const os_signals *before);

/* installed.c */

/* Writes `before` and the path of a folder: that below the prefix in which this program is installed, if there is one,
 * or `built`. */
void os_installed_folder(char *to, size_t size, const char *before, const char *below, const char *built);

#endif
