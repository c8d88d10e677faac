/* Ends the process where it would be wrong to continue: without memory or randomness. */
#ifndef KITH_SERVER_BASE_FATAL_H
#define KITH_SERVER_BASE_FATAL_H

/* Writes one log line to stderr, without allocating, and aborts. reason must be a constant text, because it is not
 * escaped. */
_Noreturn void fatal_abort(const char *reason);

#endif
