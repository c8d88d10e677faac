/* kith listen and kith trigger: what is posted equals a webhook's delivery, and its signature is valid. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test/lib/flow.h"
#include "test/lib/http/feed_reader.h"
#include "test/lib/kith.h"
#include "test/lib/webhook/receiver.h"
#include "webhook/listen.h"

static struct receiver *receiver;

RIG("listen", .servers = RIG_NO_SERVER, .neighbour = true);

BEFORE_ALL()
{
	/* A proxy that does not exist, which must not be used for this machine. */
	setenv("http_proxy", "http://127.0.0.1:1", 1);
	unsetenv("no_proxy");
	unsetenv("NO_PROXY");
	server = rig_serve(&rig, false, NULL);
	caller_turn(&ada, server->base);
	receiver = receiver_start(&(struct receiver_config){0});
}

AFTER_ALL()
{
	receiver_stop(receiver);
}

/* --- the command as a child, line by line ---------------------------------------------------- */

struct listen_process {
	pid_t pid;
	FILE *out;
	char line[4096];
};

static void listener_start(struct listen_process *l, const char *const argv[])
{
	int ends[2];

	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	l->pid = command_start(rig.program, argv, ends[1], -1);
	assert_true(l->pid > 0);
	close(ends[1]);
	l->out = fdopen(ends[0], "r");
}

/* A member of the next line. */
static const char *listener_line(struct listen_process *l, const char *key)
{
	const char *error;
	const struct json *line, *value;

	assert_non_null(fgets(l->line, sizeof l->line, l->out));
	line = json_read(&rig.arena, l->line, strlen(l->line), &error);
	assert_non_null(line);
	value = json_member(line, key);
	if (!value)
		fail_msg("no %s: %s", key, l->line);
	return value->text;
}

static void listener_stop(struct listen_process *l)
{
	int status;

	kill(l->pid, SIGTERM);
	waitpid(l->pid, &status, 0);
	fclose(l->out);
}

/* --- posted events ------------------------------------------------------------------------------- */

static const struct json *posted_event(int i, const char *secret_text)
{
	const struct receiver_request *q = receiver_request(receiver, i);
	unsigned char secret[SIGN_SECRET_MAX];
	char *id = receiver_header(q, "webhook-id"), *at = receiver_header(q, "webhook-timestamp"),
	     *signature = receiver_header(q, "webhook-signature"), *type = receiver_header(q, "Content-Type"),
	     expected[SIGN_SIGNATURE_TEXT];
	size_t len = listen_secret_parse(secret, secret_text);
	const char *error;
	const struct json *body = json_read(&rig.arena, q->body, q->body_len, &error);

	assert_non_null(body);
	assert_int_equal(body->count, 6);
	assert_non_null(json_member(json_member(body, "actor"), "via"));
	assert_string_equal(q->method, "POST");
	assert_string_equal(type, "application/json");
	assert_string_equal(json_member(body, "id")->text, id);
	assert_true(len);
	assert_string_equal(
	    signature, sign_signature(expected, secret, len, id, strtoll(at, NULL, 10), q->body, q->body_len));
	free(id);
	free(at);
	free(signature);
	free(type);
	return body;
}

TEST(test_listen)
{
	const char *argv[] = {"listen", "--forward", NULL, "--key", rig.ada.key, "--url", server->base, "--events",
	    "person.created,person.deleted", NULL};
	struct listen_process l;
	const char *secret, *id;

	receiver_clear(receiver);
	argv[2] = arena_dupz(&rig.arena, receiver_url(receiver, "/hooks"));
	listener_start(&l, argv);
	secret = arena_dupz(&rig.arena, listener_line(&l, "signingSecret"));
	id = SEND("POST", "{\"firstName\": \"Ann\"}", "/v1/people").id;
	assert_true(*id);
	caller_send(&ada, "PATCH", arena_printf(&rig.arena, "/v1/people/%s", id), NULL, "{\"jobTitle\": \"Boss\"}");
	assert_string_equal(listener_line(&l, "type"), "person.created");
	caller_send(&ada, "DELETE", arena_printf(&rig.arena, "/v1/people/%s", id), NULL, NULL);
	assert_string_equal(listener_line(&l, "status"), "200");
	assert_true(receiver_wait(receiver, 2, 10000));
	const struct json *created = posted_event(0, secret), *deleted = posted_event(1, secret);
	assert_string_equal(json_member(created, "type")->text, "person.created");
	assert_string_equal(json_member(json_member(created, "data"), "id")->text, id);
	assert_string_equal(
	    json_member(created, "source")->text, arena_printf(&rig.arena, "%s/v1/events", server->base));
	assert_string_equal(json_member(deleted, "type")->text, "person.deleted");
	/* The same data as in the feed. */
	struct feed_page page = feed_get(&ada, "", 100, -1);
	struct buf a, b;
	buf_init(&a, 1 << 16);
	buf_init(&b, 1 << 16);
	json_canonical(&a, page.items[0].data);
	json_canonical(&b, json_member(created, "data"));
	assert_string_equal(a.data, b.data);
	buf_free(&a);
	buf_free(&b);
	listener_stop(&l);
}

/* A failing receiver is reported in the event's line; after a server's restart following continues. */
TEST(test_failures)
{
	struct feed_page page = feed_get(&ada, "", 1, -1);
	const char *secret = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
	const char *argv[] = {"listen", "--forward", NULL, "--key", rig.ada.key, "--url", server->base, "--secret",
	    secret, "--after", page.cursor, NULL};
	struct listen_process l;

	receiver_clear(receiver);
	receiver_behave(receiver, (struct receiver_behaviour){.status = 500});
	argv[2] = arena_dupz(&rig.arena, receiver_url(receiver, "/"));
	listener_start(&l, argv);
	assert_string_equal(listener_line(&l, "signingSecret"), secret);
	for (int i = 0; i < 2; i++) /* after the first event: an update and the deletion */
		assert_string_equal(listener_line(&l, "status"), "500");
	posted_event(0, secret);
	receiver_behave(receiver, (struct receiver_behaviour){.mode = RECEIVER_RESET});
	assert_true(*SEND("POST", "{}", "/v1/companies").id);
	listener_line(&l, "error");
	listener_stop(&l);
	receiver_behave(receiver, (struct receiver_behaviour){0});
}

TEST(test_refusals)
{
	const char *key = "kith_0000000000000000000000000000000000000", *url = server->base;

	assert_int_equal(KITH("listen", "--key", key), 2);
	assert_int_equal(KITH("listen", "--forward", "ftp://a", "--key", key), 2);
	assert_int_equal(KITH("listen", "--forward", "http://a", "--key", key, "--events", "x"), 2);
	assert_int_equal(KITH("listen", "--forward", "http://a", "--key", key, "--secret", "x"), 2);
	/* An invalid key, and an invalid cursor: no retries. */
	assert_int_equal(KITH("listen", "--forward", "http://a", "--key", key, "--url", url), 1);
	assert_int_equal(
	    KITH("listen", "--forward", "http://a", "--key", rig.ada.key, "--url", url, "--after", "x"), 1);
	assert_int_equal(KITH("trigger", "--forward", "http://a"), 2);
	assert_int_equal(KITH("trigger", "person.creates", "--forward", "http://a"), 2);
	assert_int_equal(KITH("trigger", "person.created", "--forward", "http://127.0.0.1:1"), 1);
}

TEST(test_trigger)
{
	const char *secret = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

	receiver_clear(receiver);
	assert_int_equal(
	    KITH("trigger", "object.updated", "--forward", receiver_url(receiver, "/x"), "--secret", secret), 0);
	assert_non_null(strstr(kith_said, "\"status\":200"));
	assert_true(receiver_wait(receiver, 1, 10000));
	assert_string_equal(json_member(posted_event(0, secret), "type")->text, "object.updated");
}
