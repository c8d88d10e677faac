/* A step of the build. It writes the API's description and the page of
 * errors as C, plain and compressed. The program that serves them does not have to make them or keep them in memory:
 * what clients do not read stays on disk. */
#include <stdio.h>

#include "server/base/crypto.h"
#include "server/base/gzip.h"
#include "server/openapi/document.h"
#include "server/pages/html_page.h"
#include "server/routes.h"

/* The program that is built later has these; this step only needs them to link. */
const struct openapi_half openapi_head, openapi_tail;
const struct asset errors_asset;

enum { LINE = 100, DESCRIPTION_MAX = 16 << 20, TAG_BYTES = 12 };

static void describe_bytes(const char *name, const char *text, size_t len)
{
	printf("static const char %s[] =", name);
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)text[i];
		if (i % LINE == 0)
			fputs(i ? "\"\n\t\"" : "\n\t\"", stdout);
		if (c < 0x20 || c >= 0x7f || c == '"' || c == '\\' || c == '?')
			printf("\\%03o", c);
		else
			putchar(c);
	}
	puts("\";\n");
}

/* Writes two arrays: name and name_gzip. */
static size_t describe_packed(const char *name, enum gzip_piece piece, const char *text, size_t len)
{
	char packed_name[64];
	struct buf packed;
	size_t packed_len;

	snprintf(packed_name, sizeof packed_name, "%s_gzip", name);
	buf_init(&packed, DESCRIPTION_MAX);
	gzip_pack(piece, text, len, &packed);
	describe_bytes(name, text, len);
	describe_bytes(packed_name, packed.data, packed.len);
	packed_len = packed.len;
	buf_free(&packed);
	return packed_len;
}

static void describe_half(const char *name, enum gzip_piece piece, const char *text, size_t len)
{
	char bytes_name[32];
	size_t packed_len;

	snprintf(bytes_name, sizeof bytes_name, "%s_text", name);
	packed_len = describe_packed(bytes_name, piece, text, len);
	printf("const struct openapi_half %s = {{%s, %zu, true}, {%s_gzip, %zu, true}, {%uu, %zu}};\n\n", name,
	    bytes_name, len, bytes_name, packed_len, gzip_sum(text, len), len);
}

static void describe_errors(void)
{
	unsigned char sum[SHA256_SIZE];
	char tag[2 * TAG_BYTES + 1];
	struct buf page;
	size_t packed_len;

	buf_init(&page, DESCRIPTION_MAX);
	errors_page_make(&page);
	sha256_digest(page.data, page.len, sum);
	for (size_t i = 0; i < TAG_BYTES; i++)
		snprintf(tag + 2 * i, 3, "%02x", sum[i]);
	packed_len = describe_packed("errors_page", GZIP_WHOLE, page.data, page.len);
	printf("const struct asset errors_asset = {\"/docs/errors\", \"text/html; charset=utf-8\", \"\\\"%s\\\"\",\n"
	       "\t\"\\\"%s-gzip\\\"\", errors_page, errors_page_gzip, %zu, %zu};\n",
	    tag, tag, page.len, packed_len);
	buf_free(&page);
}

int main(void)
{
	struct buf text;
	size_t address_at;

	routes_use();
	address_at = openapi_make(&text);
	puts("/* Made by server/command/describe.c. */\n#include \"server/openapi/document.h\"\n#include "
	     "\"server/pages/html_page.h\"\n");
	describe_half("openapi_head", GZIP_BEFORE, text.data, address_at);
	describe_half("openapi_tail", GZIP_AFTER, text.data + address_at, text.len - address_at);
	describe_errors();
	buf_free(&text);
	return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
