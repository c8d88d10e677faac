/* Escapes texts for XML. */
#include "server/base/xml_text.h"

#include <string.h>

/* The length of a character that XML forbids: a control character, U+FFFE or U+FFFF. 0: it is allowed. */
static size_t xml_forbidden(const char *text, size_t len)
{
	if ((unsigned char)*text < 0x20)
		return *text != '\t' && *text != '\n' && *text != '\r';
	return len >= 3 && (memcmp(text, "\xef\xbf\xbe", 3) == 0 || memcmp(text, "\xef\xbf\xbf", 3) == 0) ? 3 : 0;
}

/* What XML forbids is left out. A CR would become a line feed when it is read, so it is a reference. */
void xml_text_add(struct buf *out, const char *text, size_t len)
{
	static const char special[] = "&<>\"\r";
	static const char *const written[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#13;"};
	size_t from = 0, i;

	for (i = 0; i < len; i++) {
		const char *at = text[i] ? strchr(special, text[i]) : NULL;
		size_t forbidden = xml_forbidden(text + i, len - i);
		if (!at && !forbidden)
			continue;
		buf_add(out, text + from, i - from);
		if (at)
			buf_addz(out, written[at - special]);
		else
			i += forbidden - 1;
		from = i + 1;
	}
	buf_add(out, text + from, i - from);
}
