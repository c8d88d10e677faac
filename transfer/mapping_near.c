/* Suggests the field that an unknown column probably means, as a line for --map. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "server/base/near.h"
#include "transfer/mapping.h"

enum { WORDS_MAX = 16, WORD_SIZE = 64, TYPOS_MAX = 2, TYPOS_SHARE = 4, WITHIN = 100 };

/* Words that only say which record is meant, or which of several values. Any other word beside the name of a field
 * changes the meaning: "Name of the owner" is not the record's name. */
static const char *const own_words[TRANSFER_KINDS] = {[TRANSFER_PEOPLE] = " person people contact ",
    [TRANSFER_COMPANIES] = " company organization organisation account ",
    [TRANSFER_OBJECTS] = " deal opportunity lead object "};
static const char any_words[] = " record primary main other work home private business ";

/* The words of a name, in lower case and without the ending of the plural. */
struct near_words {
	char words[WORDS_MAX][WORD_SIZE];
	size_t n;
};

static void near_singular(char *word)
{
	size_t len = strlen(word);

	if (len > 4 && strcmp(word + len - 3, "ies") == 0)
		memcpy(word + len - 3, "y", 2);
	else if (len > 3 && word[len - 1] == 's' && word[len - 2] != 's')
		word[len - 1] = '\0';
}

/* A word ends before a character that is neither a letter nor a digit; in the API's names also before a capital. */
static void near_split(struct near_words *w, const char *text, bool camel)
{
	w->n = 0;
	for (size_t len = 0; w->n < WORDS_MAX; text++) {
		unsigned char c = (unsigned char)*text;
		bool letter = isalnum(c) || c >= 0x80;
		if (len && (!letter || len == WORD_SIZE - 1 || (camel && isupper(c)))) {
			w->words[w->n][len] = '\0';
			near_singular(w->words[w->n++]);
			len = 0;
		}
		if (!c)
			break;
		if (letter && w->n < WORDS_MAX)
			w->words[w->n][len++] = (char)tolower(c);
	}
}

static bool near_has(const struct near_words *w, const char *word)
{
	for (size_t i = 0; i < w->n; i++)
		if (strcmp(w->words[i], word) == 0)
			return true;
	return false;
}

static bool near_is_own(const char *list, const char *word)
{
	char padded[WORD_SIZE + 2];

	snprintf(padded, sizeof padded, " %s ", word);
	return list && strstr(list, padded);
}

/* True when the column has all words of the name and, unless more is allowed, no word that changes its meaning. */
static bool near_within(
    enum transfer_kind kind, const struct near_words *column, const struct near_words *name, bool more)
{
	for (size_t i = 0; i < name->n; i++)
		if (!near_has(column, name->words[i]))
			return false;
	for (size_t i = 0; i < column->n && !more; i++) {
		const char *word = column->words[i];
		if (!near_has(name, word) && !near_is_own(own_words[kind], word) && !near_is_own(any_words, word) &&
		    word[strspn(word, "0123456789")])
			return false;
	}
	return name->n > 0;
}

/* The edits that make one name of another. SIZE_MAX: these are no typos, but another word, such as "Details" for
 * "emails". Most typos are behind the first letter. */
static size_t near_typos(const char *column, size_t len, const char *name, size_t name_len)
{
	size_t edits = near_distance(column, len, name, name_len),
	       most = (len > name_len ? len : name_len) / TYPOS_SHARE;

	return edits <= TYPOS_MAX && edits <= most && tolower((unsigned char)*column) == tolower((unsigned char)*name)
	           ? edits
	           : SIZE_MAX;
}

/* A lower score is a better match; SIZE_MAX: no match. */
static size_t near_score(enum transfer_kind kind, const char *column, const char *name, bool custom)
{
	size_t len = strlen(column), name_len = strlen(name);
	bool plural = name_len > 2 && name[name_len - 1] == 's';
	size_t edits = near_typos(column, len, name, name_len),
	       one = plural ? near_typos(column, len, name, name_len - 1) : SIZE_MAX;
	struct near_words words, names;

	if (edits < SIZE_MAX || one < SIZE_MAX)
		return edits < one ? edits : one;
	near_split(&words, column, false);
	near_split(&names, name, !custom);
	return near_within(kind, &words, &names, custom) ? (size_t)WITHIN - names.n : SIZE_MAX;
}

bool mapping_suggest(const struct mapping *m, const char *column, bool plain, struct buf *field)
{
	const char *best = NULL, *prefix = "";
	size_t least = SIZE_MAX, score;
	const struct transfer_field *f;

	for (size_t i = 0; (f = field_at(m->kind, i)); i++) {
		bool part = shape_is_part(f->shape);
		if (f->shape == SHAPE_READ || f->shape == SHAPE_CUSTOM || (plain && part))
			continue;
		score = near_score(m->kind, column, f->name, false);
		if (score < least) {
			least = score;
			best = f->name;
		}
	}
	for (size_t i = 0; i < m->n_custom && !plain; i++) {
		score = m->custom[i].type == MAPPING_OTHER ? SIZE_MAX
		                                           : near_score(m->kind, column, m->custom[i].name, true);
		if (score < least) {
			least = score;
			best = m->custom[i].name;
			prefix = HEADER_CUSTOM;
		}
	}
	if (best)
		buf_printf(field, "%s%s", prefix, best);
	return best != NULL;
}

void mapping_put_line(struct buf *out, const char *column, const char *field)
{
	size_t len = strlen(column);
	/* A terminal shows hidden characters as "\u202e", which only a string reads; the bytes are those they begin
	 * with. */
	bool quote = !len || strchr("#\" \t", *column) || strchr(" \t", column[len - 1]) || strchr(column, '=') ||
	             strchr(field, '=') || strpbrk(column, "\x7f\xc2\xe2");
	struct json_out o;

	for (size_t i = 0; i < len; i++)
		quote |= (unsigned char)column[i] < ' ';
	json_out_init(&o, out);
	if (quote)
		json_string(&o, column);
	else
		buf_addz(out, column);
	buf_printf(out, " = %s", field);
}
