/* Unfinished files of a command. They are removed if SIGTERM, SIGINT or SIGHUP ends it. */
#ifndef KITH_SERVER_BASE_LEFTOVER_H
#define KITH_SERVER_BASE_LEFTOVER_H

/* Adds a file, or a directory that is removed once it is empty. What was added last is removed first. A missing file is
 * skipped. At most LEFTOVER_MAX can be added; further ones are ignored. */
enum { LEFTOVER_MAX = 8 };
void leftover_add(const char *path);
/* The file added last was removed or has its final name. */
void leftover_done(const char *path);

#endif
