/* server/dav/dav_token.c: tokens open only for the book, the user and the rights that they were made for. */
#include "server/dav/dav_token.h"

#include <string.h>

#include "test/lib/case_arena.h"

CASE_ARENA();

enum { ADA = 1, BEN, OPEN, CLOSED, SECRET };

static const unsigned char secret[CURSOR_SECRET_SIZE] = "0123456789abcdef0123456789abcde";

static struct uuid token_id(unsigned char byte)
{
	return (struct uuid){.b = {[15] = byte}};
}

/* Two users; a public group, a private one with both, a private one with Ada only. */
static struct workspace *token_workspace(void)
{
	struct workspace *ws = arena_alloc(&a, sizeof *ws);
	struct member *members = arena_alloc(&a, 2 * sizeof *members);

	members[0] = (struct member){.user = token_id(ADA), .role = ROLE_ADMIN};
	members[1] = (struct member){.user = token_id(BEN), .role = ROLE_READER};
	ws->id = token_id(99);
	ws->groups = arena_alloc(&a, 3 * sizeof *ws->groups);
	ws->n_groups = 3;
	ws->groups[0] = (struct group){.id = token_id(OPEN)};
	ws->groups[1] = (struct group){.id = token_id(CLOSED), .private = true, .members = members, .n_members = 2};
	ws->groups[2] = (struct group){.id = token_id(SECRET), .private = true, .members = members, .n_members = 1};
	return ws;
}

static const unsigned char *context_of(const struct workspace *ws, const struct viewer *v, const char *book)
{
	unsigned char *out = arena_alloc(&a, CURSOR_CONTEXT_SIZE);

	dav_token_context(&a, ws, v, book, out);
	return out;
}

static bool same_context(const unsigned char *one, const unsigned char *other)
{
	return memcmp(one, other, CURSOR_CONTEXT_SIZE) == 0;
}

static const struct dav_token changes = {
    .at = {.generation = 1764201600000, .xid = 1 << 30, .seq = 77, .at_ms = 1795179292487}};
static const struct dav_token listing = {
    .at = {.generation = 1, .xid = 2, .seq = INT64_MAX, .at_ms = 3}, .listing = true, .last = {.b = {1, 2, [15] = 9}}};

static void check_round(const struct dav_token *t, const unsigned char *context)
{
	char text[DAV_TOKEN_SIZE], again[DAV_TOKEN_SIZE];
	struct dav_token out;

	assert_ptr_equal(dav_token_seal(text, secret, context, t), text);
	assert_true(dav_token_open(&out, secret, context, text, strlen(text)));
	assert_int_equal(event_position_compare(&out.at, &t->at), 0);
	assert_true(out.at.at_ms == t->at.at_ms);
	assert_int_equal(out.listing, t->listing);
	assert_true(uuid_equal(&out.last, &t->last));
	assert_string_equal(dav_token_seal(again, secret, context, &out), text);
}

TEST(token_comes_back)
{
	const struct workspace *ws = token_workspace();
	const struct viewer v = {.user = token_id(BEN)};

	check_round(&changes, context_of(ws, &v, "people"));
	check_round(&listing, context_of(ws, &v, "people"));
}

/* Every changed, missing or added character is noticed. */
TEST(token_is_not_forged)
{
	const struct workspace *ws = token_workspace();
	const struct viewer v = {.user = token_id(BEN)};
	const unsigned char *context = context_of(ws, &v, "people");
	char text[DAV_TOKEN_SIZE], bad[DAV_TOKEN_SIZE + 1];
	struct dav_token out;
	size_t len = strlen(dav_token_seal(text, secret, context, &listing));

	for (size_t i = 0; i < len; i++) {
		for (int c = 0; c < 256; c++) {
			memcpy(bad, text, len);
			bad[i] = (char)c;
			if (bad[i] != text[i] && dav_token_open(&out, secret, context, bad, len))
				fail_msg("opened with character %zu changed", i);
		}
		assert_false(dav_token_open(&out, secret, context, text, i));
		assert_false(out.listing || event_position_set(&out.at));
	}
	memcpy(bad, text, len);
	bad[len] = 'A';
	assert_false(dav_token_open(&out, secret, context, bad, len + 1));
}

TEST(rights_decide)
{
	struct workspace *ws = token_workspace();
	struct uuid only[] = {token_id(OPEN)};
	const struct viewer ada = {.user = token_id(ADA)}, ben = {.user = token_id(BEN)},
	                    admin = {.user = token_id(BEN), .admin = true, .admin_inside = true},
	                    limited = viewer_limited(&ben.user, false, only, 1);
	const unsigned char *before = context_of(ws, &ben, "people"), *of_ada = context_of(ws, &ada, "people");

	assert_true(same_context(before, context_of(ws, &ben, "people")));
	assert_false(same_context(before, context_of(ws, &ben, "companies")));
	assert_false(same_context(before, of_ada));
	assert_false(same_context(before, context_of(ws, &admin, "people")));
	assert_false(same_context(before, context_of(ws, &limited, "people")));
	ws->groups[1].members[1].role = ROLE_CONTRIBUTOR; /* he still sees the same */
	assert_true(same_context(before, context_of(ws, &ben, "people")));
	ws->groups[2].n_members = 2; /* he joins a private group, and Ada sees the same as before */
	assert_false(same_context(before, context_of(ws, &ben, "people")));
	assert_true(same_context(of_ada, context_of(ws, &ada, "people")));
	ws->groups[1].n_members = ws->groups[2].n_members = 1; /* he leaves both */
	assert_false(same_context(before, context_of(ws, &ben, "people")));
}

TEST(new_public_group_changes_no_rights)
{
	struct workspace *ws = token_workspace();
	const struct viewer ben = {.user = token_id(BEN)};
	const unsigned char *before = context_of(ws, &ben, "people");

	ws->groups++;
	ws->n_groups--;
	assert_true(same_context(before, context_of(ws, &ben, "people")));
}
