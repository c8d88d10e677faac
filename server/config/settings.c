/* The table of settings is the only place where a setting is added. */
#include "server/config/settings.h"

#include <stddef.h>
#include <string.h>

#include "server/base/near.h"
#include "server/config/check.h"

enum { NEAR_MAX = 3 };

#define AT(member) offsetof(struct config, member)

const struct setting settings[] = {
    {"database_url", SETTING_TEXT, AT(database_url), "", "URL or libpq connection string",
        "the PostgreSQL database; unset: a private cluster under data_dir, started and stopped with the server",
        .check = config_check_database_url},
    {"replica_url", SETTING_TEXT, AT(replica_url), "", "URL or libpq connection string",
        "a hot standby of that database; lists and searches are read there when it has all writes of their workspace",
        .check = config_check_database_url},
    {"data_dir", SETTING_TEXT, AT(data_dir), "./var", "directory",
        "where the private cluster and the secret file are kept"},
    {"listen", SETTING_LISTEN, AT(listen), "127.0.0.1:8080", "host:port or unix:/path",
        "where to serve; may be repeated, or list several addresses, comma-separated (at most 8)"},
    {"admin_listen", SETTING_TEXT, AT(admin_listen), "", "address:port or unix:/path",
        "where /metrics and other pages for operators are served, without a key; unset: nowhere",
        .check = config_check_admin},
    {"public_url", SETTING_TEXT, AT(public_url), "", "URL",
        "the address that clients see, in links and webhooks; unset: taken from each request",
        .check = config_check_public_url},
    {"rate_default", SETTING_RATE, AT(rate_default), "600/60", "requests/seconds",
        "the long rate limit of a user; 0 is off"},
    {"rate_burst", SETTING_RATE, AT(rate_burst), "20/2", "requests/seconds",
        "the short rate limit of a user; 0 is off"},
    {"db_connections", SETTING_INT, AT(db_connections), "16", "connections, 1-40",
        "connections for writing; those for reading follow from the number of cores", .min = 1, .max = 40},
    {"trusted_proxies", SETTING_TEXT, AT(trusted_proxies), "127.0.0.0/8,::1", "addresses or CIDR, comma-separated",
        "peers whose X-Forwarded-Proto, -Host and -For, and X-Request-Id, are trusted; Unix sockets always are",
        .check = config_check_proxies},
    {"webhook_allow_targets", SETTING_TEXT, AT(webhook_allow_targets), "", "host:port or CIDR, comma-separated",
        "webhook targets that are allowed despite a non-public address", .check = config_check_targets},
    {"cors_origins", SETTING_TEXT, AT(cors_origins), "", "origins, comma-separated, or *",
        "origins whose pages may use the API in a browser, such as https://app.example.com",
        .check = config_check_origins},
    {"oidc_issuer", SETTING_TEXT, AT(oidc_issuer), "", "URL",
        "the issuer of an OpenID Connect provider through which people sign in; unset: none",
        .check = config_check_issuer},
    {"oidc_client_id", SETTING_TEXT, AT(oidc_client_id), "", "text", "the id that the provider has given to kith"},
    {"oidc_client_secret_file", SETTING_TEXT, AT(oidc_client_secret_file), "", "file",
        "has the secret that belongs to the id; unset: a public client, which has none"},
    {"oidc_scopes", SETTING_TEXT, AT(oidc_scopes), "openid email profile", "scopes, separated by blanks",
        "what kith asks the provider for", .check = config_check_scopes},
    {"oidc_domains", SETTING_TEXT, AT(oidc_domains), "", "domains, comma-separated",
        "people with a verified e-mail address of these become members; unset: only users sign in",
        .check = config_check_domains},
    {"oidc_workspace", SETTING_TEXT, AT(oidc_workspace), "", "id of a workspace",
        "where people sign in through the provider; unset: the only workspace", .check = config_check_workspace},
    {"gzip", SETTING_SWITCH, AT(gzip), "off", "on or off", "compress answers over 1 KiB for clients that ask for it"},
    {"password_sign_in", SETTING_SWITCH, AT(password_sign_in), "on", "on or off",
        "let people sign in with an e-mail address and a password, and accept invitations"},
    {"log_level", SETTING_LEVEL, AT(log_level), "info", "error, warn, info or debug", "how much is written to stderr"},
    {"secret_file", SETTING_TEXT, AT(secret_file), "", "file",
        "the key that encrypts webhook secrets, created if missing; unset: secret under data_dir"},
    {"event_retention", SETTING_INT, AT(event_retention), "90", "days, 1-3650",
        "how long events and failed deliveries are kept; a reader of the feed that was offline for longer misses "
        "events",
        .min = 1, .max = 3650},
    {"delivery_retention", SETTING_INT, AT(delivery_retention), "7", "days, 1-3650",
        "how long successful deliveries are kept, at most as long as events", .min = 1, .max = 3650},
    {"clock_scale", SETTING_INT, AT(clock_scale), "1", "factor, 1-1000000",
        "for tests only: schedules, holds, retention and expiry run that many times faster", .min = 1, .max = 1000000},
};
const int n_settings = sizeof settings / sizeof *settings;

/* '-' is accepted for '_': --data-dir means --data_dir. */
static bool name_equal(const char *name, const char *text, size_t len)
{
	if (strlen(name) != len)
		return false;
	for (size_t i = 0; i < len; i++)
		if (name[i] != (text[i] == '-' ? '_' : text[i]))
			return false;
	return true;
}

const struct setting *setting_find(const char *text, size_t len)
{
	for (int i = 0; i < n_settings; i++)
		if (name_equal(settings[i].name, text, len))
			return &settings[i];
	return NULL;
}

void config_near(const char *name, struct buf *out)
{
	int found = 0;
	size_t len = strlen(name);

	for (size_t limit = 1; limit <= 3 && found == 0; limit++) {
		for (int i = 0; i < n_settings && found < NEAR_MAX; i++) {
			bool starts = len >= 3 && strncmp(settings[i].name, name, len) == 0;
			if (near_distance(settings[i].name, strlen(settings[i].name), name, len) > limit &&
			    !(limit == 3 && starts))
				continue;
			buf_printf(out, "%s%s", found++ ? ", " : "", settings[i].name);
		}
	}
}
