/* Arbitrary bytes to the parsers of identifiers, dates, times and API keys: formatting what was parsed must give the
 * same text or value. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/apikey.h"
#include "server/base/clock.h"
#include "server/base/id.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must_hold(bool holds)
{
	if (!holds)
		abort();
}

static void check_ids(const char *text, size_t len)
{
	char out[ID_SIZE], bare[37];
	enum id_kind kind;
	struct uuid id;
	bool any = id_parse_any(text, len, &kind, &id);
	for (int i = 0; i < ID_KINDS; i++) {
		struct uuid other;
		must_hold(id_parse((enum id_kind)i, text, len, &other) == (any && kind == (enum id_kind)i));
	}
	if (any) {
		must_hold(strlen(id_format(kind, &id, out)) == len && memcmp(out, text, len) == 0);
	}
	if (uuid_parse(text, len, &id))
		must_hold(len == 36 && memcmp(uuid_format(&id, bare), text, len) == 0);
}

static void check_times(const char *text, size_t len)
{
	char out[TIME_TEXT_SIZE], date[DATE_TEXT_SIZE], http[HTTP_DATE_SIZE];
	int64_t ms, again;
	int32_t days;
	int minutes;
	if (time_parse(text, len, &ms)) {
		must_hold(strlen(time_format(ms, out)) == 24);
		must_hold(time_parse(out, 24, &again) && again == ms);
		must_hold(strlen(http_date_format(ms / 1000, http)) == 29);
	}
	if (date_parse(text, len, &days))
		must_hold(len == 10 && memcmp(date_format(days, date), text, len) == 0);
	if (clock_time_parse(text, len, &minutes))
		must_hold(len == 5 && minutes >= 0 && minutes < 1440);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	check_ids(text, size);
	check_times(text, size);
	if (apikey_well_formed(text, size))
		must_hold(size == APIKEY_LEN && memcmp(text, "kith_", 5) == 0);
	return 0;
}
