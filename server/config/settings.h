/* The table of settings. Values are parsed in config.c. */
#ifndef KITH_SERVER_CONFIG_SETTINGS_H
#define KITH_SERVER_CONFIG_SETTINGS_H

#include <stddef.h>

enum setting_kind { SETTING_TEXT, SETTING_LISTEN, SETTING_RATE, SETTING_INT, SETTING_LEVEL, SETTING_SWITCH };

struct setting {
	const char *name;
	enum setting_kind kind;
	size_t at;           /* offset of its member in struct config */
	const char *initial; /* its default; "" is unset */
	const char *unit;
	const char *meaning;
	const char *(*check)(char *value); /* SETTING_TEXT: validates the value, see check.h; NULL: any text is valid */
	int min, max;                      /* SETTING_INT */
};

extern const struct setting settings[];
extern const int n_settings;

/* Returns the setting of that name, NULL when there is none. '-' is accepted for '_'. */
const struct setting *setting_find(const char *name, size_t len);

#endif
