/* See json_exact.h. */
#include <stdlib.h>
#include <string.h>

#include "test/lib/http/json_exact.h"
#include "test/lib/test.h"

struct json *json_exact(struct arena *a, const char *text, size_t len, const char **error)
{
	char *copy = malloc(len ? len : 1);
	if (len)
		memcpy(copy, text, len);
	*error = NULL;
	struct json *value = json_read(a, len ? copy : NULL, len, error);
	free(copy);
	assert_true((value == NULL) == (*error != NULL));
	return value;
}
