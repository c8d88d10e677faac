/* The texts of codes and refresh tokens: what was made here is read, and nothing else. */
#include "server/oauth/oauth_secret.h"

#include <string.h>

#include "test/lib/test.h"

static struct arena arena;
static const unsigned char key[SHA256_SIZE] = "the key of this installation", other[SHA256_SIZE] = "another";

static void arena_begin(void)
{
	arena_init(&arena);
}

static void arena_end(void)
{
	arena_free(&arena);
}

AROUND_ALL(arena_begin, arena_end);

static bool secret_reads(enum oauth_secret_kind kind, const unsigned char *by, const char *text)
{
	struct oauth_secret out;

	return oauth_secret_read(&out, kind, by, text, strlen(text));
}

TEST(only_its_own)
{
	struct oauth_secret made = {.workspace = id_new(), .grant = id_new()}, read;
	char *changed;

	oauth_secret_new(&made, OAUTH_REFRESH, key, &arena);
	assert_true(oauth_secret_read(&read, OAUTH_REFRESH, key, made.text, strlen(made.text)));
	assert_true(uuid_equal(&read.workspace, &made.workspace) && uuid_equal(&read.grant, &made.grant));
	assert_memory_equal(read.hash, made.hash, sizeof made.hash);
	assert_false(secret_reads(OAUTH_CODE, key, made.text));
	assert_false(secret_reads(OAUTH_REFRESH, other, made.text));
	changed = arena_dupz(&arena, made.text);
	for (size_t i = 0; i < strlen(changed); i++) {
		char was = changed[i];
		changed[i] = was == 'A' ? 'B' : 'A';
		assert_false(secret_reads(OAUTH_REFRESH, key, changed));
		changed[i] = '\0';
		assert_false(secret_reads(OAUTH_REFRESH, key, changed));
		changed[i] = was;
	}
	assert_false(secret_reads(OAUTH_REFRESH, key, arena_printf(&arena, "%sA", made.text)));
	assert_false(secret_reads(OAUTH_REFRESH, key, ""));
}

TEST(an_answer_opens_with_its_token_only)
{
	struct oauth_secret made = {.workspace = id_new(), .grant = id_new()};
	struct oauth_pair pair, opened;
	unsigned char sealed[OAUTH_PAIR_MAX];
	size_t len;

	oauth_secret_new(&made, OAUTH_REFRESH, key, &arena);
	apikey_new(pair.access);
	pair.refresh = made.text;
	len = oauth_pair_seal(&pair, "the token", sealed);
	assert_true(oauth_pair_open(&opened, "the token", sealed, len, &arena));
	assert_string_equal(opened.access, pair.access);
	assert_string_equal(opened.refresh, pair.refresh);
	assert_false(oauth_pair_open(&opened, "another", sealed, len, &arena));
	assert_false(oauth_pair_open(&opened, "the token", sealed, len - 1, &arena));
	assert_false(oauth_pair_open(&opened, "the token", NULL, 0, &arena));
}
