/*
 * Named points at which a test makes the program fail. Without KITH_FAULTS they
 * compile to nothing.
 *
 * With it, the environment variable FAULT_FILE names a file of orders, one per line:
 *     NAME HIT ACTION
 * The action is performed the HIT-th time (from 1) that the point is reached after the file appeared:
 *     kill     SIGKILL to ourselves
 *     term     SIGTERM to ourselves
 *     stop     SIGSTOP to ourselves; the test sends SIGCONT
 *     drop     every connection to the database over a Unix socket is shut down; an answer that has
 *              arrived already is still read
 *     sleep=N  blocks for N milliseconds
 *     error    FAULT_ERROR() is true once
 *     errors   FAULT_ERROR() is true from then on
 * FAULT_ALWAYS may name points, separated by blanks, whose FAULT_ERROR() is always true.
 * An order for a point that does not exist ends the program, because it would test nothing.
 * The file is read again whenever it is replaced. Hits are then counted from zero.
 */
#ifndef KITH_SERVER_BASE_FAULT_H
#define KITH_SERVER_BASE_FAULT_H

#include <stdbool.h>

#ifdef KITH_FAULTS
/* clang-format off */
#define FAULT_POINTS(POINT) \
	POINT(ask) POINT(ask_error) POINT(ask_sent) POINT(cell_cleared) POINT(cell_copied) POINT(cell_drained) \
	POINT(cell_held) POINT(cell_live) POINT(cell_loaded) POINT(cell_locked) POINT(cell_moved) \
	POINT(cell_ready) POINT(changes) POINT(changes_error) POINT(claim) POINT(clock_behind) \
	POINT(commit_answered) POINT(commit_sent) POINT(commit_soon) POINT(conflict) POINT(dispatch_arrived) \
	POINT(dispatch_read) POINT(dispatch_read_due) POINT(dispatch_read_events) POINT(dispatch_sent) \
	POINT(dispatch_written) POINT(erase_deleted) POINT(erase_events) POINT(erase_finish) POINT(erase_opened) \
	POINT(feed_more) POINT(few_held) POINT(few_texts) POINT(jobs_often) POINT(joint_always) POINT(joint_ending) \
	POINT(joint_hold) POINT(joint_opening) POINT(key_row) POINT(oauth_replaced) POINT(open) POINT(open_error) \
	POINT(open_sent) POINT(opened) POINT(orphan_look) POINT(outcome) POINT(outdated) POINT(removal_chunk) \
	POINT(removal_committed) POINT(removal_end) POINT(removal_sent) POINT(removals_wait) POINT(rendered) \
	POINT(reply) POINT(reply_sent) POINT(short_stages) POINT(slow_count) POINT(slow_recover) \
	POINT(slow_rollback) POINT(small_removals) POINT(stall_look) POINT(store_500_answered) \
	POINT(store_500_sent) POINT(tell_often) POINT(texts_wait)
/* clang-format on */
#define FAULT_ENUMERATE(name) FAULT_AT_##name,
enum fault_point { FAULT_POINTS(FAULT_ENUMERATE) FAULT_POINTS_END };
#undef FAULT_ENUMERATE

/* True when the action is error. */
bool fault_hit(enum fault_point point);
#define FAULT_POINT(name) ((void)fault_hit(FAULT_AT_##name))
#define FAULT_ERROR(name) fault_hit(FAULT_AT_##name)
#else
#define FAULT_POINT(name) ((void)0)
#define FAULT_ERROR(name) false
#endif

#endif
