/* SPDX-License-Identifier: Apache-2.0 */
/* windows: functions shared by the files for Windows. */
#ifndef SPB_CLI_WINDOWS_H
#define SPB_CLI_WINDOWS_H

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include "cli/os/os.h"

bool windows_failed(void);            /* false, with the errno for the system's error */
wchar_t *to_wide(const char *text);   /* of UTF-8. NULL: errno. Free with free() */
char *from_wide(const wchar_t *text); /* to UTF-8 */
void use_slashes(char *path);         /* instead of backslashes */

#endif
