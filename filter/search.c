/* Searches in SQL; see search.h. */
#include "filter/search.h"

#include <string.h>

#include "server/base/fault.h"

/* Rows are compared with at most this many ids of related records. Of so many that are few, the records which refer to
 * them are usually few, too. Tests use small numbers. */
static const struct {
	size_t compared, few;
} usual = {100, 600}, small = {1, 2};

static size_t names_compared_most(void)
{
	return FAULT_ERROR(short_stages) ? small.compared : usual.compared;
}

static int names_few(void)
{
	return (int)(FAULT_ERROR(short_stages) ? small.few : usual.few);
}

static const struct filter_field search_field = {"search", FILTER_TEXT, .ops = 1u << FILTER_LIKE};

struct filter *search_added(struct arena *a, const struct filter_search *search, struct filter *f)
{
	struct filter_condition *c = arena_alloc(a, sizeof *c);
	struct filter *one = arena_alloc(a, sizeof *one), *all = arena_alloc(a, sizeof *all);

	*c = (struct filter_condition){.field = &search_field, .op = FILTER_LIKE, .search = search, .name = "search"};
	*one = (struct filter){.kind = FILTER_ONE, .condition = c};
	if (!f)
		return one;
	*all = (struct filter){.kind = FILTER_ALL_OF, .parts = arena_alloc(a, 2 * sizeof *all->parts), .n_parts = 2};
	all->parts[0] = f;
	all->parts[1] = one;
	return all;
}

/* --- tests of rows ------------------------------------------------------------------------------- */

void search_part_sql(struct sql *s, const char *text, const struct search_part *part)
{
	sql_add(s, text);
	sql_add_textz(s, part->pattern ? " like " : " ~ ", part->pattern ? part->pattern : part->beginning);
}

void search_end_sql(struct sql *s, const char *text, const char *digits)
{
	sql_addf(s, "%s like ", text);
	sql_textz(s, arena_printf(s->arena, "%%%s\x02%%", digits));
}

/* Comparing ids takes less than reading the names of the records that a row refers to. */
static bool names_compared(const struct search_names *names)
{
	return names->known && names->n <= names_compared_most();
}

/* Appends " or …": the name of a related record has the part. */
static void related_name_sql(struct sql *s, const struct search_relation *rel, const struct search_part *part)
{
	const struct search_names *names = &part->names[rel->kind];

	if (names_compared(names) && names->n == 0)
		return;
	if (names_compared(names)) {
		sql_addf(s, " or t.%s && ", rel->ids);
		sql_uuid_array(s, names->ids, names->n);
		return;
	}
	sql_addf(s,
	    " or (t.%s <> '{}' and exists (select from %s c where c.workspace_id = $1 and c.id = any (t.%s) and ",
	    rel->ids, rel->table, rel->ids);
	search_part_sql(s, arena_printf(s->arena, "kith_search_line(c.%s)", rel->name), part);
	sql_add(s, "))");
}

static bool part_cheap(const struct filter_searched *in, const struct search_part *part)
{
	for (int k = 0; k < in->n_relations; k++)
		if (!names_compared(&part->names[in->relations[k].kind]))
			return false;
	return true;
}

/* The parts whose tests take least come first. */
static void parts_row_sql(
    struct sql *s, const struct filter_searched *in, const struct search_term *term, const char *text)
{
	const char *separator = "(";

	for (int cheap = 1; cheap >= 0; cheap--)
		for (size_t i = 0; i < term->n_parts; i++) {
			if (part_cheap(in, &term->parts[i]) != cheap)
				continue;
			sql_add(s, separator);
			search_part_sql(s, text, &term->parts[i]);
			for (int k = 0; k < in->n_relations; k++)
				related_name_sql(s, &in->relations[k], &term->parts[i]);
			separator = ") and (";
		}
	sql_add(s, ")");
}

static void term_row_sql(
    struct sql *s, const struct filter_searched *in, const struct search_term *term, const char *text)
{
	for (size_t i = 0; i < term->n_ends; i++) {
		search_end_sql(s, text, term->ends[i]);
		sql_add(s, " or ");
	}
	if (term->n_parts > 1)
		sql_add(s, "(");
	parts_row_sql(s, in, term, text);
	if (term->n_parts > 1)
		sql_add(s, ")");
}

static bool term_cheap(const struct filter_searched *in, const struct search_term *term)
{
	for (size_t i = 0; i < term->n_parts; i++)
		if (!part_cheap(in, &term->parts[i]))
			return false;
	return true;
}

void search_row_sql(const struct filter_sql *to, const struct filter_search *search, const char *text)
{
	const char *separator = "((";

	for (int cheap = 1; cheap >= 0; cheap--)
		for (size_t i = 0; i < search->n_terms; i++) {
			if (term_cheap(search->in, &search->terms[i]) != cheap)
				continue;
			sql_add(to->s, separator);
			term_row_sql(to->s, search->in, &search->terms[i], text);
			separator = ") and (";
		}
	sql_add(to->s, "))");
}

int search_cost(const struct filter_search *search)
{
	int cost = 0;

	for (size_t i = 0; i < search->n_terms; i++)
		for (size_t j = 0; j < search->terms[i].n_parts; j++) {
			cost += 2;
			for (int k = 0; k < search->in->n_relations; k++)
				cost += names_compared(&search->terms[i].parts[j].names[search->in->relations[k].kind])
				            ? 0
				            : 8;
		}
	return cost;
}

/* --- words that an index finds ------------------------------------------------------------------- */

/* The length of the letter or digit at text, of at most len bytes, if it is of ASCII or Latin; else 0. */
static size_t letter_len(const char *text, size_t len)
{
	unsigned char c = (unsigned char)(len ? text[0] : 0);

	if ((c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z'))
		return 1;
	return c >= 0xC3 && c <= 0xC9 && len > 1 ? 2 : 0;
}

/* The index has the first letter and the first two letters of each word, and any three letters in a row. One letter is
 * not worth looking up by itself. */
static bool part_searchable(const struct search_part *part, bool one_letter)
{
	size_t first = letter_len(part->text, part->len);
	size_t second = first ? letter_len(part->text + first, part->len - first) : 0;

	if (one_letter)
		return first && first == part->len;
	return lookup_searchable(part->text, part->len, false) || (second && first + second == part->len);
}

static int words_of_length(
    const struct filter_search *search, bool one_letter, int n, struct search_word out[SEARCH_TERMS_MAX])
{
	for (size_t i = 0; i < search->n_terms; i++)
		for (size_t j = 0; j < search->terms[i].n_parts && n < SEARCH_TERMS_MAX; j++)
			if (part_searchable(&search->terms[i].parts[j], one_letter))
				out[n++] = (struct search_word){&search->terms[i].parts[j], i};
	return n;
}

int search_words(const struct filter_search *search, struct search_word out[SEARCH_TERMS_MAX])
{
	int n = words_of_length(search, false, 0, out);

	return n ? words_of_length(search, true, n, out) : 0;
}

/* --- look-ups ---------------------------------------------------------------------------------------
 *
 * Whatever words are chosen: a match has all of them in its own texts, or one of them is in a related name. So the
 * candidates are the records whose own texts have all chosen words, and the records that refer to a name with one of
 * them. Words that too many related names have are not chosen. */

/* The number of related names that have the part; -1: too many. */
static int names_count(const struct filter_searched *in, const struct search_part *part)
{
	int n = 0;

	for (int k = 0; k < in->n_relations; k++) {
		const struct search_names *names = &part->names[in->relations[k].kind];
		if (!names->known)
			return -1;
		n += (int)names->n;
	}
	return n;
}

/* Fills the words of all terms that the index is asked for, and returns their number. If one is in few related names or
 * none, those in many add more candidates than they spare. */
static int words_chosen(const struct filter_search *search, struct search_word out[SEARCH_TERMS_MAX])
{
	int n = search_words(search, out), chosen = 0;
	int most = names_few();
	bool few = false;

	for (int i = 0; i < n; i++)
		few |= names_count(search->in, out[i].part) >= 0 && names_count(search->in, out[i].part) <= most;
	for (int i = 0; i < n; i++) {
		int names = names_count(search->in, out[i].part);
		if (names >= 0 && (!few || names <= most))
			out[chosen++] = out[i];
	}
	return chosen;
}

/* The digits that both a number's part and its end have, if the number is written without signs; else NULL. */
static const char *term_digits(const struct search_term *term)
{
	bool plain = term->n_parts == 1 && term->n_ends == 1 && strstr(term->parts[0].text, term->ends[0]);

	return plain ? term->ends[0] : NULL;
}

static void word_where(struct sql *s, const char *index, const struct search_part *part)
{
	struct search_part kept = *part;

	kept.pattern = part->kept;
	search_part_sql(s, index, &kept);
}

/* Appends the condition that the index has the chosen words of a term. */
static void term_where(
    struct sql *s, const char *index, const struct search_term *term, const struct search_part *const *words, int n)
{
	if (term_digits(term)) { /* one condition, because PostgreSQL leaves alternatives to a test of rows */
		sql_addf(s, "%s like ", index);
		sql_textz(s, arena_printf(s->arena, "%%%s%%", term_digits(term)));
		return;
	}
	for (size_t e = 0; e < term->n_ends; e++) {
		search_end_sql(s, index, term->ends[e]);
		sql_add(s, " or ");
	}
	for (int i = 0; i < n; i++) {
		sql_add(s, i ? " and " : "(");
		word_where(s, index, words[i]);
	}
	sql_add(s, ")");
}

/* Appends the condition that the index has these words. */
static void words_where(struct sql *s, const struct filter_search *search, const struct search_word *words, int n)
{
	const char *separator = "(";

	for (size_t t = 0; t < search->n_terms; t++) {
		const struct search_part *of_term[SEARCH_TERMS_MAX];
		int found = 0;
		for (int i = 0; i < n; i++)
			if (words[i].term == t)
				of_term[found++] = words[i].part;
		if (found == 0)
			continue;
		sql_add(s, separator);
		term_where(s, search->in->index, &search->terms[t], of_term, found);
		separator = ") and (";
	}
	sql_add(s, ")");
}

static void own_where(const struct filter_sql *to, const struct filter_condition *f)
{
	struct search_word words[SEARCH_TERMS_MAX];

	words_where(to->s, f->search, words, words_chosen(f->search, words));
}

/* Appends "table rows refer to one of these": the records of the relation whose names have a chosen word. */
static void related_where(const struct filter_sql *to, const struct filter_condition *f)
{
	const struct search_relation *rel = &f->search->in->relations[f->search_part - 1];
	struct search_word words[SEARCH_TERMS_MAX];
	int n = words_chosen(f->search, words);

	sql_add(to->s, "(false");
	for (int i = 0; i < n; i++) {
		const struct search_names *names = &words[i].part->names[rel->kind];
		if (names->n == 0)
			continue;
		sql_addf(to->s, " or l.%s = any (", rel->link.other);
		sql_uuid_array(to->s, names->ids, names->n);
		sql_add(to->s, ")");
	}
	sql_add(to->s, ")");
}

static bool relation_named(const struct search_relation *rel, const struct search_word *words, int n)
{
	for (int i = 0; i < n; i++)
		if (words[i].part->names[rel->kind].n)
			return true;
	return false;
}

static struct lookup search_lookup(struct arena *a, const struct filter_condition *f, int part)
{
	struct filter_condition *c = arena_alloc(a, sizeof *c);

	*c = *f;
	c->search_part = part;
	return (struct lookup){.condition = c, .rank = LOOKUP_PART, .key = ""};
}

int search_lookups(const struct filter_sql *to, const char *table, const struct filter_condition *f, struct lookup *out)
{
	const struct filter_searched *in = f->search->in;
	struct search_word words[SEARCH_TERMS_MAX];
	int n_words = words_chosen(f->search, words), n = 1;
	struct arena *a = to->s->arena;

	out[0] = search_lookup(a, f, 0);
	out[0].where = own_where;
	out[0].table = table;
	out[0].id = "t.id";
	out[0].own = true;
	for (int k = 0; k < in->n_relations; k++) {
		if (!relation_named(&in->relations[k], words, n_words))
			continue;
		out[n] = search_lookup(a, f, 1 + k);
		out[n].where = related_where;
		out[n].table = in->relations[k].link.table;
		out[n++].id = arena_printf(a, "l.%s", in->relations[k].link.owner);
	}
	return n_words ? n : 0;
}

/* Appends " union all select …": the records that refer to one of these. */
static void refer_sql(struct sql *s, const struct search_relation *rel, const struct search_names *names)
{
	if (names->n == 0)
		return;
	sql_addf(s, "\n\tunion all select l.%s from %s l where l.workspace_id = $1 and l.%s = any (", rel->link.owner,
	    rel->link.table, rel->link.other);
	sql_uuid_array(s, names->ids, names->n);
	sql_add(s, ")");
}

void search_joint_sql(const struct filter_sql *to, const struct filter_search *search)
{
	for (int k = 0; k < search->in->n_relations; k++)
		refer_sql(to->s, &search->in->relations[k], &search->joint[search->in->relations[k].kind]);
}

void search_some_sql(const struct filter_sql *to, const char *table, const struct filter_search *search)
{
	struct search_word words[SEARCH_TERMS_MAX];
	int n = search_words(search, words);

	if (n == 0)
		return;
	sql_addf(to->s, "\n\tunion all (select t.id from %s t where t.workspace_id = $1 and ", table);
	words_where(to->s, search, words, n);
	sql_add(to->s, ")");
	for (int k = 0; n == 1 && k < search->in->n_relations; k++)
		refer_sql(to->s, &search->in->relations[k], &words[0].part->names[search->in->relations[k].kind]);
}
