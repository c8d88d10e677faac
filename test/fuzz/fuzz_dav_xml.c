/* Arbitrary bytes as bodies of WebDAV: however a body is cut into pieces, it gives the same tree or the same refusal,
 * and a tree keeps the limits. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "server/dav/dav_xml.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t walk_node(const struct xml_node *node, int depth)
{
	size_t n = 1;

	if (depth > XML_DEPTH_MAX || strlen(node->space) > XML_SPACE_MAX || (node->first && *node->text))
		abort();
	for (const struct xml_attribute *a = node->attributes; a; a = a->next)
		n += *a->name != '\0' && xml_node_attribute(node, a->name);
	xml_each(child, node)
	{
		if (child->parent != node)
			abort();
		n += walk_node(child, depth + 1);
	}
	return n;
}

/* Returns the number of elements and attributes, 0 if it is refused. */
static size_t read_in_pieces(const char *text, size_t len, size_t piece)
{
	struct arena a;
	struct xml_reader *rd;
	const struct xml_node *root;
	const char *error;
	bool too_much;
	size_t n;

	arena_init(&a);
	rd = xml_reader_new(&a, text, len);
	while (!xml_reader_some(rd, piece))
		;
	root = xml_reader_root(rd, &error, &too_much);
	if (!root && !error)
		abort();
	n = root ? walk_node(root, 1) : 0;
	if (n > XML_NODES_MAX)
		abort();
	xml_reader_free(rd);
	arena_free(&a);
	return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t n = read_in_pieces((const char *)data, size, size + 1);

	if (size && read_in_pieces((const char *)data, size, 1 + data[0] % 7) != n)
		abort();
	return 0;
}
