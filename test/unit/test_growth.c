/* Parsing takes time proportional to the input: eight times the input takes about eight times as long, where a
 * quadratic algorithm would take sixty-four. Measured is this thread's processor time, the minimum of several runs,
 * with more runs when other work on the machine makes it look too long. */
#include <string.h>
#include <time.h>

#include "server/input/custom.h"
#include "server/request/request.h"
#include "server/request/route.h"
#include "server/request/validate.h"
#include "server/routes.h"
#include "test/lib/test.h"

enum { RUNS = 5, ROUNDS = 20, TIMES = 8, RATIO_MOST = 24 };

/* Makes a text of n parts in the arena; reads it. */
typedef const void *make_fn(struct arena *a, int n);
typedef void read_fn(struct arena *a, const void *what);

static int64_t thread_us(void)
{
	struct timespec now;

	assert_int_equal(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now), 0);
	return now.tv_sec * INT64_C(1000000) + now.tv_nsec / 1000;
}

static int64_t least_us(make_fn *make, read_fn *read, int n)
{
	int64_t least = INT64_MAX;

	for (int i = 0; i < RUNS; i++) {
		struct arena a;
		arena_init(&a);
		const void *what = make(&a, n);
		int64_t from = thread_us();
		read(&a, what);
		int64_t took = thread_us() - from;
		least = took < least ? took : least;
		arena_free(&a);
	}
	return least;
}

static void assert_grows(make_fn *make, read_fn *read, int n)
{
	int64_t few = INT64_MAX, many = INT64_MAX;

	for (int i = 0; i < ROUNDS; i++) {
		int64_t few_now = least_us(make, read, n), many_now = least_us(make, read, n * TIMES);
		few = few_now < few ? few_now : few;
		many = many_now < many ? many_now : many;
		if (many <= (few + 20) * RATIO_MOST)
			return;
	}
	fail_msg("%d: %lld us, %d: %lld us", n, (long long)few, n * TIMES, (long long)many);
}

/* --- a body ------------------------------------------------------------------------------ */

/* {"g": {"000000": 1, ...}}, n names. */
static const void *make_names(struct arena *a, int n)
{
	struct buf b;
	const char *text;

	buf_init(&b, 64 << 20);
	buf_addz(&b, "{\"g\":{");
	for (int i = 0; i < n; i++)
		buf_printf(&b, "%s\"%06d\":%d", i ? "," : "", i, i);
	buf_addz(&b, "}}");
	text = arena_dup(a, b.data, b.len);
	buf_free(&b);
	return text;
}

static void read_json(struct arena *a, const void *what)
{
	const char *error = NULL;

	assert_non_null(json_read(a, what, strlen(what), &error));
}

TEST(test_json)
{
	assert_grows(make_names, read_json, 4000);
}

/* ["..."]: a string of n characters that are written as escapes, of twelve bytes each. */
static const void *long_string(struct arena *a, int n)
{
	struct buf b;
	const char *text;

	buf_init(&b, 64 << 20);
	buf_addz(&b, "[\"");
	for (int i = 0; i < n; i++)
		buf_addz(&b, "\\ud83d\\ude00");
	buf_addz(&b, "\"]");
	text = arena_dup(a, b.data, b.len);
	buf_free(&b);
	return text;
}

static void read_in_pieces(struct arena *a, const void *what)
{
	const char *error = NULL;
	bool too_much;
	struct json_reader *rd = json_reader_new(a, what, strlen(what));

	while (!json_reader_some(rd, 4 << 10))
		;
	assert_non_null(json_reader_result(rd, &error, &too_much));
	json_reader_free(rd);
}

/* Larger than a piece, which must not be read again from the start with each piece. */
TEST(test_json_pieces)
{
	assert_grows(long_string, read_in_pieces, 12000);
}

/* --- values of one record in many --------------------------------------------------------- */

static const void *make_body(struct arena *a, int n)
{
	const char *error = NULL;

	return json_read(a, make_names(a, n), strlen(make_names(a, n)), &error);
}

static void merge_bodies(struct arena *a, const void *what)
{
	const struct json *values[4] = {what, what, what, what};
	const struct json *merged = custom_merge(a, 2, values, 4, false);

	assert_int_equal(merged->first->count, ((const struct json *)what)->first->count);
}

TEST(test_merge)
{
	assert_grows(make_body, merge_bodies, 2000);
}

static const char *make_merged(struct arena *a, int levels, const char *const *texts, size_t n)
{
	const struct json *values[4];
	const char *error;
	struct buf b;

	for (size_t i = 0; i < n; i++)
		values[i] = json_read(a, texts[i], strlen(texts[i]), &error);
	buf_init(&b, 4096);
	json_canonical(&b, custom_merge(a, levels, values, n, false));
	const char *out = arena_dup(a, b.data, b.len);
	buf_free(&b);
	return out;
}

TEST(test_merged)
{
	static const char *const texts[] = {"{\"g\":{\"a\":1,\"b\":[1,2]},\"h\":{\"a\":null}}",
	    "{\"g\":{\"a\":\"x\",\"c\":3}}", "{\"i\":{},\"g\":{\"b\":[],\"a\":\"y\"}}"};
	static const char *const flat[] = {"{\"a\":{\"x\":1},\"b\":1}", "{\"a\":{\"y\":2}}"};
	struct arena a;

	arena_init(&a);
	assert_string_equal(
	    make_merged(&a, 2, texts, 3), "{\"g\":{\"a\":\"y\",\"b\":[],\"c\":3},\"h\":{\"a\":null},\"i\":{}}");
	assert_string_equal(make_merged(&a, 2, texts, 1), "{\"g\":{\"a\":1,\"b\":[1,2]},\"h\":{\"a\":null}}");
	assert_string_equal(make_merged(&a, 1, flat, 2), "{\"a\":{\"y\":2},\"b\":1}");
	arena_free(&a);
}

/* --- a query -------------------------------------------------------------------------------- */

static const void *make_parameters(struct arena *a, int n)
{
	struct buf b;
	const char *text;

	buf_init(&b, 64 << 10);
	for (int i = 0; i < n; i++)
		buf_printf(&b, "%sfilter[x%d]", i ? "&" : "", i);
	text = arena_dup(a, b.data, b.len);
	buf_free(&b);
	return text;
}

static const struct route *notes_route(void)
{
	routes_use();
	for (int i = 0; i < n_routes; i++)
		if (routes[i].method == HTTP_GET && strcmp(routes[i].path, "/v1/notes") == 0)
			return &routes[i];
	return NULL;
}

static void read_query(struct arena *a, const void *what)
{
	struct req r = {.route = notes_route(), .given.raw_query = what, .given.raw_query_len = strlen(what)};

	(void)a;
	arena_init(&r.arena);
	issues_init(&r.given.issues);
	validate_query(&r);
	assert_int_equal(r.given.issues.count, 0);
	issues_free(&r.given.issues);
	arena_free(&r.arena);
}

TEST(test_query)
{
	assert_grows(make_parameters, read_query, 60);
}
