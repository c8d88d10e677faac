/*
 * Named points at which a test makes the program fail. Without KITH_FAULTS they
 * compile to nothing.
 *
 * With it, the environment variable FAULT_FILE names a file of orders, one per line:
 *     NAME HIT ACTION
 * applied the HIT-th time (from 1) that the point is reached after the file appeared:
 *     kill     SIGKILL to ourselves
 *     term     SIGTERM to ourselves
 *     stop     SIGSTOP to ourselves; the test sends SIGCONT
 *     drop     every connection to the database over a Unix socket is shut down
 *     sleep=N  blocks for N milliseconds
 *     error    FAULT_ERROR() is true, once
 *     errors   it is true from then on
 * FAULT_ALWAYS may name one point whose FAULT_ERROR() is always true.
 * The file is read again whenever it is replaced; hits are then counted from zero.
 */
#ifndef KITH_SERVER_BASE_FAULT_H
#define KITH_SERVER_BASE_FAULT_H

#include <stdbool.h>

#ifdef KITH_FAULTS
/* True when the action is error. */
bool fault_hit(const char *name);
#define FAULT_POINT(name) ((void)fault_hit(name))
#define FAULT_ERROR(name) fault_hit(name)
#else
#define FAULT_POINT(name) ((void)0)
#define FAULT_ERROR(name) false
#endif

#endif
