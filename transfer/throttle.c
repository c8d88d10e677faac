/* Counts down the requests that the server allows. */
#include "transfer/throttle.h"

#include <string.h>

#include "server/base/text.h"

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

/* The number after "name=" before the next comma, at most `most`; -1: none. */
static int64_t throttle_number(const char *text, size_t len, const char *name, int64_t most)
{
	size_t at = 0;
	uint64_t number;

	while (at + 3 < len && strncmp(text + at, name, 3) != 0)
		at++;
	if (at + 3 >= len || !text_uint(text + at + 3, strspn(text + at + 3, "0123456789"), &number))
		return -1;
	return number < (uint64_t)most ? (int64_t)number : most;
}

void throttle_answered(struct throttle *p, int64_t place, const char *header, int64_t now_ms)
{
	/* All requests without an answer at that time may have been admitted after it. */
	int64_t others = p->sent - place - 1;

	p->n = 0;
	while (*header && p->n < THROTTLE_POLICIES) {
		size_t len = strcspn(header, ",");
		int64_t left = throttle_number(header, len, ";r=", INT32_MAX),
		        reset = throttle_number(header, len, ";t=", THROTTLE_MOST_S);
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

int throttle_retry_s(const char *header)
{
	uint64_t s;

	if (!text_uint(header, strlen(header), &s))
		return 0;
	return s < THROTTLE_MOST_S ? (int)s : THROTTLE_MOST_S;
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
		/* The limit is fully restored, but its size is unknown. One request shows it. */
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
