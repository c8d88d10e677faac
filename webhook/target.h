/* The rule for the addresses that a webhook may have, applied when it is saved and at each connection (docs/api.md,
 * "Webhooks").
 * Only target.c uses libcurl's URL parser. */
#ifndef KITH_WEBHOOK_TARGET_H
#define KITH_WEBHOOK_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

enum { TARGET_URL_MAX = 2048, TARGET_HOST_MAX = 253 };

/* Exceptions from the setting webhook_allow_targets: exact host:port, or CIDR. */
struct target_rules;
/* Freed with free(). NULL, with a constant message in *error, when the text is malformed. "" and NULL mean
 * that there are no exceptions. */
struct target_rules *target_rules_parse(const char *text, const char **error);

struct target {
	bool tls;
	uint16_t port;
	char host[TARGET_HOST_MAX + 1]; /* lower case, IDNA-encoded, without brackets and trailing dot */
	bool literal;                   /* host is an address, given in: */
	struct sockaddr_storage address;
	char authority[TARGET_HOST_MAX + 16]; /* for the Host header */
	char path[TARGET_URL_MAX * 3 +
	          2]; /* with the query, as sent in the request line; last, so that copies can be cut after it */
};

enum target_verdict {
	TARGET_OK,
	TARGET_MALFORMED, /* not an http or https URL, user info or a fragment, too long */
	TARGET_FORBIDDEN  /* a forbidden name or address, a number that is not a dotted quad */
};

/* Parses a URL and checks everything that needs no resolving. */
enum target_verdict target_parse(struct target *out, const struct target_rules *rules, const char *url, size_t len);

/* True when the rule allows connecting to the address for that target: public unicast, or an exception. */
bool target_address_allowed(const struct target_rules *rules, const struct target *t, const struct sockaddr *address);

/* True when a URL of a document may have http instead of https: the target is on loopback, or the exceptions have
 * exactly its host and port. */
bool target_plain_allowed(const struct target_rules *rules, const struct target *t);

#endif
