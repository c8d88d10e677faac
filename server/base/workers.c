/* Threads for work that cannot be sliced; see workers.h. The loop hands a job to a thread only when one is free, so the
 * queue itself needs no lock. */
#include "workers.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "arena.h"
#include "fatal.h"
#include "log.h"
#include "loop.h"

struct workers {
	struct loop *loop;
	int n_threads, waiting_max;
	bool started, stopped;

	/* of the loop */
	struct fair_queue waiting;
	struct list displaced; /* they have waited, and others took their places */
	int n_running;
	struct loop_watch *watch;

	/* shared with the threads, under the lock */
	pthread_mutex_t lock;
	pthread_cond_t some; /* there is a job, or the end */
	struct list given, finished;
	bool ending;
	int wake; /* an eventfd: something has finished */
	pthread_t *threads;
};

static void *worker_run(void *ctx)
{
	struct workers *w = ctx;
	const uint64_t one = 1;

	pthread_mutex_lock(&w->lock);
	for (;;) {
		struct list *node = list_take(&w->given);
		if (!node && w->ending)
			break;
		if (!node) {
			pthread_cond_wait(&w->some, &w->lock);
			continue;
		}
		pthread_mutex_unlock(&w->lock);
		struct worker_job *job = list_item(node, struct worker_job, link);
		job->work(job);
		pthread_mutex_lock(&w->lock);
		list_append(&w->finished, node);
		/* The write fails only when the counter is full. Then the loop wakes up in any case. */
		if (write(w->wake, &one, sizeof one) != sizeof one)
			continue;
	}
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

/* --- the loop's side ------------------------------------------------------------------ */

static void workers_go_on(struct workers *w);

static void end_displaced(struct workers *w)
{
	struct list *node;

	while ((node = list_take(&w->displaced))) {
		struct worker_job *job = list_item(node, struct worker_job, link);
		job->done(job, false);
	}
}

static void take_finished(void *ctx)
{
	struct workers *w = ctx;
	struct list done, *node;
	uint64_t count;

	if (read(w->wake, &count, sizeof count) != sizeof count)
		return;
	end_displaced(w);
	list_init(&done);
	pthread_mutex_lock(&w->lock);
	while ((node = list_take(&w->finished)))
		list_append(&done, node);
	pthread_mutex_unlock(&w->lock);
	while ((node = list_take(&done))) {
		struct worker_job *job = list_item(node, struct worker_job, link);
		w->n_running--;
		job->done(job, true);
	}
	workers_go_on(w);
}

/* The threads take no signals, so these reach the loop. */
static void workers_start(struct workers *w)
{
	sigset_t all, before;

	w->started = true;
	w->threads = mem_alloc((size_t)w->n_threads * sizeof *w->threads);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	for (int i = 0; i < w->n_threads; i++) {
		int error = pthread_create(&w->threads[i], NULL, worker_run, w);
		if (error) {
			log_warn(
			    "workers", "only %d of %d threads could be started: %s", i, w->n_threads, strerror(error));
			w->n_threads = i;
		}
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (w->n_threads == 0)
		fatal_abort("cannot start a thread");
}

static void hand_over(struct workers *w, struct worker_job *job)
{
	w->n_running++;
	pthread_mutex_lock(&w->lock);
	list_append(&w->given, &job->link);
	pthread_cond_signal(&w->some);
	pthread_mutex_unlock(&w->lock);
}

static void workers_go_on(struct workers *w)
{
	struct worker_job *job;

	while (w->n_running < w->n_threads &&
	       (job = fair_as(fair_queue_take(&w->waiting, NULL, NULL), struct worker_job, turn))) {
		if (job->given_up && job->given_up(job))
			job->done(job, false);
		else
			hand_over(w, job);
	}
}

struct workers *workers_new(struct loop *l, int threads, int waiting_max)
{
	struct workers *w = mem_zalloc(sizeof *w);

	w->loop = l;
	w->n_threads = threads;
	w->waiting_max = waiting_max;
	fair_queue_init(&w->waiting);
	list_init(&w->displaced);
	list_init(&w->given);
	list_init(&w->finished);
	w->wake = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (w->wake < 0 || pthread_mutex_init(&w->lock, NULL) != 0 || pthread_cond_init(&w->some, NULL) != 0)
		fatal_abort("cannot make what threads need");
	w->watch = loop_watch(l, w->wake, take_finished, w);
	return w;
}

static bool workers_crowded(const struct workers *w)
{
	return w->n_running >= w->n_threads && w->waiting.n_items >= w->waiting_max;
}

/* The job whose place one of the owner may take: the last one of the owner with the most, who keeps at least as many.
 * NULL: there is none. */
static struct worker_job *workers_surplus(const struct workers *w, const struct uuid *owner)
{
	struct worker_job *last = fair_as(fair_queue_longest(&w->waiting), struct worker_job, turn);

	if (!last || fair_queue_count(&w->waiting, &last->owner) < fair_queue_count(&w->waiting, owner) + 2)
		return NULL;
	return last;
}

bool workers_full(const struct workers *w, const struct uuid *owner)
{
	return w->stopped || (workers_crowded(w) && !workers_surplus(w, owner));
}

/* Its end comes from the loop, because the caller may be in the middle of something. */
static void workers_displace(struct workers *w, struct worker_job *job)
{
	const uint64_t one = 1;

	fair_item_leave(&job->turn);
	list_append(&w->displaced, &job->link);
	if (write(w->wake, &one, sizeof one) != sizeof one)
		log_warn("workers", "a job that was displaced ends later: %s", strerror(errno));
}

bool workers_give(struct workers *w, struct worker_job *job)
{
	if (workers_full(w, &job->owner))
		return false;
	if (!w->started)
		workers_start(w);
	if (w->n_running < w->n_threads) {
		hand_over(w, job);
		return true;
	}
	if (workers_crowded(w))
		workers_displace(w, workers_surplus(w, &job->owner));
	fair_queue_add(&w->waiting, &job->owner, &job->turn);
	return true;
}

void workers_stop(struct workers *w)
{
	struct worker_job *job;
	struct list *node;

	if (!w || w->stopped)
		return;
	w->stopped = true;
	pthread_mutex_lock(&w->lock);
	w->ending = true;
	pthread_cond_broadcast(&w->some);
	pthread_mutex_unlock(&w->lock);
	for (int i = 0; w->started && i < w->n_threads; i++)
		pthread_join(w->threads[i], NULL);
	while ((job = fair_as(fair_queue_take(&w->waiting, NULL, NULL), struct worker_job, turn)))
		job->done(job, false);
	end_displaced(w);
	while ((node = list_take(&w->finished))) {
		job = list_item(node, struct worker_job, link);
		job->done(job, false);
	}
	w->n_running = 0;
}

void workers_free(struct workers *w)
{
	if (!w)
		return;
	loop_unwatch(w->watch);
	close(w->wake);
	pthread_cond_destroy(&w->some);
	pthread_mutex_destroy(&w->lock);
	free(w->threads);
	free(w);
}
