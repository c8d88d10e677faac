/* Trusted proxies; see proxies.h. */
#include "server/request/proxies.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "server/base/arena.h"
#include "server/http/http.h"
#include "webhook/address.h"

enum { HOPS_MAX = 32, ENTRY_MAX = 80 };

static bool proxies_parse(struct network *out, const char *entry, size_t len)
{
	char text[ENTRY_MAX];
	const char *bits = memchr(entry, '/', len) ? "" : memchr(entry, ':', len) ? "/128" : "/32";
	int n = snprintf(text, sizeof text, "%.*s%s", (int)len, entry, bits);

	return n < (int)sizeof text && network_parse(out, text, (size_t)n);
}

void proxies_init(struct proxies *p, const char *list)
{
	size_t len, most = 1;

	for (const char *c = list; c && *c; c++)
		most += *c == ',';
	*p = (struct proxies){mem_alloc(most * sizeof *p->networks), 0};
	for (const char *entry = list; entry && *entry; entry += len + strspn(entry + len, ", \t")) {
		len = strcspn(entry, ", \t");
		p->n += len && p->n < most && proxies_parse(&p->networks[p->n], entry, len);
	}
}

void proxies_free(struct proxies *p)
{
	free(p->networks);
}

/* Parses an address without its zone ("fe80::1%eth0"); an IPv4 client in IPv6 form becomes IPv4. */
static bool proxies_read(struct sockaddr_storage *out, const char *text, size_t len)
{
	const char *zone = memchr(text, '%', len);

	len = zone ? (size_t)(zone - text) : len;
	if (len > 7 && strncasecmp(text, "::ffff:", 7) == 0 && memchr(text, '.', len)) {
		text += 7;
		len -= 7;
	}
	return address_parse(out, text, len, 0);
}

static bool proxies_hold(const struct proxies *p, const struct sockaddr_storage *address)
{
	for (size_t i = 0; i < p->n; i++)
		if (network_holds(&p->networks[i], (const struct sockaddr *)address))
			return true;
	return false;
}

bool proxies_trust(const struct proxies *p, const char *peer)
{
	struct sockaddr_storage address;

	return strcmp(peer, "unix") == 0 || (proxies_read(&address, peer, strlen(peer)) && proxies_hold(p, &address));
}

/* The address of an entry, which may have a port: "192.0.2.1:4711", "[2001:db8::1]:4711". */
static bool proxies_read_entry(struct sockaddr_storage *out, const char *entry, size_t len)
{
	const char *end = memchr(entry, ']', len), *colon = memchr(entry, ':', len);

	if (len && *entry == '[')
		return end && proxies_read(out, entry + 1, (size_t)(end - entry - 1));
	if (colon && !memchr(colon + 1, ':', len - (size_t)(colon + 1 - entry)))
		len = (size_t)(colon - entry);
	return proxies_read(out, entry, len);
}

/* Cuts off the last entry of a list and the blanks around it. */
static const char *proxies_last(const char *list, size_t *list_len, size_t *len)
{
	size_t end = *list_len, at;

	while (end > 0 && (list[end - 1] == ' ' || list[end - 1] == '\t'))
		end--;
	for (at = end; at > 0 && list[at - 1] != ',';)
		at--;
	*list_len = at ? at - 1 : 0;
	at += strspn(list + at, " \t");
	*len = end > at ? end - at : 0;
	return list + at;
}

const char *proxies_client(
    const struct proxies *p, const struct http_call *call, const struct http_input *in, char out[INET6_ADDRSTRLEN])
{
	const char *client = in->peer;
	int hops = HOPS_MAX;

	if (!in->forwarded || !proxies_trust(p, in->peer))
		return client;
	for (int line = http_header_count(call, "X-Forwarded-For") - 1; line >= 0; line--) {
		const char *list = http_header_at(call, "X-Forwarded-For", line);
		size_t left = strlen(list);

		while (left) {
			struct sockaddr_storage address;
			size_t len;
			const char *entry = proxies_last(list, &left, &len);

			if (!hops-- || !proxies_read_entry(&address, entry, len))
				return client;
			client = inet_ntop(
			    address.ss_family, address_bytes((struct sockaddr *)&address), out, INET6_ADDRSTRLEN);
			if (!proxies_hold(p, &address))
				return client;
		}
	}
	return client;
}
