/* SPDX-License-Identifier: Apache-2.0 */
/* status: exit statuses of the command. */
#include "cli/messages/messages.h"

int msg_exit_of(spb_status status)
{
	switch (status) {
	case SPB_OK:
		return EXIT_DONE;
	case SPB_ERROR_OUT_OF_MEMORY:
		return msg_out_of_memory();
	case SPB_ERROR_INTERNAL:
	case SPB_ERROR_INVALID_ARGUMENT:
		msg_say(SPB_SEVERITY_ERROR, WORDS("internal error" MSG_REMEDY "Please report it, with the input."));
		return EXIT_REFUSED;
	case SPB_ERROR_NOT_FINAL:
		return EXIT_DIFFERENT;
	case SPB_ERROR_INVALID_SPIRV:
	case SPB_ERROR_UNSUPPORTED:
	case SPB_ERROR_CONFLICT:
	case SPB_ERROR_VALIDATION:
	case SPB_ERROR_NONUNIFORM:
	case SPB_ERROR_LIMIT:
		break;
	}
	return EXIT_REFUSED;
}

/* A policy or a lock file that cannot be read has been reported, with its line. */
int msg_exit_of_options(spb_status status)
{
	return status == SPB_ERROR_INVALID_ARGUMENT ? EXIT_USAGE : msg_exit_of(status);
}

/* By the order in which a batch reports statuses. */
int msg_more_severe(int a, int b)
{
	static const int order[] = {EXIT_DONE, EXIT_DIFFERENT, EXIT_USAGE, EXIT_REFUSED, EXIT_IO};

	for (size_t i = SPB_COUNT(order); i--;) {
		if (a == order[i] || b == order[i])
			return order[i];
	}
	return a;
}
