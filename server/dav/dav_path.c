/* Reads and writes paths of address books; see dav_path.h. */
#include "server/dav/dav_path.h"

#include <string.h>

#include "server/base/text.h"

enum { SEGMENTS = 5 };

static const char card_ending[] = ".vcf";

/* Splits and decodes the path. Returns the number of segments; 0: there are too many, or one is not text. Empty ones at
 * the end are left out. */
static int dav_path_split(
    struct arena *a, const char *text, size_t len, const char *segments[SEGMENTS], size_t lens[SEGMENTS])
{
	const char *end = text + len;
	int n = 0;

	while (text < end) {
		size_t here = strcspn(++text, "/");
		if (text + here > end)
			here = (size_t)(end - text);
		if (here == 0 && text == end)
			break;
		if (n == SEGMENTS)
			return 0;
		segments[n] = text_percent_decode(a, text, here, false, &lens[n]);
		if (lens[n] == 0 || memchr(segments[n], '\0', lens[n]) || !text_utf8_valid(segments[n], lens[n]))
			return 0;
		segments[n] = arena_dup(a, segments[n], lens[n]);
		n++;
		text += here;
	}
	return n;
}

/* Skips scheme and host of an address. The host is not compared: a proxy may have another name than its clients use. */
static const char *dav_path_of(const char *text, size_t *len)
{
	const char *host = memmem(text, *len, "://", 3);
	const char *path = host && text[0] != '/' ? memchr(host + 3, '/', *len - (size_t)(host + 3 - text)) : text;

	if (!path)
		return NULL;
	*len -= (size_t)(path - text);
	return path;
}

bool dav_book_named(struct arena *a, const struct workspace *ws, const struct viewer *v, const char *name, size_t len,
    struct dav_book *out)
{
	struct uuid id;

	*out = (struct dav_book){.name = arena_dup(a, name, len), .kind = ID_PERSON};
	if (strcmp(out->name, "people") == 0)
		return true;
	if (strcmp(out->name, "companies") == 0) {
		out->kind = ID_COMPANY;
		return true;
	}
	out->group = id_parse(ID_GROUP, name, len, &id) ? visible_group(ws, &id, v) : NULL;
	return out->group;
}

static void dav_path_take_card(struct dav_path *p, const char *name, size_t len)
{
	size_t ending = sizeof card_ending - 1;

	p->place = DAV_CARD;
	p->card = name;
	if (len < ending || strcmp(name + len - ending, card_ending) != 0 ||
	    !id_parse(p->book.kind, name, len - ending, &p->id))
		memset(&p->id, 0, sizeof p->id);
}

bool dav_path_read(struct arena *a, const struct workspace *ws, const struct viewer *v, const char *text, size_t len,
    struct dav_path *out)
{
	const char *segments[SEGMENTS], *path = dav_path_of(text, &len);
	size_t lens[SEGMENTS];
	int n = path && len && *path == '/' ? dav_path_split(a, path, len, segments, lens) : 0;
	struct uuid user;
	bool principal;

	*out = (struct dav_path){.place = DAV_ROOT};
	if (n == 0 || strcmp(segments[0], "dav") != 0)
		return false;
	principal = n > 1 && strcmp(segments[1], "principals") == 0;
	if (n == 1 || (n == 2 && principal))
		return true;
	if ((!principal && strcmp(segments[1], "books") != 0) || n == 2 || (principal && n > 3) ||
	    !id_parse(ID_USER, segments[2], lens[2], &user) || !uuid_equal(&user, &v->user))
		return false;
	out->place = principal ? DAV_PRINCIPAL : DAV_HOME;
	if (n == 3)
		return true;
	out->place = DAV_BOOK;
	if (!dav_book_named(a, ws, v, segments[3], lens[3], &out->book) || (n == 5 && lens[4] > DAV_NAME_MAX))
		return false;
	if (n == 5)
		dav_path_take_card(out, segments[4], lens[4]);
	return true;
}

void dav_path_write(
    struct buf *out, const struct uuid *user, enum dav_place place, const struct dav_book *book, const char *card)
{
	char id[ID_SIZE];

	buf_addz(out, "/dav/");
	if (place == DAV_ROOT)
		return;
	buf_printf(out, "%s/%s/", place == DAV_PRINCIPAL ? "principals" : "books", id_format(ID_USER, user, id));
	if (place >= DAV_BOOK)
		buf_printf(out, "%s/", book->name);
	if (place == DAV_CARD)
		text_percent_encode(out, card, strlen(card));
}

const char *dav_path_card(struct arena *a, enum id_kind kind, const struct uuid *id)
{
	char text[ID_SIZE];

	return arena_printf(a, "%s%s", id_format(kind, id, text), card_ending);
}
