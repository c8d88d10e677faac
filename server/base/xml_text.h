/* Texts in XML. */
#ifndef KITH_SERVER_BASE_XML_TEXT_H
#define KITH_SERVER_BASE_XML_TEXT_H

#include "server/base/buf.h"

/* Appends a text with the escapes of XML. */
void xml_text_add(struct buf *out, const char *text, size_t len);

#endif
