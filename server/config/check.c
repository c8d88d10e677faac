/* Validates the values of settings. settings.c says which setting uses which check. */
#include "server/config/check.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <string.h>
#include <strings.h>
#include <sys/un.h>

#include "server/base/id.h"
#include "server/base/text.h"

enum { RATE_LIMIT_MAX = 1000000, RATE_WINDOW_MAX_S = 86400, LIST_ITEM_MAX = 300, ISSUER_MAX = 500 };

static bool check_is_port(const char *text)
{
	uint64_t port;

	return text_uint(text, strlen(text), &port) && port <= 65535;
}

/* True for a host name or a dotted quad: letters, digits, '-', '.', '_'. */
static bool check_is_host(const char *text, size_t len)
{
	if (len == 0 || len > 253)
		return false;
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)text[i]) && !strchr("-._", text[i]))
			return false;
	return true;
}

static bool check_is_bracketed_v6(const char *text, size_t len)
{
	char address[INET6_ADDRSTRLEN];
	struct in6_addr out;

	if (len < 4 || len - 2 >= sizeof address || text[0] != '[' || text[len - 1] != ']')
		return false;
	memcpy(address, text + 1, len - 2);
	address[len - 2] = '\0';
	return inet_pton(AF_INET6, address, &out) == 1;
}

static bool check_is_host_port(const char *text)
{
	const char *colon = strrchr(text, ':');

	if (!colon || !check_is_port(colon + 1))
		return false;
	size_t len = (size_t)(colon - text);
	return check_is_host(text, len) || check_is_bracketed_v6(text, len);
}

/* True for an address of either family, with or without a prefix length. */
static bool check_is_network(const char *text)
{
	char address[INET6_ADDRSTRLEN];
	unsigned char out[16];
	size_t len = strcspn(text, "/");

	if (len >= sizeof address)
		return false;
	memcpy(address, text, len);
	address[len] = '\0';
	bool v4 = inet_pton(AF_INET, address, out) == 1;
	if (!v4 && inet_pton(AF_INET6, address, out) != 1)
		return false;
	uint64_t prefix;
	return text[len] == '\0' ||
	       (text_uint(text + len + 1, strlen(text + len + 1), &prefix) && prefix <= (v4 ? 32 : 128));
}

static bool is_network_with_prefix(const char *text)
{
	return strchr(text, '/') && check_is_network(text);
}

/* Calls check for each item of a comma-separated list, trimmed. */
static bool check_each_item(const char *list, bool (*check)(const char *item))
{
	while (true) {
		char item[LIST_ITEM_MAX];
		list += strspn(list, " \t");
		size_t whole = strcspn(list, ","), len = whole;
		while (len && (list[len - 1] == ' ' || list[len - 1] == '\t'))
			len--;
		if (len == 0 || len >= sizeof item)
			return false;
		memcpy(item, list, len);
		item[len] = '\0';
		if (!check(item))
			return false;
		if (list[whole] == '\0')
			return true;
		list += whole + 1;
	}
}

const char *config_check_listen(char *value)
{
	if (strncmp(value, "unix:", 5) == 0) {
		if (value[5] != '/')
			return "use unix:/path with an absolute path";
		if (strlen(value + 5) >= sizeof(((struct sockaddr_un *)0)->sun_path))
			return "the path of a Unix socket has at most 107 characters: use a shorter one";
		return NULL;
	}
	return check_is_host_port(value) ? NULL : "use host:port, [v6]:port or unix:/path, for example 127.0.0.1:8080";
}

/* The address is resolved while the server runs, so its host must not be a name. */
const char *config_check_admin(char *value)
{
	const char *colon = strrchr(value, ':');
	char host[INET6_ADDRSTRLEN];
	struct in_addr out;
	size_t len;

	if (strncmp(value, "unix:", 5) == 0)
		return config_check_listen(value);
	len = colon ? (size_t)(colon - value) : 0;
	if (!colon || !check_is_port(colon + 1) || len >= sizeof host)
		return "use address:port, [v6]:port or unix:/path, for example 127.0.0.1:9464";
	memcpy(host, value, len);
	host[len] = '\0';
	return inet_pton(AF_INET, host, &out) == 1 || check_is_bracketed_v6(value, len)
	           ? NULL
	           : "use a numeric address with a port, for example 127.0.0.1:9464";
}

const char *config_check_database_url(char *value)
{
	if (strncmp(value, "postgres://", 11) == 0 || strncmp(value, "postgresql://", 13) == 0 || strchr(value, '='))
		return NULL;
	return "use postgresql://user:password@host:port/database or \"host=... dbname=...\"";
}

const char *config_check_public_url(char *value)
{
	static const char *const want = "use http://host or https://host, with a port or a path if need be, "
	                                "without user, query or fragment";
	size_t scheme = strncasecmp(value, "http://", 7) == 0 ? 7 : strncasecmp(value, "https://", 8) == 0 ? 8 : 0;

	if (scheme == 0 || strpbrk(value, "?#@\"<>\\ \t"))
		return want;
	for (const unsigned char *p = (const unsigned char *)value; *p; p++)
		if (*p < 0x21 || *p > 0x7e)
			return want;
	size_t len = strlen(value);
	while (len > scheme && value[len - 1] == '/')
		value[--len] = '\0';
	char authority[LIST_ITEM_MAX];
	size_t host_len = strcspn(value + scheme, "/");
	if (host_len >= sizeof authority)
		return want;
	memcpy(authority, value + scheme, host_len);
	authority[host_len] = '\0';
	if (!check_is_host(authority, host_len) && !check_is_bracketed_v6(authority, host_len) &&
	    !check_is_host_port(authority))
		return want;
	return NULL;
}

const char *config_check_proxies(char *value)
{
	return check_each_item(value, check_is_network)
	           ? NULL
	           : "use addresses or CIDR blocks, comma-separated, for example 10.0.0.0/8,::1";
}

static bool is_target(const char *item)
{
	return is_network_with_prefix(item) || check_is_host_port(item);
}

const char *config_check_targets(char *value)
{
	return check_each_item(value, is_target)
	           ? NULL
	           : "use host:port or CIDR blocks, comma-separated, for example hooks.lan:8443,192.168.1.0/24";
}

/* Checks the form that browsers send: scheme://host, with a port unless it is the scheme's default. */
static bool origin_has_own_port(const char *item, const char *scheme, const char *port)
{
	size_t len = strlen(item);

	return strncmp(item, scheme, strlen(scheme)) == 0 && len > strlen(port) &&
	       strcmp(item + len - strlen(port), port) == 0;
}

static bool is_origin(const char *item)
{
	const char *host = strstr(item, "://");
	size_t scheme = strspn(item, "abcdefghijklmnopqrstuvwxyz0123456789+-.");

	if (!host || host != item + scheme || !isalpha((unsigned char)*item))
		return false;
	host += 3;
	/* Browsers leave the scheme's default port out, so an origin with it would never match. */
	if (origin_has_own_port(item, "https://", ":443") || origin_has_own_port(item, "http://", ":80"))
		return false;
	return check_is_host(host, strlen(host)) || check_is_bracketed_v6(host, strlen(host)) ||
	       check_is_host_port(host);
}

const char *config_check_origins(char *value)
{
	size_t items = 1;

	for (char *p = value; *p; p++) {
		*p = text_lower(*p);
		items += *p == ',';
	}
	return strcmp(value, "*") == 0 || (items <= CONFIG_ORIGINS_MAX && check_each_item(value, is_origin))
	           ? NULL
	           : "use * or at most 64 origins without a path and as browsers write them (without :443 or :80), "
	             "comma-separated, for example "
	             "https://app.example.com,http://localhost:5173";
}

/* The issuer is compared byte for byte, so nothing of it is changed. */
const char *config_check_issuer(char *value)
{
	size_t scheme = strncmp(value, "https://", 8) == 0 ? 8 : strncmp(value, "http://", 7) == 0 ? 7 : 0;

	if (scheme == 0 || value[scheme] == '\0' || strlen(value) > ISSUER_MAX || strpbrk(value, "?#@\"<>\\ \t"))
		return "use the https:// URL that the provider calls its issuer, as it writes it, for example "
		       "https://id.example.com/realms/staff";
	return NULL;
}

const char *config_check_scopes(char *value)
{
	for (const char *at = value; *at; at += strspn(at, " ")) {
		size_t len = strcspn(at, " ");
		if (len == 6 && memcmp(at, "openid", 6) == 0)
			return strpbrk(value, "\"\\\t") ? "use scopes without quotation marks" : NULL;
		at += len;
	}
	return "use scopes separated by blanks, openid among them, for example openid email profile";
}

static bool is_domain(const char *item)
{
	return check_is_host(item, strlen(item)) && strchr(item, '.') && item[0] != '.';
}

const char *config_check_domains(char *value)
{
	return check_each_item(value, is_domain) ? NULL
	                                         : "use domains of e-mail addresses, comma-separated, for example "
	                                           "example.com,example.org; * is not allowed";
}

const char *config_check_workspace(char *value)
{
	struct uuid id;

	return id_parse(ID_WORKSPACE, value, strlen(value), &id)
	           ? NULL
	           : "use the id of a workspace, as \"kith workspace list\" shows it";
}

const char *config_parse_switch(const char *value, bool *out)
{
	*out = strcasecmp(value, "on") == 0;
	return *out || strcasecmp(value, "off") == 0 ? NULL : "use on or off";
}

const char *config_parse_rate(const char *value, struct rate_policy *out)
{
	uint64_t limit, window;
	const char *slash = strchr(value, '/');

	if (strcmp(value, "0") == 0) {
		*out = (struct rate_policy){0, 0};
		return NULL;
	}
	if (!slash || !text_uint(value, (size_t)(slash - value), &limit) ||
	    !text_uint(slash + 1, strlen(slash + 1), &window) || limit > RATE_LIMIT_MAX || window == 0 ||
	    window > RATE_WINDOW_MAX_S)
		return "use requests/seconds, for example 600/60 (at most 1000000/86400), or 0 to switch it off";
	*out = (struct rate_policy){(int)limit, (int)window};
	return NULL;
}

const char *config_parse_int(const char *value, int min, int max, int *out)
{
	uint64_t number;

	if (!text_uint(value, strlen(value), &number) || number < (uint64_t)min || number > (uint64_t)max)
		return "use a whole number in the range that kith config shows";
	*out = (int)number;
	return NULL;
}
