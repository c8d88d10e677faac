/* What is known of a search before it is written in SQL: the patterns of its words, and which companies and people have
 * them in their names (migrations/0026_search_words.sql). Asking once takes less than asking for each record that
 * refers to one of them; see search.h. */
#include <string.h>

#include "filter/search.h"
#include "server/base/fault.h"

/* Most names of a kind that are looked up for a word. Tests use a small number. */
enum { NAMES_MOST = 2500, NAMES_MOST_SMALL = 3 };

static const char *const kinds[SEARCH_NAMED] = {[SEARCH_COMPANIES] = "companies", [SEARCH_PEOPLE] = "people"};

unsigned search_named_by(const struct filter_searched *in)
{
	unsigned set = 0;

	for (int k = 0; k < in->n_relations; k++)
		set |= 1u << in->relations[k].kind;
	return set;
}

/* Appends two arrays: the texts of parts, and what indexes are asked for. */
static void parts_sql(struct sql *s, struct search_part *const *parts, size_t n, const char *separator)
{
	const char **texts = arena_alloc(s->arena, (n + 1) * sizeof *texts);
	size_t *lens = arena_alloc(s->arena, (n + 1) * sizeof *lens),
	       *kept = arena_alloc(s->arena, (n + 1) * sizeof *kept);

	for (size_t i = 0; i < n; i++) {
		texts[i] = parts[i]->text;
		lens[i] = parts[i]->len;
		kept[i] = lookup_kept(parts[i]->text, parts[i]->len);
	}
	sql_text_array(s, texts, lens, n);
	sql_add(s, separator);
	sql_text_array(s, texts, kept, n);
}

size_t search_parts(const struct filter_search *search, struct search_part *out[SEARCH_PARTS_ALL])
{
	size_t n = 0;

	for (size_t i = 0; i < search->n_terms; i++)
		for (size_t j = 0; j < search->terms[i].n_parts; j++)
			out[n++] = &search->terms[i].parts[j];
	return n;
}

void search_words_sql(const struct filter_search *search, search_begin *begin, void *ctx)
{
	struct search_part *parts[SEARCH_PARTS_ALL] = {NULL};
	struct search_word words[SEARCH_TERMS_MAX];
	int n = search_words(search, words);
	struct sql *s = begin(ctx, "search_words");

	sql_add(s,
	    "select kith_search_fold(w.text), case when kith_search_any_place(w.text) then kith_search_part(w.text) "
	    "end, "
	    "case when kith_search_any_place(w.kept) then kith_search_part(w.kept) when kith_search_any_place(w.text) "
	    "then "
	    "kith_search_part(w.text) end, kith_search_begin(w.text) from (select $1) one (workspace_id), unnest(");
	parts_sql(s, parts, search_parts(search, parts), ", ");
	sql_add(s, ") with ordinality w (text, kept, i) order by w.i");
	for (int i = 0; i < n; i++)
		parts[i] = words[i].part;
	for (int k = 0; k < SEARCH_NAMED && n > 0; k++) {
		if (!(search->named & 1u << k))
			continue;
		s = begin(ctx, "search_names");
		sql_add_textz(s,
		    "select n.whole, n.names, n.plenty from kith_search_named(workspace_id => $1, kind => ", kinds[k]);
		sql_add(s, ", words => ");
		parts_sql(s, parts, (size_t)n, ", keeps => ");
		sql_add(s, ", most => ");
		sql_int8(s, FAULT_ERROR(short_stages) ? NAMES_MOST_SMALL : NAMES_MOST);
		sql_add(s, ") n order by n.word");
	}
}
