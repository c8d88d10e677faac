/* Errors: each status has its phrase. */
#include <string.h>

#include "server/http/http.h"
#include "server/request/errors.h"
#include "test/lib/test.h"

/* Those of the table, and those with which the HTTP edge, routing and pages answer. */
TEST(test_phrases)
{
	static const int others[] = {200, 201, 202, 204, 304, 308, 405, 408, 413, 414, 415, 417, 431, 501, 505};
	const char *unknown = http_phrase(299);

	assert_string_equal(http_phrase(412), "Precondition Failed");
	for (int code = 0; code < ERROR_CODES; code++)
		if (strcmp(http_phrase(error_rows[code].status), unknown) == 0)
			fail_msg("%s: %d has no phrase", error_rows[code].code, error_rows[code].status);
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (strcmp(http_phrase(others[i]), unknown) == 0)
			fail_msg("%d has no phrase", others[i]);
}
