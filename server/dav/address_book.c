/* Which address books a user's devices see: GET and PATCH /v1/address-books. */
#include <stdlib.h>
#include <string.h>

#include "server/dav/dav_work.h"
#include "server/input/body.h"
#include "server/request/page.h"
#include "store/resources.h"

static void book_put(struct json_out *o, const struct dav_book *book, bool shown)
{
	json_begin_object(o);
	json_add_string(o, "id", book->name);
	json_add_string(o, "name", dav_book_title(book));
	json_add_bool(o, "shown", shown);
	json_end_object(o);
}

/* --- the list -------------------------------------------------------------------------------------- */

enum step address_book_list(struct req *r)
{
	dav_settings_ask(r, &r->at);
	return req_ask(r, DB_POINT);
}

/* Cursors need an order by ids. People have the least one, companies the greatest one, and groups their own. */
static struct uuid book_key(const struct dav_book *book)
{
	struct uuid key;

	if (book->group)
		return book->group->id;
	memset(&key, book->kind == ID_PERSON ? 0 : 0xff, sizeof key);
	return key;
}

static int book_compare_keys(const void *a, const void *b)
{
	struct uuid x = book_key(a), y = book_key(b);

	return uuid_compare(&x, &y);
}

enum step address_book_show(struct req *r)
{
	struct dav_settings settings = dav_settings_read(r, r->at);
	struct dav_book *books;
	struct page_walk w;
	size_t n;

	if (!page_walk_begin(r, &w))
		return DONE;
	n = dav_books_all(r, &books);
	qsort(books, n, sizeof *books, book_compare_keys);
	for (size_t i = 0; i < n && !w.more; i++) {
		const struct dav_setting *setting = dav_setting_of(&settings, &books[i]);
		struct uuid key = book_key(&books[i]);
		if (page_walk_shows(r, &w, &key))
			book_put(&r->reply.json, &books[i], dav_book_listed(&r->caller.viewer, &books[i], setting));
	}
	return page_walk_end(r, &w);
}

/* --- changing -------------------------------------------------------------------------------------- */

static bool book_of_path(struct req *r, struct dav_book *book)
{
	const struct path_value *name = &r->given.path[0];

	return dav_book_named(&r->arena, r->caller.ws, &r->caller.viewer, name->text, name->len, book);
}

enum step address_book_open(struct req *r)
{
	struct dav_book book;

	if (!book_of_path(r, &book))
		return reply_not_found(r);
	transaction_begin(r);
	return transaction_ask(r);
}

enum step address_book_update(struct req *r)
{
	bool shown = r->given.input->values[ADDRESS_BOOK_SHOWN].number;
	struct path at = PATH_NAME(NULL, "shown");
	struct dav_book book;
	struct sql *s;

	if (!book_of_path(r, &book))
		return reply_not_found(r);
	if (!shown && !book.group && book.kind == ID_PERSON) {
		issue_custom(&r->given.issues, &at, "Devices always have the book of all people");
		return reply_issues(r, "Invalid input");
	}
	s = req_sql(r, "address_book_set", NULL);
	sql_uuid(s, &r->caller.viewer.user);
	sql_textz(s, book.name);
	sql_bool(s, shown);
	sql_built_in(s, "dav show_book");
	book_put(reply_begin(r), &book, shown);
	return reply_end(r);
}
