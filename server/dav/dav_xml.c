/* XML by expat; see dav_xml.h. */
#include "server/dav/dav_xml.h"

#include <expat.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/buf.h"
#include "server/base/fatal.h"

struct xml_reader {
	struct arena *arena;
	XML_Parser parser;
	const char *text;
	size_t len, at;
	struct xml_node *root, *open; /* the innermost element that has begun */
	int depth, nodes;
	const char *spaces[XML_SPACES_MAX]; /* the namespaces so far: elements share them */
	int n_spaces;
	struct buf chars; /* the text since the last tag */
	const char *error;
	bool too_much, ended;
};

static void xml_reader_fail(struct xml_reader *rd, const char *error, bool too_much)
{
	if (!rd->error) {
		rd->error = error;
		rd->too_much = too_much;
	}
	XML_StopParser(rd->parser, XML_FALSE);
}

/* --- elements ----------------------------------------------------------------------------------- */

static const char *xml_reader_space(struct xml_reader *rd, const char *text, size_t len)
{
	for (int i = 0; i < rd->n_spaces; i++)
		if (strlen(rd->spaces[i]) == len && memcmp(rd->spaces[i], text, len) == 0)
			return rd->spaces[i];
	if (rd->n_spaces == XML_SPACES_MAX) {
		xml_reader_fail(rd, "there are too many namespaces", true);
		return "";
	}
	return rd->spaces[rd->n_spaces++] = arena_dup(rd->arena, text, len);
}

/* Splits the name that expat gives, "namespace\nname". Elements repeat, so the one before may have the same. */
static void xml_node_take_name(
    struct xml_reader *rd, struct xml_node *node, const char *both, const struct xml_node *before)
{
	const char *end = strchr(both, '\n'), *name = end ? end + 1 : both;

	node->space = xml_reader_space(rd, both, end ? (size_t)(end - both) : 0);
	node->name = before && strcmp(before->name, name) == 0 ? before->name : arena_dupz(rd->arena, name);
}

static void xml_node_take_attributes(struct xml_reader *rd, struct xml_node *node, const char **attributes)
{
	struct xml_attribute **end = &node->attributes;

	for (; *attributes && ++rd->nodes <= XML_NODES_MAX; attributes += 2, end = &(*end)->next) {
		const char *name = strchr(attributes[0], '\n');
		*end = arena_alloc(rd->arena, sizeof **end);
		(*end)->name = arena_dupz(rd->arena, name ? name + 1 : attributes[0]);
		(*end)->value = arena_dupz(rd->arena, attributes[1]);
	}
}

static void xml_reader_begins(void *data, const char *name, const char **attributes)
{
	struct xml_reader *rd = data;
	struct xml_node *parent = rd->open, *node;

	if (rd->error)
		return;
	if (++rd->depth > XML_DEPTH_MAX) {
		xml_reader_fail(rd, "elements are nested too deeply", true);
		return;
	}
	rd->nodes++;
	node = arena_alloc(rd->arena, sizeof *node);
	xml_node_take_name(rd, node, name, parent ? parent->last : NULL);
	xml_node_take_attributes(rd, node, attributes);
	if (rd->nodes > XML_NODES_MAX)
		xml_reader_fail(rd, "there are too many elements", true);
	if (rd->error)
		return;
	node->text = "";
	node->parent = parent;
	if (!parent)
		rd->root = node;
	else if (parent->last)
		parent->last->next = node;
	else
		parent->first = node;
	if (parent)
		parent->last = node;
	rd->open = node;
	buf_clear(&rd->chars);
}

static bool xml_is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static void xml_reader_ends(void *data, const char *name)
{
	struct xml_reader *rd = data;
	struct xml_node *node = rd->open;
	const char *text = rd->chars.data;
	size_t len = rd->chars.len;

	(void)name;
	if (rd->error) /* expat may still call this after a refusal */
		return;
	while (len && xml_is_blank(text[len - 1]))
		len--;
	while (len && xml_is_blank(*text)) {
		text++;
		len--;
	}
	if (!node->first && len)
		node->text = arena_dup(rd->arena, text, len);
	rd->open = node->parent;
	rd->depth--;
	buf_clear(&rd->chars);
}

static void xml_reader_characters(void *data, const char *text, int len)
{
	struct xml_reader *rd = data;

	buf_add(&rd->chars, text, (size_t)len);
	if (rd->chars.overflow)
		xml_reader_fail(rd, "a text is too long", true);
}

static void xml_reader_declares(void *data, const char *prefix, const char *space)
{
	(void)prefix;
	if (space && strlen(space) > XML_SPACE_MAX)
		xml_reader_fail(data, "a namespace is too long", true);
}

static void xml_reader_doctype(void *data, const char *name, const char *system, const char *public, int internal)
{
	(void)name;
	(void)system;
	(void)public;
	(void)internal;
	xml_reader_fail(data, "a document type is not allowed", false);
}

/* --- reading ------------------------------------------------------------------------------------ */

struct xml_reader *xml_reader_new(struct arena *a, const char *text, size_t len)
{
	struct xml_reader *rd = arena_alloc(a, sizeof *rd);

	rd->arena = a;
	rd->text = text;
	rd->len = len;
	buf_init(&rd->chars, XML_TOKEN_MAX);
	rd->parser = XML_ParserCreateNS(NULL, '\n');
	if (!rd->parser)
		fatal_abort("no memory for a parser");
	XML_SetUserData(rd->parser, rd);
	XML_SetElementHandler(rd->parser, xml_reader_begins, xml_reader_ends);
	XML_SetCharacterDataHandler(rd->parser, xml_reader_characters);
	XML_SetStartNamespaceDeclHandler(rd->parser, xml_reader_declares);
	XML_SetStartDoctypeDeclHandler(rd->parser, xml_reader_doctype);
	return rd;
}

/* What expat cannot take apart yet it looks at again with every piece, so a token has a limit. */
static bool xml_reader_stuck(const struct xml_reader *rd)
{
	XML_Index done = XML_GetCurrentByteIndex(rd->parser);

	return rd->at < rd->len && rd->at - (size_t)(done < 0 ? 0 : done) > 2 * XML_TOKEN_MAX;
}

bool xml_reader_some(struct xml_reader *rd, size_t bytes)
{
	size_t n = rd->len - rd->at < bytes ? rd->len - rd->at : bytes;
	bool last = rd->at + n == rd->len;

	if (rd->ended)
		return true;
	if (XML_Parse(rd->parser, rd->text + rd->at, (int)n, last) != XML_STATUS_OK && !rd->error)
		rd->error = XML_ErrorString(XML_GetErrorCode(rd->parser));
	rd->at += n;
	if (!rd->error && xml_reader_stuck(rd))
		xml_reader_fail(rd, "a tag is too long", true);
	rd->ended = last || rd->error;
	return rd->ended;
}

const struct xml_node *xml_reader_root(const struct xml_reader *rd, const char **error, bool *too_much)
{
	*error = rd->error;
	*too_much = rd->too_much;
	return rd->error ? NULL : rd->root;
}

void xml_reader_free(struct xml_reader *rd)
{
	if (!rd)
		return;
	XML_ParserFree(rd->parser);
	buf_free(&rd->chars);
}

/* --- nodes -------------------------------------------------------------------------------------- */

bool xml_node_is(const struct xml_node *node, const char *space, const char *name)
{
	return strcmp(node->name, name) == 0 && strcmp(node->space, space) == 0;
}

const struct xml_node *xml_node_child(const struct xml_node *node, const char *space, const char *name)
{
	if (!node)
		return NULL;
	xml_each(child, node) if (xml_node_is(child, space, name)) return child;
	return NULL;
}

const char *xml_node_attribute(const struct xml_node *node, const char *name)
{
	for (const struct xml_attribute *a = node->attributes; a; a = a->next)
		if (strcmp(a->name, name) == 0)
			return a->value;
	return NULL;
}
