/* Tokens of address books; see dav_token.h. The text is a sealed cursor behind the scheme of a URI. */
#include "server/dav/dav_token.h"

#include <endian.h>
#include <string.h>

#define SCHEME "urn:kith:sync:"

enum { SCHEME_LEN = sizeof SCHEME - 1 };
_Static_assert((int)SCHEME_LEN + (int)CURSOR_SIZE <= (int)DAV_TOKEN_SIZE, "a token fits");

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

char *dav_token_seal(char out[DAV_TOKEN_SIZE], const unsigned char secret[CURSOR_SECRET_SIZE],
    const unsigned char context[CURSOR_CONTEXT_SIZE], const struct dav_token *t)
{
	struct cursor c = {.has_id = true,
	    .has_value = true,
	    .value = t->at.at_ms,
	    .has_page = true,
	    .page = t->at.generation,
	    .has_second = t->listing,
	    .second = t->last};
	/* As in cursors of the feed, two of the numbers take the place of an id. */
	uint64_t numbers[2] = {htobe64(t->at.xid), htobe64((uint64_t)t->at.seq)};

	memcpy(c.id.b, numbers, sizeof numbers);
	memcpy(out, SCHEME, SCHEME_LEN);
	cursor_seal(out + SCHEME_LEN, secret, context, &c);
	return out;
}

bool dav_token_open(struct dav_token *t, const unsigned char secret[CURSOR_SECRET_SIZE],
    const unsigned char context[CURSOR_CONTEXT_SIZE], const char *text, size_t len)
{
	struct cursor c;
	uint64_t numbers[2];

	*t = (struct dav_token){.listing = false};
	if (len <= SCHEME_LEN || memcmp(text, SCHEME, SCHEME_LEN) != 0 ||
	    !cursor_open(&c, secret, context, text + SCHEME_LEN, len - SCHEME_LEN) || !c.has_id || !c.has_value ||
	    !c.has_page)
		return false;
	memcpy(numbers, c.id.b, sizeof numbers);
	t->at = (struct event_position){
	    .generation = c.page, .xid = be64toh(numbers[0]), .seq = (int64_t)be64toh(numbers[1]), .at_ms = c.value};
	t->listing = c.has_second;
	t->last = c.second;
	return true;
}
