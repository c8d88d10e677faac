/* Unfinished files of a command, which are removed should SIGTERM, SIGINT or SIGHUP end it. */
#ifndef KITH_SERVER_BASE_LEFTOVER_H
#define KITH_SERVER_BASE_LEFTOVER_H

/* A file, or a directory once it is empty: what was added last is removed first. One that is not there any more is
 * nothing to remove. At most LEFTOVER_MAX; further ones are left. */
enum { LEFTOVER_MAX = 8 };
void leftover_add(const char *path);
/* The latest one has been removed, or has got its name. */
void leftover_done(const char *path);

#endif
