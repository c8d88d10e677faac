/* The table of the settings and their names. Values are read in config.c. */
#ifndef KITH_SERVER_CONFIG_TABLE_H
#define KITH_SERVER_CONFIG_TABLE_H

#include <stddef.h>

#include "server/config/config.h"

enum setting_kind { SETTING_TEXT, SETTING_LISTEN, SETTING_RATE, SETTING_INT, SETTING_LEVEL };

struct setting {
	const char *name;
	enum setting_kind kind;
	size_t at;           /* of its member in struct config */
	const char *initial; /* its default; "" is unset */
	const char *unit;
	const char *meaning;
	const char *(*check)(char *value); /* SETTING_TEXT: more than "any text"; see check.h */
	int min, max;                      /* SETTING_INT */
};

extern const struct setting settings[];
extern const int n_settings;

/* The setting of that name, NULL when there is none. '-' counts as '_'. */
const struct setting *setting_find(const char *name, size_t len);

/* How many letters differ (Levenshtein); in b '-' counts as '_'. SIZE_MAX when b is longer than any name could be. */
size_t config_distance(const char *a, const char *b);

/* How many letters differ (Levenshtein); SIZE_MAX when the name is longer than any could be. */
size_t setting_distance(const struct setting *s, const char *name);

#endif
