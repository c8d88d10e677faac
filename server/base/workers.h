/* Threads for work that would hold the loop and cannot be sliced, such as hashing a password. They are the only threads
 * of the program. A job is handed to a thread and comes back to the loop. In the thread it uses only its own memory, so
 * nothing else needs locks.
 *
 * The threads are started with the first job. At most as many jobs run as there are threads. Further jobs wait, and
 * their owners take turns (fair_queue.h). If too many wait, a job of an owner with few displaces one of the owner with
 * the most; others are refused. So however many jobs one owner gives, the others wait as if it had given few. */
#ifndef KITH_SERVER_BASE_WORKERS_H
#define KITH_SERVER_BASE_WORKERS_H

#include <stdbool.h>

#include "fair_queue.h"
#include "list.h"

struct loop;
struct workers;

struct worker_job {
	void (*work)(struct worker_job *job); /* in a thread: it may use only the job, and malloc() */
	/* Called on the loop. worked is false when the job was given up or displaced, or the workers stop. */
	void (*done)(struct worker_job *job, bool worked);
	/* Called on the loop before the job starts. True when nobody needs the result any more. NULL: it is always
	 * needed. */
	bool (*given_up)(const struct worker_job *job);
	struct uuid owner;
	struct fair_item turn; /* for the workers, as link */
	struct list link;
};

struct workers *workers_new(struct loop *l, int threads, int waiting_max);

/* True when workers_give() would refuse a job of this owner. */
bool workers_full(const struct workers *w, const struct uuid *owner);

/* False: the queue is full for the owner, or the workers stop. Else done is called later, from the loop, exactly once.
 */
bool workers_give(struct workers *w, struct worker_job *job);

/* Ends the jobs that wait, waits for those that run (each is short), and ends them, too. Then workers_free() may be
 * called. */
void workers_stop(struct workers *w);
void workers_free(struct workers *w);

#endif
