/* Arbitrary bytes as target URLs: accepted ones never lead to a forbidden address directly, however their host is
 * read. inet_aton() reads every form of number that any resolver accepts; the public ranges are implemented here
 * independently. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "webhook/target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must_hold(bool holds)
{
	if (!holds)
		abort();
}

static bool v4_between(uint32_t address, const char *first, const char *last)
{
	return address >= ntohl(inet_addr(first)) && address <= ntohl(inet_addr(last));
}

static bool v4_forbidden(uint32_t a)
{
	return v4_between(a, "0.0.0.0", "0.255.255.255") || v4_between(a, "10.0.0.0", "10.255.255.255") ||
	       v4_between(a, "100.64.0.0", "100.127.255.255") || v4_between(a, "127.0.0.0", "127.255.255.255") ||
	       v4_between(a, "169.254.0.0", "169.254.255.255") || v4_between(a, "172.16.0.0", "172.31.255.255") ||
	       v4_between(a, "192.0.0.0", "192.0.0.255") || v4_between(a, "192.0.2.0", "192.0.2.255") ||
	       v4_between(a, "192.88.99.0", "192.88.99.255") || v4_between(a, "192.168.0.0", "192.168.255.255") ||
	       v4_between(a, "198.18.0.0", "198.19.255.255") || v4_between(a, "198.51.100.0", "198.51.100.255") ||
	       v4_between(a, "203.0.113.0", "203.0.113.255") || v4_between(a, "224.0.0.0", "255.255.255.255");
}

static bool v6_forbidden(const struct in6_addr *a)
{
	const uint8_t *b = a->s6_addr;
	unsigned first = (unsigned)b[0] << 8 | b[1], second = (unsigned)b[2] << 8 | b[3];
	if (IN6_IS_ADDR_V4MAPPED(a) || IN6_IS_ADDR_V4COMPAT(a) || IN6_IS_ADDR_LOOPBACK(a) ||
	    IN6_IS_ADDR_UNSPECIFIED(a) || IN6_IS_ADDR_LINKLOCAL(a) || IN6_IS_ADDR_SITELOCAL(a) ||
	    IN6_IS_ADDR_MULTICAST(a))
		return true;
	return first < 0x2000 || first > 0x3fff || (first == 0x2001 && (second < 0x0200 || second == 0x0db8)) ||
	       first == 0x2002 || first == 0x3ffe || (first == 0x3fff && second < 0x1000);
}

static bool ends_in(const char *text, const char *end)
{
	size_t len = strlen(text), end_len = strlen(end);
	return len >= end_len && strcasecmp(text + len - end_len, end) == 0;
}

static void check_host(const struct target *t)
{
	struct in_addr v4;
	struct in6_addr v6;
	must_hold(t->host[0] && !ends_in(t->host, ".") && t->port > 0);
	must_hold(strspn(t->host, "abcdefghijklmnopqrstuvwxyz0123456789-._:") == strlen(t->host));
	must_hold(strcmp(t->host, "localhost") != 0 && !ends_in(t->host, ".localhost") && !ends_in(t->host, ".local") &&
	          !ends_in(t->host, ".internal") && !ends_in(t->host, ".home.arpa"));
	if (inet_aton(t->host, &v4)) {
		must_hold(t->literal && t->address.ss_family == AF_INET && inet_pton(AF_INET, t->host, &v6) == 1);
		must_hold(((const struct sockaddr_in *)&t->address)->sin_addr.s_addr == v4.s_addr);
		must_hold(!v4_forbidden(ntohl(v4.s_addr)));
	} else if (inet_pton(AF_INET6, t->host, &v6) == 1) {
		must_hold(t->literal && t->address.ss_family == AF_INET6);
		must_hold(memcmp(&((const struct sockaddr_in6 *)&t->address)->sin6_addr, &v6, sizeof(v6)) == 0);
		must_hold(!v6_forbidden(&v6));
	} else {
		must_hold(!t->literal && !strchr(t->host, ':'));
	}
}

/* What goes into a request's first line and Host. */
static void check_request(const struct target *t)
{
	must_hold(t->path[0] == '/');
	for (const unsigned char *p = (const unsigned char *)t->path; *p; p++)
		must_hold(*p > 0x20 && *p < 0x7f && *p != '#');
	for (const unsigned char *p = (const unsigned char *)t->authority; *p; p++)
		must_hold(*p > 0x20 && *p < 0x7f && !strchr("/?#@\\", *p));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct target target;
	const char *error;
	if (target_parse(&target, NULL, (const char *)data, size) == TARGET_OK) {
		check_host(&target);
		check_request(&target);
	}
	/* The text of the setting is read by the same rules. */
	char *text = strndup((const char *)data, size);
	free(target_rules_parse(text, &error));
	free(text);
	return 0;
}
