/* Validates the values of settings, with one pure function for each kind of value. */
#ifndef KITH_SERVER_CONFIG_CHECK_H
#define KITH_SERVER_CONFIG_CHECK_H

#include <stdbool.h>

#include "server/config/config.h"

/* Each returns NULL when the value is valid. Otherwise it returns what to write instead, as the end of a sentence ("use
 * host:port, ..."). A value may be normalised in place; it never grows. */
const char *config_check_listen(char *value);
const char *config_check_admin(char *value);
const char *config_check_database_url(char *value);
const char *config_check_public_url(char *value);
const char *config_check_proxies(char *value); /* addresses and CIDR, comma-separated */
const char *config_check_targets(char *value); /* host:port and CIDR, comma-separated */
const char *config_check_origins(char *value); /* "*", or scheme://host:port, comma-separated */
const char *config_check_issuer(char *value);
const char *config_check_scopes(char *value);    /* of OpenID Connect, separated by blanks */
const char *config_check_domains(char *value);   /* of e-mail addresses, comma-separated */
const char *config_check_workspace(char *value); /* an id */

/* Parses "600/60"; "0" means off. */
const char *config_parse_rate(const char *value, struct rate_policy *out);
const char *config_parse_int(const char *value, int min, int max, int *out);
const char *config_parse_switch(const char *value, bool *out); /* "on", "off" */

#endif
