/*
 * Where a webhook may lead: the address rule, the same at save and at connect
 * (docs/api.md, "Webhooks"). target.c is the only file of the server that calls libcurl's URL parser.
 */
#ifndef KITH_WEBHOOK_TARGET_H
#define KITH_WEBHOOK_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

enum { TARGET_URL_MAX = 2048, TARGET_HOST_MAX = 253 };

/* Exceptions of the setting webhook_allow_targets: exact host:port, or CIDR. */
struct target_rules;
/* NULL, with a constant message in *error, when the text is wrong. "" and NULL are no exceptions. */
struct target_rules *target_rules_parse(const char *text, const char **error);
void target_rules_free(struct target_rules *rules);

struct target {
	bool tls;
	uint16_t port;
	char host[TARGET_HOST_MAX + 1]; /* lower case, IDNA-encoded, without brackets and trailing dot */
	bool literal;                   /* host is an address: */
	struct sockaddr_storage address;
	char authority[TARGET_HOST_MAX + 16]; /* for Host: */
	char path[TARGET_URL_MAX * 3 + 2]; /* with the query, as it goes into the request line; the last member, so that
	                                      copies may end with it */
};

enum target_verdict {
	TARGET_OK,
	TARGET_MALFORMED, /* no http or https URL, has user info or a fragment, too long */
	TARGET_FORBIDDEN  /* a name or an address that the rule forbids, a number that is no dotted quad */
};

/* Takes a URL apart and checks what can be checked without resolving. */
enum target_verdict target_parse(struct target *out, const struct target_rules *rules, const char *url, size_t len);

/* True when the rule lets connect to the address for that target: public unicast, or an exception. */
bool target_address_allowed(const struct target_rules *rules, const struct target *t, const struct sockaddr *address);

#endif
