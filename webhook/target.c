/* Target URLs: parsed by libcurl, after refusing what it is lenient about. */
#include "webhook/target.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <locale.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "server/base/arena.h"
#include "server/base/text.h"
#include "webhook/address.h"

enum { RULES_MAX = 256 };

/* An exception: a network, or a host (lower case, no trailing dot) with its port. */
struct target_rule {
	bool is_network;
	struct network network;
	char host[TARGET_HOST_MAX + 1];
	uint16_t port;
};

struct target_rules {
	size_t n;
	struct target_rule items[];
};

/* A part of a text. */
struct span {
	const char *at;
	size_t len;
};

/* --- names ------------------------------------------------------------------------ */

/* Lower case, without a trailing dot; false when characters or lengths are not those of a host name. */
static bool target_normalise_name(char out[TARGET_HOST_MAX + 1], const char *name, size_t len)
{
	size_t label = 0;

	if (len && name[len - 1] == '.')
		len--;
	if (len == 0 || len > TARGET_HOST_MAX)
		return false;
	for (size_t i = 0; i < len; i++) {
		char c = out[i] = text_lower(name[i]);
		if (c == '.' && label == 0)
			return false;
		label = c == '.' ? 0 : label + 1;
		if (!memchr(".-_0123456789", c, 13) && (c < 'a' || c > 'z'))
			return false;
		if (label > 63)
			return false;
	}
	out[len] = '\0';
	return label > 0;
}

/* True when the URL standard would read the host as an IPv4 address: its last label is a decimal or hexadecimal
 * number. "127.1", "0x7f000001", "017700000001". */
static bool name_is_number(const char *name)
{
	const char *dot = strrchr(name, '.');
	const char *last = dot ? dot + 1 : name;

	if (last[0] == '0' && last[1] == 'x')
		return last[2 + strspn(last + 2, "0123456789abcdef")] == '\0';
	return last[strspn(last, "0123456789")] == '\0';
}

static bool name_is_or_ends_in(const char *name, const char *word)
{
	size_t len = strlen(name), word_len = strlen(word);

	if (len < word_len || strcmp(name + len - word_len, word) != 0)
		return false;
	return len == word_len || name[len - word_len - 1] == '.';
}

/* Names that always mean this machine or its network, with any resolver. */
static bool name_forbidden(const char *name)
{
	static const char *const words[] = {"localhost", "local", "internal", "home.arpa"};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (name_is_or_ends_in(name, words[i]))
			return true;
	return false;
}

/* --- exceptions ------------------------------------------------------------------- */

/* "host:port", "1.2.3.4:port", "[v6]:port" */
static bool rule_parse_host(struct target_rule *out, struct span text)
{
	const char *colon = memrchr(text.at, ':', text.len);
	struct sockaddr_storage address;
	uint64_t port;

	if (!colon)
		return false;
	size_t len = (size_t)(colon - text.at);
	if (!text_uint(colon + 1, text.len - len - 1, &port) || port == 0 || port > 65535)
		return false;
	out->port = (uint16_t)port;
	if (len < 2 || text.at[0] != '[')
		return target_normalise_name(out->host, text.at, len);
	if (text.at[len - 1] != ']' || !address_parse(&address, text.at + 1, len - 2, 0) ||
	    address.ss_family != AF_INET6)
		return false;
	return inet_ntop(AF_INET6, address_bytes((struct sockaddr *)&address), out->host, sizeof out->host) != NULL;
}

static bool rule_parse(struct target_rule *out, struct span text)
{
	*out = (struct target_rule){0};
	if (memchr(text.at, '/', text.len)) {
		out->is_network = true;
		return network_parse(&out->network, text.at, text.len);
	}
	return rule_parse_host(out, text);
}

struct target_rules *target_rules_parse(const char *text, const char **error)
{
	struct target_rules *rules = mem_zalloc(sizeof *rules + RULES_MAX * sizeof(struct target_rule));

	text = text ? text : "";
	while (text[strspn(text, " \t")]) {
		text += strspn(text, " \t");
		size_t whole = strcspn(text, ","), len = whole;
		while (len && (text[len - 1] == ' ' || text[len - 1] == '\t'))
			len--;
		*error = NULL;
		if (rules->n == RULES_MAX)
			*error = "at most 256 exceptions";
		else if (!rule_parse(&rules->items[rules->n++], (struct span){text, len}))
			*error =
			    "use host:port or CIDR blocks, comma-separated, for example hooks.lan:8443,192.168.1.0/24";
		if (*error) {
			free(rules);
			return NULL;
		}
		text += whole + (text[whole] == ',');
	}
	return mem_realloc(rules, sizeof *rules + rules->n * sizeof(struct target_rule));
}

/* True when this host and port are an exception. */
static bool rules_except_name(const struct target_rules *rules, const struct target *t)
{
	for (size_t i = 0; rules && i < rules->n; i++) {
		const struct target_rule *r = &rules->items[i];
		if (!r->is_network && r->port == t->port && strcmp(r->host, t->host) == 0)
			return true;
	}
	return false;
}

bool target_address_allowed(const struct target_rules *rules, const struct target *t, const struct sockaddr *address)
{
	if (address->sa_family != AF_INET && address->sa_family != AF_INET6)
		return false;
	if (address_public(address))
		return true;
	for (size_t i = 0; rules && i < rules->n; i++)
		if (rules->items[i].is_network && network_holds(&rules->items[i].network, address))
			return true;
	return rules_except_name(rules, t);
}

bool target_plain_allowed(const struct target_rules *rules, const struct target *t)
{
	const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)&t->address;

	if (t->literal && t->address.ss_family == AF_INET)
		return address_bytes((const struct sockaddr *)&t->address)[0] == 127 || rules_except_name(rules, t);
	if (t->literal)
		return IN6_IS_ADDR_LOOPBACK(&v6->sin6_addr) || rules_except_name(rules, t);
	return strcmp(t->host, "localhost") == 0 || rules_except_name(rules, t);
}

/* --- URLs ------------------------------------------------------------------------- */

/* Extracts the host of a URL that browsers, proxies and libcurl all parse alike: "http://" or "https://", then the
 * host with an optional port; no user info, fragment, blanks or control characters. False for all others. */
static bool url_host(const char *url, size_t len, struct span *host)
{
	size_t scheme = 0;

	if (len > 8 && strncasecmp(url, "https://", 8) == 0)
		scheme = 8;
	else if (len > 7 && strncasecmp(url, "http://", 7) == 0)
		scheme = 7;
	if (!scheme || len > TARGET_URL_MAX || !text_utf8_valid(url, len))
		return false;
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)url[i] <= 0x20 || url[i] == 0x7f || url[i] == '#' || url[i] == '\\')
			return false;
	size_t end = scheme;
	while (end < len && url[end] != '/' && url[end] != '?')
		end++;
	*host = (struct span){url + scheme, end - scheme};
	return host->len > 0 && !memchr(host->at, '@', host->len);
}

/* Removes ":port"; false when it is not a number from 1 to 65535. */
static bool host_take_port(struct span *host, uint16_t *port)
{
	size_t from = 0;

	if (host->at[0] == '[') {
		const char *bracket = memchr(host->at, ']', host->len);
		if (!bracket)
			return false;
		from = (size_t)(bracket - host->at) + 1;
	}
	const char *colon = memchr(host->at + from, ':', host->len - from);
	size_t len = colon ? (size_t)(colon - host->at) : host->len;
	uint64_t number;
	if (from && len != from)
		return false;
	if (colon) {
		size_t digits = host->len - len - 1;
		if (digits > 5 || !text_uint(colon + 1, digits, &number) || number == 0 || number > 65535)
			return false;
		*port = (uint16_t)number;
	}
	host->len = len;
	return len > 0;
}

/* An address in brackets. */
static enum target_verdict read_v6(struct target *t, struct span host)
{
	if (host.len < 2 || host.at[host.len - 1] != ']')
		return TARGET_MALFORMED;
	if (memchr(host.at, '%', host.len))
		return TARGET_FORBIDDEN; /* a zone: only link-local addresses have one */
	if (!address_parse(&t->address, host.at + 1, host.len - 2, t->port) || t->address.ss_family != AF_INET6)
		return TARGET_MALFORMED;
	t->literal = true;
	inet_ntop(AF_INET6, address_bytes((struct sockaddr *)&t->address), t->host, sizeof t->host);
	return TARGET_OK;
}

#ifdef CURLU_PUNYCODE
/* libcurl has libidn2 read the name in the locale's encoding, and the server runs in "C". */
static CURLUcode get_punycode(CURLU *url, char **out)
{
	static locale_t utf8;

	if (!utf8)
		utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
	if (!utf8)
		return CURLUE_MALFORMED_INPUT;
	locale_t before = uselocale(utf8);
	CURLUcode code = curl_url_get(url, CURLUPART_HOST, out, CURLU_PUNYCODE);
	uselocale(before);
	return code;
}
#else
/* For libcurl before 7.88 or without IDN (which it reports): only names that are already encoded. */
static CURLUcode get_punycode(CURLU *url, char **out)
{
	*out = NULL;
	(void)url;
	return CURLUE_MALFORMED_INPUT;
}
#endif

/* A name or a dotted quad: as written, or IDNA-encoded. */
static enum target_verdict read_name(struct target *t, CURLU *url, struct span host)
{
	bool ascii = true, known = false;

	if (memchr(host.at, '%', host.len))
		return TARGET_MALFORMED;
	for (size_t i = 0; i < host.len; i++)
		ascii = ascii && (unsigned char)host.at[i] < 0x80;
	if (ascii)
		known = target_normalise_name(t->host, host.at, host.len);
	char *encoded = NULL;
	if (!ascii && get_punycode(url, &encoded) == CURLUE_OK)
		known = target_normalise_name(t->host, encoded, strlen(encoded));
	curl_free(encoded);
	if (!known)
		return TARGET_MALFORMED;
	/* From the original text: IDNA turns digits of other scripts into ASCII, and "8.8.8.8." has lost its dot. */
	t->literal = address_parse(&t->address, host.at, host.len, t->port);
	return t->literal || !name_is_number(t->host) ? TARGET_OK : TARGET_FORBIDDEN;
}

/* Copies visible ASCII except what the URL standard encodes; other bytes are those of UTF-8. */
static bool target_add_encoded(char *out, size_t cap, const char *text)
{
	static const char hex[] = "0123456789ABCDEF";
	size_t n = strlen(out);

	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;
		if (n + 4 > cap)
			return false;
		if (c > 0x20 && c < 0x7f && !strchr("\"<>^`{|}", c)) {
			out[n++] = (char)c;
			continue;
		}
		out[n++] = '%';
		out[n++] = hex[c >> 4];
		out[n++] = hex[c & 15];
	}
	out[n] = '\0';
	return true;
}

static bool target_read_path(struct target *t, CURLU *url)
{
	char *path = NULL, *query = NULL;
	bool good = curl_url_get(url, CURLUPART_PATH, &path, 0) == CURLUE_OK && path[0] == '/' &&
	            target_add_encoded(t->path, sizeof t->path - 1, path);
	CURLUcode code = curl_url_get(url, CURLUPART_QUERY, &query, 0);

	if (good && code == CURLUE_OK) {
		size_t n = strlen(t->path);
		t->path[n] = '?';
		t->path[n + 1] = '\0';
		good = target_add_encoded(t->path, sizeof t->path, query);
	}
	curl_free(path);
	curl_free(query);
	return good && (code == CURLUE_OK || code == CURLUE_NO_QUERY);
}

static void write_authority(struct target *t)
{
	bool v6 = t->literal && t->address.ss_family == AF_INET6;
	int n = snprintf(t->authority, sizeof t->authority, v6 ? "[%s]" : "%s", t->host);

	if (t->port != (t->tls ? 443 : 80))
		snprintf(t->authority + n, sizeof t->authority - (size_t)n, ":%d", t->port);
}

/* Fills in t from the URL; returns a verdict about its form. */
static enum target_verdict take_apart(struct target *t, CURLU *url, const char *text, struct span host)
{
	t->tls = strncasecmp(text, "https", 5) == 0;
	t->port = t->tls ? 443 : 80;
	if (!host_take_port(&host, &t->port) || curl_url_set(url, CURLUPART_URL, text, 0) != CURLUE_OK)
		return TARGET_MALFORMED;
	enum target_verdict verdict = host.at[0] == '[' ? read_v6(t, host) : read_name(t, url, host);
	if (verdict == TARGET_OK && !target_read_path(t, url))
		return TARGET_MALFORMED;
	write_authority(t);
	return verdict;
}

enum target_verdict target_parse(struct target *out, const struct target_rules *rules, const char *url, size_t len)
{
	struct span host;

	memset(out, 0, sizeof *out);
	if (!url_host(url, len, &host))
		return TARGET_MALFORMED;
	char text[TARGET_URL_MAX + 1];
	memcpy(text, url, len);
	text[len] = '\0';
	host.at = text + (host.at - url);
	CURLU *handle = curl_url();
	if (!handle)
		return TARGET_MALFORMED;
	enum target_verdict verdict = take_apart(out, handle, text, host);
	curl_url_cleanup(handle);
	if (verdict != TARGET_OK)
		return verdict;
	if (out->literal)
		return target_address_allowed(rules, out, (const struct sockaddr *)&out->address) ? TARGET_OK
		                                                                                  : TARGET_FORBIDDEN;
	if (name_forbidden(out->host) && !rules_except_name(rules, out))
		return TARGET_FORBIDDEN;
	return TARGET_OK;
}
