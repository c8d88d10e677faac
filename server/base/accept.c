/* The list of what a client takes; see accept.h. */
#include "server/base/accept.h"

#include <string.h>
#include <strings.h>

/* True for the parameters of an element that have a weight of zero: "q=0", "q=0.000". */
static bool accept_refuses(const char *params, const char *end)
{
	while (params < end) {
		params += strspn(params, "; \t");
		if (end - params >= 3 && strncasecmp(params, "q=0", 3) == 0) {
			params += 3;
			params += strspn(params, ".0");
			return params >= end || strchr("; \t", *params) != NULL;
		}
		params += strcspn(params, ";,");
	}
	return false;
}

bool accept_names(const char *list, const char *name)
{
	size_t len = strlen(name);

	for (const char *at = list; at && *at; at += strcspn(at, ",")) {
		const char *end;
		at += strspn(at, ", \t");
		end = at + strcspn(at, ",");
		if (strncasecmp(at, name, len) == 0 && (at[len] == '\0' || strchr(",; \t", at[len])))
			return !accept_refuses(at + len, end);
	}
	return false;
}
