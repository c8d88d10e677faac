/* Resolving names: every answer is checked, no wait exceeds its limit, /etc/hosts is used. */
#include <arpa/inet.h>
#include <event2/event.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#include "server/base/clock.h"
#include "test/lib/http/nameserver.h"
#include "test/lib/test.h"
#include "webhook/resolve.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static struct event_base *base;
static struct nameserver *names;
static struct resolver *resolver;
static struct target target;

static struct {
	int calls;
	enum resolve_status status;
	char text[2048]; /* the addresses */
} got;

static void on_resolved(void *ctx, enum resolve_status status, const struct sockaddr_storage *addresses, size_t n)
{
	size_t len = 0;
	assert_ptr_equal(ctx, &got);
	got.calls++;
	got.status = status;
	got.text[0] = '\0';
	for (size_t i = 0; i < n; i++) {
		char text[INET6_ADDRSTRLEN];
		const void *at = addresses[i].ss_family == AF_INET
		                     ? (const void *)&((const struct sockaddr_in *)&addresses[i])->sin_addr
		                     : (const void *)&((const struct sockaddr_in6 *)&addresses[i])->sin6_addr;
		assert_int_equal(((const struct sockaddr_in *)&addresses[i])->sin_port, htons(target.port));
		inet_ntop(addresses[i].ss_family, at, text, sizeof(text));
		len += (size_t)snprintf(got.text + len, sizeof(got.text) - len, "%s%s", i ? " " : "", text);
	}
}

static struct resolution *begin_resolution(const char *host)
{
	char url[300];
	snprintf(url, sizeof(url), "https://%s:8443/", host);
	assert_int_equal(target_parse(&target, NULL, url, strlen(url)), TARGET_OK);
	got.calls = 0;
	return resolve_start(resolver, NULL, &target, on_resolved, &got);
}

static void look_up(const char *host)
{
	begin_resolution(host);
	assert_int_equal(got.calls, 0); /* never within the call */
	while (!got.calls)
		event_base_loop(base, EVLOOP_ONCE);
	event_base_loop(base, EVLOOP_NONBLOCK);
	assert_int_equal(got.calls, 1);
}

BEFORE_EACH()
{
	base = event_base_new();
	names = nameserver_start();
	resolver = resolver_new(base, nameserver_address(names));
	assert_true(resolver);
}

AFTER_EACH()
{
	resolver_free(resolver);
	nameserver_stop(names);
	event_base_free(base);
}

TEST(judges_every_answer)
{
	static const struct {
		const char *answers;
		enum resolve_status status;
		const char *text; /* NULL: any order */
	} cases[] = {
	    {"8.8.8.8", RESOLVE_OK, "8.8.8.8"},
	    {"2606:4700::1", RESOLVE_OK, "2606:4700::1"},
	    {"8.8.8.8 8.8.4.4", RESOLVE_OK, NULL},
	    {"8.8.8.8 2606:4700::1", RESOLVE_OK, NULL},
	    {"127.0.0.1", RESOLVE_FORBIDDEN, ""},
	    {"::1", RESOLVE_FORBIDDEN, ""},
	    {"8.8.8.8 127.0.0.1", RESOLVE_FORBIDDEN, ""},
	    {"127.0.0.1 8.8.8.8", RESOLVE_FORBIDDEN, ""},
	    {"8.8.8.8 8.8.4.4 1.1.1.1 10.0.0.1", RESOLVE_FORBIDDEN, ""},
	    {"8.8.8.8 ::1", RESOLVE_FORBIDDEN, ""},
	    {"8.8.8.8 ::ffff:8.8.8.8", RESOLVE_FORBIDDEN, ""},
	    {"8.8.8.8 64:ff9b::7f00:1", RESOLVE_FORBIDDEN, ""},
	    {"192.168.1.1 2606:4700::1", RESOLVE_FORBIDDEN, ""},
	    {"169.254.169.254", RESOLVE_FORBIDDEN, ""},
	    {"0.0.0.0", RESOLVE_FORBIDDEN, ""},
	    {"fd00:ec2::254", RESOLVE_FORBIDDEN, ""},
	    {"2002:7f00:1::", RESOLVE_FORBIDDEN, ""},
	    {"2001::1", RESOLVE_FORBIDDEN, ""},
	    {"100.100.100.200", RESOLVE_FORBIDDEN, ""},
	    {"255.255.255.255", RESOLVE_FORBIDDEN, ""},
	    {"empty", RESOLVE_FAILED, ""},
	    {"servfail", RESOLVE_FAILED, ""},
	    {"refused", RESOLVE_FAILED, ""},
	    {"truncated", RESOLVE_FAILED, ""},
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		nameserver_set(names, "hooks.example.com", cases[i].answers);
		look_up("hooks.example.com");
		if (got.status != cases[i].status || (cases[i].text && strcmp(got.text, cases[i].text) != 0))
			fail_msg("%s: %d %s", cases[i].answers, (int)got.status, got.text);
	}
	look_up("no.such.name.example.com");
	assert_int_equal(got.status, RESOLVE_FAILED);
}

/* A short name is looked up as it is, without search domains. */
TEST(searches_nowhere)
{
	int before = nameserver_asked(names, NULL);
	look_up("intranet");
	assert_int_equal(got.status, RESOLVE_FAILED);
	assert_int_equal(nameserver_asked(names, NULL), before + 2);
	nameserver_set(names, "intranet", "8.8.8.8");
	look_up("intranet");
	assert_int_equal(got.status, RESOLVE_OK);
}

TEST(asks_each_time)
{
	nameserver_set(names, "moves.example.com", "8.8.8.8 | 127.0.0.1 | 1.1.1.1");
	look_up("moves.example.com");
	assert_string_equal(got.text, "8.8.8.8");
	look_up("moves.example.com");
	assert_int_equal(got.status, RESOLVE_FORBIDDEN);
	look_up("moves.example.com");
	assert_string_equal(got.text, "1.1.1.1");
}

TEST(takes_no_more_than_its_maximum)
{
	char many[1024] = "";

	/* 17 of each family: more than 32, and more than an answer may hold of IPv6. */
	for (int i = 1; i <= 17; i++)
		snprintf(many + strlen(many), sizeof(many) - strlen(many), "8.8.8.%d 2606:4700::%d ", i, i);
	nameserver_set(names, "many.example.com", many);
	look_up("many.example.com");
	assert_int_equal(got.status, RESOLVE_FAILED);
}

TEST(knows_literals_and_hosts)
{
	int before = nameserver_asked(names, NULL);
	look_up("8.8.4.4");
	assert_string_equal(got.text, "8.8.4.4");
	look_up("[2606:4700::1]");
	assert_string_equal(got.text, "2606:4700::1");
	assert_int_equal(nameserver_asked(names, NULL), before);
	/* "localhost" in any spelling is refused; entries of /etc/hosts for other names are checked too. */
	FILE *hosts = fopen("/etc/hosts", "r");
	char line[512];
	while (hosts && fgets(line, sizeof(line), hosts)) {
		char *name = line + strcspn(line, " \t");
		name += strspn(name, " \t");
		name[strcspn(name, " \t\r\n#")] = '\0';
		char url[600];
		snprintf(url, sizeof(url), "http://%s/", name);
		if (line[0] == '#' || strncmp(line, "127.", 4) != 0 ||
		    target_parse(&target, NULL, url, strlen(url)) != TARGET_OK)
			continue;
		look_up(name);
		assert_int_equal(got.status, RESOLVE_FORBIDDEN);
		assert_int_equal(nameserver_asked(names, NULL), before);
	}
	if (hosts)
		fclose(hosts);
}

TEST(ends_in_time)
{
	nameserver_set(names, "silent.example.com", "silent");
	int64_t began = clock_mono_us();
	look_up("silent.example.com");
	int64_t took_ms = (clock_mono_us() - began) / 1000;
	assert_int_equal(got.status, RESOLVE_FAILED);
	assert_in_range(took_ms, 1000, 14000); /* 5 s; the library by itself would try for 15 s */
}

TEST(can_be_cancelled)
{
	nameserver_set(names, "silent.example.com", "silent");
	resolve_cancel(begin_resolution("silent.example.com"));
	resolve_cancel(begin_resolution("8.8.8.8"));
	resolve_cancel(begin_resolution("no.such.name.example.com"));
	for (int i = 0; i < 20; i++)
		event_base_loop(base, EVLOOP_NONBLOCK);
	assert_int_equal(got.calls, 0);
	/* One query is still in progress when the resolver is freed (AFTER_EACH). */
	begin_resolution("silent.example.com");
	resolve_cancel(begin_resolution("silent.example.com"));
	begin_resolution("silent.example.com");
}
