/* Tokens of address books; see dav_token.h. The text is a sealed cursor with the position, then, for a listing, a dot
 * and a cursor with the last card. The second cursor is sealed for the first one, so that parts of two tokens do not
 * make a third one. */
#include "server/dav/dav_token.h"

#include <endian.h>
#include <string.h>

#include "server/base/crypto.h"

#define SCHEME "urn:kith:sync:"

enum { SCHEME_LEN = sizeof SCHEME - 1 };
_Static_assert((int)SCHEME_LEN + 2 * (int)CURSOR_SIZE <= (int)DAV_TOKEN_SIZE, "a token fits");

/* Kinds of cursors in tokens. */
enum { SORT_CHANGES, SORT_LISTING, SORT_LAST };

/* --- what a token is sealed for ------------------------------------------------------------- */

static void token_context_id(struct cursor_context *x, const char *name, const struct uuid *id)
{
	cursor_context_add(x, name, strlen(name), (const char *)id->b, sizeof id->b);
}

/* Public groups are left out, so that a new one does not change the rights of all users. */
void dav_token_context(struct arena *a, const struct workspace *ws, const struct viewer *v, const char *book,
    unsigned char out[CURSOR_CONTEXT_SIZE])
{
	struct cursor_context x;

	cursor_context_begin(&x, a, &ws->id, "/dav/books");
	cursor_context_add(&x, "book", 4, book, strlen(book));
	token_context_id(&x, "user", &v->user);
	for (size_t i = 0; i < v->n_groups; i++)
		token_context_id(&x, "only", &v->groups[i]);
	if (v->admin || v->admin_inside)
		cursor_context_add(&x, "admin", 5, "", 0);
	else
		for (size_t i = 0; i < ws->n_groups; i++)
			if (ws->groups[i].private && group_role(&ws->groups[i], v) != ROLE_NONE)
				token_context_id(&x, "group", &ws->groups[i].id);
	cursor_context_end(&x, out);
}

/* --- the text ------------------------------------------------------------------------------- */

static void last_context(unsigned char out[CURSOR_CONTEXT_SIZE], const unsigned char context[CURSOR_CONTEXT_SIZE],
    const char *first, size_t len)
{
	struct sha256 h;

	sha256_begin(&h);
	sha256_part(&h, context, CURSOR_CONTEXT_SIZE);
	sha256_part(&h, first, len);
	sha256_end(&h, out);
}

/* Two of the numbers take the place of an id, as in cursors of the feed. */
static struct cursor token_cursor(const struct dav_token *t)
{
	struct cursor c = {.sort = t->listing ? SORT_LISTING : SORT_CHANGES,
	    .has_id = true,
	    .has_value = true,
	    .value = t->at.at_ms,
	    .has_page = true,
	    .page = t->at.generation};
	uint64_t numbers[2] = {htobe64(t->at.xid), htobe64((uint64_t)t->at.seq)};

	memcpy(c.id.b, numbers, sizeof numbers);
	return c;
}

static struct event_position token_position(const struct cursor *c)
{
	uint64_t numbers[2];

	memcpy(numbers, c->id.b, sizeof numbers);
	return (struct event_position){
	    .generation = c->page, .xid = be64toh(numbers[0]), .seq = (int64_t)be64toh(numbers[1]), .at_ms = c->value};
}

char *dav_token_seal(char out[DAV_TOKEN_SIZE], const unsigned char secret[CURSOR_SECRET_SIZE],
    const unsigned char context[CURSOR_CONTEXT_SIZE], const struct dav_token *t)
{
	const struct cursor first = token_cursor(t), last = {.sort = SORT_LAST, .has_id = true, .id = t->last};
	unsigned char sealed_for[CURSOR_CONTEXT_SIZE];
	size_t len;

	memcpy(out, SCHEME, SCHEME_LEN);
	cursor_seal(out + SCHEME_LEN, secret, context, &first);
	if (!t->listing)
		return out;
	len = strlen(out);
	last_context(sealed_for, context, out + SCHEME_LEN, len - SCHEME_LEN);
	out[len] = '.';
	cursor_seal(out + len + 1, secret, sealed_for, &last);
	return out;
}

bool dav_token_open(struct dav_token *t, const unsigned char secret[CURSOR_SECRET_SIZE],
    const unsigned char context[CURSOR_CONTEXT_SIZE], const char *text, size_t len)
{
	unsigned char sealed_for[CURSOR_CONTEXT_SIZE];
	struct cursor first, last;
	const char *dot, *end = text + len;

	*t = (struct dav_token){.listing = false};
	if (len <= SCHEME_LEN || memcmp(text, SCHEME, SCHEME_LEN) != 0)
		return false;
	text += SCHEME_LEN;
	dot = memchr(text, '.', (size_t)(end - text));
	if (!cursor_open(&first, secret, context, text, (size_t)((dot ? dot : end) - text)) ||
	    first.sort != (dot ? SORT_LISTING : SORT_CHANGES) || !first.has_id || !first.has_value || !first.has_page)
		return false;
	if (dot) {
		last_context(sealed_for, context, text, (size_t)(dot - text));
		if (!cursor_open(&last, secret, sealed_for, dot + 1, (size_t)(end - dot) - 1) ||
		    last.sort != SORT_LAST || !last.has_id)
			return false;
		t->last = last.id;
	}
	t->listing = dot != NULL;
	t->at = token_position(&first);
	return true;
}
