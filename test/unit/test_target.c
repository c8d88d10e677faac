/* Target URLs and the rule for addresses: what is allowed, and all known ways around it. */
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <curl/curl.h>

#include "webhook/address.h"
#include "webhook/target.h"
#include "test/lib/test.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static struct target parsed;

static enum target_verdict parse_url(const char *exceptions, const char *url)
{
	const char *error = NULL;
	struct target_rules *rules = target_rules_parse(exceptions, &error);
	assert_non_null(rules);
	enum target_verdict verdict = target_parse(&parsed, rules, url, strlen(url));
	free(rules);
	return verdict;
}

/* --- what is forbidden or malformed, one form a row ------------------------------- */

static const char forbidden_forms[] =
    /* every network of IPv4 that is set apart: its ends */
    "0.0.0.0 0.255.255.255 10.0.0.0 10.255.255.255 100.64.0.0 100.127.255.255 127.0.0.1 127.255.255.255 "
    "169.254.0.0 169.254.169.254 169.254.255.255 172.16.0.0 172.31.255.255 192.0.0.0 192.0.0.8 192.0.0.170 "
    "192.0.0.255 192.0.2.1 192.0.2.255 192.31.196.1 192.52.193.1 192.88.99.0 192.88.99.255 192.168.0.0 "
    "192.168.255.255 192.175.48.1 198.18.0.0 198.19.255.255 198.51.100.7 203.0.113.255 224.0.0.1 "
    "239.255.255.255 240.0.0.1 255.255.255.254 255.255.255.255 168.63.129.16 "
    /* numbers in any form but four decimal parts */
    "2130706433 134744072 017700000001 0x7f000001 0x7F.1 127.1 127.0.1 8.8.2056 0177.0.0.1 0x7f.0x0.0x0.0x1 "
    "127.0.0.0x1 08.8.8.8 8.8.8.08 8.8.8.010 0 00 0x0 0x 1 1.1 256.1.1.1 8.8.8.256 8.8.8.8.8 4294967296 "
    "99999999999999999999 8.8.8.8. 127.0.0.1. 2130706433. example.1 1.2.3.4.5.6 0000008.8.8.8 "
    /* IPv6: what is not a unicast address of the network */
    "[::] [::1] [0:0:0:0:0:0:0:1] [0000:0000:0000:0000:0000:0000:0000:0001] [::ffff:0:0] [::2] [100::1] "
    "[100:0:0:1::1] [5f00::1] [fc00::1] [fd00:ec2::254] [fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff] [fe80::1] "
    "[febf::1] [fec0::1] [feff::1] [ff02::1] [ff0e::1] [2001::1] [2001:1::1] [2001:2::1] [2001:3::1] "
    "[2001:4:112::1] [2001:5::1] [2001:10::1] [2001:20::1] [2001:2f:ffff::1] [2001:30::1] [2001:1ff:ffff::1] "
    "[2001:db8::1] [2001:0DB8:0:0::1] [2002::1] [3ffe::1] [3fff::1] [3fff:fff::1] [2620:4f:8000::1] [4000::1] "
    "[1fff::1] [200::1] [400::1] "
    /* IPv4 within IPv6, private and public */
    "[::ffff:127.0.0.1] [::ffff:7f00:1] [::FFFF:8.8.8.8] [0:0:0:0:0:ffff:10.0.0.1] [::127.0.0.1] [::7f00:1] "
    "[::8.8.8.8] [::ffff:0:127.0.0.1] [64:ff9b::127.0.0.1] [64:ff9b::8.8.8.8] [64:ff9b::7f00:1] [64:ff9b:1::1] "
    "[64:ff9b:1:ffff:ffff:ffff:7f00:1] [2002:7f00:1::] [2002:7f00:0001::1] [2002:808:808::1] [2001:0:7f00:1::] "
    "[2001::4136:e378:8000:63bf:3fff:fdd2] [2a00:1450::5efe:127.0.0.1] [2a00:1450::200:5efe:7f00:1] "
    "[fe80::5efe:192.168.0.1] "
    /* zones */
    "[fe80::1%25eth0] [fe80::1%eth0] [2606:4700::1%251] [::1%25lo] "
    /* names that mean this machine or this network */
    "localhost LOCALHOST localhost. a.localhost a.b.LocalHost. printer.local local x.internal "
    "metadata.google.internal Metadata.Google.Internal. nas.home.arpa home.arpa home.arpa. "
    /* the same in full-width letters */
    "\xef\xbd\x8c\xef\xbd\x8f\xef\xbd\x83\xef\xbd\x81\xef\xbd\x8chost "
    /* digits and dots of other scripts, which IDNA turns into ASCII */
    "\xe2\x91\xa0\xe2\x91\xa1\xe2\x91\xa6.0.0.1 127\xe3\x80\x82"
    "0\xe3\x80\x82"
    "0\xe3\x80\x82"
    "1 "
    "\xef\xbc\x91\xef\xbc\x92\xef\xbc\x97.0.0.1 \xef\xbc\x98.8.8.8 "
    "8\xef\xbc\x8e"
    "8\xef\xbc\x8e"
    "8\xef\xbc\x8e"
    "8 \xef\xbc\x90x7f000001 ";

static const char *const malformed_hosts[] = {
    "",
    ":80",
    "@",
    "user@example.com",
    "user:pass@example.com",
    ":@example.com",
    "example.com@127.0.0.1",
    "127.0.0.1@example.com",
    "example.com:80@127.0.0.1",
    "example.com:",
    "example.com:0",
    "example.com:65536",
    "example.com:-1",
    "example.com:+80",
    "example.com:80a",
    "example.com:0x50",
    "example.com:000080",
    "example.com:80:80",
    "example.com: 80",
    "exam ple.com",
    "example.com\t",
    "example\n.com",
    "example.com\r\nX: y",
    "example.com\\",
    "\\\\example.com",
    "example.com\\@127.0.0.1",
    "example.com#",
    "example.com#@127.0.0.1",
    "%31%32%37.0.0.1",
    "127.0.0.1%2f",
    "127.0.0.1%00",
    "ex%61mple.com",
    "[::1",
    "::1]",
    "::1",
    "[]",
    "[",
    "]",
    "[:::1]",
    "[1:2:3]",
    "[::1]x",
    "[::1]:",
    "[::1]x:80",
    "[127.0.0.1]",
    "[example.com]",
    "[[::1]]",
    "[v1.a]",
    "[::ffff:127.1]",
    "[::ffff:0x7f.0.0.1]",
    "[1:2:3:4:5:6:7:8:9]",
    "[::12345]",
    "[2606:4700::1/64]",
    ".",
    "..",
    ".example.com",
    "example..com",
    "example.com..",
    "exa*mple.com",
    "exa,mple.com",
    "a\x7f.com",
    "a\x01.com",
    "\xff.com",
    "\xc0\xae.com",
    "\xed\xa0\x80.com",
    "example.com;127.0.0.1",
    "$host",
    "a!b.com",
    "a'b",
    "<a>",
};

static const char *const malformed_urls[] = {
    "",
    "h",
    "http",
    "http:",
    "http:/",
    "http://",
    "https://",
    "http:///",
    "http:///example.com/",
    "http:/example.com/",
    "http:example.com",
    "//example.com/",
    "example.com",
    "/",
    "ftp://example.com/",
    "file:///etc/passwd",
    "file://localhost/etc/passwd",
    "gopher://example.com/",
    "ws://example.com/",
    "javascript:alert(1)",
    "httpx://example.com/",
    "http+unix://example.com/",
    " http://example.com/",
    "http://example.com/ ",
    "http://example.com/a b",
    "http://example.com/\ta",
    "http://example.com/\r\nHost: x",
    "http://example.com/#f",
    "http://example.com/#",
    "http://example.com?a#b",
    "http://example.com/\\..\\",
    "http:\\\\example.com\\",
    "https:\\/example.com",
    "http://example.com/\xff",
    "http://example.com/\xc0\xaf",
    "http://?",
    "http://?example.com",
    "http:// example.com",
};

/* The forms one by one, divided by blanks; NULL at the end. */
static char *next_forbidden(size_t *at)
{
	static char form[128];
	const char *from = forbidden_forms + *at;
	size_t len = strcspn(from, " ");
	snprintf(form, sizeof(form), "%.*s", (int)len, from);
	*at += len + (from[len] == ' ');
	return len ? form : NULL;
}

TEST(test_forbids)
{
	size_t at = 0, count = 0;
	const char *form;

	for (; (form = next_forbidden(&at)); count++) {
		static const char *const forms[] = {"http://%s", "https://%s/hook", "HTTP://%s:8080/", "http://%s?q"};
		for (size_t j = 0; j < COUNT(forms); j++) {
			char url[256];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
			snprintf(url, sizeof(url), forms[j], form);
#pragma GCC diagnostic pop
			enum target_verdict verdict = parse_url(NULL, url);
			/* A libcurl without IDN cannot decode the name. */
			if (verdict == TARGET_MALFORMED && strpbrk(form, "\xe2\xe3\xef"))
				continue;
			if (verdict != TARGET_FORBIDDEN)
				fail_msg("%s is not forbidden: %d", url, (int)verdict);
		}
	}
	assert_true(count >= 150);
}

TEST(test_refuses)
{
	for (size_t i = 0; i < COUNT(malformed_hosts); i++) {
		char url[256];
		snprintf(url, sizeof(url), "http://%s/x", malformed_hosts[i]);
		if (parse_url(NULL, url) != TARGET_MALFORMED)
			fail_msg("%s is not malformed: %d", url, (int)parse_url(NULL, url));
		/* Nor does an exception help. */
		assert_int_equal(parse_url("0.0.0.0/0,::/0", url), TARGET_MALFORMED);
	}
	for (size_t i = 0; i < COUNT(malformed_urls); i++)
		if (parse_url(NULL, malformed_urls[i]) != TARGET_MALFORMED)
			fail_msg("%s is not malformed", malformed_urls[i]);
	assert_int_equal(target_parse(&parsed, NULL, "http://a.com/\0b", 15), TARGET_MALFORMED);
	assert_int_equal(target_parse(&parsed, NULL, "http://a.com\0.localhost", 23), TARGET_MALFORMED);
}

/* --- what is let through ---------------------------------------------------------- */

static const struct {
	const char *url, *host, *authority, *path;
	bool tls;
	int port;
} good[] = {
    {"http://example.com", "example.com", "example.com", "/", false, 80},
    {"https://example.com", "example.com", "example.com", "/", true, 443},
    {"HTTPS://EXAMPLE.com./A?B=c", "example.com", "example.com", "/A?B=c", true, 443},
    {"http://example.com:80/", "example.com", "example.com", "/", false, 80},
    {"https://example.com:443/", "example.com", "example.com", "/", true, 443},
    {"http://example.com:443/", "example.com", "example.com:443", "/", false, 443},
    {"https://example.com:80/", "example.com", "example.com:80", "/", true, 80},
    {"https://a_b.example.com:65535/x", "a_b.example.com", "a_b.example.com:65535", "/x", true, 65535},
    {"http://example.com:1?x", "example.com", "example.com:1", "/?x", false, 1},
    {"http://intranet/", "intranet", "intranet", "/", false, 80},
    {"http://8.8.8.8/", "8.8.8.8", "8.8.8.8", "/", false, 80},
    {"http://1.1.1.1:9000/", "1.1.1.1", "1.1.1.1:9000", "/", false, 9000},
    {"http://223.255.255.255/", "223.255.255.255", "223.255.255.255", "/", false, 80},
    {"http://100.63.255.255/", "100.63.255.255", "100.63.255.255", "/", false, 80},
    {"http://172.32.0.0/", "172.32.0.0", "172.32.0.0", "/", false, 80},
    {"https://[2606:4700:4700::1111]/", "2606:4700:4700::1111", "[2606:4700:4700::1111]", "/", true, 443},
    {"https://[2A00:1450:0:0::0001]:8443/x", "2a00:1450::1", "[2a00:1450::1]:8443", "/x", true, 8443},
    {"https://[2001:200::1]/", "2001:200::1", "[2001:200::1]", "/", true, 443},
    {"https://[2001:4860:4860::8888]/", "2001:4860:4860::8888", "[2001:4860:4860::8888]", "/", true, 443},
    {"https://1.example.com/", "1.example.com", "1.example.com", "/", true, 443},
    {"https://127.0.0.1.example.com/", "127.0.0.1.example.com", "127.0.0.1.example.com", "/", true, 443},
    {"https://notlocalhost/", "notlocalhost", "notlocalhost", "/", true, 443},
    {"https://localhost.example.com/", "localhost.example.com", "localhost.example.com", "/", true, 443},
    {"https://mylocal/", "mylocal", "mylocal", "/", true, 443},
    {"https://x.internals/", "x.internals", "x.internals", "/", true, 443},
    {"https://0xg/", "0xg", "0xg", "/", true, 443},
    {"https://example.com/a/../b/./c", "example.com", "example.com", "/b/c", true, 443},
    {"https://example.com/../../etc", "example.com", "example.com", "/etc", true, 443},
    {"https://example.com/@user:x@y", "example.com", "example.com", "/@user:x@y", true, 443},
    {"https://example.com/?u=http://a@b/%20", "example.com", "example.com", "/?u=http://a@b/%20", true, 443},
    {"https://example.com/caf\xc3\xa9?\xe2\x82\xac", "example.com", "example.com", "/caf%C3%A9?%E2%82%AC", true, 443},
    {"https://example.com/a\"<b>{c}|^`%zz", "example.com", "example.com", "/a%22%3Cb%3E%7Bc%7D%7C%5E%60%zz", true, 443},
    {"https://example.com//x//y", "example.com", "example.com", "//x//y", true, 443},
    {"https://xn--bcher-kva.example/", "xn--bcher-kva.example", "xn--bcher-kva.example", "/", true, 443},
};

static void expect_good(size_t i, const char *exceptions)
{
	if (parse_url(exceptions, good[i].url) != TARGET_OK)
		fail_msg("%s is refused", good[i].url);
	assert_string_equal(parsed.host, good[i].host);
	assert_string_equal(parsed.authority, good[i].authority);
	assert_string_equal(parsed.path, good[i].path);
	assert_int_equal(parsed.tls, good[i].tls);
	assert_int_equal(parsed.port, good[i].port);
}

TEST(lets_through)
{
	for (size_t i = 0; i < COUNT(good); i++) {
		expect_good(i, NULL);
		expect_good(i, "10.0.0.0/8");
	}
	assert_int_equal(parse_url(NULL, "http://8.8.8.8:99/"), TARGET_OK);
	assert_true(parsed.literal);
	assert_int_equal(((struct sockaddr_in *)&parsed.address)->sin_port, htons(99));
	assert_int_equal(parse_url(NULL, "http://8.8.8.8.example/"), TARGET_OK);
	assert_false(parsed.literal);
}

TEST(encodes_names_of_other_scripts)
{
	/* Without IDN in libcurl they are refused, never sent as they are. */
	bool can = curl_version_info(CURLVERSION_NOW)->features & CURL_VERSION_IDN;
#ifndef CURLU_PUNYCODE
	can = false;
#endif
	enum target_verdict verdict = parse_url(NULL, "https://b\xc3\xbc"
	                                              "cher.example/\xc3\xbc");
	assert_int_equal(verdict, can ? TARGET_OK : TARGET_MALFORMED);
	if (!can)
		return;
	assert_string_equal(parsed.host, "xn--bcher-kva.example");
	assert_string_equal(parsed.authority, "xn--bcher-kva.example");
	assert_string_equal(parsed.path, "/%C3%BC");
	assert_int_equal(
	    parse_url(NULL, "https://\xe4\xbe\x8b\xe3\x81\x88.\xe3\x83\x86\xe3\x82\xb9\xe3\x83\x88"), TARGET_OK);
	assert_string_equal(parsed.host, "xn--r8jz45g.xn--zckzah");
}

TEST(has_limits)
{
	char url[4096], label[64];

	memset(label, 'a', 63);
	label[63] = '\0';
	/* 253 characters in labels of 63. */
	snprintf(url, sizeof(url), "http://%s.%s.%s.%.61s/", label, label, label, label);
	assert_int_equal(parse_url(NULL, url), TARGET_OK);
	assert_int_equal(strlen(parsed.host), TARGET_HOST_MAX);
	snprintf(url, sizeof(url), "http://%s.%s.%s.%.61s.:65535/", label, label, label, label);
	assert_int_equal(parse_url(NULL, url), TARGET_OK);
	assert_int_equal(strlen(parsed.authority), TARGET_HOST_MAX + 6);
	snprintf(url, sizeof(url), "http://%s.%s.%s.%.62s/", label, label, label, label);
	assert_int_equal(parse_url(NULL, url), TARGET_MALFORMED);
	snprintf(url, sizeof(url), "http://a%s.com/", label);
	assert_int_equal(parse_url(NULL, url), TARGET_MALFORMED);

	memset(url, '^', sizeof(url));
	memcpy(url, "http://a.b/?", 12);
	assert_int_equal(target_parse(&parsed, NULL, url, TARGET_URL_MAX), TARGET_OK);
	assert_int_equal(strlen(parsed.path), 2 + 3 * (TARGET_URL_MAX - 12));
	assert_int_equal(target_parse(&parsed, NULL, url, TARGET_URL_MAX + 1), TARGET_MALFORMED);
	memset(url + 7, 'a', sizeof(url) - 7);
	assert_int_equal(target_parse(&parsed, NULL, url, TARGET_URL_MAX), TARGET_MALFORMED);
}

/* --- exceptions ------------------------------------------------------------------- */

TEST(makes_exceptions)
{
	static const struct {
		const char *exceptions, *url;
		enum target_verdict verdict;
	} cases[] = {
	    {"127.0.0.0/8", "http://127.0.0.1:9000/", TARGET_OK},
	    {"10.0.0.0/8 , 127.0.0.0/8", "http://127.255.0.1/", TARGET_OK},
	    {"127.0.0.0/8", "http://10.0.0.1/", TARGET_FORBIDDEN},
	    {"10.9.8.7/8", "http://10.0.0.1/", TARGET_OK},
	    {"127.0.0.1/32", "http://127.0.0.1/", TARGET_OK},
	    {"127.0.0.1/32", "http://127.0.0.2/", TARGET_FORBIDDEN},
	    {"192.168.4.0/22", "http://192.168.7.255/", TARGET_OK},
	    {"192.168.4.0/22", "http://192.168.8.0/", TARGET_FORBIDDEN},
	    {"0.0.0.0/0", "http://127.0.0.1/", TARGET_OK},
	    {"0.0.0.0/0", "http://[::1]/", TARGET_FORBIDDEN},
	    {"0.0.0.0/0", "http://[::ffff:127.0.0.1]/", TARGET_FORBIDDEN},
	    {"::1/128", "http://[::1]:1/", TARGET_OK},
	    {"fd00::/8", "http://[fd12::1]/", TARGET_OK},
	    {"::/0", "http://127.0.0.1/", TARGET_FORBIDDEN},
	    {"127.0.0.1:9000", "http://127.0.0.1:9000/x", TARGET_OK},
	    {"127.0.0.1:9000", "https://127.0.0.1:9000/x", TARGET_OK},
	    {"127.0.0.1:9000", "http://127.0.0.1:9001/x", TARGET_FORBIDDEN},
	    {"127.0.0.1:9000", "http://127.0.0.1/x", TARGET_FORBIDDEN},
	    {"127.0.0.1:80", "http://127.0.0.1/x", TARGET_OK},
	    {"[::1]:9000", "http://[0:0::1]:9000/", TARGET_OK},
	    {"[0::1]:9000", "http://[::1]:9000/", TARGET_OK},
	    {"[::1]:9000", "http://[::2]:9000/", TARGET_FORBIDDEN},
	    {"localhost:9000", "http://LOCALHOST.:9000/", TARGET_OK},
	    {"Hooks.Internal.:443", "https://hooks.internal/", TARGET_OK},
	    {"hooks.internal:443", "http://hooks.internal/", TARGET_FORBIDDEN},
	    {"hooks.internal:443", "https://x.hooks.internal/", TARGET_FORBIDDEN},
	    /* A network is not a name, and no exception makes a number of another form good. */
	    {"127.0.0.0/8,::1/128", "http://localhost/", TARGET_FORBIDDEN},
	    {"127.0.0.0/8,127.0.0.1:80", "http://127.1/", TARGET_FORBIDDEN},
	    {"127.0.0.0/8,127.0.0.1:80", "http://0x7f000001/", TARGET_FORBIDDEN},
	    {"127.0.0.0/8,127.0.0.1:80", "http://127.0.0.1./", TARGET_FORBIDDEN},
	    {"127.0.0.0/8,127.0.0.1:80",
	        "http://\xef\xbc\x91"
	        "27.0.0.1/",
	        TARGET_FORBIDDEN},
	};

	for (size_t i = 0; i < COUNT(cases); i++)
		if (parse_url(cases[i].exceptions, cases[i].url) != cases[i].verdict)
			fail_msg("%s with %s: %d", cases[i].url, cases[i].exceptions, (int)cases[i].verdict);
}

TEST(reads_exceptions)
{
	static const char *const wrong[] = {"x", "host", "host:", "host:0", "host:65536", ":80", "10.0.0.0/33",
	    "10.0.0.0/", "10.0.0/8", "::/129", "a/8", ",a:80", "a:80,,b:80", "[::1:80", "[127.0.0.1]:80", "[x]:80",
	    "a b:80", "0x7f000001/8", "http://a:80"};
	static const char *const right[] = {
	    "", " ", "a:1", "a:80,b:80", " a:80 ,\tb:80 ", "10.0.0.0/8", "::/0", "[::1]:80"};

	for (size_t i = 0; i < COUNT(wrong); i++) {
		const char *error = NULL;
		assert_null(target_rules_parse(wrong[i], &error));
		assert_non_null(error);
	}
	for (size_t i = 0; i < COUNT(right); i++) {
		const char *error = NULL;
		struct target_rules *rules = target_rules_parse(right[i], &error);
		assert_non_null(rules);
		free(rules);
	}
}

/* --- addresses that a resolver gave ----------------------------------------------- */

static bool is_allowed(const char *exceptions, const char *url, const char *address)
{
	const char *error = NULL;
	struct sockaddr_storage at;
	struct target_rules *rules = target_rules_parse(exceptions, &error);
	assert_int_equal(target_parse(&parsed, rules, url, strlen(url)), TARGET_OK);
	assert_true(address_parse(&at, address, strlen(address), parsed.port));
	bool yes = target_address_allowed(rules, &parsed, (struct sockaddr *)&at);
	free(rules);
	return yes;
}

TEST(judges_answers)
{
	struct sockaddr other = {.sa_family = AF_UNIX};

	assert_true(is_allowed(NULL, "http://example.com/", "8.8.8.8"));
	assert_true(is_allowed(NULL, "http://example.com/", "2606:4700::1"));
	assert_false(is_allowed(NULL, "http://example.com/", "127.0.0.1"));
	assert_false(is_allowed(NULL, "http://example.com/", "::ffff:8.8.8.8"));
	assert_false(is_allowed(NULL, "http://example.com/", "64:ff9b::808:808"));
	assert_true(is_allowed("10.0.0.0/8", "http://example.com/", "10.1.2.3"));
	assert_false(is_allowed("10.0.0.0/8", "http://example.com/", "192.168.0.1"));
	assert_true(is_allowed("example.com:80", "http://example.com/", "192.168.0.1"));
	assert_false(is_allowed("example.com:81", "http://example.com/", "192.168.0.1"));
	/* The address of an exception is not a name that leads there. */
	assert_false(is_allowed("192.168.0.1:80", "http://example.com/", "192.168.0.1"));
	assert_false(target_address_allowed(NULL, &parsed, &other));
	/* All that the table of URLs forbids as a literal is forbidden as an answer too. */
	const char *form;
	for (size_t from = 0; (form = next_forbidden(&from));) {
		struct sockaddr_storage at;
		size_t bracket = form[0] == '[', len = strlen(form) - 2 * bracket;
		if (address_parse(&at, form + bracket, len, 80))
			assert_false(target_address_allowed(NULL, &parsed, (struct sockaddr *)&at));
	}
}
