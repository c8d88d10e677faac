/* Filters of addressbook-query; see dav_filter.h. */
#include "server/dav/dav_filter.h"

#include <locale.h>
#include <string.h>
#include <strings.h>
#include <wctype.h>

#include "server/base/buf.h"
#include "server/base/text.h"

enum text_place { TEXT_CONTAINS, TEXT_EQUALS, TEXT_STARTS_WITH, TEXT_ENDS_WITH, TEXT_PLACES };
static const char *const place_names[TEXT_PLACES] = {"contains", "equals", "starts-with", "ends-with"};

enum text_letters { LETTERS_UNICODE, LETTERS_ASCII, LETTERS_AS_THEY_ARE };
const char *const dav_collations[DAV_COLLATIONS] = {"i;unicode-casemap", "i;ascii-casemap", "i;octet"};

/* A prop-filter or a text-match. */
struct dav_condition {
	struct dav_condition *next;
	const char *group, *name;    /* of the property; group NULL: any */
	bool absent;                 /* it must not be there */
	bool all;                    /* all of the texts must match, not only one */
	struct dav_condition *first; /* the texts; NULL: it must be there */
	/* of a text-match */
	const char *text; /* folded */
	size_t len;
	enum text_place place;
	enum text_letters letters;
	bool negated;
};

/* --- letters -------------------------------------------------------------------------------- */

/* Longer values are compared as far as this. They are photos and keys. A card with very many values is compared as far
 * as the folded texts take this memory. */
enum { COMPARED_MAX = 4096, FOLDED_MAX = 2 << 20 };

/* Converts to upper, then to lower case. This unifies letters that differ in only one direction. */
static uint32_t letter_fold(uint32_t c, enum text_letters letters)
{
	static locale_t locale;

	if (letters == LETTERS_AS_THEY_ARE || (c >= 0x80 && letters == LETTERS_ASCII))
		return c;
	if (c < 0x80)
		return (unsigned char)text_lower((char)c);
	if (!locale)
		locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
	return locale ? (uint32_t)towlower_l(towupper_l((wint_t)c, locale), locale) : c;
}

static char *letter_put(char *to, uint32_t c)
{
	int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
	static const unsigned char first[] = {0, 0xC0, 0xE0, 0xF0};

	*to++ = (char)(first[more] | c >> (6 * more));
	while (more-- > 0)
		*to++ = (char)(0x80 | (c >> (6 * more) & 0x3F));
	return to;
}

/* The text as it is compared, in the arena. escaped: it has the escapes of a vCard's value, which are undone. */
static const char *text_folded(
    struct arena *a, const char *text, size_t len, bool escaped, enum text_letters letters, size_t *out)
{
	char *folded = arena_alloc(a, 4 * len + 1), *to = folded;

	for (size_t i = 0; i < len;) {
		unsigned char first = (unsigned char)text[i++];
		if (escaped && first == '\\' && i < len) {
			first = (unsigned char)text[i++];
			first = first == 'n' || first == 'N' ? '\n' : first;
		}
		int more = first < 0xC0 ? 0 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
		uint32_t c = more ? first & (0x3Fu >> more) : first;
		for (; more && i < len; more--)
			c = c << 6 | ((unsigned char)text[i++] & 0x3F);
		to = letter_put(to, letter_fold(c, letters));
	}
	*out = (size_t)(to - folded);
	return folded;
}

/* --- reading -------------------------------------------------------------------------------- */

struct dav_filter_reading {
	struct arena *a;
	enum dav_filter_error error;
	int conditions;
};

static struct dav_condition *condition_new(struct dav_filter_reading *rd)
{
	if (++rd->conditions > DAV_CONDITIONS_MAX)
		rd->error = DAV_FILTER_UNSUPPORTED;
	return arena_alloc(rd->a, sizeof(struct dav_condition));
}

/* The number of the text among the names; n: it is another one. */
static int name_index(const char *text, const char *const names[], int n)
{
	int i = 0;

	while (i < n && strcmp(names[i], text) != 0)
		i++;
	return i;
}

/* The attribute "test" or "negate-condition", which has two values. */
static bool read_choice(
    struct dav_filter_reading *rd, const struct xml_node *node, const char *name, const char *usual, const char *other)
{
	const char *value = xml_node_attribute(node, name);

	if (value && strcmp(value, usual) != 0 && strcmp(value, other) != 0)
		rd->error = DAV_FILTER_MALFORMED;
	return value && strcmp(value, other) == 0;
}

static struct dav_condition *read_text_match(struct dav_filter_reading *rd, const struct xml_node *node)
{
	struct dav_condition *c = condition_new(rd);
	const char *place = xml_node_attribute(node, "match-type"), *collation = xml_node_attribute(node, "collation");
	int at = name_index(place ? place : place_names[0], place_names, TEXT_PLACES);
	int letters = name_index(collation && strcmp(collation, "default") != 0 ? collation : dav_collations[0],
	    dav_collations, DAV_COLLATIONS);

	c->negated = read_choice(rd, node, "negate-condition", "no", "yes");
	c->place = (enum text_place)at;
	c->letters = (enum text_letters)letters;
	if (letters == DAV_COLLATIONS)
		rd->error = DAV_FILTER_COLLATION;
	else if (at == TEXT_PLACES)
		rd->error = DAV_FILTER_MALFORMED;
	else
		c->text = text_folded(rd->a, node->text, strlen(node->text), false, c->letters, &c->len);
	return c;
}

static struct dav_condition *read_prop_filter(struct dav_filter_reading *rd, const struct xml_node *node)
{
	struct dav_condition *c = condition_new(rd), **end = &c->first;
	const char *name = xml_node_attribute(node, "name"), *dot = name ? strchr(name, '.') : NULL;

	c->all = read_choice(rd, node, "test", "anyof", "allof");
	c->group = dot ? arena_dup(rd->a, name, (size_t)(dot - name)) : NULL;
	c->name = dot ? dot + 1 : name;
	if (!name)
		rd->error = DAV_FILTER_MALFORMED;
	for (const struct xml_node *in = node->first; in && !rd->error; in = in->next) {
		if (xml_node_is(in, XML_CARDDAV, "is-not-defined")) {
			c->absent = true;
		} else if (xml_node_is(in, XML_CARDDAV, "text-match")) {
			*end = read_text_match(rd, in);
			end = &(*end)->next;
		} else {
			rd->error = DAV_FILTER_UNSUPPORTED;
		}
	}
	return c;
}

enum dav_filter_error dav_filter_read(struct arena *a, const struct xml_node *filter, struct dav_filter *out)
{
	struct dav_filter_reading rd = {.a = a};
	struct dav_condition *first = NULL, **end = &first;

	*out = (struct dav_filter){.all = filter && read_choice(&rd, filter, "test", "anyof", "allof")};
	for (const struct xml_node *node = filter ? filter->first : NULL; node && !rd.error; node = node->next) {
		if (!xml_node_is(node, XML_CARDDAV, "prop-filter"))
			return DAV_FILTER_UNSUPPORTED;
		*end = read_prop_filter(&rd, node);
		end = &(*end)->next;
	}
	out->first = first;
	return rd.error;
}

/* --- matching ------------------------------------------------------------------------------- */

/* The value of a property. */
static bool text_matches(const struct dav_condition *c, struct arena *a, const char *text, size_t len)
{
	size_t n;
	const char *value;
	bool matches;

	if (a->used > FOLDED_MAX)
		return c->negated;
	value = text_folded(a, text, len < COMPARED_MAX ? len : COMPARED_MAX, true, c->letters, &n);
	matches = n >= c->len;
	if (matches && c->place == TEXT_CONTAINS)
		matches = memmem(value, n, c->text, c->len) != NULL;
	else if (matches)
		matches = (c->place != TEXT_EQUALS || n == c->len) &&
		          memcmp(c->place == TEXT_ENDS_WITH ? value + n - c->len : value, c->text, c->len) == 0;
	return matches != c->negated;
}

/* True when the property fulfills the inner conditions of the prop-filter. */
static bool property_matches(const struct dav_condition *c, struct arena *a, const struct card_property *p)
{
	for (const struct dav_condition *in = c->first; in; in = in->next)
		if (text_matches(in, a, p->value, p->len) != c->all)
			return !c->all;
	return c->all || !c->first;
}

static bool condition_matches(const struct dav_condition *c, struct arena *a, const struct card *card)
{
	bool found = false;

	for (size_t i = 0; i < card->n; i++) {
		const struct card_property *p = &card->properties[i];
		if (strcasecmp(p->name, c->name) != 0 || (c->group && strcasecmp(p->group, c->group) != 0))
			continue;
		if (!c->absent && property_matches(c, a, p))
			return true;
		found = true;
	}
	return c->absent && !found;
}

bool dav_filter_matches(const struct dav_filter *f, struct arena *a, const struct card *card)
{
	for (const struct dav_condition *c = f->first; c; c = c->next) {
		bool matches = condition_matches(c, a, card);
		if (matches != f->all)
			return matches;
	}
	return f->all || !f->first;
}

static bool condition_takes_all(const struct dav_condition *c)
{
	return !c->absent && !c->first && !c->group &&
	       (strcasecmp(c->name, "FN") == 0 || strcasecmp(c->name, "UID") == 0);
}

bool dav_filter_takes_all(const struct dav_filter *f)
{
	for (const struct dav_condition *c = f->first; c; c = c->next)
		if (condition_takes_all(c) != f->all)
			return !f->all;
	return f->all || !f->first;
}
