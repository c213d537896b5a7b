/* SPDX-License-Identifier: Apache-2.0 */
/* files_posix: one system call for each of our functions. File systems may be remote, so no call is repeated. */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* syncfs */
#endif
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#ifdef __linux__
#include <sys/vfs.h>
#endif
#include <unistd.h>

#include "cli/os/os.h"

static int at(int folder)
{
	return folder == OS_HERE ? AT_FDCWD : folder;
}

int os_open(int folder, const char *name, unsigned how, mode_t mode)
{
	static const int accesses[] = {O_RDONLY, O_WRONLY, O_RDWR};
	int flags = accesses[how & 3] | O_CLOEXEC;

	if (how & OS_CREATE)
		flags |= O_CREAT;
	if (how & OS_NEW)
		flags |= O_CREAT | O_EXCL;
	if (how & OS_NO_LINK)
		flags |= O_NOFOLLOW;
	if (how & OS_NO_WAIT)
		flags |= O_NONBLOCK;
	if (how & OS_FOLDER)
		flags |= O_DIRECTORY;
	int fd = openat(at(folder), name, flags, mode);
#ifdef O_PATH
	if (fd < 0 && errno == EACCES && how & OS_FOLDER) /* it may still be entered */
		fd = openat(at(folder), name, flags | O_PATH);
#endif
	return fd;
}

ssize_t os_read(int fd, void *to, size_t size)
{
	return read(fd, to, size);
}

ssize_t os_write(int fd, const void *bytes, size_t size)
{
	return write(fd, bytes, size);
}

bool os_is_terminal(int fd)
{
	return isatty(fd) == 1;
}

FILE *os_open_stream(const char *path, const char *mode)
{
	return fopen(path, mode);
}

/* Kinds of files */

static enum os_kind kind_of(mode_t mode)
{
	return S_ISREG(mode) ? OS_FILE : S_ISDIR(mode) ? OS_DIRECTORY : S_ISLNK(mode) ? OS_LINK : OS_OTHER;
}

static bool describe(int failed, const struct stat *st, struct os_status *s)
{
	if (failed)
		return false;
	*s = (struct os_status){
	    .kind = kind_of(st->st_mode),
	    .mode = st->st_mode & 07777,
	    .size = (uintmax_t)st->st_size,
	    .device = (uint64_t)st->st_dev,
	    .number = (uint64_t)st->st_ino,
	    .owner = (uint64_t)st->st_uid,
	    .modified = (int64_t)st->st_mtime,
	};
	return true;
}

bool os_status(int fd, struct os_status *s)
{
	struct stat st;

	return describe(fstat(fd, &st), &st, s);
}

bool os_look(int folder, const char *name, struct os_status *s)
{
	struct stat st;

	return describe(fstatat(at(folder), name, &st, AT_SYMLINK_NOFOLLOW), &st, s);
}

bool os_look_through(const char *path, struct os_status *s)
{
	struct stat st;

	return describe(stat(path, &st), &st, s);
}

bool os_is_same(const struct os_status *a, const struct os_status *b)
{
	return a->device == b->device && a->number == b->number;
}

bool os_is_own(const struct os_status *s)
{
	return s->owner == (uint64_t)geteuid();
}

bool os_is_there(const char *path)
{
	return !access(path, F_OK);
}

bool os_is_readable(const char *path)
{
	return !access(path, R_OK);
}

/* Names */

bool os_rename(int from_folder, const char *from, int to_folder, const char *to)
{
	if (from_folder == OS_HERE && to_folder == OS_HERE)
		return !rename(from, to);
	return !renameat(at(from_folder), from, at(to_folder), to);
}

bool os_link(int from_folder, const char *from, int to_folder, const char *to)
{
	if (from_folder == OS_HERE && to_folder == OS_HERE)
		return !link(from, to);
	return !linkat(at(from_folder), from, at(to_folder), to, 0);
}

bool os_remove(int folder, const char *name)
{
	return folder == OS_HERE ? !unlink(name) : !unlinkat(folder, name, 0);
}

bool os_make_folder(int folder, const char *name, mode_t mode)
{
	return folder == OS_HERE ? !mkdir(name, mode) : !mkdirat(folder, name, mode);
}

bool os_remove_folder(int folder, const char *name)
{
	return folder == OS_HERE ? !rmdir(name) : !unlinkat(folder, name, AT_REMOVEDIR);
}

bool os_temporary_base(char *path, size_t size)
{
	const char *base = getenv("TMPDIR");
	bool fits = (size_t)snprintf(path, size, "%s", base && *base ? base : "/tmp") < size;

	if (!fits)
		*path = '\0';
	return fits;
}

bool os_make_temporary_folder(char *path, size_t size)
{
	static const char name[] = "/" OS_TEMPORARY "XXXXXX";
	size_t length = os_temporary_base(path, size) ? strlen(path) : size;

	errno = ENAMETOOLONG;
	if (length + sizeof name <= size && mkdtemp(strcat(path, name)))
		return true;
	*path = '\0';
	return false;
}

bool os_set_mode(int fd, mode_t mode)
{
	return !fchmod(fd, mode);
}

bool os_sync(int fd)
{
	return !fsync(fd);
}

bool os_sync_device(int folder)
{
#ifdef __linux__
	return !syncfs(folder);
#else
	(void)folder;
	sync();
	return true;
#endif
}

bool os_is_in_memory(int folder)
{
#ifdef __linux__
	static const uint32_t tmpfs = 0x01021994, ramfs = 0x858458F6; /* statfs(2) */
	struct statfs st;
	bool known = !fstatfs(folder, &st);

	return known && ((uint32_t)st.f_type == tmpfs || (uint32_t)st.f_type == ramfs);
#else
	(void)folder;
	return false;
#endif
}

/* Locks */

static bool lock(int fd, int how)
{
	struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	int result;

	do
		result = fcntl(fd, how, &all);
	while (how == F_SETLKW && result && errno == EINTR);
	return !result;
}

bool os_lock(int fd)
{
	return lock(fd, F_SETLK);
}

bool os_wait_for_lock(int fd)
{
	return lock(fd, F_SETLKW);
}

unsigned long os_lock_holder(int fd)
{
	struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

	return fcntl(fd, F_GETLK, &all) || all.l_type == F_UNLCK || all.l_pid < 0 ? 0 : (unsigned long)all.l_pid;
}

/* Folders and paths */

bool os_list(int folder, const char *path, bool (*take)(void *user, const char *name), void *user)
{
	int fd = os_open(folder, path, OS_READ | OS_FOLDER, 0);

	if (fd < 0)
		return false;
	DIR *all = fdopendir(fd);
	if (!all) {
		close(fd);
		return false;
	}
	for (const struct dirent *entry; (entry = readdir(all)) && take(user, entry->d_name);)
		continue;
	closedir(all);
	return true;
}

char *os_real_path(const char *path)
{
	return realpath(path, NULL);
}

bool os_read_link(const char *path, char *to, size_t size)
{
	ssize_t n = readlink(path, to, size - 1);

	if (n >= 0)
		to[n] = '\0';
	return n >= 0;
}

bool os_is_absolute(const char *path)
{
	return path[0] == '/';
}

bool os_current_folder(char *to, size_t size)
{
	return getcwd(to, size) != NULL;
}

const char *os_executable(void)
{
	return "/proc/self/exe";
}

/* Texts */

FILE *os_open_text(char **bytes, size_t *size)
{
	return open_memstream(bytes, size);
}

bool os_flush_text(FILE *text)
{
	return !fflush(text) && !ferror(text);
}

bool os_close_text(FILE *text)
{
	return !fclose(text);
}

bool os_matches(const char *pattern, const char *text)
{
	return !fnmatch(pattern, text, 0);
}
