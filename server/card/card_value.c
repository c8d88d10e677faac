/* What the values of properties mean in fields, and the other way round. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "server/base/clock.h"
#include "server/base/text.h"
#include "server/card/card_private.h"

enum { NAME_PARTS = 5, ADDRESS_PARTS = 8 };

/* clang-format off */
static const struct card_row person_rows[] = {
	{"FN",         "fullName",    CARD_FULL_NAME},
	{"N",          "",            CARD_NAMES},
	{"ORG",        "companies",   CARD_COMPANY},
	{"TITLE",      "jobTitle",    CARD_TEXT},
	{"TEL",        "phones",      CARD_LIST, 30},
	{"EMAIL",      "emails",      CARD_LIST, 254},
	{"ADR",        "addresses",   CARD_ADDRESS, 500},
	{"URL",        "urls",        CARD_URL, 2048},
	{"BDAY",       "birthday",    CARD_DATE},
	{"GENDER",     "gender",      CARD_GENDER},
	{"NOTE",       "description", CARD_TEXT},
	{"CATEGORIES", "groups",      CARD_GROUPS},
	{NULL,         NULL,          CARD_TEXT},
};
static const struct card_row company_rows[] = {
	{"FN",         "name",        CARD_FULL_NAME},
	{"N",          "",            CARD_NAMES},
	{"ORG",        "name",        CARD_COMPANY},
	{"TEL",        "phones",      CARD_LIST, 30},
	{"EMAIL",      "emails",      CARD_LIST, 254},
	{"ADR",        "addresses",   CARD_ADDRESS, 500},
	{"URL",        "urls",        CARD_URL, 2048},
	{"NOTE",       "description", CARD_TEXT},
	{"CATEGORIES", "groups",      CARD_GROUPS},
	{NULL,         NULL,          CARD_TEXT},
};
/* clang-format on */

const struct card_row *card_rows(enum id_kind kind)
{
	return kind == ID_COMPANY ? company_rows : person_rows;
}

const struct card_row *card_row_named(enum id_kind kind, const char *name)
{
	for (const struct card_row *row = card_rows(kind); row->name; row++)
		if (strcasecmp(row->name, name) == 0)
			return row;
	return NULL;
}

const char *card_version_name(enum card_version version)
{
	return version == CARD_4_0 ? "4.0" : "3.0";
}

enum card_version card_version_named(const char *text, size_t len)
{
	return vcard_word(text, len, "3.0") ? CARD_3_0 : vcard_word(text, len, "4.0") ? CARD_4_0 : CARD_UNKNOWN;
}

/* --- texts ---------------------------------------------------------------------------------------- */

const char *card_text_move(struct arena *a, struct buf *text, size_t *len)
{
	const char *moved = arena_dup(a, text->data ? text->data : "", text->len);

	if (len)
		*len = text->len;
	buf_free(text);
	return moved;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

const char *card_clean(struct arena *a, const char *text, size_t len)
{
	char *out = arena_alloc(a, len + 1);
	size_t n = 0;

	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)text[i];
		if (c == '\r')
			c = i + 1 < len && text[i + 1] == '\n' ? 0 : '\n';
		/* XML has no U+FFFE and U+FFFF. */
		if (c == 0xef && len - i > 2 && (unsigned char)text[i + 1] == 0xbf &&
		    (unsigned char)text[i + 2] >= 0xbe)
			i += 2;
		else if ((c >= ' ' && c != 0x7f) || is_blank((char)c))
			out[n++] = (char)c;
	}
	while (n && is_blank(out[n - 1]))
		n--;
	out[n] = '\0';
	while (is_blank(*out))
		out++;
	return out;
}

static const char *value_text(struct arena *a, const char *value, size_t len)
{
	char *out = arena_alloc(a, len + 1);

	return card_clean(a, out, vcard_unescape(value, len, out));
}

const char *card_value_part(struct arena *a, const char *value, size_t len, size_t at)
{
	size_t part = vcard_part(value, len, ';');

	for (; at && part < len; at--) {
		value += part + 1;
		len -= part + 1;
		part = vcard_part(value, len, ';');
	}
	return at ? "" : value_text(a, value, part);
}

const char *card_joined_name(struct arena *a, const char *first, const char *last)
{
	return *first && *last ? arena_printf(a, "%s %s", first, last) : *first ? first : last;
}

void card_split_name(struct arena *a, const char *full, const char **first, const char **last)
{
	size_t len = strcspn(full, " ");

	*first = arena_dup(a, full, len);
	*last = full + len + strspn(full + len, " ");
}

const char *card_names_value(struct arena *a, const char *first, const char *last)
{
	struct buf out;

	buf_init(&out, CARD_MAX);
	vcard_escape(&out, last, true);
	buf_addc(&out, ';');
	vcard_escape(&out, first, true);
	buf_addz(&out, ";;;");
	return card_text_move(a, &out, NULL);
}

/* --- of properties ------------------------------------------------------------------------------------ */

static const char *value_address(struct arena *a, const struct card_property *p)
{
	const char *part, *all = "";

	for (size_t i = 0; i < ADDRESS_PARTS; i++) {
		part = card_value_part(a, p->value, p->len, i);
		if (*part)
			all = *all ? arena_printf(a, "%s, %s", all, part) : part;
	}
	return all;
}

/* 1985-04-12, 19850412, and a time behind them. Apple writes the year 1604 when there is none. */
static const char *value_day(struct arena *a, const struct card_property *p)
{
	const char *text = value_text(a, p->value, p->len);
	size_t digits = strspn(text, "0123456789"), len = digits == 8 ? 8 : 10;
	const char *day = digits == 8 ? arena_printf(a, "%.4s-%.2s-%.2s", text, text + 4, text + 6)
	                              : arena_dup(a, text, strnlen(text, 10));
	int32_t days;

	if (strncmp(day, "1604", 4) == 0 || !date_parse(day, strlen(day), &days) || (text[len] && text[len] != 'T'))
		return "";
	return day;
}

static const char *value_choice(struct arena *a, const struct card_property *p)
{
	static const char *const words[] = {"Male", "Female", "Other"};
	const char *text = card_value_part(a, p->value, p->len, 0);

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcasecmp(text, words[i]) == 0 || (text[0] && !text[1] && (text[0] & ~32) == *words[i]))
			return words[i];
	return "";
}

static const char *value_item(struct arena *a, const struct card_property *p)
{
	static const char *const schemes[] = {"tel:", "mailto:"};
	const char *text = value_text(a, p->value, p->len);

	for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
		if (strncasecmp(text, schemes[i], strlen(schemes[i])) == 0)
			return text + strlen(schemes[i]);
	return text;
}

static const char *value_read(struct arena *a, const struct card_row *row, const struct card_property *p)
{
	switch (row->shape) {
	case CARD_NAMES:
		return card_names_value(
		    a, card_value_part(a, p->value, p->len, 1), card_value_part(a, p->value, p->len, 0));
	case CARD_COMPANY:
		return card_value_part(a, p->value, p->len, 0);
	case CARD_DATE:
		return value_day(a, p);
	case CARD_GENDER:
		return value_choice(a, p);
	case CARD_LIST:
		return value_item(a, p);
	case CARD_ADDRESS:
		return value_address(a, p);
	default:
		return value_text(a, p->value, p->len);
	}
}

/* One long number must not refuse the whole card: those of conferences have more digits than a number may have. */
const char *card_value(struct arena *a, const struct card_row *row, const struct card_property *p)
{
	const char *value = value_read(a, row, p);

	return row->max && text_code_points(value, strlen(value)) > row->max ? "" : value;
}

/* --- of records ---------------------------------------------------------------------------------- */

static const char *member_text(struct arena *a, const struct json *record, const char *member)
{
	const char *text = json_text(record, member);

	return card_clean(a, text, strlen(text));
}

/* FN is required: a record without a name gets the name of its company, or an address. */
static const char *record_name(struct arena *a, const struct card_row *row, const struct json *record)
{
	static const char *const lists[] = {"companies", "emails", "phones"};
	const char *name = member_text(a, record, row->member);
	const struct json *first;

	for (size_t i = 0; !*name && i < sizeof lists / sizeof *lists; i++) {
		first = json_items(json_member(record, lists[i]));
		name = !first                       ? ""
		       : first->type == JSON_STRING ? card_clean(a, first->text, strlen(first->text))
		                                    : member_text(a, first, "name");
	}
	return *name ? name : json_text(record, "id");
}

const char *card_record_value(struct arena *a, enum id_kind kind, const struct card_row *row, const struct json *record)
{
	const char *text;

	switch (row->shape) {
	case CARD_FULL_NAME:
		return record_name(a, row, record);
	case CARD_NAMES:
		return card_names_value(a, member_text(a, record, "firstName"), member_text(a, record, "lastName"));
	case CARD_COMPANY:
		return kind == ID_COMPANY ? member_text(a, record, "name")
		                          : member_text(a, json_items(json_member(record, row->member)), "name");
	case CARD_GENDER:
		text = json_text(record, row->member);
		return strcmp(text, "Unknown") == 0 ? "" : text;
	default:
		return member_text(a, record, row->member);
	}
}

/* --- values of fields as values of properties ----------------------------------------------------- */

void card_write_value(struct buf *out, enum card_shape shape, const char *value, enum card_version version)
{
	switch (shape) {
	case CARD_NAMES: /* is written already */
		buf_addz(out, value);
		break;
	case CARD_COMPANY:
		vcard_escape(out, value, true);
		break;
	case CARD_ADDRESS:
		buf_addz(out, ";;");
		vcard_escape(out, value, true);
		buf_addz(out, ";;;;");
		break;
	case CARD_URL:
		vcard_escape_uri(out, value);
		break;
	case CARD_GENDER:
		buf_addc(out, *value);
		break;
	case CARD_DATE:
		for (; *value; value++)
			if (version == CARD_3_0 || *value != '-')
				buf_addc(out, *value);
		break;
	default:
		vcard_escape(out, value, false);
	}
}

/* --- parameters ------------------------------------------------------------------------------------- */

bool card_param_find(const struct card_property *p, const char *name, struct vcard_param *found)
{
	struct vcard_line l = {.params = p->params, .params_len = strlen(p->params)};

	while (vcard_param_next(&l, found)) {
		if (!vcard_word(found->name, found->name_len, name))
			continue;
		if (found->value_len > 1 && *found->value == '"') {
			found->value++;
			found->value_len -= 2;
		}
		return true;
	}
	return false;
}

/* Visits the words of a TYPE parameter; false at the end. */
static bool type_next(struct vcard_param *type, const char **word, size_t *len)
{
	while (type->value_len && strchr("\",", *type->value)) {
		type->value++;
		type->value_len--;
	}
	*word = type->value;
	*len = 0;
	while (*len < type->value_len && !strchr("\",", type->value[*len]))
		++*len;
	type->value += *len;
	type->value_len -= *len;
	return *len > 0;
}

int card_rank(const struct card_property *p)
{
	struct vcard_line l = {.params = p->params, .params_len = strlen(p->params)};
	struct vcard_param param;
	const char *word;
	size_t len;
	int rank = CARD_RANK_NONE, given;

	while (vcard_param_next(&l, &param)) {
		given = vcard_word(param.name, param.name_len, "PREF") ? (int)strtol(param.value, NULL, 10) : 0;
		if (vcard_word(param.name, param.name_len, "TYPE"))
			while (type_next(&param, &word, &len))
				given = vcard_word(word, len, "pref") ? 1 : given;
		if (given > 0 && given < rank)
			rank = given;
	}
	return rank;
}

const char *card_params_ranked(struct arena *a, const char *params, enum card_version version, bool first)
{
	struct vcard_line l = {.params = params, .params_len = strlen(params)};
	struct vcard_param param;
	struct buf out;
	const char *word;
	size_t len, words;

	buf_init(&out, CARD_MAX);
	while (vcard_param_next(&l, &param)) {
		if (vcard_word(param.name, param.name_len, "PREF"))
			continue;
		if (!vcard_word(param.name, param.name_len, "TYPE")) {
			buf_addc(&out, ';');
			buf_add(&out, param.text, param.len);
			continue;
		}
		for (words = 0; type_next(&param, &word, &len);) {
			if (vcard_word(word, len, "pref"))
				continue;
			buf_addz(&out, words++ ? "," : ";TYPE=");
			buf_add(&out, word, len);
		}
	}
	if (first)
		buf_addz(&out, version == CARD_4_0 ? ";PREF=1" : ";TYPE=pref");
	return card_text_move(a, &out, NULL);
}

bool card_is(const struct card_property *p, const char *name)
{
	return strcasecmp(p->name, name) == 0;
}

bool card_is_label(const struct card_property *p)
{
	return *p->group && strncasecmp(p->name, "X-AB", 4) == 0;
}
