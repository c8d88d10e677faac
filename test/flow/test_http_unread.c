/* The budget of answers that clients do not read, over real sockets: who is cut off when it is passed, and who is not.
 */
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "test/lib/http/edge.h"
#include "test/lib/patience.h"
#include "test/lib/test.h"

EDGE();

enum {
	BUDGET = 1 << 20,
	LARGEST = 930000,
	LARGE = 200000,
	SMALL = 60000,
	TINY = 15000,
	KERNELS = 11000,
	LITTLE = 8000, /* the client's socket takes a part of them */
	PATIENCE_MS = 60000
};

static void start_small(void)
{
	struct http_config config = edge_config();

	config.unread_max = BUDGET;
	edge_start(config);
}

static unsigned edge_port(void)
{
	return (unsigned)strtoul(strrchr(edge_child.bound, ':') + 1, NULL, 10);
}

/* What the kernel has for the server's clients: tx_queue of its sockets, also of closed ones. */
static long kernel_bytes(void)
{
	/* "  0: 0100007F:1F90 0100007F:D2F0 01 0000A000:…": the number, both addresses, the state, what is unread */
	enum { PORT_AT = 11, UNREAD_AT = 33 };
	FILE *f = fopen("/proc/net/tcp", "r");
	char line[512];
	long bytes = 0;

	assert_non_null(f);
	while (fgets(line, sizeof line, f)) {
		const char *at = strstr(line, ": ");
		if (at && strlen(at) > UNREAD_AT + 8 && strtoul(at + PORT_AT, NULL, 16) == edge_port())
			bytes += strtol(at + UNREAD_AT, NULL, 16);
	}
	fclose(f);
	return bytes;
}

static void wait_for_connections(long most)
{
	int64_t until_us = patience_ms(PATIENCE_MS);

	while (edge_stat_of("connections") > most)
		if (!patience_pause(until_us))
			fail_msg("%ld connections are left", edge_stat_of("connections"));
}

/* Connects; the kernel takes little that is not read. */
static int dial_lazy(void)
{
	struct sockaddr_in in = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), size = 4096;

	in.sin_port = htons((uint16_t)edge_port());
	setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof(size));
	assert_int_equal(connect(fd, (struct sockaddr *)&in, sizeof(in)), 0);
	return fd;
}

/* Asks for an answer of that many bytes, and reads none of it. tenant "": none. */
static int ask_big_of(char owner, const char *tenant, int bytes)
{
	char request[200], by[40] = "";
	int fd = dial_lazy();

	if (owner)
		snprintf(by, sizeof(by), "Authorization: owner %c%s\r\n", owner, tenant);
	snprintf(request, sizeof(request), "GET /big/%d HTTP/1.1\r\nHost: a\r\n%s\r\n", bytes, by);
	edge_puts(fd, request);
	edge_canary(); /* it was handled before this one */
	return fd;
}

/* owner 0: a stranger. */
static int ask_big(char owner, int bytes)
{
	return ask_big_of(owner, "", bytes);
}

/* Reads what there is; true when it is all of the answer. Closes. */
static bool is_whole(int fd, int bytes)
{
	static char out[LARGEST + 1000];
	const char *body;
	size_t len = 0;
	ssize_t n;

	while (len < sizeof(out) - 1 && (n = recv(fd, out + len, sizeof(out) - 1 - len, 0)) > 0) {
		len += (size_t)n;
		out[len] = '\0';
		body = strstr(out, "\r\n\r\n");
		if (body != NULL && len - (size_t)(body + 4 - out) == (size_t)bytes)
			break;
	}
	close(fd);
	out[len] = '\0';
	body = strstr(out, "\r\n\r\n");
	return body != NULL && len - (size_t)(body + 4 - out) == (size_t)bytes;
}

/* As many, of owner. */
static void ask_many(int *fds, int n, char owner, int bytes)
{
	for (int i = 0; i < n; i++)
		fds[i] = ask_big(owner, bytes);
}

static void close_all(const int *fds, int n)
{
	for (int i = 0; i < n; i++)
		close(fds[i]);
}

static int count_whole(const int *fds, int n, int bytes)
{
	int whole = 0;

	for (int i = 0; i < n; i++)
		whole += is_whole(fds[i], bytes);
	return whole;
}

/* Clients without a key lose theirs first, the oldest of them first. */
TEST(test_strangers_first)
{
	enum { N = 8 };
	int owner, fds[N];

	start_small();
	owner = ask_big('a', LARGE);
	ask_many(fds, N, 0, LARGE);
	assert_true(is_whole(owner, LARGE));
	assert_false(is_whole(fds[0], LARGE));
	assert_true(is_whole(fds[N - 1], LARGE));
	assert_in_range(count_whole(fds + 1, N - 2, LARGE), 0, BUDGET / LARGE - 2);
}

/* Then those of the owner with the most; one with little keeps it, though it is the oldest. */
TEST(test_largest_owner)
{
	enum { N = 24 };
	int owner, fds[N], whole;

	start_small();
	owner = ask_big('a', LARGE);
	ask_many(fds, N, 'b', SMALL);
	assert_true(is_whole(owner, LARGE));
	whole = count_whole(fds, N, SMALL);
	print_message("%d of %d\n", whole, N);
	assert_in_range(whole, 1, (BUDGET + BUDGET / 16 - LARGE) / SMALL);
}

/* Many users of one tenant count together: the only user of another one has more than any of them, and keeps it. */
TEST(test_largest_tenant)
{
	enum { N = 24 };
	int other, fds[N];

	start_small();
	other = ask_big_of('a', "A", LARGE);
	for (int i = 0; i < N; i++)
		fds[i] = ask_big_of((char)('b' + i), "B", SMALL);
	assert_true(is_whole(other, LARGE));
	assert_in_range(count_whole(fds, N, SMALL), 1, (BUDGET + BUDGET / 16 - LARGE) / SMALL);
}

/* And within a tenant, a user who reads little does not lose that for another one who reads nothing of much. */
TEST(test_largest_of_tenant)
{
	enum { N = 24 };
	int other, fds[N];

	start_small();
	other = ask_big_of('a', "A", SMALL);
	for (int i = 0; i < N; i++)
		fds[i] = ask_big_of('b', "A", SMALL);
	assert_true(is_whole(other, SMALL));
	assert_in_range(count_whole(fds, N, SMALL), 1, BUDGET / SMALL);
}

/* What the kernel has of an owner's answers is theirs: an owner with many of these loses some, an owner with one larger
 * one does not. */
TEST(test_owner_in_kernel)
{
	enum { N = 250 };
	int owner, fds[N];

	start_small();
	owner = ask_big('a', LARGE);
	ask_many(fds, N, 'b', KERNELS);
	print_message("%ld connections are left\n", edge_stat_of("connections"));
	assert_in_range(edge_stat_of("connections"), 2, N);
	assert_true(is_whole(owner, LARGE));
	close_all(fds, N);
}

/* What the kernel has of answers that were sent counts, too: these fit into the sockets. */
TEST(test_kernel)
{
	enum { N = 250 };
	int fds[N];
	long left;

	start_small();
	ask_many(fds, N, 0, TINY);
	left = edge_stat_of("connections");
	print_message("%ld connections are left\n", left);
	assert_in_range(left, 2, N / 2);
	close_all(fds, N);
}

/* Many with little each pass the budget, too: whatever its size, it ends at the connections that are not worth it. */
TEST(test_many_small)
{
	enum { N = 250, BUDGET_ODD = 13 << 16 };
	struct http_config config = edge_config();
	int fds[N];
	long unread;

	config.unread_max = BUDGET_ODD;
	edge_start(config);
	ask_many(fds, N, 0, LITTLE);
	unread = edge_stat_of("unread");
	print_message("%ld bytes are unread\n", unread);
	assert_in_range(unread, BUDGET_ODD / 2, BUDGET_ODD + BUDGET_ODD / 16);
	close_all(fds, N);
}

/* A client that reads is not cut off, however much it asks for. */
TEST(test_readers)
{
	static const char request[] = "GET /big/15000 HTTP/1.1\r\nHost: a\r\n\r\n";
	static char out[TINY + 1000];
	int fd;

	start_small();
	fd = edge_dial();
	for (int i = 0; i < 4 * BUDGET / TINY; i++) {
		size_t len = 0, want = 0;
		assert_true(edge_puts(fd, request));
		while (want == 0 || len < want) {
			ssize_t n = recv(fd, out + len, sizeof(out) - 1 - len, 0);
			if (n <= 0)
				fail_msg("answer %d: %s", i, n < 0 ? strerror(errno) : "cut off");
			len += (size_t)n;
			out[len] = '\0';
			if (want == 0 && strstr(out, "\r\n\r\n") != NULL)
				want = (size_t)(strstr(out, "\r\n\r\n") + 4 - out) + TINY;
		}
	}
	close(fd);
}

/* A stream whose client reads nothing is cut off like an answer. */
TEST(test_streams)
{
	enum { N = 40 };
	int fds[N];

	start_small();
	for (int i = 0; i < N; i++) {
		fds[i] = dial_lazy();
		edge_puts(fds[i], GET("/stream/100"));
	}
	wait_for_connections(BUDGET / 50000 + 2);
	close_all(fds, N);
}

/* A request that has begun keeps nothing of what was sent before it: strangers still lose theirs before an owner. */
TEST(test_next_begun)
{
	enum { N = 250 };
	static const char begun[] = "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nbegun";
	int owner, fds[N];

	start_small();
	for (int i = 0; i < N; i++) {
		fds[i] = ask_big(0, KERNELS);
		edge_puts(fds[i], begun); /* fails for those that were cut off already */
	}
	owner = ask_big('a', LARGE);
	assert_true(is_whole(owner, LARGE));
	close_all(fds, N);
}

/* A connection that ends with its answer stays counted until its client has taken it. */
TEST(test_last_answers)
{
	enum { N = 300 };
	char request[200];
	int fds[N];

	start_small();
	snprintf(request, sizeof(request), "GET /big/%d HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", KERNELS);
	for (int i = 0; i < N; i++) {
		fds[i] = dial_lazy();
		edge_puts(fds[i], request);
		edge_canary();
	}
	print_message("%ld bytes are with the kernel\n", kernel_bytes());
	assert_in_range(kernel_bytes(), 0, BUDGET * 5 / 4);
	assert_true(is_whole(fds[N - 1], KERNELS));
	for (int i = 0; i < N - 1; i++)
		close(fds[i]);
	wait_for_connections(1);
}

/* Counts what an answer has, not what its buffer grew to: this single answer does not exceed the budget. */
TEST(test_grown)
{
	int fd;

	start_small();
	fd = ask_big('a', LARGEST);
	assert_true(is_whole(fd, LARGEST));
}

/* Of clients that break off anywhere, nothing stays counted. */
TEST(test_nothing_stays)
{
	static const char *const requests[] = {GET("/big/15000"), GET("/big/60000"), GET("/stream/3"), GET("/delay/5"),
	    GET("/nothing"), GET("/big/20000") GET("/big/17000") GET("/a"),
	    "HEAD /big/60000 HTTP/1.1\r\nHost: a\r\n\r\n", "GET /big/40000 HTTP/1.0\r\n\r\n", "GET / HTTP/9\r\n\r\n",
	    "GET /big/60000 HTTP/1.1\r\nHost: a\r\nAuthorization: owner a\r\n\r\n",
	    "GET /big/20000 HTTP/1.1\r\nHost: a\r\nAuthorization: owner b\r\n\r\n" GET("/big/17000"),
	    "POST /big/20000 HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\nabc",
	    "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n",
	    "POST /refused/403 HTTP/1.1\r\nHost: a\r\nContent-Length: 900000\r\n\r\nab"};
	enum { N = sizeof(requests) / sizeof(requests[0]), CLIENTS = 700, AT_ONCE = 30 };
	static char drop[30000];
	int64_t until_us = patience_ms(PATIENCE_MS);
	int fds[AT_ONCE];

	start_small();
	for (unsigned i = 0; i < CLIENTS + AT_ONCE; i++) {
		int *fd = &fds[i % AT_ONCE];
		if (i >= AT_ONCE) {
			if (i % 3)
				recv(*fd, drop, i * 7919 % sizeof(drop), MSG_DONTWAIT);
			close(*fd);
		}
		*fd = i < CLIENTS ? dial_lazy() : -1;
		if (*fd >= 0)
			edge_puts(*fd, requests[i % N]);
	}
	while (edge_stat_of("connections") > 1 || edge_stat_of("unread") > 0 || edge_stat_of("flight") > 1)
		if (!patience_pause(until_us))
			fail_msg("%ld connections, %ld bytes", edge_stat_of("connections"), edge_stat_of("unread"));
}
