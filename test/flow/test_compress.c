/* Compressed answers: the same bytes when unpacked, for those who ask, with tags that stay valid for If-Match; large
 * ones while others are served; and none of the memory kept. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "server/base/buf.h"
#include "test/lib/flow.h"

enum { LARGE = 4000, PEOPLE = 100, ROUNDS = 20, UNPACKED_MAX = 64 << 20, GROWTH = 4 << 20 };

RIG("compress", .settings = {"gzip=on"}, .keep_little = true);

static void ask_server(struct caller *c, const char *method, const char *target, const char *accept, const char *match,
    const char *body, struct client_reply *reply)
{
	struct client_request q = {
	    .method = method, .target = target, .body = body, .body_len = body ? strlen(body) : 0};
	char error[256];

	q.headers[q.n_headers++] =
	    (struct client_header){"Authorization", arena_printf(&c->arena, "Bearer %s", c->key)};
	if (accept)
		q.headers[q.n_headers++] = (struct client_header){"Accept-Encoding", accept};
	if (match)
		q.headers[q.n_headers++] = (struct client_header){"If-Match", match};
	if (body)
		q.headers[q.n_headers++] = (struct client_header){"Content-Type", "application/json"};
	if (!client_send(c->client, &c->arena, &q, reply, error))
		fail_msg("%s %s: %s", method, target, error);
}

/* The body unpacked, in the arena. */
static const char *unpack_body(struct caller *c, const struct client_reply *reply)
{
	size_t room = 1 << 20;
	char *out = arena_alloc(&c->arena, room * 16);
	z_stream z = {.next_in = (unsigned char *)(uintptr_t)reply->body,
	    .avail_in = (unsigned)reply->body_len,
	    .next_out = (unsigned char *)out,
	    .avail_out = (unsigned)(room * 16 - 1)};

	assert_non_null(client_header(reply, "Content-Encoding"));
	assert_string_equal(client_header(reply, "Content-Encoding"), "gzip");
	assert_int_equal(inflateInit2(&z, 31), Z_OK);
	assert_int_equal(inflate(&z, Z_FINISH), Z_STREAM_END);
	assert_int_equal(z.avail_in, 0);
	inflateEnd(&z);
	return out;
}

static const char *create_large(const char *name)
{
	char *text = arena_alloc(&ada.arena, LARGE + 1);

	memset(text, 'x', LARGE);
	return caller_good(caller_sendf(&ada, "POST", "/v1/people", NULL,
	                       "{\"firstName\": \"%s\", \"description\": \"%s\"}", name, text))
	    .id;
}

/* --- who gets it ----------------------------------------------------------------------------- */

TEST(test_asked_for)
{
	const char *target = TEXT("/v1/people/%s", create_large("Packed"));
	struct client_reply plain, packed, refused, small;

	ask_server(&ada, "GET", target, NULL, NULL, NULL, &plain);
	assert_null(client_header(&plain, "Content-Encoding"));
	assert_string_equal(client_header(&plain, "Vary"), "Accept-Encoding");
	ask_server(&ada, "GET", target, "gzip, deflate, br", NULL, NULL, &packed);
	assert_string_equal(client_header(&packed, "Vary"), "Accept-Encoding");
	assert_true(packed.body_len < plain.body_len / 4);
	assert_string_equal(unpack_body(&ada, &packed), plain.body);
	ask_server(&ada, "GET", target, "gzip;q=0, *", NULL, NULL, &refused);
	assert_null(client_header(&refused, "Content-Encoding"));
	assert_string_equal(refused.body, plain.body);
	ask_server(&ada, "GET", "/v1/users/me", "gzip", NULL, NULL, &small);
	assert_true(small.body_len < 1024);
	assert_null(client_header(&small, "Content-Encoding"));
	ask_server(&ada, "GET", "/openapi.json", "gzip", NULL, NULL, &packed);
	ask_server(&ada, "GET", "/openapi.json", NULL, NULL, NULL, &plain);
	assert_string_equal(unpack_body(&ada, &packed), plain.body);
	ask_server(&ada, "GET", "/v1/events/stream?wait=0", "gzip", NULL, NULL, &plain);
	assert_null(client_header(&plain, "Content-Encoding"));
	assert_non_null(strstr(plain.body, "id: "));
}

/* HEAD tells what GET would send. */
TEST(test_head)
{
	static const char *const names[] = {"Content-Encoding", "Content-Length", "Vary", "ETag"};
	const char *target = TEXT("/v1/people/%s", create_large("Head"));
	struct client_reply get, head;

	for (int packed = 0; packed < 2; packed++) {
		ask_server(&ada, "GET", target, packed ? "gzip" : NULL, NULL, NULL, &get);
		ask_server(&ada, "HEAD", target, packed ? "gzip" : NULL, NULL, NULL, &head);
		assert_int_equal(head.body_len, 0);
		assert_int_equal(client_header(&get, "Content-Encoding") != NULL, packed);
		for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
			const char *value = client_header(&get, names[i]);
			const char *same = client_header(&head, names[i]);
			if (strcmp(value ? value : "", same ? same : "") != 0)
				fail_msg("%s: '%s', to HEAD '%s'", names[i], value, same);
		}
	}
}

/* Pages are packed when the program is built; they, too, name each header once. */
TEST(test_page)
{
	struct client_reply page;

	ask_server(&ada, "GET", "/console", "gzip", NULL, NULL, &page);
	assert_int_equal(page.status, 200);
	assert_string_equal(client_header(&page, "Vary"), "Accept-Encoding");
	assert_int_equal(client_header_count(&page, "Vary"), 1);
	unpack_body(&ada, &page);
}

/* The tag is that of the record, packed or not. */
TEST(test_tags)
{
	const char *target = TEXT("/v1/people/%s", create_large("Tagged")), *tag;
	struct client_reply plain, packed, patched;

	ask_server(&ada, "GET", target, NULL, NULL, NULL, &plain);
	ask_server(&ada, "GET", target, "gzip", NULL, NULL, &packed);
	tag = client_header(&packed, "ETag");
	assert_string_equal(tag, client_header(&plain, "ETag"));
	ask_server(&ada, "PATCH", target, "gzip", tag, "{\"jobTitle\": \"a\"}", &patched);
	assert_int_equal(patched.status, 200);
	assert_non_null(strstr(unpack_body(&ada, &patched), "\"jobTitle\":\"a\""));
	ask_server(&ada, "PATCH", target, "gzip", tag, "{\"jobTitle\": \"b\"}", &patched);
	assert_int_equal(patched.status, 412);
	assert_non_null(client_header(&patched, "ETag"));
}

/* What is stored under a key is not packed: a retry gets it as it asks for it. */
TEST(test_replayed)
{
	char *text = arena_alloc(&ada.arena, LARGE + 1);
	const char *body;
	struct client_reply first, again[2];
	struct client_request q = {.method = "POST", .target = "/v1/people"};
	char error[256];

	memset(text, 'y', LARGE);
	body = TEXT("{\"description\": \"%s\"}", text);
	q.body = body;
	q.body_len = strlen(body);
	q.headers[0] = (struct client_header){"Authorization", TEXT("Bearer %s", rig.ada.key)};
	q.headers[1] = (struct client_header){"Idempotency-Key", "packed-once"};
	q.headers[2] = (struct client_header){"Accept-Encoding", "gzip"};
	q.n_headers = 3;
	assert_true(client_send(ada.client, &ada.arena, &q, &first, error));
	assert_true(client_send(ada.client, &ada.arena, &q, &again[0], error));
	q.n_headers = 2;
	assert_true(client_send(ada.client, &ada.arena, &q, &again[1], error));
	assert_string_equal(client_header(&again[0], "Idempotent-Replayed"), "true");
	assert_string_equal(client_header(&again[1], "Idempotent-Replayed"), "true");
	assert_null(client_header(&again[1], "Content-Encoding"));
	assert_string_equal(unpack_body(&ada, &first), again[1].body);
	assert_string_equal(unpack_body(&ada, &again[0]), again[1].body);
}

/* --- large ones ------------------------------------------------------------------------------ */

static int64_t resident_bytes(void)
{
	char path[64], line[128] = "";

	snprintf(path, sizeof path, "/proc/%d/statm", (int)server->pid);
	FILE *f = fopen(path, "r");
	assert_non_null(f);
	assert_non_null(fgets(line, sizeof line, f));
	fclose(f);
	return strtol(line + strcspn(line, " "), NULL, 10) * sysconf(_SC_PAGESIZE);
}

static void ask_page(void *ctx, int i)
{
	struct client_reply packed;
	struct caller c;

	(void)i;
	caller_init(&c, server->base, rig.ada.key);
	for (int k = 0; k < ROUNDS / 4; k++) {
		ask_server(&c, "GET", "/v1/people?limit=100", "gzip", NULL, NULL, &packed);
		if (strcmp(unpack_body(&c, &packed), ctx) != 0)
			fail_msg("a page differs when it is packed");
	}
	caller_free(&c);
}

/* Pages of hundreds of kilobytes, several at a time; then as much memory as before. */
TEST(test_large)
{
	struct client_reply plain;
	int64_t before = 0;

	for (int i = 0; i < PEOPLE; i++)
		create_large("Page");
	ask_server(&ada, "GET", "/v1/people?limit=100", NULL, NULL, NULL, &plain);
	assert_true(plain.body_len > (size_t)PEOPLE * LARGE);
	for (int i = 0; i < 6; i++) {
		caller_crowd_run(4, ask_page, (void *)(uintptr_t)plain.body);
		if (i == 2)
			before = resident_bytes();
	}
	print_message("grown by %lld bytes\n", (long long)(resident_bytes() - before));
	assert_true(resident_bytes() - before < GROWTH);
}

/* --- many at a time -------------------------------------------------------------------------- */

enum { FIELDS = 60, HUGE_PEOPLE = 32, CROWD = 16 };

struct packing_seen {
	atomic_int packed, plain;
};

static const char huge_page[] = "/v1/people?limit=100&filter[jobTitle][eq]=huge";

/* Digits in no order, which take long to pack. */
static void put_noise(struct buf *to, size_t len)
{
	char *at = buf_room(to, len);
	static uint32_t x = 1;

	assert_non_null(at);
	for (size_t i = 0; i < len; i++) {
		x = x * 1664525 + 1013904223;
		at[i] = (char)('0' + x / (1U << 24) % 10);
	}
	to->len += len;
}

static void create_huge(void)
{
	const char *group =
	    caller_good(SEND("POST", "{\"name\": \"Huge\", \"visibility\": \"public\"}", "/v1/groups")).id;
	struct buf body;

	for (int i = 0; i < FIELDS; i++)
		caller_good(caller_sendf(&ada, "POST", TEXT("/v1/groups/%s/custom-fields/person", group), NULL,
		    "{\"name\": \"F%d\", \"type\": \"textField\"}", i));
	buf_init(&body, 8 << 20);
	buf_addz(&body, "{\"records\": [");
	for (int k = 0; k < HUGE_PEOPLE; k++) {
		buf_printf(&body,
		    "%s{\"jobTitle\": \"huge\", \"groups\": [{\"id\": \"%s\"}], \"customFieldValues\": {\"%s\": {",
		    k ? ", " : "", group, group);
		for (int i = 0; i < FIELDS; i++) {
			buf_printf(&body, "%s\"F%d\": \"", i ? ", " : "", i);
			put_noise(&body, LARGE);
			buf_addz(&body, "\"");
		}
		buf_addz(&body, "}}}");
	}
	buf_addz(&body, "]}");
	MAKE(body.data, "/v1/people/batch/create");
	buf_free(&body);
}

static void ask_huge(void *ctx, int i)
{
	struct packing_seen *seen = ctx;
	struct client_reply reply;
	struct caller c;

	(void)i;
	caller_init(&c, server->base, rig.ada.key);
	ask_server(&c, "GET", huge_page, "gzip", NULL, NULL, &reply);
	if (reply.status == 200)
		atomic_fetch_add(client_header(&reply, "Content-Encoding") ? &seen->packed : &seen->plain, 1);
	caller_free(&c);
}

/* Of answers of megabytes only some are packed at a time, as they wait in memory meanwhile; the others are not held up.
 */
TEST(test_crowd)
{
	struct packing_seen seen = {0};
	struct client_reply one;

	create_huge();
	ask_server(&ada, "GET", huge_page, NULL, NULL, NULL, &one);
	assert_int_equal(one.status, 200);
	assert_true(one.body_len > (size_t)HUGE_PEOPLE * FIELDS * LARGE);
	caller_crowd_run(CROWD, ask_huge, &seen);
	print_message("%d packed, %d plain\n", seen.packed, seen.plain);
	assert_true(seen.packed > 0);
	assert_true(seen.plain > 0);
}
