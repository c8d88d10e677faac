/* The books of a user, and what they have chosen for them. */
#include "server/dav/dav_work.h"

#include <stdlib.h>
#include <string.h>

static int book_compare(const void *a, const void *b)
{
	const struct dav_book *x = a, *y = b;
	int c = strcmp(x->group->name, y->group->name);

	return c ? c : strcmp(x->name, y->name);
}

size_t dav_books_all(struct req *r, struct dav_book **out)
{
	const struct workspace *ws = r->caller.ws;
	struct dav_book *books = arena_alloc(&r->arena, (ws->n_groups + 2) * sizeof *books);
	size_t n = 0;
	char id[ID_SIZE];

	books[n++] = (struct dav_book){.name = "people", .kind = ID_PERSON};
	for (size_t i = 0; i < ws->n_groups; i++)
		if (visible_group(ws, &ws->groups[i].id, &r->caller.viewer))
			books[n++] =
			    (struct dav_book){.name = arena_dupz(&r->arena, id_format(ID_GROUP, &ws->groups[i].id, id)),
			        .kind = ID_PERSON,
			        .group = &ws->groups[i]};
	qsort(books + 1, n - 1, sizeof *books, book_compare);
	books[n++] = (struct dav_book){.name = "companies", .kind = ID_COMPANY};
	*out = books;
	return n;
}

const char *dav_book_title(const struct dav_book *book)
{
	return book->group ? book->group->name : book->kind == ID_PERSON ? "People" : "Companies";
}

bool dav_book_listed(const struct viewer *v, const struct dav_book *book, const struct dav_setting *setting)
{
	if (!book->group && book->kind == ID_PERSON)
		return true;
	if (setting && setting->has_shown)
		return setting->shown;
	return book->group && member_find(book->group, &v->user);
}

/* --- settings ------------------------------------------------------------------------------------ */

void dav_settings_ask(struct req *r, int *at)
{
	struct sql *s = req_sql(r, "dav_settings", at);

	sql_uuid(s, &r->caller.viewer.user);
	sql_built_in(s, "dav settings");
}

static const char *setting_text(struct req *r, int at, int row, int column)
{
	const struct db_exchange *x = r->db.last;

	return db_null(x, at, row, column) ? NULL : arena_dupz(&r->arena, db_text(x, at, row, column, NULL));
}

struct dav_settings dav_settings_read(struct req *r, int at)
{
	enum { BOOK, SHOWN, NAME, COLOUR };
	int n = db_rows(r->db.last, at);
	struct dav_setting *settings = arena_alloc(&r->arena, (size_t)n * sizeof *settings);

	for (int i = 0; i < n; i++) {
		settings[i] = (struct dav_setting){.book = setting_text(r, at, i, BOOK),
		    .has_shown = !db_null(r->db.last, at, i, SHOWN),
		    .display_name = setting_text(r, at, i, NAME),
		    .colour = setting_text(r, at, i, COLOUR)};
		if (settings[i].has_shown)
			settings[i].shown = db_bool(r->db.last, at, i, SHOWN);
	}
	return (struct dav_settings){settings, (size_t)n};
}

const struct dav_setting *dav_setting_of(const struct dav_settings *settings, const struct dav_book *book)
{
	for (size_t i = 0; i < settings->n; i++)
		if (strcmp(settings->list[i].book, book->name) == 0)
			return &settings->list[i];
	return NULL;
}
