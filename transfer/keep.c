/* Opens files, but follows no symbolic links. */
#include "transfer/keep.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *keep_reason(int error)
{
	return error == ELOOP    ? "is a symbolic link; name the file itself, or move the link away"
	       : error == EEXIST ? "appeared during this command; run the command again"
	                         : strerror(error);
}

int keep_open(const char *path, int flags)
{
	/* O_NONBLOCK: opening a pipe would wait for its other end. */
	int fd = open(path, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
	const char *why = keep_reason(errno);
	struct stat st;

	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		return fd;
	fprintf(stderr, "kith: %s: %s\n", path, fd >= 0 ? "is not a regular file" : why);
	if (fd >= 0)
		close(fd);
	return -1;
}
