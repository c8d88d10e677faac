/* The cookie of a session in a head, and the names of browsers. */
#include <string.h>

#include "server/base/arena.h"
#include "server/http/http.h"
#include "server/request/session_cookie.h"
#include "server/signin/browser.h"
#include "test/lib/test.h"

static struct arena arena;
static char key[APIKEY_SIZE];

BEFORE_ALL()
{
	arena_init(&arena);
	apikey_new(key);
}

AFTER_ALL()
{
	arena_free(&arena);
}

/* Whether the key is found in a header made of that format. */
static bool found_in(const char *format)
{
	char out[APIKEY_SIZE];
	const char *mark = strchr(format, '*');
	struct http_head head = {
	    .cookie = mark ? arena_printf(&arena, "%.*s%s%s", (int)(mark - format), format, key, mark + 1) : format};
	bool found = session_cookie_of_head(&head, out);

	if (found)
		assert_string_equal(out, key);
	return found;
}

TEST(test_cookies)
{
	static const char *const good[] = {"kith=*", "__Host-kith=*", "a=b; kith=*", "kith=*; a=b", "a;kith=*;b",
	    "kith=1; kith=*", "a=\"x; kith=*", "a=b;\tkith=*", ";;; kith=*; ;"};
	static const char *const bad[] = {"", ";", "kith", "kith=", "kith=1", "kith=*x", "kith=x*", "xkith=*",
	    "kithx=*", "Kith=*", "__host-kith=*", "kith =*", "kith= *", "a=kith=*", "__Host-kith", "kith=\"*\"", "*",
	    "=*"};

	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		if (!found_in(good[i]))
			fail_msg("not found: %s", good[i]);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		if (found_in(bad[i]))
			fail_msg("found: %s", bad[i]);
	assert_false(session_cookie_of_head(&(struct http_head){0}, (char[APIKEY_SIZE]){0}));
}

TEST(test_sites)
{
	static const char *const foreign[] = {"cross-site", "same-site", "", "Same-Origin", "same-origin, cross-site"};

	for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
		assert_true(session_cookie_head_foreign(&(struct http_head){.fetch_site = foreign[i]}));
	assert_false(session_cookie_head_foreign(&(struct http_head){.fetch_site = "same-origin"}));
	assert_false(session_cookie_head_foreign(&(struct http_head){.fetch_site = "none"}));
	assert_false(session_cookie_head_foreign(&(struct http_head){0}));
	assert_true(session_cookie_head_own(&(struct http_head){.console = "1"}));
	assert_false(session_cookie_head_own(&(struct http_head){.console = "true"}));
	assert_false(session_cookie_head_own(&(struct http_head){0}));
}

TEST(test_browsers)
{
	static const struct {
		const char *agent, *name;
	} rows[] = {
	    {"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 "
	     "Safari/537.36 Edg/126.0.0.0",
	        "Edge on Windows"},
	    {"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 "
	     "Safari/605.1.15",
	        "Safari on macOS"},
	    {"Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile "
	     "Safari/537.36",
	        "Chrome on Android"},
	    {"Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
	     "CriOS/126.0 "
	     "Mobile/15E148 Safari/604.1",
	        "Chrome on iPhone"},
	    {"curl/7.88.1", "curl"},
	    {"something in Linux", "Linux"},
	    {"", "Browser"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		assert_string_equal(browser_name(&arena, rows[i].agent), rows[i].name);
}
