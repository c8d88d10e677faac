/* See history_check.h. */
#include "test/lib/history/history_check.h"

#include "test/lib/history/history_feeds.h"
#include "test/lib/history/history_keys.h"
#include "test/lib/history/history_order.h"
#include "test/lib/history/history_versions.h"

struct history_verdict history_check(const struct history_log *h, FILE *f)
{
	struct history_checker c;

	history_versions_open(&c, h, f);
	history_check_keys(&c);
	history_check_order(&c);
	history_check_feeds(&c);
	history_versions_close(&c);
	return c.verdict;
}
