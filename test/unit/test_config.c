/* Settings: sources, refusals and their messages, display. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/config/config.h"
#include "server/config/check.h"
#include "test/lib/test.h"

enum { WORDS_MAX = 16 };

static struct config c; /* as it was loaded last */
static char error[512];

/* Loads with these words, NULL-terminated; what is left is in words again. */
static bool load_words(const char **words)
{
	char *argv[WORDS_MAX];
	int argc = 0;
	for (; words[argc]; argc++)
		argv[argc] = (char *)(uintptr_t)words[argc];
	error[0] = '\0';
	config_free(&c);
	bool ok = config_load(&c, &argc, argv, error);
	for (int i = 0; ok && i < argc; i++)
		words[i] = argv[i];
	if (ok)
		words[argc] = NULL;
	return ok;
}

#define LOADS(...) load_words((const char *[WORDS_MAX]){__VA_ARGS__, NULL})

AFTER_ALL()
{
	config_free(&c);
}

static void write_file(char path[32], const char *text)
{
	snprintf(path, 32, "/tmp/kith-config-XXXXXX");
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
}

TEST(test_defaults)
{
	assert_true(load_words((const char *[WORDS_MAX]){NULL}));
	assert_null(c.database_url);
	assert_string_equal(c.data_dir, "./var");
	assert_int_equal(c.n_listen, 1);
	assert_string_equal(c.listen[0], "127.0.0.1:8080");
	assert_int_equal(c.rate_default.limit, 600);
	assert_int_equal(c.rate_default.window_s, 60);
	assert_int_equal(c.rate_burst.limit, 20);
	assert_int_equal(c.rate_burst.window_s, 2);
	assert_string_equal(c.trusted_proxies, "127.0.0.0/8,::1");
	assert_int_equal(c.log_level, LOG_INFO);
	assert_int_equal(c.clock_scale, 1);
	assert_null(c.cors_origins);
	assert_false(c.gzip);
	assert_null(c.config_file);
}

TEST(test_later_source_wins)
{
	char path[32];

	write_file(path, "# a comment\n\n rate_burst = 1/1 \nclock_scale=7\nlog_level = warn\n"
	                 "listen = 127.0.0.1:1\nlisten = unix:/tmp/x\npublic_url = https://a.example/\n");
	setenv("KITH_CLOCK_SCALE", "8", 1);
	setenv("KITH_LOG_LEVEL", "error", 1);
	assert_true(LOADS("--config", path, "--log-level=debug"));
	assert_int_equal(c.rate_burst.limit, 1);
	assert_int_equal(c.clock_scale, 8);
	assert_int_equal(c.log_level, LOG_DEBUG);
	assert_int_equal(c.n_listen, 2);
	assert_string_equal(c.listen[1], "unix:/tmp/x");
	assert_string_equal(c.public_url, "https://a.example");
	assert_string_equal(c.config_file, path);
	/* addresses of a later source replace those of an earlier one, and add up within it */
	assert_true(LOADS("--config", path, "--listen", "127.0.0.1:3", "--listen=[::1]:4, localhost:5"));
	assert_int_equal(c.n_listen, 3);
	assert_string_equal(c.listen[0], "127.0.0.1:3");
	assert_string_equal(c.listen[2], "localhost:5");
	unsetenv("KITH_CLOCK_SCALE");
	unsetenv("KITH_LOG_LEVEL");
	unlink(path);
}

TEST(test_other_words_stay)
{
	const char *words[WORDS_MAX] = {"--name", "N", "--clock_scale", "2", "--read-only", "--", "--listen", "x"};

	assert_true(load_words(words));
	assert_int_equal(c.clock_scale, 2);
	const char *left[] = {"--name", "N", "--read-only", "--", "--listen", "x"};
	for (size_t i = 0; i < sizeof(left) / sizeof(left[0]); i++)
		assert_string_equal(words[i], left[i]);
	assert_null(words[6]);
}

TEST(test_file_errors)
{
	static const struct {
		const char *text, *says;
	} cases[] = {
	    {"listn = x\n", ":1: \"listn\" is not a setting; did you mean listen?"},
	    {"\nrate_brust = 1/1\n", ":2: \"rate_brust\" is not a setting; did you mean rate_burst?"},
	    {"completely_other = 1\n", "kith config lists them all"},
	    {"rate\n", "the line has no '='"},
	    {"clock_scale = 0\n", "clock_scale is \"0\": use a whole number"},
	    {"clock_scale = 1x\n", "use a whole number"},
	    {"data_dir =\n", "cannot be empty"},
	    {"database_url = secret\n", "database_url is not understood: use postgresql://"},
	};
	char path[32];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		write_file(path, cases[i].text);
		assert_false(LOADS("--config", path));
		if (!strstr(error, cases[i].says))
			fail_msg("\"%s\" says: %s", cases[i].text, error);
		assert_null(strstr(error, "secret"));
		unlink(path);
	}
	assert_false(LOADS("--config", "/nowhere/kith.conf"));
	assert_non_null(strstr(error, "No such file"));
}

TEST(test_flag_and_environment_errors)
{
	assert_false(LOADS("--listen"));
	assert_non_null(strstr(error, "--listen needs a value"));
	assert_false(LOADS("--listen", "--clock_scale", "2"));
	assert_non_null(strstr(error, "needs a value"));
	assert_false(LOADS("--log_level", "loud"));
	assert_non_null(strstr(error, "use error, warn, info or debug"));
	setenv("KITH_DATADIR", "/x", 1);
	assert_false(load_words((const char *[WORDS_MAX]){NULL}));
	assert_non_null(strstr(error, "did you mean data_dir?"));
	unsetenv("KITH_DATADIR");
	/* other entries in it are not ours */
	setenv("KITH_SERVICE_HOST", "10.0.0.1", 1);
	assert_true(load_words((const char *[WORDS_MAX]){NULL}));
	unsetenv("KITH_SERVICE_HOST");
}

static const struct {
	const char *(*check)(char *);
	const char *value;
	bool good;
} checks[] = {
    {config_check_listen, "127.0.0.1:0", true},
    {config_check_listen, "[::1]:80", true},
    {config_check_listen, "host.example:65535", true},
    {config_check_listen, "host:65536", false},
    {config_check_listen, "8080", false},
    {config_check_listen, ":8080", false},
    {config_check_listen, "::1:80", false},
    {config_check_listen, "unix:/run/kith.sock", true},
    {config_check_listen, "unix:kith.sock", false},
    {config_check_admin, "127.0.0.1:9464", true},
    {config_check_admin, "[::1]:9464", true},
    {config_check_admin, "unix:/run/kith/admin", true},
    {config_check_admin, "localhost:9464", false},
    {config_check_admin, "127.0.0.1", false},
    {config_check_admin, "127.0.0.1:65536", false},
    {config_check_admin, "9464", false},
    {config_check_database_url, "postgresql://u@h/d", true},
    {config_check_database_url, "host=/tmp dbname=x", true},
    {config_check_database_url, "mysql://x", false},
    {config_check_public_url, "http://a", true},
    {config_check_public_url, "https://a.example:8443/crm/", true},
    {config_check_public_url, "https://[::1]:8443", true},
    {config_check_public_url, "ftp://a", false},
    {config_check_public_url, "https://", false},
    {config_check_public_url, "https:///x", false},
    {config_check_public_url, "https://u@a", false},
    {config_check_public_url, "https://a?x", false},
    {config_check_public_url, "https://a b", false},
    {config_check_proxies, "10.0.0.0/8, ::1", true},
    {config_check_proxies, "10.0.0.0/33", false},
    {config_check_proxies, "::/129", false},
    {config_check_proxies, "proxy.example", false},
    {config_check_proxies, "10.0.0.1,", false},
    {config_check_targets, "127.0.0.1:9000,hooks.lan:80,192.168.0.0/16,fd00::/8,[::1]:1", true},
    {config_check_targets, "127.0.0.1", false},
    {config_check_targets, "hooks.lan", false},
    {config_check_origins, "*", true},
    {config_check_origins, "https://app.example.com", true},
    {config_check_origins, "https://App.Example.com", true},
    {config_check_origins, "http://localhost:5173, http://[::1]:8080,capacitor://localhost,http://a:443,https://a:80",
        true},
    {config_check_origins, "chrome-extension://abcdefghijklmnop", true},
    {config_check_origins, "app.example.com", false},
    {config_check_origins, "https://", false},
    {config_check_origins, "://a", false},
    {config_check_origins, "https://a/", false},
    {config_check_origins, "https://a/x", false},
    {config_check_origins, "https://*.a", false},
    {config_check_origins, "https://a:70000", false},
    {config_check_origins, "https://u@a", false},
    {config_check_origins, "https://a:443", false},
    {config_check_origins, "http://localhost:5173,http://[::1]:80", false},
    {config_check_origins, "null", false},
    {config_check_origins, "*,https://a", false},
    {config_check_origins, "https://a,", false},
    {config_check_issuer, "https://id.example.com", true},
    {config_check_issuer, "https://id.example.com/application/o/kith/", true},
    {config_check_issuer, "http://localhost:3000", true},
    {config_check_issuer, "https://", false},
    {config_check_issuer, "HTTPS://id.example.com", false},
    {config_check_issuer, "id.example.com", false},
    {config_check_issuer, "https://id.example.com?x", false},
    {config_check_issuer, "https://id.example.com/#x", false},
    {config_check_issuer, "https://u@id.example.com", false},
    {config_check_issuer, "https://id.example.com ", false},
    {config_check_scopes, "openid", true},
    {config_check_scopes, "email  openid profile", true},
    {config_check_scopes, "", false},
    {config_check_scopes, "email profile", false},
    {config_check_scopes, "openid2", false},
    {config_check_scopes, "openid,email", false},
    {config_check_scopes, "openid \"x\"", false},
    {config_check_domains, "example.com", true},
    {config_check_domains, "example.com, sub.example.org", true},
    {config_check_domains, "*", false},
    {config_check_domains, "*.example.com", false},
    {config_check_domains, "example.com,*", false},
    {config_check_domains, "com", false},
    {config_check_domains, ".example.com", false},
    {config_check_domains, "@example.com", false},
    {config_check_domains, "", false},
    {config_check_workspace, "wsp_01890a5d-ac96-774b-bcce-b302099a8057", true},
    {config_check_workspace, "usr_01890a5d-ac96-774b-bcce-b302099a8057", false},
    {config_check_workspace, "wsp_", false},
    {config_check_workspace, "demo", false},
};
static const struct {
	const char *value;
	int limit, window_s;
} rates[] = {
    {"0", 0, 0},
    {"600/60", 600, 60},
    {"1000000/86400", 1000000, 86400},
    {"600", -1, 0},
    {"1/0", -1, 0},
    {"1/x", -1, 0},
    {"-1/1", -1, 0},
    {"1000001/1", -1, 0},
    {"", -1, 0},
};

TEST(test_values)
{
	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
		char value[256];
		snprintf(value, sizeof(value), "%s", checks[i].value);
		if ((checks[i].check(value) == NULL) != checks[i].good)
			fail_msg("%s is not judged %s", checks[i].value, checks[i].good ? "good" : "bad");
	}
	for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
		struct rate_policy rate = {-1, 0};
		const char *wrong = config_parse_rate(rates[i].value, &rate);
		assert_int_equal(wrong != NULL, rates[i].limit < 0);
		assert_int_equal(rate.limit, rates[i].limit);
		assert_int_equal(rate.window_s, rates[i].window_s);
	}
}

TEST(test_switches)
{
	static const char *const good[] = {"on", "off", "ON", "Off"}, *const bad[] = {"", "1", "yes", "onn", "of"};
	struct buf many;
	bool on;

	for (size_t i = 0; i < 4; i++) {
		assert_null(config_parse_switch(good[i], &on));
		assert_int_equal(on, i % 2 == 0);
	}
	for (size_t i = 0; i < 5; i++)
		assert_non_null(config_parse_switch(bad[i], &on));
	buf_init(&many, 4096);
	for (int i = 0; i < CONFIG_ORIGINS_MAX; i++)
		buf_addz(&many, i ? ",http://a" : "http://a");
	assert_null(config_check_origins(many.data));
	buf_addz(&many, ",http://a");
	assert_non_null(config_check_origins(many.data));
	buf_free(&many);
	assert_true(LOADS("--gzip", "on", "--cors_origins", "https://APP.example"));
	assert_true(c.gzip);
	assert_string_equal(c.cors_origins, "https://app.example"); /* as browsers write it */
}

TEST(test_shown)
{
	static const struct {
		const char *url, *shown;
	} cases[] = {
	    {"postgresql://u:hunter2@h/d", "\"postgresql://u:***@h/d\""},
	    {"postgresql://u@h/d?password=hunter2&x=y", "\"postgresql://u@h/d?password=***&x=y\""},
	    {"host=h password=hunter2 dbname=d", "\"host=h password=*** dbname=d\""},
	    {"host=h password = 'hunter2 hunter2' dbname=d", "password = *** dbname=d\""},
	    {"host=h password='a\\'hunter2' dbname=d", "password=*** dbname=d\""},
	};
	struct buf out;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		buf_init(&out, 65536);
		assert_true(LOADS("--database_url", cases[i].url, "--rate_burst", "0"));
		config_print(&c, &out);
		assert_non_null(strstr(out.data, "\"rate_burst\",\"value\":\"0\",\"default\":\"20/2\""));
		assert_non_null(strstr(out.data, "\"listen\",\"value\":[\"127.0.0.1:8080\"]"));
		assert_non_null(strstr(out.data, "\"clock_scale\",\"value\":1,"));
		if (!strstr(out.data, cases[i].shown) || strstr(out.data, "hunter2"))
			fail_msg("%s is shown as %.200s", cases[i].url, out.data);
		buf_free(&out);
	}
	buf_init(&out, 65536);
	config_help(&out);
	assert_non_null(strstr(out.data, "--webhook_allow_targets"));
	buf_free(&out);
}
