/* Redirect URIs: which an application may register, and which is the registered one. */
#include "server/oauth/redirect_uri.h"

#include <string.h>

#include "test/lib/test.h"

static struct arena arena;

static void arena_begin(void)
{
	arena_init(&arena);
}

static void arena_end(void)
{
	arena_free(&arena);
}

AROUND_ALL(arena_begin, arena_end);

TEST(what_may_be_registered)
{
	static const char *const good[] = {"https://app.example/cb", "https://app.example",
	    "https://app.example:8443/cb?a=1", "http://localhost:3000/cb", "http://127.0.0.1/cb", "http://[::1]:1/cb",
	    "cursor://anysphere.cursor-mcp/oauth", "com.example.app:/cb", "vscode://x.y/cb", NULL};
	static const char *const bad[] = {"", "app.example/cb", "/cb", "http://app.example/cb", "https://",
	    "https:///cb", "https://app.example/cb#x", "https://user@app.example/cb",
	    "https://app.example@evil.example/", "javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,x",
	    "file:///etc/passwd", "blob:https://x", "https://app.example/c b", "https://app.example/\"x",
	    "https://app.example\\@evil.example", "http://localhost.evil.example/", "http://127.0.0.1.evil.example/",
	    "http://localhost:80x/", "https://app.example/;x", "vbscript:x", "ms-msdt:/id", "search-ms:query=x",
	    "intent://x/y.z", "ftp://a.example/", "tel:1", "app:/a.b", "cursors://x", "x-apple.example", NULL};

	for (int i = 0; good[i]; i++)
		if (redirect_uri_wrong(good[i], strlen(good[i])))
			fail_msg("%s: %s", good[i], redirect_uri_wrong(good[i], strlen(good[i])));
	for (int i = 0; bad[i]; i++)
		if (!redirect_uri_wrong(bad[i], strlen(bad[i])))
			fail_msg("%s is taken for valid", bad[i]);
}

TEST(which_is_the_registered_one)
{
	static const struct {
		const char *registered, *asked;
		bool same;
	} cases[] = {
	    {"https://a.example/cb", "https://a.example/cb", true},
	    {"https://a.example/cb", "https://a.example/cb/", false},
	    {"https://a.example/cb", "https://a.example/cb?x=1", false},
	    {"https://a.example/cb", "https://a.example/cb/../evil", false},
	    {"https://a.example/cb", "https://A.example/cb", false},
	    {"https://a.example/cb", "https://a.example:444/cb", false},
	    {"http://127.0.0.1/cb", "http://127.0.0.1:5123/cb", true},
	    {"http://127.0.0.1:1/cb", "http://127.0.0.1:5123/cb", true},
	    {"http://[::1]/cb", "http://[::1]:5123/cb", true},
	    {"http://localhost/cb", "http://localhost:5123/cb", true},
	    {"http://localhost/cb", "http://127.0.0.1:5123/cb", false},
	    {"http://localhost/cb", "http://localhost:5123/other", false},
	    {"http://localhost/cb", "http://localhost:5123@evil.example/cb", false},
	    {"http://localhost/cb", "https://localhost:5123/cb", false},
	    {"https://localhost/cb", "https://localhost:5123/cb", false},
	    {"app:/cb", "app:/cb2", false},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		if (redirect_uri_is(cases[i].registered, cases[i].asked) != cases[i].same)
			fail_msg("%s and %s", cases[i].registered, cases[i].asked);
}

TEST(where_it_leads)
{
	assert_string_equal(redirect_uri_host("https://a.example:8443/cb", &arena), "a.example");
	assert_string_equal(redirect_uri_host("http://127.0.0.1:5/cb", &arena), "localhost");
	assert_string_equal(redirect_uri_host("cursor://x/y", &arena), "cursor:");
	assert_string_equal(redirect_uri_source("https://a.example:8443/cb", &arena), "https://a.example:8443");
	assert_string_equal(redirect_uri_source("http://[::1]:5/cb", &arena), "http:");
	assert_string_equal(redirect_uri_source("cursor://x/y", &arena), "cursor:");
	assert_true(redirect_uri_loopback("http://localhost/x"));
	assert_false(redirect_uri_loopback("localhost:5"));
}
