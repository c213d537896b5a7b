/* SPDX-License-Identifier: Apache-2.0 */
/* files_windows: files with the semantics of POSIX, by the functions of Windows for names in UTF-16.
 *
 * Files are opened so that others may rename and remove them meanwhile. An open folder is a handle, and names relative
 * to it are resolved by the path of that handle. Locks of Windows keep others from reading, so a byte beyond any file
 * is locked. The only permission is whether one may write. */
#include "cli/os/windows.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <winioctl.h>

enum { SHARE_ALL = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE };

bool windows_failed(void)
{
	static const struct {
		DWORD code;
		int error;
	} errors[] = {
	    {ERROR_FILE_NOT_FOUND, ENOENT},    {ERROR_PATH_NOT_FOUND, ENOENT},      {ERROR_INVALID_NAME, ENOENT},
	    {ERROR_BAD_NETPATH, ENOENT},       {ERROR_BAD_PATHNAME, ENOENT},        {ERROR_ACCESS_DENIED, EACCES},
	    {ERROR_SHARING_VIOLATION, EACCES}, {ERROR_LOCK_VIOLATION, EACCES},      {ERROR_WRITE_PROTECT, EROFS},
	    {ERROR_FILE_EXISTS, EEXIST},       {ERROR_ALREADY_EXISTS, EEXIST},      {ERROR_DIR_NOT_EMPTY, ENOTEMPTY},
	    {ERROR_DISK_FULL, ENOSPC},         {ERROR_HANDLE_DISK_FULL, ENOSPC},    {ERROR_DIRECTORY, ENOTDIR},
	    {ERROR_NOT_ENOUGH_MEMORY, ENOMEM}, {ERROR_TOO_MANY_OPEN_FILES, EMFILE}, {ERROR_INVALID_HANDLE, EBADF},
	};
	DWORD code = GetLastError();

	errno = EIO;
	for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
		if (errors[i].code == code)
			errno = errors[i].error;
	}
	return false;
}

/* Names */

wchar_t *to_wide(const char *text)
{
	int length = MultiByteToWideChar(CP_UTF8, 0, text, -1, NULL, 0);
	wchar_t *wide = length > 0 ? malloc((size_t)length * sizeof *wide) : NULL;

	if (wide)
		MultiByteToWideChar(CP_UTF8, 0, text, -1, wide, length);
	else
		errno = ENOMEM;
	return wide;
}

char *from_wide(const wchar_t *text)
{
	int length = WideCharToMultiByte(CP_UTF8, 0, text, -1, NULL, 0, NULL, NULL);
	char *bytes = length > 0 ? malloc((size_t)length) : NULL;

	if (bytes)
		WideCharToMultiByte(CP_UTF8, 0, text, -1, bytes, length, NULL, NULL);
	else
		errno = ENOMEM;
	return bytes;
}

void use_slashes(char *path)
{
	for (; *path; path++) {
		if (*path == '\\')
			*path = '/';
	}
}

static HANDLE handle_of(int fd)
{
	return fd < 0 ? INVALID_HANDLE_VALUE : (HANDLE)_get_osfhandle(fd);
}

/* \\?\C:\folder. NULL: errno. Free with free(). */
static wchar_t *path_of(HANDLE handle, size_t more)
{
	DWORD length = GetFinalPathNameByHandleW(handle, NULL, 0, 0);
	wchar_t *path = length ? malloc((length + more + 2) * sizeof *path) : NULL;

	if (!length)
		windows_failed();
	else if (!path)
		errno = ENOMEM;
	else
		GetFinalPathNameByHandleW(handle, path, length + 1, 0);
	return path;
}

/* The path of a name in a folder. */
static wchar_t *place(int folder, const char *name)
{
	wchar_t *wide = to_wide(name), *path;

	if (folder == OS_HERE || !wide)
		return wide;
	path = path_of(handle_of(folder), wcslen(wide));
	if (path && wcscmp(wide, L".") != 0) {
		wcscat(path, L"\\");
		wcscat(path, wide);
	}
	free(wide);
	return path;
}

/* Opening */

static HANDLE open_path(const wchar_t *path, DWORD access, DWORD disposition, DWORD flags)
{
	return CreateFileW(path, access, SHARE_ALL, NULL, disposition, flags | FILE_ATTRIBUTE_NORMAL, NULL);
}

/* A file that is being removed keeps its name until all handles are closed. */
static HANDLE open_patiently(const wchar_t *path, DWORD access, DWORD disposition, DWORD flags)
{
	enum { TRIES = 50, PAUSE = 10 /* milliseconds */ };
	HANDLE handle = open_path(path, access, disposition, flags);

	for (int i = 0; i < TRIES && handle == INVALID_HANDLE_VALUE && disposition != OPEN_EXISTING &&
			GetLastError() == ERROR_ACCESS_DENIED && GetFileAttributesW(path) == INVALID_FILE_ATTRIBUTES;
	     i++) {
		Sleep(PAUSE);
		handle = open_path(path, access, disposition, flags);
	}
	return handle;
}

static bool is_link(HANDLE handle)
{
	FILE_ATTRIBUTE_TAG_INFO info;

	return GetFileInformationByHandleEx(handle, FileAttributeTagInfo, &info, sizeof info) &&
	       (info.FileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) &&
	       (info.ReparseTag == IO_REPARSE_TAG_SYMLINK || info.ReparseTag == IO_REPARSE_TAG_MOUNT_POINT);
}

/* 0, or the errno for opening the wrong kind of file. */
static int fault_of(HANDLE handle, unsigned how)
{
	BY_HANDLE_FILE_INFORMATION info;

	if ((how & OS_NO_LINK) && is_link(handle))
		return ELOOP;
	if ((how & OS_FOLDER) &&
	    !(GetFileInformationByHandle(handle, &info) && (info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY)))
		return ENOTDIR;
	return 0;
}

int os_open(int folder, const char *name, unsigned how, mode_t mode)
{
	static const DWORD accesses[] = {GENERIC_READ, GENERIC_WRITE, GENERIC_READ | GENERIC_WRITE};
	DWORD disposition = how & OS_NEW ? CREATE_NEW : how & OS_CREATE ? OPEN_ALWAYS : OPEN_EXISTING;
	DWORD flags =
	    (how & OS_FOLDER ? FILE_FLAG_BACKUP_SEMANTICS : 0) | (how & OS_NO_LINK ? FILE_FLAG_OPEN_REPARSE_POINT : 0);
	wchar_t *path = place(folder, name);
	HANDLE handle;
	int fault, fd;

	(void)mode;
	if (!path)
		return -1;
	handle = open_patiently(path, accesses[how & 3], disposition, flags);
	free(path);
	if (handle == INVALID_HANDLE_VALUE) {
		windows_failed();
		return -1;
	}
	fault = fault_of(handle, how);
	fd = fault ? -1 : _open_osfhandle((intptr_t)handle, _O_BINARY | _O_NOINHERIT);
	if (fd < 0) {
		CloseHandle(handle);
		errno = fault ? fault : EMFILE;
	}
	return fd;
}

ssize_t os_read(int fd, void *to, size_t size)
{
	return _read(fd, to, size < INT_MAX ? (unsigned)size : INT_MAX);
}

ssize_t os_write(int fd, const void *bytes, size_t size)
{
	return _write(fd, bytes, size < INT_MAX ? (unsigned)size : INT_MAX);
}

bool os_is_terminal(int fd)
{
	DWORD mode;

	return GetConsoleMode(handle_of(fd), &mode);
}

FILE *os_open_stream(const char *path, const char *mode)
{
	const wchar_t *how = mode[0] == 'w' ? L"wb" : L"rb";
	wchar_t *wide = to_wide(path);
	FILE *file = wide ? _wfopen(wide, how) : NULL;

	free(wide);
	return file;
}

/* Kinds of files */

static uint64_t join(DWORD high, DWORD low)
{
	return (uint64_t)high << 32 | low;
}

static bool describe(HANDLE handle, struct os_status *s)
{
	static const uint64_t UNIX = 11644473600; /* seconds from 1601 to 1970 */
	BY_HANDLE_FILE_INFORMATION info;

	*s = (struct os_status){.kind = OS_OTHER, .mode = 0644};
	if (handle == INVALID_HANDLE_VALUE)
		return windows_failed();
	if (GetFileType(handle) != FILE_TYPE_DISK || !GetFileInformationByHandle(handle, &info))
		return true; /* a device, or a pipe */
	s->kind = is_link(handle) ? OS_LINK : info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY ? OS_DIRECTORY : OS_FILE;
	if (info.dwFileAttributes & FILE_ATTRIBUTE_READONLY)
		s->mode = 0444;
	s->size = join(info.nFileSizeHigh, info.nFileSizeLow);
	s->device = info.dwVolumeSerialNumber;
	s->number = join(info.nFileIndexHigh, info.nFileIndexLow);
	s->modified =
	    (int64_t)(join(info.ftLastWriteTime.dwHighDateTime, info.ftLastWriteTime.dwLowDateTime) / 10000000 - UNIX);
	return true;
}

bool os_status(int fd, struct os_status *s)
{
	return describe(handle_of(fd), s);
}

static bool look(int folder, const char *name, struct os_status *s, DWORD flags)
{
	wchar_t *path = place(folder, name);
	HANDLE handle;

	if (!path)
		return false;
	handle = open_path(path, FILE_READ_ATTRIBUTES, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS | flags);
	free(path);
	bool there = describe(handle, s);
	if (handle != INVALID_HANDLE_VALUE)
		CloseHandle(handle);
	return there;
}

bool os_look(int folder, const char *name, struct os_status *s)
{
	return look(folder, name, s, FILE_FLAG_OPEN_REPARSE_POINT);
}

bool os_look_through(const char *path, struct os_status *s)
{
	return look(OS_HERE, path, s, 0);
}

bool os_is_same(const struct os_status *a, const struct os_status *b)
{
	return a->device == b->device && a->number == b->number;
}

bool os_is_own(const struct os_status *s)
{
	(void)s;
	return true;
}

bool os_is_there(const char *path)
{
	struct os_status s;

	return os_look_through(path, &s);
}

bool os_is_readable(const char *path)
{
	int fd = os_open(OS_HERE, path, OS_READ, 0);

	if (fd >= 0)
		_close(fd);
	return fd >= 0;
}

/* Names */

bool os_rename(int from_folder, const char *from, int to_folder, const char *to)
{
	wchar_t *a = place(from_folder, from), *b = place(to_folder, to);
	bool done = a && b && (MoveFileExW(a, b, MOVEFILE_REPLACE_EXISTING) || windows_failed());
	int saved = errno;

	free(a);
	free(b);
	errno = saved;
	return done;
}

/* A file that is open under one name cannot be replaced under the other, so the caller makes a copy. */
bool os_link(int from_folder, const char *from, int to_folder, const char *to)
{
	struct os_status s;

	(void)to_folder;
	(void)to;
	if (os_look(from_folder, from, &s))
		errno = ENOSYS;
	return false;
}

typedef BOOL one_path(const wchar_t *path);

static bool with_one(int folder, const char *name, one_path *function)
{
	wchar_t *path = place(folder, name);
	bool done = path && (function(path) || windows_failed());
	int saved = errno;

	free(path);
	errno = saved;
	return done;
}

static BOOL make_folder(const wchar_t *path)
{
	return CreateDirectoryW(path, NULL);
}

static BOOL remove_folder(const wchar_t *path)
{
	return RemoveDirectoryW(path);
}

/* Where Windows supports it, the name is free immediately, even if others have the file open. */
static BOOL remove_file(const wchar_t *path)
{
	struct {
		DWORD flags;
	} gone = {1 | 2 | 16};      /* FILE_DISPOSITION_FLAG_: DELETE, POSIX_SEMANTICS, IGNORE_READONLY_ATTRIBUTE */
	const int information = 21; /* FileDispositionInfoEx, of Windows 10 */
	HANDLE handle = open_path(path, DELETE, OPEN_EXISTING, FILE_FLAG_OPEN_REPARSE_POINT);
	BOOL done = handle != INVALID_HANDLE_VALUE &&
		    SetFileInformationByHandle(handle, (FILE_INFO_BY_HANDLE_CLASS)information, &gone, sizeof gone);

	if (handle != INVALID_HANDLE_VALUE)
		CloseHandle(handle);
	return done || DeleteFileW(path);
}

bool os_remove(int folder, const char *name)
{
	return with_one(folder, name, remove_file);
}

bool os_make_folder(int folder, const char *name, mode_t mode)
{
	(void)mode;
	return with_one(folder, name, make_folder);
}

bool os_remove_folder(int folder, const char *name)
{
	return with_one(folder, name, remove_folder);
}

bool os_temporary_base(char *path, size_t size)
{
	wchar_t base[MAX_PATH + 2];
	DWORD length = GetTempPathW(MAX_PATH + 1, base);
	char *start = length && length <= MAX_PATH ? from_wide(base) : NULL;
	bool fits = start && (size_t)snprintf(path, size, "%s", start) < size;

	if (fits)
		use_slashes(path);
	else
		*path = '\0';
	free(start);
	return fits;
}

bool os_make_temporary_folder(char *path, size_t size)
{
	enum { TRIES = 1000 };
	char base[MAX_PATH * 3 + 2];
	bool made = false;

	for (unsigned i = 0; os_temporary_base(base, sizeof base) && !made && i < TRIES; i++) {
		int written = snprintf(path, size, "%s" OS_TEMPORARY "%lu.%u", base, os_process(), i);
		if (written < 0 || (size_t)written >= size)
			break;
		made = os_make_folder(OS_HERE, path, 0700);
		if (!made && errno != EEXIST)
			break;
	}
	if (!made)
		*path = '\0';
	return made;
}

bool os_set_mode(int fd, mode_t mode)
{
	FILE_BASIC_INFO info = {.FileAttributes = mode & S_IWUSR ? FILE_ATTRIBUTE_NORMAL : FILE_ATTRIBUTE_READONLY};

	return SetFileInformationByHandle(handle_of(fd), FileBasicInfo, &info, sizeof info) || windows_failed();
}

bool os_sync(int fd)
{
	return FlushFileBuffers(handle_of(fd)) || windows_failed();
}

/* Only administrators can do that, so Windows decides when the files of --each reach the disk. */
bool os_sync_device(int folder)
{
	(void)folder;
	return true;
}

bool os_is_in_memory(int folder)
{
	(void)folder;
	return false;
}

/* Locks */

static OVERLAPPED far_byte(void)
{
	return (OVERLAPPED){.OffsetHigh = 0x7FFFFFFE};
}

static bool lock(int fd, DWORD flags)
{
	OVERLAPPED byte = far_byte();

	return LockFileEx(handle_of(fd), LOCKFILE_EXCLUSIVE_LOCK | flags, 0, 1, 0, &byte) || windows_failed();
}

bool os_lock(int fd)
{
	return lock(fd, LOCKFILE_FAIL_IMMEDIATELY);
}

bool os_wait_for_lock(int fd)
{
	return lock(fd, 0);
}

unsigned long os_lock_holder(int fd)
{
	(void)fd;
	return 0;
}

/* Folders and paths */

static HANDLE find_first(int folder, const char *path, WIN32_FIND_DATAW *found)
{
	wchar_t *at = place(folder, path), *pattern = at ? realloc(at, (wcslen(at) + 3) * sizeof *at) : NULL;
	HANDLE all = INVALID_HANDLE_VALUE;

	if (!pattern) {
		free(at);
		errno = ENOMEM;
		return all;
	}
	wcscat(pattern, L"\\*");
	all = FindFirstFileW(pattern, found);
	if (all == INVALID_HANDLE_VALUE)
		windows_failed();
	free(pattern);
	return all;
}

bool os_list(int folder, const char *path, bool (*take)(void *user, const char *name), void *user)
{
	WIN32_FIND_DATAW found;
	HANDLE all = find_first(folder, path, &found);
	bool more = true;

	if (all == INVALID_HANDLE_VALUE)
		return false;
	do {
		char *name = from_wide(found.cFileName);
		more = name && take(user, name);
		free(name);
	} while (more && FindNextFileW(all, &found));
	FindClose(all);
	return true;
}

char *os_real_path(const char *path)
{
	wchar_t *wide = to_wide(path);
	HANDLE handle = wide ? open_path(wide, 0, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS) : INVALID_HANDLE_VALUE;
	char *real = NULL;

	free(wide);
	if (handle == INVALID_HANDLE_VALUE) {
		windows_failed();
		return NULL;
	}
	wide = path_of(handle, 0);
	CloseHandle(handle);
	if (wide && !wcsncmp(wide, L"\\\\?\\UNC\\", 8)) {
		wide[6] = L'\\'; /* \\server\share */
		real = from_wide(wide + 6);
	} else if (wide) {
		real = from_wide(wide + (wcsncmp(wide, L"\\\\?\\", 4) ? 0 : 4));
	}
	free(wide);
	if (real)
		use_slashes(real);
	return real;
}

/* os_real_path() follows links; a dangling one is replaced. */
bool os_read_link(const char *path, char *to, size_t size)
{
	(void)path;
	(void)to;
	(void)size;
	errno = EINVAL;
	return false;
}

bool os_is_absolute(const char *path)
{
	return path[0] == '/' || path[0] == '\\' || (path[0] && path[1] == ':');
}

bool os_current_folder(char *to, size_t size)
{
	char *path = os_real_path(".");
	bool fits = path && strlen(path) < size;

	if (fits)
		strcpy(to, path);
	free(path);
	return fits;
}

const char *os_executable(void)
{
	static char path[4 * MAX_PATH];
	wchar_t wide[MAX_PATH];

	if (!GetModuleFileNameW(NULL, wide, MAX_PATH) ||
	    !WideCharToMultiByte(CP_UTF8, 0, wide, -1, path, sizeof path, NULL, NULL))
		return "";
	return path;
}

/* Texts: temporary files, which the system's cache keeps in memory, and which vanish when they are closed. */

struct text {
	FILE *file;
	char **bytes;
	size_t *size;
	struct text *next;
};

static struct text *texts;
static pthread_mutex_t texts_lock = PTHREAD_MUTEX_INITIALIZER;

static FILE *open_temporary(void)
{
	wchar_t folder[MAX_PATH + 2], path[MAX_PATH + 2];
	HANDLE handle = INVALID_HANDLE_VALUE;

	if (GetTempPathW(MAX_PATH + 1, folder) && GetTempFileNameW(folder, L"spb", 0, path))
		handle = CreateFileW(path, GENERIC_READ | GENERIC_WRITE, 0, NULL, CREATE_ALWAYS,
				     FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, NULL);
	if (handle == INVALID_HANDLE_VALUE) {
		windows_failed();
		return NULL;
	}
	int fd = _open_osfhandle((intptr_t)handle, _O_BINARY | _O_NOINHERIT);
	FILE *file = fd < 0 ? NULL : _fdopen(fd, "w+b");
	if (fd < 0)
		CloseHandle(handle);
	else if (!file)
		_close(fd);
	return file;
}

FILE *os_open_text(char **bytes, size_t *size)
{
	struct text *t = malloc(sizeof *t);
	FILE *file = t ? open_temporary() : NULL;

	if (!file) {
		free(t);
		return NULL;
	}
	*t = (struct text){.file = file, .bytes = bytes, .size = size};
	*bytes = NULL;
	*size = 0;
	pthread_mutex_lock(&texts_lock);
	t->next = texts;
	texts = t;
	pthread_mutex_unlock(&texts_lock);
	return file;
}

static struct text **find_text(const FILE *file)
{
	struct text **t = &texts;

	pthread_mutex_lock(&texts_lock);
	while ((*t)->file != file)
		t = &(*t)->next;
	pthread_mutex_unlock(&texts_lock);
	return t;
}

/* The bytes before the position, as in open_memstream(). */
static bool take_bytes(const struct text *t)
{
	long length = fflush(t->file) || ferror(t->file) ? -1 : ftell(t->file);
	char *bytes = length < 0 ? NULL : realloc(*t->bytes, (size_t)length + 1);

	if (!bytes)
		return false;
	*t->bytes = bytes;
	*t->size = (size_t)length;
	bytes[length] = '\0';
	rewind(t->file);
	return fread(bytes, 1, (size_t)length, t->file) == (size_t)length && !fseek(t->file, length, SEEK_SET);
}

bool os_flush_text(FILE *file)
{
	return take_bytes(*find_text(file));
}

bool os_close_text(FILE *file)
{
	struct text *t, **link;
	bool whole;

	pthread_mutex_lock(&texts_lock);
	for (link = &texts; (*link)->file != file;)
		link = &(*link)->next;
	t = *link;
	*link = t->next;
	pthread_mutex_unlock(&texts_lock);
	whole = take_bytes(t);
	free(t);
	return !fclose(file) && whole;
}

/* Patterns */

/* [a-z], [!a-z]: whether c is one of these; *pattern is advanced past the bracket. */
static bool is_among(const char **pattern, char c)
{
	const char *p = *pattern + 1;
	bool other = *p == '!' || *p == '^', found = false;

	for (const char *first = p += other; *p && (*p != ']' || p == first); p++) {
		char low = *p, high = low;
		if (p[1] == '-' && p[2] && p[2] != ']')
			high = *(p += 2);
		found |= low <= c && c <= high;
	}
	*pattern = *p ? p + 1 : p;
	return found != other;
}

/* One character, or a bracket: whether it is c. */
static bool is_one(const char **pattern, char c)
{
	if (**pattern == '[' && strchr(*pattern + 2, ']'))
		return is_among(pattern, c);
	if (**pattern == '\\' && (*pattern)[1])
		++*pattern;
	else if (**pattern == '?') {
		++*pattern;
		return true;
	}
	return *(*pattern)++ == c;
}

/* Only the last star is tried again: an earlier one need not match more than it did. */
bool os_matches(const char *pattern, const char *text)
{
	const char *star = NULL, *again = NULL;

	while (*text || *pattern) {
		if (*pattern == '*') {
			star = ++pattern;
			again = text;
			continue;
		}
		if (*text && *pattern && is_one(&pattern, *text)) {
			text++;
			continue;
		}
		if (!star || !*again)
			return false;
		pattern = star;
		text = ++again;
	}
	return true;
}
