/* Threads for long work: jobs end on the loop, no more run than there are threads, the queue has an end, jobs that
 * nobody needs are left out, and a stop ends everything once. */
#include <stdatomic.h>
#include <string.h>

#include "server/base/loop.h"
#include "server/base/workers.h"
#include "test/lib/test.h"

enum { THREADS = 3, WAITING = 5, JOBS = THREADS + WAITING };

struct count {
	struct worker_job job;
	int worked, given_up; /* how often it ended so */
	bool unwanted;
	int asked; /* before which others it was asked whether it is needed, which is the order of their turns */
	unsigned char sum;
};

static struct loop *loop;
static struct workers *workers;
static struct count jobs[JOBS + 1];
static atomic_int running, most;
static int ended, turns;

static const struct uuid somebody = {{1}}, another = {{2}};

static void count_work(struct worker_job *job)
{
	struct count *c = (struct count *)job;
	int now = atomic_fetch_add(&running, 1) + 1, seen = atomic_load(&most);

	while (now > seen && !atomic_compare_exchange_weak(&most, &seen, now))
		continue;
	for (int i = 0; i < 20 * 1000 * 1000; i++) /* some milliseconds, so that jobs overlap */
		c->sum = (unsigned char)(c->sum * 31 + i);
	atomic_fetch_sub(&running, 1);
}

static void count_done(struct worker_job *job, bool worked)
{
	struct count *c = (struct count *)job;

	c->worked += worked;
	c->given_up += !worked;
	if (++ended == JOBS)
		loop_stop(loop);
}

static bool count_unwanted(const struct worker_job *job)
{
	struct count *c = (struct count *)job;

	c->asked = ++turns;
	return c->unwanted;
}

static void workers_begin(void)
{
	loop = loop_new();
	workers = workers_new(loop, THREADS, WAITING);
	memset(jobs, 0, sizeof jobs);
	atomic_store(&most, 0);
	ended = turns = 0;
	for (int i = 0; i <= JOBS; i++)
		jobs[i].job = (struct worker_job){
		    .work = count_work, .done = count_done, .given_up = count_unwanted, .owner = somebody};
}

static void workers_end(void)
{
	workers_free(workers);
	loop_free(loop);
}

static void give_all(void)
{
	for (int i = 0; i < JOBS; i++) {
		assert_false(workers_full(workers, &somebody));
		assert_true(workers_give(workers, &jobs[i].job));
	}
	assert_true(workers_full(workers, &somebody));
	assert_false(workers_give(workers, &jobs[JOBS].job));
	assert_int_equal(ended, 0); /* only the loop ends jobs */
}

TEST(jobs_run_in_threads_and_end_on_the_loop)
{
	workers_begin();
	give_all();
	loop_run(loop);
	for (int i = 0; i < JOBS; i++) {
		assert_int_equal(jobs[i].worked, 1);
		assert_int_equal(jobs[i].given_up, 0);
	}
	assert_in_range(atomic_load(&most), 1, THREADS);
	assert_false(workers_full(workers, &somebody));
	workers_stop(workers);
	workers_end();
}

TEST(a_job_that_nobody_needs_any_more_does_not_run)
{
	workers_begin();
	for (int i = 0; i < JOBS; i++)
		jobs[i].unwanted = i >= THREADS; /* those that wait */
	give_all();
	loop_run(loop);
	for (int i = 0; i < JOBS; i++) {
		assert_int_equal(jobs[i].worked, i < THREADS);
		assert_int_equal(jobs[i].given_up, i >= THREADS);
	}
	workers_stop(workers);
	workers_end();
}

/* However many jobs one owner gives, another owner gets a place, and the next turn. */
TEST(owners_take_turns)
{
	struct count *last = &jobs[JOBS - 1], *other = &jobs[JOBS];

	workers_begin();
	give_all();
	other->job.owner = another;
	assert_false(workers_full(workers, &another));
	assert_true(workers_give(workers, &other->job));
	assert_int_equal(ended, 0); /* the displaced job ends on the loop, too */
	ended--;                    /* one job more than usual */
	loop_run(loop);
	assert_int_equal(last->given_up, 1);
	assert_int_equal(last->worked, 0);
	assert_int_equal(other->worked, 1);
	assert_int_equal(other->asked, 2);
	for (int i = 0; i < JOBS - 1; i++)
		assert_int_equal(jobs[i].worked, 1);
	workers_stop(workers);
	workers_end();
}

TEST(a_stop_ends_displaced_jobs)
{
	workers_begin();
	give_all();
	jobs[JOBS].job.owner = another;
	assert_true(workers_give(workers, &jobs[JOBS].job));
	workers_stop(workers);
	for (int i = 0; i <= JOBS; i++)
		assert_int_equal(jobs[i].given_up, 1);
	workers_end();
}

TEST(a_stop_ends_every_job_once)
{
	workers_begin();
	give_all();
	workers_stop(workers);
	assert_int_equal(ended, JOBS);
	for (int i = 0; i < JOBS; i++) {
		assert_int_equal(jobs[i].worked, 0);
		assert_int_equal(jobs[i].given_up, 1);
	}
	assert_true(workers_full(workers, &somebody));
	assert_false(workers_give(workers, &jobs[JOBS].job));
	workers_stop(workers);
	assert_int_equal(ended, JOBS);
	workers_end();
}

TEST(a_stop_without_a_job)
{
	workers_begin();
	workers_stop(workers);
	workers_end();
}
