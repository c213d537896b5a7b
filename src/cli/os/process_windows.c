/* SPDX-License-Identifier: Apache-2.0 */
/* process_windows: this process, events that end it, and its children. */
#include "cli/os/windows.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <shellapi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Arguments and streams */

static UINT console_page;

static void restore_console(void)
{
	SetConsoleOutputCP(console_page);
}

/* Binary streams; on a console, UTF-8 and escape sequences. */
static void prepare_streams(void)
{
	DWORD mode;

	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		_setmode(fd, _O_BINARY);
		HANDLE handle = (HANDLE)_get_osfhandle(fd);
		if (fd == STDIN_FILENO || !GetConsoleMode(handle, &mode))
			continue;
		SetConsoleMode(handle, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
		if (console_page)
			continue;
		console_page = GetConsoleOutputCP();
		SetConsoleOutputCP(CP_UTF8);
		atexit(restore_console);
	}
}

/* -D NAME=VALUE is for compilers; in all other words, backslashes are in paths. */
static bool is_macro(char *const *words, int i)
{
	return !strncmp(words[i], "-D", 2) || !strcmp(words[i - 1], "-D");
}

void os_begin(int *argc, char ***argv)
{
	int count;
	wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), &count);
	char **words = wide ? calloc((size_t)count + 1, sizeof *words) : NULL;

	prepare_streams();
	for (int i = 0; words && i < count; i++) {
		words[i] = from_wide(wide[i]);
		if (!words[i])
			exit(4); /* no memory; no message format has been selected yet */
		if (i && !is_macro(words, i))
			use_slashes(words[i]);
	}
	LocalFree(wide);
	if (!words)
		return;
	*argc = count; /* they live as long as the process */
	*argv = words;
}

unsigned long os_process(void)
{
	return GetCurrentProcessId();
}

void os_return_blocks(size_t bytes)
{
	(void)bytes; /* the system's allocator does so already */
}

void os_expect_need(size_t bytes)
{
	(void)bytes; /* large pages are a privilege here */
}

long os_cores(void)
{
	SYSTEM_INFO info;

	GetSystemInfo(&info);
	return (long)info.dwNumberOfProcessors;
}

double os_seconds(void)
{
	return (double)GetTickCount64() * 1e-3;
}

void os_pause(unsigned milliseconds)
{
	Sleep(milliseconds);
}

/* Events that end the process: Windows calls handle() in a separate thread. Holding signals means holding a lock that
 * it needs; otherwise it obeys the rules of a POSIX handler. */

static CRITICAL_SECTION held;
static INIT_ONCE prepared = INIT_ONCE_STATIC_INIT;
static void (*clean_up)(void);
static bool deferred;
static volatile LONG stop;

static BOOL CALLBACK handle(DWORD event)
{
	EnterCriticalSection(&held);
	if (deferred && !InterlockedExchange(&stop, (LONG)event + 1)) {
		LeaveCriticalSection(&held);
		return TRUE;
	}
	if (clean_up)
		clean_up();
	ExitProcess((UINT)STATUS_CONTROL_C_EXIT); /* holding the lock, so that nothing new is made */
}

static BOOL CALLBACK prepare(INIT_ONCE *once, void *unused, void **context)
{
	(void)once;
	(void)unused;
	(void)context;
	InitializeCriticalSection(&held);
	SetConsoleCtrlHandler(handle, TRUE);
	return TRUE;
}

void os_hold_signals(os_signals *before)
{
	*before = 0;
	InitOnceExecuteOnce(&prepared, prepare, NULL, NULL);
	EnterCriticalSection(&held);
}

void os_release_signals(const os_signals *before)
{
	(void)before;
	LeaveCriticalSection(&held);
}

void os_on_fatal_signals(void (*function)(void))
{
	os_signals before;

	os_hold_signals(&before);
	if (!deferred)
		clean_up = function;
	os_release_signals(&before);
}

void os_defer_signals(bool defer)
{
	os_signals before;

	os_hold_signals(&before);
	deferred = defer;
	stop = 0;
	os_release_signals(&before);
}

int os_stop_signal(void)
{
	return (int)stop;
}

void os_die_of_signal(int number)
{
	(void)number;
	ExitProcess((UINT)STATUS_CONTROL_C_EXIT);
}

/* Children: each is in a job, which ends with its last handle, together with everything that the child has started. */

/* A command line that the child splits into these words again: backslashes matter only before quotes. */
static void quote(char **to, const char *word)
{
	char *at = *to;
	size_t slashes = 0;

	*at++ = '"';
	for (; *word; word++) {
		if (*word == '"')
			for (slashes++; slashes; slashes--)
				*at++ = '\\';
		slashes = *word == '\\' ? slashes + 1 : 0;
		*at++ = *word;
	}
	for (; slashes; slashes--)
		*at++ = '\\';
	*at++ = '"';
	*at++ = ' ';
	*at = '\0';
	*to = at;
}

static wchar_t *make_command_line(const char *const *words)
{
	size_t size = 1;

	for (const char *const *w = words; *w; w++)
		size += 2 * strlen(*w) + 3;
	char *line = malloc(size), *at = line;
	for (; line && *words; words++)
		quote(&at, *words);
	wchar_t *wide = line ? to_wide(line) : NULL;
	free(line);
	return wide;
}

/* Searches the folders of PATH, but not the current one. */
static bool find_program(const char *name, wchar_t path[MAX_PATH])
{
	wchar_t folders[8192], *wide = to_wide(name);
	DWORD length = GetEnvironmentVariableW(L"PATH", folders, sizeof folders / sizeof *folders);
	bool known = length && length < sizeof folders / sizeof *folders;
	DWORD found = wide && known ? SearchPathW(folders, wide, L".exe", MAX_PATH, path, NULL) : 0;

	free(wide);
	return found && found < MAX_PATH;
}

char *os_find_program(const char *name)
{
	wchar_t path[MAX_PATH];

	return find_program(name, path) ? from_wide(path) : NULL;
}

static HANDLE open_for_child(const wchar_t *path, DWORD access, DWORD disposition)
{
	SECURITY_ATTRIBUTES inherited = {.nLength = sizeof inherited, .bInheritHandle = TRUE};

	return CreateFileW(path, access, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, &inherited,
			   disposition, FILE_ATTRIBUTE_NORMAL, NULL);
}

static HANDLE make_job(void)
{
	JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {.BasicLimitInformation.LimitFlags =
							   JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE};
	HANDLE made = CreateJobObjectW(NULL, NULL);

	if (made)
		SetInformationJobObject(made, JobObjectExtendedLimitInformation, &limits, sizeof limits);
	return made;
}

static SRWLOCK starting = SRWLOCK_INIT; /* a child must not get the handles of another one */

/* Starts it, stopped until it is in the job. NULL: errno. */
static HANDLE start(const wchar_t *program, wchar_t *line, const wchar_t *log, HANDLE job)
{
	STARTUPINFOW startup = {.cb = sizeof startup, .dwFlags = STARTF_USESTDHANDLES};
	PROCESS_INFORMATION process = {0};

	AcquireSRWLockExclusive(&starting);
	startup.hStdInput = open_for_child(L"NUL", GENERIC_READ, OPEN_EXISTING);
	startup.hStdOutput = open_for_child(log, GENERIC_WRITE, CREATE_ALWAYS);
	startup.hStdError = startup.hStdOutput;
	if (startup.hStdOutput == INVALID_HANDLE_VALUE ||
	    !CreateProcessW(program, line, NULL, NULL, TRUE, CREATE_SUSPENDED | CREATE_NO_WINDOW, NULL, NULL, &startup,
			    &process)) {
		windows_failed();
	} else {
		if (job)
			AssignProcessToJobObject(job, process.hProcess);
		ResumeThread(process.hThread);
		CloseHandle(process.hThread);
	}
	CloseHandle(startup.hStdInput);
	CloseHandle(startup.hStdOutput);
	ReleaseSRWLockExclusive(&starting);
	return process.hProcess;
}

static int wait_for(HANDLE child, HANDLE job, const char *log, unsigned seconds)
{
	enum { PAUSE = 20 /* milliseconds between checks for a signal */ };
	DWORD status = 0;
	double end = os_seconds() + seconds;
	bool is_late = false, is_loud = false;
	struct os_status st;

	while (WaitForSingleObject(child, PAUSE) != WAIT_OBJECT_0) {
		is_late = seconds && os_seconds() >= end;
		is_loud = os_look(OS_HERE, log, &st) && st.size > OS_MOST_LOG;
		if (!is_late && !is_loud && !os_stop_signal())
			continue;
		if (job)
			TerminateJobObject(job, 1);
		TerminateProcess(child, 1);
		WaitForSingleObject(child, INFINITE);
		return is_loud ? OS_CHILD_TOO_LOUD : is_late ? OS_CHILD_TOO_LONG : OS_CHILD_KILLED;
	}
	GetExitCodeProcess(child, &status);
	return status > 0xFFFF ? OS_CHILD_KILLED : (int)status; /* an exception, such as STATUS_ACCESS_VIOLATION */
}

int os_run_child(const char *const *arguments, const char *log, unsigned seconds)
{
	wchar_t program[MAX_PATH], *line, *wide_log;
	HANDLE child = NULL, job;

	if (!find_program(arguments[0], program))
		return OS_CHILD_NOT_FOUND;
	line = make_command_line(arguments);
	wide_log = to_wide(log);
	job = make_job();
	if (line && wide_log)
		child = start(program, line, wide_log, job);
	free(line);
	free(wide_log);
	int status = child ? wait_for(child, job, log, seconds) : OS_CHILD_FAILED, saved = errno;
	if (job)
		CloseHandle(job);
	if (child)
		CloseHandle(child);
	errno = saved;
	return status;
}
