/* Jobs that derive the keys of passwords; see password_task.h. */
#include "server/signin/password_task.h"

#include "server/base/workers.h"
#include "server/request/server.h"
#include "server/signin/attempt.h"

static const char retry_s[] = "2";

struct password_task {
	struct worker_job job;
	struct req *req;
	struct password_hash *hashes;
	int n;
	char *password;
	size_t len;
	bool failed;
};

void passwords_start(struct server *s)
{
	s->passwords = workers_new(s->loop, PASSWORD_THREADS, PASSWORD_WAITING);
}

void passwords_stop(struct server *s)
{
	workers_stop(s->passwords);
}

void passwords_free(struct server *s)
{
	workers_free(s->passwords);
	s->passwords = NULL;
}

static enum step refuse_busy(struct req *r)
{
	reply_unavailable(r, ERROR_UNAVAILABLE, "too many passwords are waiting to be checked");
	for (size_t i = 0; i < r->reply.n_headers; i++)
		if (strcmp(r->reply.headers[i].name, "Retry-After") == 0)
			r->reply.headers[i].value = retry_s;
	return DONE;
}

bool password_possible(struct req *r)
{
	struct uuid site = attempt_site(r);

	if (!workers_full(r->server->passwords, &site))
		return true;
	refuse_busy(r);
	return false;
}

/* --- the job --------------------------------------------------------------------------------- */

/* In a thread: uses only the task. */
static void task_work(struct worker_job *job)
{
	struct password_task *t = (struct password_task *)job;

	for (int i = 0; i < t->n && !t->failed; i++)
		t->failed = !password_hash_derive(&t->hashes[i], t->password, t->len);
}

static bool task_given_up(const struct worker_job *job)
{
	const struct password_task *t = (const struct password_task *)job;

	return http_disconnected(t->req->call);
}

static void task_done(struct worker_job *job, bool worked)
{
	struct password_task *t = (struct password_task *)job;
	struct req *r = t->req;

	crypto_wipe(t->password, t->len);
	r->server->passwords_hashed += worked ? (uint64_t)t->n : 0;
	if (worked && !t->failed)
		request_continue(r, PASS);
	else if (t->failed)
		request_continue(r, reply_unavailable(r, ERROR_UNAVAILABLE, "no memory to hash a password"));
	else if (r->server->closing)
		request_continue(r, reply_unavailable(r, ERROR_UNAVAILABLE, reply_stopping));
	else if (task_given_up(job))
		request_continue(r, reply_unavailable(r, ERROR_UNAVAILABLE, "the client has left"));
	else
		request_continue(r, refuse_busy(r));
}

enum step password_derive(struct req *r, struct password_hash *hashes, int n, char *password, size_t len)
{
	struct password_task *t = arena_alloc(&r->arena, sizeof *t);

	*t = (struct password_task){
	    .job = {.work = task_work, .done = task_done, .given_up = task_given_up, .owner = attempt_site(r)},
	    .req = r,
	    .hashes = hashes,
	    .n = n,
	    .password = password,
	    .len = len,
	};
	r->waits_for = "password";
	return workers_give(r->server->passwords, &t->job) ? WAIT : refuse_busy(r);
}
