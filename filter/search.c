/* Searches in SQL; see search.h. */
#include "filter/search.h"

#include <string.h>

/* A look-up takes the records that refer to at most this many others with a matching name. The index also finds texts
 * that are not names, such as telephone numbers: at most this many records are read. */
enum { RELATED_MOST = 2500, RELATED_READ = 20000 };

/* Reading a common part's entries in the index takes longest. So of several parts only those are looked up that are
 * rarest among so many of the oldest and of the newest records of the related tables. */
enum { SAMPLED = 300 };

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

void search_part_sql(struct sql *s, const char *text, const struct search_part *part, const char *if_sql)
{
	const char *when = if_sql ? arena_printf(s->arena, "case when %s then ", if_sql) : "";
	int n;

	sql_add(s, "case when kith_search_any_place(");
	sql_text(s, part->text, part->len);
	n = s->n_params;
	sql_addf(s, ") then %s like %skith_search_part(", text, when);
	sql_again(s, n);
	sql_addf(s, ")%s else %s ~ %skith_search_begin(", if_sql ? " else '%' end" : "", text, when);
	sql_again(s, n);
	sql_addf(s, ")%s end", if_sql ? " else '' end" : "");
}

void search_end_sql(struct sql *s, const char *text, const char *digits, const char *if_sql)
{
	sql_addf(s, "%s like ", text);
	if (if_sql)
		sql_addf(s, "case when %s then ", if_sql);
	sql_add_textz(s, "'%' || ", digits);
	sql_add(s, "::text || e'\\x02%'");
	if (if_sql)
		sql_add(s, " else '%' end");
}

/* Appends the condition that the name of a related record has the part. */
static void related_name_sql(struct sql *s, const struct search_relation *rel, const struct search_part *part)
{
	sql_addf(s,
	    " or (t.%s <> '{}' and exists (select from %s c where c.workspace_id = $1 and c.id = any (t.%s) and ",
	    rel->ids, rel->table, rel->ids);
	search_part_sql(s, arena_printf(s->arena, "kith_search_line(c.%s)", rel->name), part, NULL);
	sql_add(s, "))");
}

static void term_row_sql(struct sql *s, const struct filter_searched *in, const struct search_term *term)
{
	for (size_t i = 0; i < term->n_ends; i++) {
		search_end_sql(s, in->text, term->ends[i], NULL);
		sql_add(s, " or ");
	}
	for (size_t i = 0; i < term->n_parts; i++) {
		sql_add(s, i ? " and (" : "(");
		search_part_sql(s, in->text, &term->parts[i], NULL);
		for (int k = 0; k < in->n_relations; k++)
			related_name_sql(s, &in->relations[k], &term->parts[i]);
		sql_add(s, ")");
	}
}

void search_row_sql(const struct filter_sql *to, const struct filter_search *search)
{
	for (size_t i = 0; i < search->n_terms; i++) {
		sql_add(to->s, i ? " and (" : "((");
		term_row_sql(to->s, search->in, &search->terms[i]);
		sql_add(to->s, ")");
	}
	sql_add(to->s, ")");
}

int search_cost(const struct filter_search *search)
{
	int cost = 0;

	for (size_t i = 0; i < search->n_terms; i++)
		cost += (int)search->terms[i].n_parts * (2 + 8 * search->in->n_relations);
	return cost;
}

/* --- look-ups ---------------------------------------------------------------------------------------
 *
 * Whatever parts are chosen: a match has all of them in its own texts, or one of them is in a related name. So the
 * candidates are the records whose own texts have all chosen parts, and the records that refer to a name with one of
 * them. Parts that too many related names have are not chosen; the database decides which these are. */

/* The length of the letter or digit at text, of at most len bytes, if it is of ASCII or Latin; else 0. */
static size_t letter_len(const char *text, size_t len)
{
	unsigned char c = (unsigned char)(len ? text[0] : 0);

	if ((c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z'))
		return 1;
	return c >= 0xC3 && c <= 0xC9 && len > 1 ? 2 : 0;
}

/* The index has the first two letters of each word, and any three letters in a row. */
static bool part_searchable(const struct search_part *part)
{
	size_t first = letter_len(part->text, part->len);
	size_t second = first ? letter_len(part->text + first, part->len - first) : 0;

	return lookup_searchable(part->text, part->len, false) || (second && first + second == part->len);
}

/* A part that chooses candidates. */
struct chosen {
	const struct search_part *part;
	size_t term;
};

/* Fills the parts of all terms that the index can find, and returns their number. */
static int parts_chosen(const struct filter_search *search, struct chosen out[SEARCH_TERMS_MAX])
{
	int n = 0;

	for (size_t i = 0; i < search->n_terms; i++)
		for (size_t j = 0; j < search->terms[i].n_parts && n < SEARCH_TERMS_MAX; j++)
			if (part_searchable(&search->terms[i].parts[j]))
				out[n++] = (struct chosen){&search->terms[i].parts[j], i};
	return n;
}

static struct search_part part_looked_up(const struct search_part *part)
{
	return (struct search_part){part->text, lookup_kept(part->text, part->len)};
}

/* True when the n-th of the chosen parts is looked up. */
static const char *part_asked(struct arena *a, int n, int n_parts)
{
	return n_parts > 1 ? arena_printf(a, "(select asked%d from rare)", n) : "true";
}

/* "(…)": the n-th of the chosen parts was looked up, and few enough related names have it. NULL: there are no
 * relations. */
static const char *part_few(struct arena *a, const struct filter_search *search, int n, int n_parts)
{
	const char *few = part_asked(a, n, n_parts);

	for (int k = 0; k < search->in->n_relations; k++)
		few = arena_printf(a, "%s and (select count(*) <= %d and coalesce(max(n), 0) <= %d from searched%d_%d)",
		    few, RELATED_MOST, RELATED_READ, n, k);
	return search->in->n_relations ? arena_printf(a, "(%s)", few) : NULL;
}

/* "a or b", or b. NULL when that is NULL. */
static const char *few_either(struct arena *a, const char *few, const char *other)
{
	return few ? arena_printf(a, "(%s or %s)", few, other) : other;
}

/* The digits that both a number's part and its end have, if the number is written without signs; else NULL. */
static const char *term_digits(const struct search_term *term)
{
	bool plain = term->n_parts == 1 && term->n_ends == 1 && strstr(term->parts[0].text, term->ends[0]);

	return plain ? term->ends[0] : NULL;
}

static void own_where(const struct filter_sql *to, const struct filter_condition *f)
{
	const struct filter_search *search = f->search;
	struct chosen parts[SEARCH_TERMS_MAX];
	int n = parts_chosen(search, parts), next;
	struct sql *s = to->s;

	for (int i = 0; i < n; i = next) {
		const struct search_term *term = &search->terms[parts[i].term];
		const char *few = NULL;

		for (next = i; next < n && parts[next].term == parts[i].term; next++)
			few = few_either(s->arena, few, part_few(s->arena, search, next, n));
		sql_add(s, i ? " and (" : "(");
		if (term_digits(term)) { /* one condition, because PostgreSQL leaves alternatives to a test of rows */
			const char *digits = term_digits(term);
			search_part_sql(s, search->in->index, &(struct search_part){digits, strlen(digits)}, few);
			sql_add(s, ")");
			continue;
		}
		for (size_t e = 0; e < term->n_ends; e++) {
			search_end_sql(s, search->in->index, term->ends[e], few);
			sql_add(s, " or ");
		}
		for (int k = i; k < next; k++) {
			struct search_part part = part_looked_up(parts[k].part);
			sql_add(s, k > i ? " and " : "(");
			search_part_sql(s, search->in->index, &part, part_few(s->arena, search, k, n));
		}
		sql_add(s, "))");
	}
}

static void related_where(const struct filter_sql *to, const struct filter_condition *f)
{
	int n = (f->search_part - 1) / SEARCH_RELATIONS_MAX, k = (f->search_part - 1) % SEARCH_RELATIONS_MAX;
	struct chosen parts[SEARCH_TERMS_MAX];
	const char *few = part_few(to->s->arena, f->search, n, parts_chosen(f->search, parts));

	sql_addf(to->s, "l.%s = any (array(select id from searched%d_%d where %s))",
	    f->search->in->relations[k].link.other, n, k, few);
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
	struct chosen parts[SEARCH_TERMS_MAX];
	int n_parts = parts_chosen(f->search, parts), n = 1;
	struct arena *a = to->s->arena;

	out[0] = search_lookup(a, f, 0);
	out[0].where = own_where;
	out[0].table = table;
	out[0].id = "t.id";
	out[0].own = true;
	for (int i = 0; i < n_parts; i++)
		for (int k = 0; k < in->n_relations; k++) {
			out[n] = search_lookup(a, f, 1 + i * SEARCH_RELATIONS_MAX + k);
			out[n].where = related_where;
			out[n].table = in->relations[k].link.table;
			out[n++].id = arena_printf(a, "l.%s", in->relations[k].link.owner);
		}
	return n_parts ? n : 0;
}

static void related_name_has(struct sql *s, const struct search_relation *rel, const struct search_part *part)
{
	search_part_sql(s, arena_printf(s->arena, "kith_search_line(c.%s)", rel->name), part, NULL);
}

/* Appends " and …": the index finds the part in a text of a related record c. */
static void related_text_has(struct sql *s, const struct search_relation *rel, const struct search_part *part)
{
	struct search_part looked_up = part_looked_up(part);

	sql_add(s, " and ");
	search_part_sql(s, rel->index, &looked_up, NULL);
}

/* A last row that need not have the part says that there are more than RELATED_READ. */
static void related_names_sql(struct sql *s, const struct search_relation *rel, const struct search_part *part)
{
	sql_add(s, "select id, n from (select c.id, row_number() over () as n, ");
	related_name_has(s, rel, part);
	sql_addf(s, " as fits from %s c where c.workspace_id = $1", rel->table);
	related_text_has(s, rel, part);
	sql_addf(s, " limit %d) c where (fits or n > %d)", RELATED_READ + 1, RELATED_READ);
}

/* "ends as (…)": how many of the oldest and of the newest records of each related table have each part. */
static void ends_sql(struct sql *s, const struct filter_searched *in, const struct chosen *parts, int n)
{
	sql_add(s, "ends as materialized (\n\tselect k, newest");
	for (int i = 0; i < n; i++) {
		sql_add(s, ", count(*) filter (where ");
		search_part_sql(s, "search_text", parts[i].part, NULL);
		sql_addf(s, ") as n%d", i);
	}
	sql_add(s, " from (");
	for (int k = 0; k < 2 * in->n_relations; k++)
		sql_addf(s,
		    "%s(select %d as k, %s as newest, search_text from %s where workspace_id = $1 order by id%s limit "
		    "%d)",
		    k ? "\n\t\tunion all " : "", k / 2, k % 2 ? "true" : "false", in->relations[k / 2].table,
		    k % 2 ? " desc" : "", SAMPLED);
	sql_add(s, ") c group by k, newest\n),\n");
}

/* "rare as (…)": which parts are looked up. An empty table has no ends. */
static void rare_sql(struct sql *s, int n)
{
	const char *asked = "", *most = "", *least = "", *all = "";

	for (int i = 0; i < n; i++) {
		const char *comma = i ? ", " : "";
		all = arena_printf(s->arena, "%s%sn%d", all, comma, i);
		most = arena_printf(s->arena, "%s%scoalesce(max(n%d), 0) as n%d", most, comma, i, i);
		least = arena_printf(s->arena, "%s%smin(n%d) as n%d", least, comma, i, i);
	}
	for (int i = 0; i < n; i++)
		asked = arena_printf(s->arena, "%s%sn%d = least(%s) as asked%d", asked, i ? ", " : "", i, all, i);
	sql_addf(s,
	    "rare as materialized (\n\tselect %s from (select %s from (select %s from ends group by k) k) n\n),\n",
	    asked, most, least);
}

void search_related_sql(const struct filter_sql *to, const struct filter_search *search, const char *condition)
{
	struct chosen parts[SEARCH_TERMS_MAX];
	int n = parts_chosen(search, parts);

	if (n > 1 && search->in->n_relations > 0) {
		ends_sql(to->s, search->in, parts, n);
		rare_sql(to->s, n);
	}
	for (int i = 0; i < n; i++)
		for (int k = 0; k < search->in->n_relations; k++) {
			sql_addf(to->s, "searched%d_%d as materialized (\n\t", i, k);
			related_names_sql(to->s, &search->in->relations[k], parts[i].part);
			sql_addf(to->s, "%s and %s limit %d\n),\n", condition, part_asked(to->s->arena, i, n),
			    RELATED_MOST + 1);
		}
}

const char *search_few(struct arena *a, const struct filter_search *search)
{
	struct chosen parts[SEARCH_TERMS_MAX];
	int n = search->in->n_relations ? parts_chosen(search, parts) : 0;
	const char *any = NULL;

	for (int i = 0; i < n; i++)
		any = few_either(a, any, part_few(a, search, i, n));
	return any ? any : "true";
}

void search_joint_sql(const struct filter_sql *to, const struct filter_search *search)
{
	struct chosen parts[SEARCH_TERMS_MAX];
	int n = parts_chosen(search, parts);

	for (int k = 0; k < search->in->n_relations && n > 1; k++) {
		const struct search_relation *rel = &search->in->relations[k];
		sql_addf(to->s, "\n\tunion all select l.%s from %s l where l.workspace_id = $1 and l.%s = any (array(",
		    rel->link.owner, rel->link.table, rel->link.other);
		sql_addf(to->s, "select c.id from %s c where c.workspace_id = $1", rel->table);
		for (int i = 0; i < n; i++) {
			related_text_has(to->s, rel, parts[i].part);
			sql_add(to->s, " and ");
			related_name_has(to->s, rel, parts[i].part);
		}
		sql_addf(to->s, " limit %d))", RELATED_MOST);
	}
}
