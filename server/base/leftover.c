/* Removes unfinished files when a signal ends the process. The handler calls only functions that POSIX allows in a
 * signal handler. */
#include "server/base/leftover.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char paths[LEFTOVER_MAX][PATH_MAX];
static volatile sig_atomic_t n_paths;

static void leftover_remove(int number)
{
	for (int i = n_paths; i-- > 0;)
		if (unlink(paths[i]) != 0)
			rmdir(paths[i]);
	signal(number, SIG_DFL);
	raise(number);
}

/* Ignored signals stay ignored, as under nohup. */
static void leftover_handle(int number)
{
	struct sigaction now, ours = {.sa_handler = leftover_remove};

	if (sigaction(number, NULL, &now) == 0 && now.sa_handler == SIG_DFL)
		sigaction(number, &ours, NULL);
}

void leftover_add(const char *path)
{
	if (n_paths == LEFTOVER_MAX || strlen(path) >= sizeof paths[0])
		return;
	snprintf(paths[n_paths], sizeof paths[0], "%s", path);
	n_paths = n_paths + 1;
	leftover_handle(SIGTERM);
	leftover_handle(SIGINT);
	leftover_handle(SIGHUP);
}

void leftover_done(const char *path)
{
	if (n_paths > 0 && strcmp(paths[n_paths - 1], path) == 0)
		n_paths = n_paths - 1;
}
