/* The checker of the order of deliveries can fail: each row is a sequence of requests and what is wrong with it. */
#include <string.h>

#include "test/lib/test.h"
#include "test/lib/webhook/order.h"

enum { ARRIVALS_MAX = 32 };

/* "a1+ a2- b1m+": stream, place, "m" when manual, "+" delivered or "-" failed. */
static int read_arrivals(const char *text, struct order_arrival out[ARRIVALS_MAX])
{
	int n = 0;

	for (; *text; text += strspn(text, " "), n++) {
		size_t len = strcspn(text, " ");
		out[n] = (struct order_arrival){.stream = text[0] - 'a',
		    .place = text[1] - '0',
		    .manual = text[2] == 'm',
		    .delivered = text[len - 1] == '+'};
		text += len;
	}
	return n;
}

TEST(test_verdicts)
{
	static const struct {
		const char *arrivals;
		int early, first, events, repeats;
	} rows[] = {
	    {"a1+ a2+ b3+ a4+", 0, -1, 4, 0}, {"a2+ b1+ a3+ b4+", 0, -1, 4, 0}, /* streams do not wait for each other */
	    {"a2+ a1+", 1, 0, 2, 0},                                            /* reversed */
	    {"a1+ a3+ a2+", 1, 1, 3, 0},                                        /* one is passed */
	    {"a1- a2+ a1+", 1, 1, 2, 0},                                        /* the first has failed once */
	    {"a1- a1- a2- a1+ a2+", 1, 2, 2, 0},                                /* twice */
	    {"a1- a1- a1- a2+ a3+ a1+", 0, -1, 3, 0},                           /* three times: others may pass */
	    {"a1+ a2+ a1+ a2+ a3+", 0, -1, 3, 2},                               /* repeated by another process */
	    {"a1+ a2- a1+ a2+", 0, -1, 2, 1},                                   /* and tried by both */
	    {"a2m+ a1+", 0, -1, 2, 0},                                          /* asked for */
	    {"a1+ a3+ a2m+", 0, -1, 3, 0}, /* what is only sent on request binds nobody */
	    {"a2m+ a2+ a1+", 0, -1, 2, 1},
	    {"a1m- a1m- a1m- a2+ a1+", 1, 3, 2, 0}, /* failures on request are not its three attempts */
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct order_arrival all[ARRIVALS_MAX];
		struct order_verdict v = order_judge(all, read_arrivals(rows[i].arrivals, all));
		if (v.early != rows[i].early || v.first != rows[i].first || v.events != rows[i].events ||
		    v.repeats != rows[i].repeats)
			fail_msg("%s: %d early, the first %d, %d events, %d repeats", rows[i].arrivals, v.early,
			    v.first, v.events, v.repeats);
	}
}
