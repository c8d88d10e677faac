/* Counting down what the server allows. */
#include "transfer/throttle.h"

#include <stdlib.h>
#include <string.h>

enum { SLACK_MS = 50 };

void throttle_init(struct throttle *p)
{
	memset(p, 0, sizeof *p);
}

int64_t throttle_sent(struct throttle *p)
{
	p->sent++;
	for (int i = 0; i < p->n; i++)
		p->policies[i].left--;
	return p->done;
}

void throttle_done(struct throttle *p)
{
	p->done++;
	p->known = true;
}

/* The number behind "name=" before the next comma, -1: none. */
static int64_t throttle_number(const char *text, size_t len, const char *name)
{
	for (size_t i = 0; i + 3 < len; i++)
		if (strncmp(text + i, name, 3) == 0)
			return strtoll(text + i + 3, NULL, 10);
	return -1;
}

void throttle_answered(struct throttle *p, int64_t place, const char *header, int64_t now_ms)
{
	/* All that were not done when it was sent may have been admitted behind it. */
	int64_t others = p->sent - place - 1;

	p->n = 0;
	while (*header && p->n < THROTTLE_POLICIES) {
		size_t len = strcspn(header, ",");
		int64_t left = throttle_number(header, len, ";r="), reset = throttle_number(header, len, ";t=");
		if (left >= 0 && reset >= 0)
			p->policies[p->n++] = (struct throttle_policy){left - others, now_ms + reset * 1000 + SLACK_MS};
		header += len + (header[len] == ',');
	}
}

void throttle_refused(struct throttle *p, int64_t until_ms)
{
	if (until_ms > p->refused_until_ms)
		p->refused_until_ms = until_ms;
}

bool throttle_allows(struct throttle *p, int64_t now_ms)
{
	if (now_ms < p->refused_until_ms || (!p->known && p->sent > p->done))
		return false;
	for (int i = 0; i < p->n; i++) {
		struct throttle_policy *policy = &p->policies[i];
		if (policy->left > 0)
			continue;
		if (now_ms < policy->reset_ms)
			return false;
		/* Whole again, but how much is that? One request tells. */
		if (p->sent > p->done)
			return false;
		policy->left = 1;
	}
	return true;
}

int64_t throttle_wait_ms(const struct throttle *p, int64_t now_ms)
{
	int64_t until = p->refused_until_ms;

	for (int i = 0; i < p->n; i++)
		if (p->policies[i].left <= 0 && p->policies[i].reset_ms > until)
			until = p->policies[i].reset_ms;
	return until > now_ms ? until - now_ms : 0;
}
