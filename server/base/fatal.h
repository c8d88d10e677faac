/* Ends the process where continuing would be wrong: no memory, no randomness. */
#ifndef KITH_SERVER_BASE_FATAL_H
#define KITH_SERVER_BASE_FATAL_H

/* Writes one log line to stderr, without allocating, and aborts. reason is a constant text: it is not escaped. */
_Noreturn void fatal_abort(const char *reason);

#endif
