/* See order.h. */
#include "test/lib/webhook/order.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/arena.h"
#include "server/base/buf.h"
#include "test/lib/db/database.h"
#include "test/lib/webhook/hooked.h"

enum { PASSED = 3, SQL_MAX = 64 << 20 };

/* --- judging -------------------------------------------------------------------------- */

/* An event of one stream. */
struct order_event {
	int stream, place;
	bool ordered; /* some request for it was not manual */
	bool delivered;
	int failed;
};

static int event_order(const void *a, const void *b)
{
	const struct order_event *x = a, *y = b;

	return x->stream != y->stream ? (x->stream > y->stream) - (x->stream < y->stream)
	                              : (x->place > y->place) - (x->place < y->place);
}

static int same_event(const struct order_event *a, const struct order_event *b)
{
	return event_order(a, b) == 0;
}

/* The events of all requests, by stream and place; returns their number. */
static int events_of(const struct order_arrival *all, int n, struct order_event *out)
{
	int m = 0;

	for (int i = 0; i < n; i++)
		out[i] =
		    (struct order_event){.stream = all[i].stream, .place = all[i].place, .ordered = !all[i].manual};
	qsort(out, (size_t)n, sizeof *out, event_order);
	for (int i = 0; i < n; i++) {
		bool again = m > 0 && same_event(&out[m - 1], &out[i]);
		if (again)
			out[m - 1].ordered |= out[i].ordered;
		else
			out[m++] = out[i];
	}
	return m;
}

/* An earlier event of the stream had its turn. */
static bool is_settled(const struct order_event *e)
{
	return !e->ordered || e->delivered || e->failed >= PASSED;
}

struct order_verdict order_judge(const struct order_arrival *all, int n)
{
	struct order_event *events = calloc((size_t)n + 1, sizeof *events);
	int m = events_of(all, n, events);
	struct order_verdict v = {.first = -1};

	for (int i = 0; i < n; i++) {
		struct order_event key = {.stream = all[i].stream, .place = all[i].place},
		                   *e = bsearch(&key, events, (size_t)m, sizeof *events, event_order), *q = e;
		while (!all[i].manual && !e->delivered && q > events && q[-1].stream == e->stream && is_settled(q - 1))
			q--;
		if (!all[i].manual && !e->delivered && q > events && q[-1].stream == e->stream) {
			v.early++;
			v.first = v.first < 0 ? i : v.first;
		}
		v.manual += all[i].manual;
		v.repeats += all[i].delivered && e->delivered;
		v.events += all[i].delivered && !e->delivered;
		e->delivered |= all[i].delivered;
		e->failed += !all[i].delivered && !all[i].manual;
	}
	free(events);
	return v;
}

/* --- what a receiver got ---------------------------------------------------------------- */

/* The place of each id in the list, which is sorted by it. */
struct order_name {
	const char *name;
	int number;
};

static int name_order(const void *a, const void *b)
{
	return strcmp(((const struct order_name *)a)->name, ((const struct order_name *)b)->name);
}

/* The events of the requests, in the order of commits; returns their number. */
static int places_of(
    const struct program *p, struct arena *a, const struct hooked_event *got, int n, struct order_name *out)
{
	struct buf sql;
	const char *ids;
	int m = 0;

	buf_init(&sql, SQL_MAX);
	buf_addz(&sql, "select string_agg(id::text, ' ' order by generation, xid, seq) from events where id = any ('{");
	for (int i = 0; i < n; i++)
		buf_printf(&sql, "%s%s", i ? "," : "", got[i].id + strlen("evt_"));
	buf_addz(&sql, "}')");
	ids = database_text(p, a, sql.data);
	buf_free(&sql);
	for (const char *id = ids ? ids : ""; *id; id += strspn(id, " "), m++) {
		size_t len = strcspn(id, " ");
		out[m] = (struct order_name){.name = arena_dup(a, id, len), .number = m};
		id += len;
	}
	qsort(out, (size_t)m, sizeof *out, name_order);
	return m;
}

/* The same number for the same webhook and record: the index of the first request of both. */
static void number_streams(struct arena *a, const struct hooked_event *got, int n, struct order_arrival *all)
{
	struct order_name *names = calloc((size_t)n + 1, sizeof *names);

	for (int i = 0; i < n; i++)
		names[i] = (struct order_name){arena_printf(a, "%s %s", got[i].source, got[i].record), i};
	qsort(names, (size_t)n, sizeof *names, name_order);
	for (int i = 0, first = 0; i < n; i++) {
		if (strcmp(names[first].name, names[i].name) != 0)
			first = i;
		all[names[i].number].stream = first;
	}
	free(names);
}

static void print_early(const struct hooked_event *got, int n, const struct order_arrival *all, int early)
{
	for (int i = 0; i < n; i++)
		if (all[i].stream == all[early].stream && i <= early)
			fprintf(stderr, "%d: event %d %s, record %s%s%s%s\n", i, all[i].place, got[i].id, got[i].record,
			    all[i].delivered ? "" : ", failed", all[i].manual ? ", manual" : "",
			    i == early ? ": too early" : "");
}

struct order_verdict order_of(const struct program *p, struct receiver *r)
{
	int n = receiver_count(r), known;
	struct order_arrival *all = calloc((size_t)n + 1, sizeof *all);
	struct hooked_event *got = calloc((size_t)n + 1, sizeof *got);
	struct order_name *places = calloc((size_t)n + 1, sizeof *places);
	struct order_verdict v;
	struct arena a;

	arena_init(&a);
	for (int i = 0; i < n; i++)
		got[i] = hooked_event(&a, receiver_request(r, i));
	known = places_of(p, &a, got, n, places);
	number_streams(&a, got, n, all);
	for (int i = 0; i < n; i++) {
		const struct receiver_request *q = receiver_request(r, i);
		struct order_name key = {got[i].id + strlen("evt_"), 0},
		                  *place = bsearch(&key, places, (size_t)known, sizeof key, name_order);
		char *retry = receiver_header(q, "x-kith-retry");
		if (!place || (retry && strcmp(retry, "manual") != 0)) {
			fprintf(stderr, "%s is not an event of the database, or its retry is %s\n", got[i].id,
			    retry ? retry : "none");
			exit(1);
		}
		all[i].place = place->number;
		all[i].delivered = q->status / 100 == 2;
		all[i].manual = retry;
		free(retry);
	}
	v = order_judge(all, n);
	if (v.first >= 0)
		print_early(got, n, all, v.first);
	arena_free(&a);
	free(places);
	free(got);
	free(all);
	return v;
}
