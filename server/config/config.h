/* Settings: one table decides how the file, the environment and the command line are parsed and what `kith config`
 * prints. make lint compares it with docs/settings.md. */
#ifndef KITH_SERVER_CONFIG_CONFIG_H
#define KITH_SERVER_CONFIG_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "server/base/buf.h"
#include "server/base/log.h"

struct rate_policy {
	int limit, window_s;
}; /* limit 0: off */

enum { CONFIG_LISTEN_MAX = 8, CONFIG_ORIGINS_MAX = 64 };

struct config {
	char *database_url; /* NULL: the embedded cluster under data_dir */
	char *replica_url;  /* NULL: lists are read from database_url */
	char *data_dir;
	char *listen[CONFIG_LISTEN_MAX];
	int n_listen;
	char *admin_listen; /* for operators; NULL: off */
	char *public_url;   /* NULL: taken from the request */
	struct rate_policy rate_default, rate_burst;
	int db_connections; /* size of the write lane; the other lanes' sizes follow from it and the number of cores */
	char *trusted_proxies; /* comma-separated addresses or CIDR */
	char *webhook_allow_targets;
	char *cors_origins; /* "*", or comma-separated origins; NULL: none */
	char *oidc_issuer;  /* NULL: no provider of OpenID Connect; the other settings of it are then not used */
	char *oidc_client_id, *oidc_client_secret_file, *oidc_scopes;
	char *oidc_domains, *oidc_workspace; /* NULL: unset */
	bool gzip;
	bool password_sign_in; /* people may sign in with a password */
	enum log_level log_level;
	char *secret_file;      /* NULL: "secret" under data_dir */
	int event_retention;    /* days */
	int delivery_retention; /* days for which delivered deliveries are kept */
	int clock_scale;        /* tests only: factor by which schedules, holds and retention run faster */
	char *config_file;      /* the file that was read, for SIGHUP; NULL: none */
};

/* Reads defaults, then the file named by --config or KITH_CONFIG, then KITH_<NAME> in the environment, then --name
 * value or --name=value. Later sources win. argv is what follows the command's name. Words that are not settings stay
 * in argv, in order, and *argc is reduced. False with a message that says what to do. */
bool config_load(struct config *c, int *argc, char **argv, char error[512]);
void config_free(struct config *c);

/* Prints one JSON object per line and setting: name, value (passwords in URLs are masked), default, unit, meaning. */
void config_print(const struct config *c, struct buf *out);

/* Appends the settings whose names are similar to a misspelt one, comma-separated; nothing when there are none. */
void config_near(const char *name, struct buf *out);

/* Returns a schedule or retention of ms milliseconds under the setting clock_scale; at least 1. */
int64_t config_scaled_ms(const struct config *c, int64_t ms);
int64_t config_days_ms(const struct config *c, int days);

/* Appends the settings' part of --help. */
void config_help(struct buf *out);

#endif
