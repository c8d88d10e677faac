/* A step of the build: writes the API's description, and the assistants' tools out of it, as C. So the program that
 * serves them neither makes nor keeps them: what clients do not read stays on disk. */
#include <stdio.h>

#include "server/mcp/mcp.h"
#include "server/openapi/document.h"

/* Of the program that this is a step of. */
const char openapi_head[1], openapi_tail[1], mcp_tools[1];
const size_t openapi_head_len, openapi_tail_len, mcp_tools_len;

enum { LINE = 100, DESCRIPTION_MAX = 16 << 20 };

static void describe_text(const char *name, const char *text, size_t len)
{
	printf("const char %s[] =", name);
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)text[i];
		if (i % LINE == 0)
			fputs(i ? "\"\n\t\"" : "\n\t\"", stdout);
		if (c < 0x20 || c >= 0x7f || c == '"' || c == '\\' || c == '?')
			printf("\\%03o", c);
		else
			putchar(c);
	}
	printf("\";\nconst size_t %s_len = %zu;\n\n", name, len);
}

int main(void)
{
	struct buf text, whole, tools;
	size_t address_at = openapi_make(&text);

	buf_init(&whole, DESCRIPTION_MAX);
	buf_add(&whole, text.data, address_at);
	buf_addz(&whole, "\"\"");
	buf_add(&whole, text.data + address_at, text.len - address_at);
	tool_list_make(&whole, &tools);
	puts("/* Made by server/describe.c. */\n#include \"server/mcp/mcp.h\"\n#include "
	     "\"server/openapi/document.h\"\n");
	describe_text("openapi_head", text.data, address_at);
	describe_text("openapi_tail", text.data + address_at, text.len - address_at);
	describe_text("mcp_tools", tools.data, tools.len);
	buf_free(&text);
	buf_free(&whole);
	buf_free(&tools);
	return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
