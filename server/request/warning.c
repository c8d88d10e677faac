/* The table of warnings, and their form. */
#include "server/request/warning.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const struct warning_row warning_rows[WARNING_CODES] = {
    [WARNING_UNKNOWN_PARAMETER] = {"unknown_parameter", "a parameter of the query is unknown, and was ignored"},
    [WARNING_NOT_FOUND] = {"reference_not_found", "a person or company of an object does not exist, and was left out"},
    [WARNING_OUTSIDE_GROUP] = {"reference_outside_group",
        "a person or company is not in the group of the object, and was left out"},
    [WARNING_VALUE_NOT_SET] = {"value_not_set",
        "an item of a custom value refers to something that does not exist or is not visible, and was left out"},
    [WARNING_RECORD_EXISTED] = {"record_existed", "a company of this name already existed and was not changed"},
    [WARNING_NO_MATCH_VALUE] = {"no_match_value", "a record of an upsert has no value to match by, and was created"},
    [WARNING_DEPRECATED] = {"deprecated", "the request uses something that will be removed; see `deprecations`"},
};

void warning_write(struct buf *out, enum warning_code code, const struct path *at, const char *format, ...)
{
	struct issues one;
	char message[1200];
	const char *rest;
	va_list args;

	va_start(args, format);
	vsnprintf(message, sizeof message, format, args);
	va_end(args);
	issues_init(&one);
	issue_custom(&one, at, "%s", message);
	/* The JSON of an issue, except its code. */
	rest = strstr(one.json.data, "\"message\"");
	buf_printf(out, "{\"code\":\"%s\",", warning_rows[code].code);
	buf_add(out, rest, one.json.len - (size_t)(rest - one.json.data));
	issues_free(&one);
}
