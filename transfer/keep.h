/* The files that the program writes beside the user's files. */
#ifndef KITH_TRANSFER_KEEP_H
#define KITH_TRANSFER_KEEP_H

/* Opens a regular file; a new one can be read and written only by its owner. Symbolic links are refused, because they
 * would lead to another file. Returns -1 with a message on failure. */
int keep_open(const char *path, int flags);

#endif
