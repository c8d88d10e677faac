/* Items of a list: how a cell is split into them, and what other programs write around them. */
#include "transfer/compose_private.h"

static void compose_put_item(struct compose_items *items, const char *text, size_t len, bool preferred)
{
	while (len && strchr(" \t\r\n", text[len - 1]))
		len--;
	while (len && strchr(" \t\r\n", *text)) {
		text++;
		len--;
	}
	for (size_t i = 0; i < items->n; i++)
		if (items->items[i].len == len && memcmp(items->items[i].text, text, len) == 0)
			return;
	if (!len || items->n == COMPOSE_ITEMS_MAX)
		return;
	size_t at = preferred ? items->preferred++ : items->n;
	memmove(&items->items[at + 1], &items->items[at], (items->n - at) * sizeof *items->items);
	items->items[at] = (struct compose_item){text, len};
	items->n++;
}

/* The length of a comma or semicolon, with blanks, before another web address; 0: no such one is here. Both may also be
 * part of an address. */
static size_t compose_before_url(const char *text)
{
	size_t len = *text == ',' || *text == ';' ? 1 + strspn(text + 1, " ") : 0;

	return len && (strncmp(text + len, "https://", 8) == 0 || strncmp(text + len, "http://", 7) == 0) ? len : 0;
}

/* The length of the address of a page that Notion writes behind a name, with its brackets and a comma; 0: none is here.
 * "Acme (https://www.notion.so/Acme-0123), Globex (https://www.notion.so/Globex-0456)". */
static size_t compose_notion_page(const char *text)
{
	static const char *const begins[] = {" (https://www.notion.so/", " (https://notion.so/"};
	size_t len;

	for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
		if (strncmp(text, begins[i], strlen(begins[i])) != 0)
			continue;
		len = strcspn(text, ")");
		len += text[len] == ')';
		return len + (text[len] == ',');
	}
	return 0;
}

/* Returns the length up to the next separator; sets the length of the separator. */
static size_t compose_split(const struct compose *b, const char *text, const char *separators, size_t *skip)
{
	for (size_t i = 0; text[i]; i++) {
		bool google = strncmp(text + i, " ::: ", 5) == 0, own = strncmp(text + i, "; ", 2) == 0;
		*skip = google                                        ? 5
		        : own && (b->ours || strchr(separators, ';')) ? 2
		        : b->ours                                     ? 0
		        : strchr(separators, text[i])                 ? 1
		        : *separators                                 ? compose_before_url(text + i)
		                                                      : 0;
		if (!*skip && !b->ours)
			*skip = compose_notion_page(text + i);
		if (*skip)
			return i;
	}
	*skip = 0;
	return strlen(text);
}

void compose_put_items(
    const struct compose *b, struct compose_items *items, const struct entry_value *v, const char *separators)
{
	const char *text = v->text;
	size_t len, skip = 1;

	if (!b->split) {
		compose_put_item(items, text, v->len, v->preferred);
		return;
	}
	while (skip) {
		len = compose_split(b, text, separators, &skip);
		compose_put_item(items, text, len, v->preferred);
		text += len + skip;
	}
}

void compose_split_items(struct compose_items *items, const char *text, const char *separators)
{
	while (*text) {
		size_t len = 0, page = 0;
		while (text[len] && !strchr(separators, text[len]) && !(page = compose_notion_page(text + len)))
			len++;
		compose_put_item(items, text, len, false);
		text += len + (page ? page : text[len] != '\0');
	}
}

bool compose_quoted_items(struct compose_items *items, const char *text)
{
	struct compose_items found = {0};
	bool any = false;

	while (*text) {
		size_t quote = *text == '"', len = strcspn(text + quote, quote ? "\"" : "\",");
		const char *end = text + quote + len;
		if ((quote && *end != '"') || !strchr(",", end[quote]))
			return false;
		any |= quote && memchr(text + quote, ',', len);
		compose_put_item(&found, text + quote, len, false);
		text = end + quote;
		text += *text == ',' ? 1 + strspn(text + 1, " ") : 0;
	}
	for (size_t i = 0; any && i < found.n; i++)
		compose_put_item(items, found.items[i].text, found.items[i].len, false);
	return any;
}

/* Google writes "http\\://"; true when the text has that backslash, after n bytes. */
static bool compose_has_backslash(struct compose_item item, size_t *n)
{
	static const char *const schemes[] = {"http\\://", "https\\://"};

	for (size_t i = 0; i < 2; i++) {
		size_t len = strlen(schemes[i]);
		*n = strcspn(schemes[i], "\\");
		if (item.len > len && memcmp(item.text, schemes[i], len) == 0)
			return true;
	}
	return false;
}

/* Removes "tel:" and "mailto:", which vCard 4.0 writes. */
static struct compose_item compose_plain(struct compose_item item)
{
	static const char *const schemes[] = {"tel:", "mailto:"};

	for (size_t i = 0; i < 2; i++) {
		size_t len = strlen(schemes[i]);
		if (item.len > len && memcmp(item.text, schemes[i], len) == 0)
			return (struct compose_item){item.text + len, item.len - len};
	}
	return item;
}

void compose_put_plain(struct json_out *o, struct compose_item item)
{
	struct buf text;
	size_t n;

	item = compose_plain(item);
	if (!compose_has_backslash(item, &n)) {
		json_string_len(o, item.text, item.len);
		return;
	}
	buf_init(&text, ENTRY_MAX);
	buf_add(&text, item.text, n);
	buf_add(&text, item.text + n + 1, item.len - n - 1);
	json_string_len(o, text.data, text.len);
	buf_free(&text);
}
