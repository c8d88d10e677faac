/* The baseline of exports: one client that reads a list page by page and keeps what it gets.
 *   pager BASE_URL PATH FILE     the key is in BENCH_KEY; prints records a second */
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>

#include "server/base/clock.h"
#include "server/base/json.h"

static size_t keep_bytes(char *bytes, size_t size, size_t n, void *page)
{
	buf_add(page, bytes, size * n);
	return size * n;
}

static const struct json *member_of(const struct json *object, const char *key)
{
	return object && object->type == JSON_OBJECT ? json_member(object, key) : NULL;
}

/* Counts the page's records; next: the link to the page after it, "" at the end. False: it is not a page. */
static bool read_page(const struct buf *page, char next[4096], long *records)
{
	const struct json *data, *items, *link;
	struct arena arena;
	const char *error;

	arena_init(&arena);
	data = member_of(json_read(&arena, page->data, page->len, &error), "data");
	items = member_of(data, "items");
	link = member_of(member_of(data, "pagination"), "nextLink");
	*records += items ? (long)items->count : 0;
	snprintf(next, 4096, "%s", link && link->type == JSON_STRING ? link->text : "");
	arena_free(&arena);
	return items != NULL;
}

int main(int argc, char **argv)
{
	CURL *curl = curl_easy_init();
	FILE *out = argc == 4 ? fopen(argv[3], "w") : NULL;
	char next[4096], authorization[256];
	int64_t began_us = clock_mono_us();
	struct curl_slist *headers;
	struct buf page;
	long records = 0;

	if (!curl || !out)
		return 1;
	buf_init(&page, 32 << 20);
	snprintf(authorization, sizeof authorization, "Authorization: Bearer %s", getenv("BENCH_KEY"));
	headers = curl_slist_append(NULL, authorization);
	curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
	curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, keep_bytes);
	curl_easy_setopt(curl, CURLOPT_WRITEDATA, &page);
	for (snprintf(next, sizeof next, "%s%s", argv[1], argv[2]); *next; fwrite(page.data, 1, page.len, out)) {
		buf_clear(&page);
		curl_easy_setopt(curl, CURLOPT_URL, next);
		if (curl_easy_perform(curl) != CURLE_OK || !read_page(&page, next, &records))
			return 1;
	}
	if (fclose(out) != 0)
		return 1;
	printf("%.0f\n", (double)records * 1e6 / (double)(clock_mono_us() - began_us));
	buf_free(&page);
	curl_slist_free_all(headers);
	curl_easy_cleanup(curl);
	return 0;
}
