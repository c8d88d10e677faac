/* The end of the process where going on would be wrong: no memory, no randomness. */
#ifndef KITH_BASE_FATAL_H
#define KITH_BASE_FATAL_H

/* Writes one log line to stderr, without taking memory, and aborts. reason is
 * a fixed text of ours: it is not escaped. */
_Noreturn void fatal(const char *reason);

#endif
