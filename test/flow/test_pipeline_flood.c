/* A client without a key sends requests on many connections, and never waits for an answer. */
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "server/base/clock.h"
#include "test/lib/flow.h"
#include "test/lib/http/raw.h"
#include "test/lib/patience.h"

RIG("pipeline_flood");

enum { CONNECTIONS = 50, REQUESTS = 1000, FLOOD_MS = 20000, ASKED = 5 };

#define REQUEST "GET /livez HTTP/1.1\r\nHost: a\r\n\r\n"

struct pipeline_flood {
	struct pollfd fds[CONNECTIONS];
	size_t sent[CONNECTIONS]; /* bytes of the text below */
	char text[REQUESTS * (sizeof REQUEST - 1)];
	atomic_bool over, answered;
};

static void flood_one(struct pipeline_flood *f, int i)
{
	static char answers[1 << 16];
	ssize_t n;

	if (recv(f->fds[i].fd, answers, sizeof answers, MSG_DONTWAIT) > 0)
		f->answered = true;
	n = send(f->fds[i].fd, f->text + f->sent[i], sizeof f->text - f->sent[i], MSG_DONTWAIT | MSG_NOSIGNAL);
	if (n > 0)
		f->sent[i] = (f->sent[i] + (size_t)n) % sizeof f->text;
}

static void *flood_run(void *ctx)
{
	struct pipeline_flood *f = ctx;
	int64_t until_us = patience_ms(FLOOD_MS);

	while (!f->over && clock_mono_us() < until_us) {
		poll(f->fds, CONNECTIONS, 10);
		for (int i = 0; i < CONNECTIONS; i++)
			flood_one(f, i);
	}
	f->over = true;
	return NULL;
}

/* What others wait for happens at the end of a turn of the loop. */
TEST(test_others_are_served)
{
	static struct pipeline_flood f;
	pthread_t thread;

	for (int i = 0; i < REQUESTS; i++)
		memcpy(f.text + (size_t)i * (sizeof REQUEST - 1), REQUEST, sizeof REQUEST - 1);
	for (int i = 0; i < CONNECTIONS; i++) {
		f.fds[i] = (struct pollfd){.fd = raw_open(server->base), .events = POLLIN | POLLOUT};
		assert_true(f.fds[i].fd >= 0);
	}
	assert_int_equal(pthread_create(&thread, NULL, flood_run, &f), 0);
	for (int64_t until_us = patience_ms(FLOOD_MS); !f.answered;)
		assert_true(patience_pause(until_us));
	for (int i = 0; i < ASKED; i++)
		assert_int_equal(caller_get(&ada, "/v1/people").status, 200);
	assert_false(f.over);
	f.over = true;
	pthread_join(thread, NULL);
	for (int i = 0; i < CONNECTIONS; i++)
		close(f.fds[i].fd);
}
