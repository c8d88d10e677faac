/* Settings: reads them from file, environment and command line, and prints them. settings.c has the table and check.c
 * validates values. The users of struct config decide what a setting does. */
#include "server/config/config.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server/base/arena.h"
#include "server/base/json.h"
#include "server/base/near.h"
#include "server/base/text.h"
#include "server/config/check.h"
#include "server/config/settings.h"

/* The file of a packaged program (./configure --with-config-file). */
#ifndef KITH_CONFIG_FILE
#define KITH_CONFIG_FILE ""
#endif

enum { LINE_MAX_LEN = 8192, LINES_MAX = 10000 };

static void *config_member(const struct config *c, const struct setting *s)
{
	return (char *)(uintptr_t)c + s->at;
}

/* --- one value ------------------------------------------------------------------ */

static void config_clear_listen(struct config *c)
{
	for (int i = 0; i < c->n_listen; i++)
		free(c->listen[i]);
	c->n_listen = 0;
}

/* Adds the addresses of one value; the caller has cleared those of earlier sources. */
static const char *add_listen(struct config *c, char *value)
{
	for (char *rest = value; rest;) {
		char *item = rest + strspn(rest, " \t");
		rest = strchr(item, ',');
		if (rest)
			*rest++ = '\0';
		size_t len = strlen(item);
		while (len && (item[len - 1] == ' ' || item[len - 1] == '\t'))
			item[--len] = '\0';
		const char *wrong = config_check_listen(item);
		if (wrong)
			return wrong;
		if (c->n_listen == CONFIG_LISTEN_MAX)
			return "at most 8 addresses: leave some out";
		c->listen[c->n_listen++] = mem_dupz(item);
	}
	return NULL;
}

static const char *set_text(const struct setting *s, char **at, char *value)
{
	if (*value == '\0' && *s->initial != '\0')
		return "it cannot be empty: give a value, or leave the setting out for its default";
	const char *wrong = *value && s->check ? s->check(value) : NULL;
	if (wrong)
		return wrong;
	free(*at);
	*at = *value ? mem_dupz(value) : NULL;
	return NULL;
}

/* Returns NULL, or what is wrong. May change value. */
static const char *set_value(struct config *c, const struct setting *s, char *value)
{
	switch (s->kind) {
	case SETTING_TEXT:
		return set_text(s, config_member(c, s), value);
	case SETTING_LISTEN:
		return add_listen(c, value);
	case SETTING_RATE:
		return config_parse_rate(value, config_member(c, s));
	case SETTING_INT:
		return config_parse_int(value, s->min, s->max, config_member(c, s));
	case SETTING_SWITCH:
		return config_parse_switch(value, config_member(c, s));
	case SETTING_LEVEL:
		return log_level_parse(value, config_member(c, s)) ? NULL : "use error, warn, info or debug";
	}
	return "unknown kind of setting";
}

/* True for connection strings, because they may contain a password. */
static bool setting_is_secret(const struct setting *s)
{
	return s->check == config_check_database_url;
}

/* where names the source for messages. The first addresses of a source replace those of earlier sources. */
static bool config_apply(
    struct config *c, const struct setting *s, const char *value, const char *where, bool *listen_seen, char error[512])
{
	if (s->kind == SETTING_LISTEN && !*listen_seen) {
		config_clear_listen(c);
		*listen_seen = true;
	}
	char *copy = mem_dupz(value);
	const char *wrong = set_value(c, s, copy);
	bool secret = setting_is_secret(s);
	if (wrong)
		snprintf(error, 512, "%s: %s is %s%.100s%s: %s (%s)", where, s->name, secret ? "" : "\"",
		    secret ? "not understood" : value, secret ? "" : "\"", wrong, s->unit);
	free(copy);
	return wrong == NULL;
}

/* --- sources ---------------------------------------------------------------------- */

static bool config_refuse_unknown(const char *where, const char *name, char error[512])
{
	struct buf near;

	buf_init(&near, 256);
	config_near(name, &near);
	if (near.len)
		snprintf(error, 512, "%s: \"%.60s\" is not a setting; did you mean %s?", where, name, near.data);
	else
		snprintf(error, 512, "%s: \"%.60s\" is not a setting; kith config lists them all", where, name);
	buf_free(&near);
	return false;
}

static char *config_trim(char *text)
{
	text += strspn(text, " \t\r\n");
	size_t len = strlen(text);
	while (len && strchr(" \t\r\n", text[len - 1]))
		text[--len] = '\0';
	return text;
}

static bool read_line(struct config *c, char *line, const char *where, bool *listen_seen, char error[512])
{
	line = config_trim(line);
	if (*line == '\0' || *line == '#')
		return true;
	char *equals = strchr(line, '=');
	if (!equals) {
		snprintf(error, 512, "%s: the line has no '=': write name = value, or begin a comment with #", where);
		return false;
	}
	*equals = '\0';
	char *name = config_trim(line);
	const struct setting *s = setting_find(name, strlen(name));
	if (!s)
		return config_refuse_unknown(where, name, error);
	return config_apply(c, s, config_trim(equals + 1), where, listen_seen, error);
}

static bool config_read_file(struct config *c, const char *path, char error[512])
{
	char line[LINE_MAX_LEN], where[320];
	bool ok = true, listen_seen = false;
	FILE *file = fopen(path, "re");

	if (!file) {
		snprintf(error, 512, "%.300s: cannot read the settings: %s; check --config or KITH_CONFIG", path,
		    strerror(errno));
		return false;
	}
	for (int number = 1; ok && fgets(line, sizeof line, file); number++) {
		snprintf(where, sizeof where, "%.300s:%d", path, number);
		if (strlen(line) == sizeof line - 1 || number > LINES_MAX) {
			snprintf(
			    error, 512, "%s: too long for a file of settings: check --config or KITH_CONFIG", where);
			ok = false;
		} else {
			ok = read_line(c, line, where, &listen_seen, error);
		}
	}
	if (ok && ferror(file)) {
		snprintf(error, 512, "%.300s: cannot read the settings: %s; check --config or KITH_CONFIG", path,
		    strerror(errno));
		ok = false;
	}
	fclose(file);
	return ok;
}

/* Other KITH_ variables may belong to other programs, so only names that look like a typing error are refused. */
static bool read_environment(struct config *c, char error[512])
{
	bool listen_seen = false;

	for (char **entry = environ; *entry; entry++) {
		char name[64], where[64];
		size_t len = strncmp(*entry, "KITH_", 5) == 0 ? strcspn(*entry, "=") - 5 : 0;
		if (len == 0 || len + 5 >= sizeof where)
			continue;
		for (size_t i = 0; i < len; i++)
			name[i] = text_lower((*entry)[5 + i]);
		name[len] = '\0';
		const struct setting *s = setting_find(name, len);
		snprintf(where, sizeof where, "%.*s", (int)len + 5, *entry);
		if (s && !config_apply(c, s, *entry + len + 6, where, &listen_seen, error))
			return false;
		for (int i = 0; i < n_settings && !s; i++)
			if (near_distance(settings[i].name, strlen(settings[i].name), name, len) <= 2)
				return config_refuse_unknown("environment, behind KITH_", name, error);
	}
	return true;
}

/* Removes "--name value" and "--name=value" from argv: of --config if file is set, otherwise of settings. */
static bool config_read_flags(struct config *c, int *argc, char **argv, bool file, char error[512])
{
	bool listen_seen = false;
	int kept = 0, i = 0;

	for (; i < *argc && strcmp(argv[i], "--") != 0; i++) {
		const char *word = argv[i];
		char where[64];
		size_t len = strncmp(word, "--", 2) == 0 ? strcspn(word + 2, "=") : 0;
		const struct setting *s = len ? setting_find(word + 2, len) : NULL;
		if (file ? len != 6 || strncmp(word + 2, "config", 6) != 0 : !s) {
			argv[kept++] = argv[i];
			continue;
		}
		const char *value = word[2 + len] == '=' ? word + 3 + len : NULL;
		if (!value && i + 1 < *argc && strncmp(argv[i + 1], "--", 2) != 0)
			value = argv[++i];
		if (!value) {
			snprintf(error, 512, "%.60s needs a value: --name value or --name=value", word);
			return false;
		}
		if (file) {
			free(c->config_file);
			c->config_file = mem_dupz(value);
			continue;
		}
		snprintf(where, sizeof where, "--%s", s->name);
		if (!config_apply(c, s, value, where, &listen_seen, error))
			return false;
	}
	for (; i < *argc; i++)
		argv[kept++] = argv[i];
	*argc = kept;
	return true;
}

static bool apply_defaults(struct config *c, char error[512])
{
	bool listen_seen = false;

	for (int i = 0; i < n_settings; i++)
		if (!config_apply(c, &settings[i], settings[i].initial, "default", &listen_seen, error))
			return false;
	return true;
}

/* A packaged program reads the package's file unless another file is given. If that file is missing, only defaults
 * apply. If it cannot be read, that is an error, because the user did not want the embedded database. */
static char *default_file(void)
{
	const char *file = getenv("KITH_CONFIG");

	if (!file || !*file)
		file = *KITH_CONFIG_FILE && (access(KITH_CONFIG_FILE, F_OK) == 0 || errno != ENOENT) ? KITH_CONFIG_FILE
		                                                                                     : NULL;
	return file ? mem_dupz(file) : NULL;
}

bool config_load(struct config *c, int *argc, char **argv, char error[512])
{
	memset(c, 0, sizeof *c);
	c->config_file = default_file();
	bool ok = apply_defaults(c, error) && config_read_flags(c, argc, argv, true, error) &&
	          (!c->config_file || config_read_file(c, c->config_file, error)) && read_environment(c, error) &&
	          config_read_flags(c, argc, argv, false, error);
	if (!ok)
		config_free(c);
	return ok;
}

void config_free(struct config *c)
{
	for (int i = 0; i < n_settings; i++)
		if (settings[i].kind == SETTING_TEXT)
			free(*(char **)config_member(c, &settings[i]));
	config_clear_listen(c);
	free(c->config_file);
	memset(c, 0, sizeof *c);
}

/* --- output ----------------------------------------------------------------------- */

/* Returns the length of a password: to the closing quote if it is quoted, otherwise to a blank or '&'. */
static size_t secret_length(const char *value)
{
	if (*value != '\'')
		return strcspn(value, " &");
	size_t len = 1;
	while (value[len] && value[len] != '\'')
		len += value[len] == '\\' && value[len + 1] ? 2 : 1;
	return len + (value[len] == '\'');
}

/* Writes the connection string with its password as "***". */
static void print_masked(struct json_out *o, const char *url)
{
	struct buf out;

	buf_init(&out, LINE_MAX_LEN);
	const char *scheme = strstr(url, "://");
	const char *at = scheme ? strchr(scheme + 3, '@') : NULL;
	const char *colon = at ? memchr(scheme + 3, ':', (size_t)(at - scheme - 3)) : NULL;
	if (colon) {
		buf_add(&out, url, (size_t)(colon + 1 - url));
		buf_addz(&out, "***");
		url = at;
	}
	for (const char *key; (key = strstr(url, "password"));) {
		const char *value = key + strlen("password");
		value += strspn(value, " =");
		size_t len = secret_length(value);
		buf_add(&out, url, (size_t)(value - url));
		buf_addz(&out, "***");
		url = value + len;
	}
	buf_addz(&out, url);
	json_string(o, out.data ? out.data : "");
	buf_free(&out);
}

static void print_value(struct json_out *o, const struct config *c, const struct setting *s)
{
	const char *text;
	char rate_text[32];
	const struct rate_policy *rate;

	switch (s->kind) {
	case SETTING_TEXT:
		text = *(char **)config_member(c, s);
		if (text && setting_is_secret(s))
			print_masked(o, text);
		else
			json_string(o, text);
		break;
	case SETTING_LISTEN:
		json_begin_array(o);
		for (int i = 0; i < c->n_listen; i++)
			json_string(o, c->listen[i]);
		json_end_array(o);
		break;
	case SETTING_RATE:
		rate = config_member(c, s);
		if (rate->limit)
			snprintf(rate_text, sizeof rate_text, "%d/%d", rate->limit, rate->window_s);
		else
			snprintf(rate_text, sizeof rate_text, "0");
		json_string(o, rate_text);
		break;
	case SETTING_INT:
		json_int(o, *(int *)config_member(c, s));
		break;
	case SETTING_SWITCH:
		json_string(o, *(bool *)config_member(c, s) ? "on" : "off");
		break;
	case SETTING_LEVEL:
		json_string(o, log_level_names[*(enum log_level *)config_member(c, s)]);
		break;
	}
}

void config_print(const struct config *c, struct buf *out)
{
	for (int i = 0; i < n_settings; i++) {
		const struct setting *s = &settings[i];
		struct json_out o;
		json_out_init(&o, out);
		json_begin_object(&o);
		json_add_string(&o, "name", s->name);
		json_key(&o, "value");
		print_value(&o, c, s);
		json_add_string(&o, "default", *s->initial ? s->initial : NULL);
		json_add_string(&o, "unit", s->unit);
		json_add_string(&o, "meaning", s->meaning);
		json_end_object(&o);
		buf_addc(out, '\n');
	}
}

void config_help(struct buf *out)
{
	buf_addz(out,
	    "Settings are read from a file (--config FILE, lines of name = value), then from KITH_<NAME> in the\n"
	    "environment, then from --name value. The last value counts:\n");
	for (int i = 0; i < n_settings; i++)
		buf_printf(out, "  --%-22s %s\n  %24s (%s; default: %s)\n", settings[i].name, settings[i].meaning, "",
		    settings[i].unit, *settings[i].initial ? settings[i].initial : "unset");
}

int64_t config_scaled_ms(const struct config *c, int64_t ms)
{
	int64_t scaled = ms / (c->clock_scale > 1 ? c->clock_scale : 1);

	return scaled > 0 ? scaled : 1;
}

int64_t config_days_ms(const struct config *c, int days)
{
	return config_scaled_ms(c, days * INT64_C(24) * 60 * 60 * 1000);
}
