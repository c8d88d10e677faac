/* Deliveries over TLS: only to receivers that prove the target's name, with TLS 1.2 or newer. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <openssl/err.h>

#include "test/lib/server/child.h"
#include "test/lib/test.h"
#include "test/lib/webhook/delivery_rig.h"
#include "test/lib/webhook/receiver.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static struct delivery world;
static struct receiver *receiver;

static void start_receiver(struct receiver_config c)
{
	receiver = receiver_start(&c);
	delivery_start(
	    &world, "127.0.0.0/8", (struct deliver_config){.ca_file = receiver_ca_file(receiver), .timeout_ms = 30000});
	nameserver_set(world.names, "hooks.test", "127.0.0.1");
	nameserver_set(world.names, "other.test", "127.0.0.1");
	nameserver_set(world.names, "a.hooks.test", "127.0.0.1");
	nameserver_set(world.names, "a.b.hooks.test", "127.0.0.1");
}

static void end_receiver(void)
{
	delivery_stop(&world);
	receiver_stop(receiver);
	assert_int_equal(ERR_peek_error(), 0);
}

static struct deliver_result send_to(const char *host)
{
	char url[300];
	snprintf(url, sizeof(url), "https://%s:%d/hook", host, receiver_port(receiver));
	return delivery_send(&world, url);
}

TEST(test_verifies)
{
	static const struct {
		const char *what;
		enum receiver_tls tls;
		const char *names, *host;
		enum deliver_error error;
	} cases[] = {
	    {"good", RECEIVER_TLS, NULL, "hooks.test", DELIVER_NONE},
	    {"good by address", RECEIVER_TLS, NULL, "127.0.0.1", DELIVER_NONE},
	    {"good by wildcard", RECEIVER_TLS, "DNS:*.hooks.test", "a.hooks.test", DELIVER_NONE},
	    {"one of several", RECEIVER_TLS, "DNS:x.test,DNS:hooks.test", "hooks.test", DELIVER_NONE},
	    {"in capitals", RECEIVER_TLS, "DNS:HOOKS.Test", "hooks.test", DELIVER_NONE},
	    {"wrong name", RECEIVER_TLS, NULL, "other.test", DELIVER_TLS},
	    {"name of the address", RECEIVER_TLS, "IP:127.0.0.1", "hooks.test", DELIVER_TLS},
	    {"address of the name", RECEIVER_TLS, "DNS:hooks.test", "127.0.0.1", DELIVER_TLS},
	    {"address as a name", RECEIVER_TLS, "DNS:127.0.0.1", "127.0.0.1", DELIVER_TLS},
	    {"other address", RECEIVER_TLS, "IP:127.0.0.2", "127.0.0.1", DELIVER_TLS},
	    {"wildcard too wide", RECEIVER_TLS, "DNS:*.test", "a.hooks.test", DELIVER_TLS},
	    {"wildcard of two", RECEIVER_TLS, "DNS:*.hooks.test", "a.b.hooks.test", DELIVER_TLS},
	    {"partial wildcard", RECEIVER_TLS, "DNS:h*.test", "hooks.test", DELIVER_TLS},
	    {"name within", RECEIVER_TLS, "DNS:evilhooks.test", "hooks.test", DELIVER_TLS},
	    {"signed by nobody", RECEIVER_TLS_SELF, NULL, "hooks.test", DELIVER_TLS},
	    {"expired", RECEIVER_TLS_EXPIRED, NULL, "hooks.test", DELIVER_TLS},
	    {"too old a protocol", RECEIVER_TLS_OLD, NULL, "hooks.test", DELIVER_TLS},
	    {"says nothing", RECEIVER_TLS_SILENT, NULL, "hooks.test", DELIVER_TIMEOUT},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		start_receiver((struct receiver_config){.tls = cases[i].tls, .names = cases[i].names});
		if (cases[i].error == DELIVER_TIMEOUT) {
			world.config.timeout_ms = 300;
			deliverer_free(world.deliverer);
			world.deliverer = deliverer_new(&world.config);
		}
		struct deliver_result r = send_to(cases[i].host);
		if (r.error != cases[i].error || r.status != (r.error == DELIVER_NONE ? 200 : 0))
			fail_msg("%s: %s %d", cases[i].what, deliver_error_word(r.error), r.status);
		/* Nothing was sent to a receiver that did not prove its identity. */
		assert_int_equal(receiver_count(receiver), cases[i].error == DELIVER_NONE);
		end_receiver();
	}
}

TEST(refuses_an_unknown_authority)
{
	start_receiver((struct receiver_config){.tls = RECEIVER_TLS});
	deliverer_free(world.deliverer);
	world.config.ca_file = NULL; /* the system's certificates */
	world.deliverer = deliverer_new(&world.config);
	assert_non_null(world.deliverer);
	assert_int_equal(send_to("hooks.test").error, DELIVER_TLS);
	end_receiver();
	assert_null(deliverer_new(&(struct deliver_config){.ca_file = "/no/such/file"}));
}

/* The system's certificates are large, so all share those that were read first, also after their reader has ended. */
TEST(reads_the_systems_certificates_once)
{
	struct deliverer *first;

	start_receiver((struct receiver_config){.tls = RECEIVER_TLS});
	deliverer_free(world.deliverer);
	world.config.ca_file = NULL;
	first = deliverer_new(&world.config);
	assert_non_null(first);
	setenv("SSL_CERT_FILE", receiver_ca_file(receiver), 1);
	world.deliverer = deliverer_new(&world.config);
	unsetenv("SSL_CERT_FILE");
	deliverer_free(first);
	assert_non_null(world.deliverer);
	assert_int_equal(send_to("hooks.test").error, DELIVER_TLS);
	end_receiver();
}

TEST(tells_plain_from_tls)
{
	char url[300];

	start_receiver((struct receiver_config){.tls = RECEIVER_TLS});
	snprintf(url, sizeof(url), "http://hooks.test:%d/", receiver_port(receiver));
	assert_int_equal(delivery_send(&world, url).error, DELIVER_CONNECTION);
	end_receiver();

	receiver = receiver_start(&(struct receiver_config){.behaviour = {.mode = RECEIVER_GARBAGE}});
	delivery_start(&world, "127.0.0.0/8", (struct deliver_config){.timeout_ms = 30000});
	nameserver_set(world.names, "hooks.test", "127.0.0.1");
	receiver_behave(receiver, (struct receiver_behaviour){.mode = RECEIVER_FLOOD});
	assert_int_equal(send_to("hooks.test").error, DELIVER_TLS);
	receiver_behave(receiver, (struct receiver_behaviour){.mode = RECEIVER_RESET_EARLY});
	assert_int_equal(send_to("hooks.test").error, DELIVER_CONNECTION);
	end_receiver();
}

TEST(keeps_connections)
{
	start_receiver((struct receiver_config){.tls = RECEIVER_TLS});
	for (int i = 0; i < 10; i++)
		assert_int_equal(send_to("hooks.test").error, DELIVER_NONE);
	assert_int_equal(receiver_connections(receiver), 1);
	receiver_behave(receiver, (struct receiver_behaviour){.close_after = 3});
	for (int i = 0; i < 20; i++)
		assert_int_equal(send_to("hooks.test").error, DELIVER_NONE);
	assert_int_equal(receiver_count(receiver), 30);
	end_receiver();
}

TEST(survives_bad_receivers)
{
	static const struct {
		enum receiver_mode mode;
		enum deliver_error error;
	} cases[] = {
	    {RECEIVER_NO_LENGTH, DELIVER_NONE},
	    {RECEIVER_CHUNKED, DELIVER_NONE},
	    {RECEIVER_TWICE, DELIVER_NONE},
	    {RECEIVER_INTERIM, DELIVER_NONE},
	    {RECEIVER_HALF_BODY, DELIVER_NONE},
	    {RECEIVER_ENDLESS_BODY, DELIVER_NONE},
	    {RECEIVER_ENDLESS_CHUNK, DELIVER_NONE},
	    {RECEIVER_HUGE_LENGTH, DELIVER_NONE},
	    {RECEIVER_ENDLESS_HEADER, DELIVER_CONNECTION},
	    {RECEIVER_ENDLESS_100_BIG, DELIVER_CONNECTION},
	    {RECEIVER_FLOOD, DELIVER_CONNECTION},
	    {RECEIVER_RESET, DELIVER_CONNECTION},
	    {RECEIVER_CLOSE, DELIVER_CONNECTION},
	    {RECEIVER_HALF_HEAD, DELIVER_CONNECTION},
	    {RECEIVER_GARBAGE, DELIVER_CONNECTION},
	    {RECEIVER_SWITCH, DELIVER_CONNECTION},
	};

	start_receiver((struct receiver_config){.tls = RECEIVER_TLS});
	for (size_t i = 0; i < COUNT(cases); i++) {
		receiver_behave(receiver, (struct receiver_behaviour){.mode = cases[i].mode});
		struct deliver_result r = send_to("hooks.test");
		if (r.error != cases[i].error || r.status != (r.error == DELIVER_NONE ? 200 : 0))
			fail_msg("mode %d: %s %d", (int)cases[i].mode, deliver_error_word(r.error), r.status);
		receiver_behave(receiver, (struct receiver_behaviour){.status = 202});
		assert_int_equal(send_to("hooks.test").status, 202);
	}
	end_receiver();
}

/* A receiver in a process of its own, whose memory is not counted; it ends when the pipe is closed. */
struct apart {
	pid_t pid;
	int pipe[2];
	struct {
		int port;
		char ca_file[256];
	} is;
};

static void start_apart(struct apart *a, enum receiver_mode mode)
{
	int told[2];
	char byte;
	assert_int_equal(pipe(told) | pipe(a->pipe), 0);
	a->pid = child_fork();
	if (a->pid == 0) {
		close(a->pipe[1]);
		receiver = receiver_start(&(struct receiver_config){.tls = RECEIVER_TLS, .behaviour = {.mode = mode}});
		a->is.port = receiver_port(receiver);
		snprintf(a->is.ca_file, sizeof(a->is.ca_file), "%s", receiver_ca_file(receiver));
		bool told_all =
		    write(told[1], &a->is, sizeof(a->is)) == sizeof(a->is) && read(a->pipe[0], &byte, 1) == 0;
		receiver_stop(receiver);
		_exit(!told_all);
	}
	assert_int_equal(read(told[0], &a->is, sizeof(a->is)), sizeof(a->is));
	close(told[0]);
	close(told[1]);
	close(a->pipe[0]);
}

TEST(costs_little)
{
	static const enum receiver_mode modes[] = {RECEIVER_ANSWER, RECEIVER_NEVER, RECEIVER_ENDLESS_BODY,
	    RECEIVER_ENDLESS_CHUNK, RECEIVER_ENDLESS_100_BIG, RECEIVER_FLOOD};

	for (size_t i = 0; i < COUNT(modes); i++) {
		struct apart a;
		char url[64];
		int status;
		start_apart(&a, modes[i]);
		delivery_start(
		    &world, "127.0.0.0/8", (struct deliver_config){.ca_file = a.is.ca_file, .timeout_ms = 1000});
		snprintf(url, sizeof(url), "https://127.0.0.1:%d/", a.is.port);
		size_t each = delivery_cost(&world, url, 30);
		close(a.pipe[1]);
		assert_int_equal(waitpid(a.pid, &status, 0), a.pid);
		assert_int_equal(status, 0);
		delivery_stop(&world);
		if (each > 72 << 10)
			fail_msg("mode %d: %zu bytes each", (int)modes[i], each);
	}
}
