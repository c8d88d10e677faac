/* Common parts of texts; see common.h. */
#include "filter/common.h"

#include <stdbool.h>
#include <string.h>

struct search {
	const struct common_text *texts;
	size_t n;
	struct common_text *out;
	size_t n_out;
};

static bool holds(const struct common_text *t, const char *part, size_t len)
{
	return memmem(t->text, t->len, part, len) != NULL;
}

static bool is_common(const struct search *s, const char *part, size_t len)
{
	size_t missing = 0, most = s->n < COMMON_FEW ? 0 : 1 + s->n / COMMON_MISSING_OF;

	for (size_t i = 0; i < s->n && missing <= most; i++)
		missing += !holds(&s->texts[i], part, len);
	return missing <= most;
}

/* Where the character ends that begins there. */
static size_t character_end(const struct common_text *t, size_t at)
{
	do
		at++;
	while (at < t->len && ((unsigned char)t->text[at] & 0xC0) == 0x80);
	return at;
}

static bool is_new(const struct search *s, const char *part, size_t len)
{
	for (size_t i = 0; i < s->n_out; i++)
		if (holds(&s->out[i], part, len))
			return false;
	return true;
}

/* Takes away what lies within a part. */
static void drop_within(struct search *s, const char *part, size_t len)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->n_out; i++)
		if (!memmem(part, len, s->out[i].text, s->out[i].len))
			s->out[kept++] = s->out[i];
	s->n_out = kept;
}

/* Keeps the longest ones, longest first. */
static void keep(struct search *s, const char *part, size_t len)
{
	size_t at;

	if (len == 0 || !is_new(s, part, len))
		return;
	drop_within(s, part, len);
	at = s->n_out;
	while (at > 0 && s->out[at - 1].len < len)
		at--;
	if (at == COMMON_MOST)
		return;
	s->n_out += s->n_out < COMMON_MOST;
	memmove(&s->out[at + 1], &s->out[at], (s->n_out - 1 - at) * sizeof *s->out);
	s->out[at] = (struct common_text){part, len};
}

/* From each character of one text as far as the others go along; no part ends before the one that began earlier. */
static void search_text(struct search *s, const struct common_text *t)
{
	size_t end = 0;

	for (size_t from = 0; from < t->len && from < COMMON_LEN_MOST; from = character_end(t, from)) {
		size_t before = end;
		end = end > from ? end : from;
		while (end < t->len && end < COMMON_LEN_MOST && t->text[end] != '\n') {
			size_t next = character_end(t, end);
			if (!is_common(s, t->text + from, next - from))
				break;
			end = next;
		}
		if (end > before)
			keep(s, t->text + from, end - from);
	}
}

size_t common_parts(const struct common_text *texts, size_t n, struct common_text out[COMMON_MOST])
{
	struct search s = {.texts = texts, .n = n, .out = out};

	if (n == 0)
		return 0;
	/* Of two, in case that one is among those that lack it. */
	search_text(&s, &texts[0]);
	search_text(&s, &texts[n / 2]);
	return s.n_out;
}
