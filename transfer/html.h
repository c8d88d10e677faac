/* Notes that other programs write as HTML become plain text. */
#ifndef KITH_TRANSFER_HTML_H
#define KITH_TRANSFER_HTML_H

#include <stdbool.h>
#include <stddef.h>

#include "server/base/buf.h"

/* True when the text has a tag of HTML that formats text. "a < b" and "Ada <ada@x.example>" have none. */
bool html_is(const char *text, size_t len);

/* Appends what a reader of the page would see: paragraphs and list items are lines, the address of a link stands behind
 * its text, scripts and styles are left out. Tags that html_is() does not know stay as they are. The result is not
 * longer than the text. */
void html_to_text(struct buf *out, const char *text, size_t len);

#endif
