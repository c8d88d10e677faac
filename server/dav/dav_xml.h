/* Reads XML into a tree: bodies of WebDAV. Names are compared with their namespaces. There is no document type, so
 * there are no entities but the five of XML itself. dav_xml.c is the only file that includes expat. */
#ifndef KITH_SERVER_DAV_DAV_XML_H
#define KITH_SERVER_DAV_DAV_XML_H

#include <stdbool.h>
#include <stddef.h>

#include "server/base/arena.h"

#define XML_DAV "DAV:"
#define XML_CARDDAV "urn:ietf:params:xml:ns:carddav"
#define XML_CALENDARSERVER "http://calendarserver.org/ns/"

enum {
	XML_DEPTH_MAX = 32,    /* the outermost element is depth 1 */
	XML_NODES_MAX = 61000, /* elements and attributes */
	XML_SPACE_MAX = 255,   /* bytes of a namespace: each element is compared with it */
	XML_SPACES_MAX = 32,   /* different ones */
	XML_TOKEN_MAX = 64 << 10
};

struct xml_attribute {
	const char *name, *value; /* without its namespace */
	struct xml_attribute *next;
};

struct xml_node {
	const char *space, *name; /* space "": none */
	const char *text;         /* of an element without children, without blanks around it; else "" */
	struct xml_attribute *attributes;
	struct xml_node *first, *last, *next; /* children, siblings */
	struct xml_node *parent;
};

/* The text must stay valid until it is freed. */
struct xml_reader;
struct xml_reader *xml_reader_new(struct arena *a, const char *text, size_t len);
/* Reads about this many more bytes. True when finished. */
bool xml_reader_some(struct xml_reader *rd, size_t bytes);
/* When finished, returns the outermost element, in the arena. NULL: error says what is wrong, and *too_much whether it
 * is a limit. */
const struct xml_node *xml_reader_root(const struct xml_reader *rd, const char **error, bool *too_much);
void xml_reader_free(struct xml_reader *rd);

bool xml_node_is(const struct xml_node *node, const char *space, const char *name);
/* The first child of that name; NULL: none. node may be NULL. */
const struct xml_node *xml_node_child(const struct xml_node *node, const char *space, const char *name);
/* The value of an attribute; NULL: it has none. */
const char *xml_node_attribute(const struct xml_node *node, const char *name);

/* Visits the children. */
#define xml_each(child, node) for (const struct xml_node *child = (node)->first; child; child = child->next)

#endif
