/* Reads the lists of what a client accepts; see accept.h. */
#include "server/base/accept.h"

#include <string.h>
#include <strings.h>

enum { WEIGHT_MOST = 1000 };

/* Reads "0.5" as thousandths. 0: the text is not a weight. */
static int read_weight(const char *text, size_t len)
{
	int weight, scale = 100;

	if (len == 0 || len > 5 || (text[0] != '0' && text[0] != '1') || (len > 1 && text[1] != '.'))
		return 0;
	weight = (text[0] - '0') * WEIGHT_MOST;
	for (size_t i = 2; i < len; i++, scale /= 10) {
		if (text[i] < '0' || text[i] > '9')
			return 0;
		weight += (text[i] - '0') * scale;
	}
	return weight <= WEIGHT_MOST ? weight : 0;
}

/* Returns the weight from the parameters of an element: "", ";q=0.5", ";level=1;q=0.5". */
static int element_weight(const char *at, const char *end)
{
	while ((at += strspn(at, " \t")) < end) {
		size_t len;
		if (*at != ';')
			return 0;
		at += 1 + strspn(at + 1, " \t");
		len = strcspn(at, ";, \t");
		if ((*at == 'q' || *at == 'Q') && (len == 1 || at[1] == '='))
			return len > 2 ? read_weight(at + 2, len - 2) : 0;
		at += len;
	}
	return WEIGHT_MOST;
}

int accept_weight(const char *list, const char *name)
{
	size_t len = strlen(name);
	int weight = -1;

	for (const char *at = list; at && *at; at += strcspn(at, ",")) {
		at += strspn(at, ", \t");
		if (strncasecmp(at, name, len) == 0 && (at[len] == '\0' || strchr(",; \t", at[len])))
			weight = element_weight(at + len, at + strcspn(at, ","));
	}
	return weight;
}

bool accept_names(const char *list, const char *name)
{
	return accept_weight(list, name) > 0;
}
