/* The checker of histories (test/lib/history/history_check.h) can fail: a history without an anomaly, and the same with
 * one each. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/buf.h"
#include "test/lib/history/history_check.h"
#include "test/lib/test.h"

static const char good[] = "create c1 10 20 200 A a0 tag=1 key=k1\n"
                           "create c2 12 22 409 A a0 key=k1\n"
                           "create c2 23 25 200 A a0 tag=1 key=k1 replayed\n"
                           "update c1 30 40 200 A a1 tag=2 match=1 key=k2\n"
                           "read c3 35 36 200 A a0 tag=1\n" /* beside the update */
                           "read c3 50 60 200 A a1 tag=2\n"
                           "update c2 70 80 200 A a2 tag=3\n"
                           "update c3 81 85 412 A a9 tag=3 match=2\n"
                           "update c3 86 88 503 A a8\n"
                           "update c3 86 88 500 A a7 key=k3\n"
                           "list c4 90 95 200 A,a2\n"
                           "create c1 100 110 200 B b0 tag=1\n"
                           "list c4 111 115 200 B,b0 A,a2\n"
                           "delete c1 120 130 200 B match=1\n"
                           "delete c2 140 150 404 B\n"
                           "read c3 160 170 404 B\n"
                           "list c4 171 175 200 A,a2\n"
                           "update c2 200 - 0 A a3\n"   /* done, without an answer */
                           "update c2 210 220 0 A a6\n" /* not done */
                           "read c3 300 310 200 A a3 tag=5\n"
                           "create c1 320 - 0 value=c0\n"
                           "create c1 330 - 0 value=d0\n"
                           "list c4 350 360 200 A,a3 C,c0\n"
                           "hook h1 31 31 200 event=e1\n"
                           "hook h1 41 41 500 event=e2\n"
                           "hook h1 111 111 200 event=e4\n"
                           "hook h1 131 131 200 event=e5\n"
                           "hook h1 142 142 200 event=e2\n"
                           "hook h1 143 143 200 event=e3\n"
                           "hook h1 250 250 200 event=e6\n"
                           "hook h1 340 340 200 event=e7\n"
                           "hooks 1\n"
                           "undisturbed\n"
                           "feed f1 30 35 200 start created,e1,A\n"
                           "feed f1 190 196 200 updated,e2,A,a1 updated,e3,A,a2 created,e4,B deleted,e5,B\n"
                           "feed f1 400 410 200 updated,e6,A,a3 created,e7,C\n"
                           "list f2 85 90 200 A,a2\n"
                           "feed f2 190 192 200 copy updated,e3,A,a2 created,e4,B\n"
                           "feed f2 400 410 200 deleted,e5,B updated,e6,A,a3 created,e7,C\n"
                           "feed f0 900 910 200 start created,e1,A updated,e2,A,a1 updated,e3,A,a2 created,e4,B\n"
                           "feed f0 920 930 200 deleted,e5,B updated,e6,A,a3 created,e7,C\n";

/* The history in which a line, or a part of one, is another one; with NULL the line is added. */
static const struct mutant {
	enum history_rule rule;
	const char *old, *instead;
} mutants[] = {
    /* reads */
    {RULE_TAKEN_BACK, "read c3 50 60 200 A a1 tag=2", "read c3 50 60 200 A a0 tag=1"},
    {RULE_TAKEN_BACK, "read c3 50 60 200 A a1 tag=2", "read c3 50 60 404 A"},
    {RULE_TAKEN_BACK, NULL, "read c3 37 38 200 A a1 tag=2\nread c2 39 45 200 A a0 tag=1"},
    {RULE_TAKEN_BACK, NULL, "hook h1 33 33 200 event=e2\nread c2 34 35 200 A a0 tag=1"},
    {RULE_TAKEN_BACK, "412 A a9 tag=3 match=2", "412 A a9 tag=2 match=1"},
    {RULE_TAKEN_BACK, NULL, "read c3 131 132 200 B b0 tag=1"},
    /* lists */
    {RULE_TAKEN_BACK, "list c4 90 95 200 A,a2", "list c4 90 95 200 A,a1"},
    {RULE_TAKEN_BACK, "list c4 90 95 200 A,a2", "list c4 90 95 200"},
    {RULE_TAKEN_BACK, NULL, "list c4 72 74 200 A,a2\nread c3 75 76 200 A a1 tag=2"}, /* ahead of the others */
    {RULE_TAKEN_BACK, NULL, "list c4 72 74 200 A,a2\nread c3 75 76 412 A a9 tag=2 match=1"},
    {RULE_TAKEN_BACK, NULL, "list c4 122 124 200 A,a2\nread c3 125 126 200 B b0 tag=1"},
    {RULE_TAKEN_BACK, "list c4 171 175 200 A,a2", "list c4 171 175 200 A,a2 B,b0"},
    /* writes */
    {RULE_OVERTAKEN, "update c2 70 80 200 A a2 tag=3", "update c2 311 315 200 A a2 tag=3"},
    {RULE_FUTURE, NULL, "read c3 61 65 200 A a2 tag=3"},
    {RULE_FUTURE, NULL, "list c4 62 65 200 A,a2"},
    {RULE_NOBODYS, "list c4 90 95 200 A,a2", "list c4 90 95 200 A,other"},
    {RULE_NOBODYS, "update c2 200 - 0 A a3\n", ""},
    {RULE_NOBODYS, "create c1 320 - 0 value=c0\ncreate c1 330 - 0 value=d0\nlist c4 350 360 200 A,a3 C,c0\n", ""},
    {RULE_LOST, "update c2 210 220 0 A a6", "update c2 210 220 200 A a6 tag=6"},
    {RULE_LOST, NULL, "read c3 230 231 200 A a6"},
    {RULE_LOST, NULL, "delete c1 340 350 200 A"},
    {RULE_REFUSED, "update c2 200 - 0 A a3", "update c2 200 220 503 A a3"},
    {RULE_REFUSED, "update c2 200 - 0 A a3", "update c2 200 220 412 A a3 tag=3 match=2"},
    {RULE_REFUSED, "update c2 200 - 0 A a3", "update c2 200 - 0 A a3 key=k4\nupdate c2 230 240 500 A a3 key=k4"},
    {RULE_REFUSED, "delete c1 120 130 200 B match=1", "delete c1 120 130 503 B match=1"},
    /* once */
    {RULE_TWICE, "create c2 23 25 200 A a0 tag=1 key=k1 replayed", "create c2 23 25 200 A a0 tag=1 key=k1"},
    {RULE_TWICE, "list c4 350 360 200 A,a3 C,c0", "list c4 350 360 200 A,a3 C,a0"},
    {RULE_TWICE, "delete c2 140 150 404 B", "delete c2 140 150 200 B"},
    {RULE_TWICE, "feed f0 920 930 200 deleted,e5,B updated,e6,A,a3",
        "feed f0 920 930 200 deleted,e5,B updated,e6,A,a2"},
    {RULE_KEY_ANSWERS, "A a0 tag=1 key=k1 replayed", "A a0 tag=2 key=k1 replayed"},
    {RULE_KEY_ANSWERS, NULL, "update c2 45 50 500 A a1 key=k2 replayed"},
    /* conditions and tags */
    {RULE_CONDITION, "update c2 70 80 200 A a2 tag=3", "update c2 70 80 200 A a2 tag=3 match=1"},
    {RULE_CONDITION, "update c3 81 85 412 A a9 tag=3 match=2", "update c3 81 85 412 A a9 tag=3 match=3"},
    {RULE_CONDITION, "delete c1 120 130 200 B match=1", "delete c1 120 130 200 B match=4"},
    {RULE_TAGS, "update c2 70 80 200 A a2 tag=3", "update c2 70 80 200 A a2 tag=2"},
    {RULE_TAGS, "read c3 50 60 200 A a1 tag=2", "read c3 50 60 200 A a1 tag=4"},
    /* the feed */
    {RULE_FEED, "feed f1 30 35 200 start created,e1,A", "feed f1 30 35 200 start"},
    {RULE_FEED, "updated,e2,A,a1 updated,e3,A,a2 created,e4,B deleted", "updated,e3,A,a2 created,e4,B deleted"},
    {RULE_FEED, "updated,e2,A,a1 updated,e3,A,a2 created,e4,B deleted",
        "updated,e2,A,a1 updated,e2,A,a1 updated,e3,A,a2 created,e4,B deleted"},
    {RULE_FEED, "updated,e2,A,a1 updated,e3,A,a2 created,e4,B deleted",
        "updated,e3,A,a2 updated,e2,A,a1 created,e4,B deleted"},
    {RULE_FEED, "feed f1 400 410 200 updated,e6,A,a3 created,e7,C", "feed f1 400 410 200 updated,e6,A,a3"},
    {RULE_COPY, "list f2 85 90 200 A,a2\nfeed f2 190 192 200 copy updated,e3,A,a2",
        "list f2 75 90 200 A,a1\nfeed f2 190 192 200 copy"},
    {RULE_COPY, "200 copy updated,e3,A,a2 created,e4,B\nfeed f2 400 410 200 deleted,e5,B updated,e6,A,a3 created,e7,C",
        "200 copy"},
    /* webhooks */
    {RULE_HOOK_ORDER, "hook h1 41 41 500 event=e2\n", "hook h1 41 41 500 event=e2\nhook h1 81 81 200 event=e3\n"},
    {RULE_HOOK_ORDER, "hook h1 142 142 200 event=e2", "hook h1 145 145 200 event=e2"},
    {RULE_HOOK_LOST, "hook h1 250 250 200 event=e6\n", ""},
    {RULE_HOOK_LOST, "hook h1 250 250 200 event=e6\n", "hook h1 250 250 500 event=e6\n"},
    {RULE_HOOK_TWICE, NULL, "hook h1 150 150 200 event=e3"},
    {RULE_NOBODYS, NULL, "hook h1 150 150 200 event=e99"},
};

static struct history_verdict verdict_of(const char *text, FILE *f)
{
	struct history_log h;
	struct history_verdict verdict;
	int line;

	history_init(&h);
	if (!history_parse(&h, text, &line))
		fail_msg("line %d of the history", line);
	verdict = history_check(&h, f);
	history_free(&h);
	return verdict;
}

TEST(test_good)
{
	struct history_verdict v = verdict_of(good, stderr);

	assert_int_equal(v.all, 0);
	assert_int_equal(v.versions, 7);
	assert_true(v.reads > 20);
}

static void make_mutant(struct buf *out, const struct mutant *m)
{
	const char *at = m->old ? strstr(good, m->old) : good + strlen(good);

	assert_non_null(at);
	buf_add(out, good, (size_t)(at - good));
	buf_printf(out, "%s%s", m->instead, m->old ? at + strlen(m->old) : "\n");
}

TEST(test_mutants)
{
	int missed = 0;

	for (size_t i = 0; i < sizeof mutants / sizeof *mutants; i++) {
		struct buf text;
		buf_init(&text, 1 << 20);
		make_mutant(&text, &mutants[i]);
		struct history_verdict v = verdict_of(text.data, NULL);
		buf_free(&text);
		if (v.found[mutants[i].rule])
			continue;
		fprintf(stderr, "not noticed (%s; %d others): %s -> %s\n", history_rules[mutants[i].rule], v.all,
		    mutants[i].old ? mutants[i].old : "", mutants[i].instead);
		missed++;
	}
	assert_int_equal(missed, 0);
}

/* What the documents allow. */
TEST(test_allowed)
{
	static const struct mutant allowed[] = {
	    /* three failures hold nothing back any more */
	    {0, "hook h1 143 143 200 event=e3\n",
	        "hook h1 43 43 500 event=e2\nhook h1 44 44 0 event=e2\nhook h1 83 83 200 event=e3\n"},
	    /* twice after the end of a process */
	    {0, "undisturbed\n", "hook h1 150 150 200 event=e2\n"},
	    /* reads beside a write may show either state, by different processes too */
	    {0, NULL, "read c3 72 79 200 A a2 tag=3\nread c4 72 79 200 A a1 tag=2"},
	    {0, NULL, "list c4 90 92 200 part"},
	    {0, "create c1 330 - 0 value=d0", "create c1 330 340 0 value=d0"},
	    /* an unknown outcome under a key, which was not done, and a retry that was */
	    {0, "update c2 200 - 0 A a3",
	        "update c2 200 - 0 A a3 key=k4\nupdate c2 210 220 503 A a3 key=k4\nupdate c2 230 240 200 A a3 key=k4"},
	};

	for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++) {
		struct buf text;
		buf_init(&text, 1 << 20);
		make_mutant(&text, &allowed[i]);
		struct history_verdict v = verdict_of(text.data, stderr);
		buf_free(&text);
		if (v.all)
			fail_msg("an anomaly was found: %s", allowed[i].instead);
	}
}

/* A history that was written is read as the same one. */
TEST(test_printed)
{
	struct history_log h;
	char *text = NULL, *again = NULL;
	size_t len;
	int line;

	for (int i = 0; i < 2; i++) {
		FILE *f = open_memstream(i ? &again : &text, &len);
		history_init(&h);
		assert_true(history_parse(&h, i ? text : good, &line));
		history_print(&h, f);
		fclose(f);
		history_free(&h);
	}
	assert_string_equal(again, text);
	assert_int_equal(verdict_of(again, stderr).all, 0);
	free(text);
	free(again);
	history_init(&h);
	assert_false(history_parse(&h, "read c1 1 2 200 A\nhook h1 1", &line));
	history_free(&h);
}
