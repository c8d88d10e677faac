/* The files that the program writes beside those of the user. */
#ifndef KITH_TRANSFER_KEEP_H
#define KITH_TRANSFER_KEEP_H

/* Opens a regular file, readable and writable by its owner when it is made. Its name may not be a symbolic link, which
 * would lead what is written to another file. -1, with a message. */
int keep_open(const char *path, int flags);

#endif
