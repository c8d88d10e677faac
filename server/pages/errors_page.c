/* Makes the page of errors from their table when the program is built. Every build has this page. */
#include "server/pages/html_page.h"

#include <string.h>

void errors_page_make(struct buf *out)
{
	static const char head[] =
	    "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Error codes - kith</title>\n"
	    "<meta name=\"viewport\" content=\"width=device-width\">\n"
	    "<link rel=\"stylesheet\" href=\"pages.css\"><link rel=\"icon\" href=\"icon.svg\"></head>\n"
	    "<body><header><a href=\"../\">kith</a> <nav><a href=\"../docs\">Reference</a> "
	    "<a href=\"first-steps\">First steps</a> <a href=\"handling-errors\">Handling errors</a> "
	    "<a href=\"../console\">Console</a></nav></header><main>\n"
	    "<h1>Error codes</h1>\n<p>Every error has one form: <code>{\"error\": {\"code\", \"message\", "
	    "\"documentationUrl\", \"requestId\", \"timestamp\", \"details\"?}}</code>. Decide by "
	    "<code>code</code>.</p>\n";

	buf_addz(out, head);
	for (int i = 0; i < ERROR_CODES; i++) {
		const struct error_row *row = &error_rows[i];
		bool first = true; /* the first row with its anchor */
		for (int j = 0; j < i; j++)
			first = first && strcmp(row->anchor, error_rows[j].anchor) != 0;
		if (!first)
			continue;
		buf_printf(out, "<h2 id=\"%s\">%s</h2>\n<dl>\n", row->anchor, row->anchor);
		for (int j = i; j < ERROR_CODES; j++)
			if (strcmp(row->anchor, error_rows[j].anchor) == 0)
				buf_printf(out, "<dt id=\"%s\">%d %s</dt>\n<dd><p>%s.</p><p>%s</p></dd>\n",
				    error_rows[j].code, error_rows[j].status, error_rows[j].code, error_rows[j].message,
				    error_rows[j].advice);
		buf_addz(out, "</dl>\n");
	}
	buf_addz(out, "</main></body></html>\n");
}

enum step step_errors_page(struct req *r)
{
	return page_file(r, &errors_asset);
}
