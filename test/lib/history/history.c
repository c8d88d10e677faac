/* See history.h. */
#include "test/lib/history/history.h"

#include <stdlib.h>
#include <string.h>

#include "server/base/arena.h"

const char *const history_changes[CHANGES] = {"created", "updated", "deleted"};
static const char *const kinds[] = {"create", "update", "delete", "read", "list", "feed", "hook"};
enum { KINDS = sizeof kinds / sizeof *kinds, WORDS_MAX = 400 };

/* --- names -------------------------------------------------------------------------------------- */

static void names_free(struct history_names *names)
{
	for (int i = 0; i < names->n; i++)
		free(names->texts[i]);
	free(names->texts);
	free(names->table);
}

/* The place of the text, or the free one where it belongs. */
static int *names_place(const struct history_names *names, const char *text)
{
	uint64_t hash = UINT64_C(1469598103934665603);

	for (const char *p = text; *p; p++)
		hash = (hash ^ (unsigned char)*p) * UINT64_C(1099511628211);
	for (uint64_t i = hash;; i++) {
		int *place = &names->table[i & (uint64_t)(2 * names->cap - 1)];
		if (*place == 0 || strcmp(names->texts[*place - 1], text) == 0)
			return place;
	}
}

static void names_grow(struct history_names *names)
{
	names->cap = names->cap ? 2 * names->cap : 64;
	names->texts = mem_realloc(names->texts, (size_t)names->cap * sizeof *names->texts);
	free(names->table);
	names->table = mem_zalloc(2 * (size_t)names->cap * sizeof *names->table);
	for (int i = 0; i < names->n; i++)
		*names_place(names, names->texts[i]) = i + 1;
}

int history_name(struct history_log *h, struct history_names *names, const char *text)
{
	if (!text || !*text)
		return -1;
	pthread_mutex_lock(&h->lock);
	if (names->n == names->cap)
		names_grow(names);
	int *place = names_place(names, text);
	if (*place == 0) {
		names->texts[names->n++] = mem_dupz(text);
		*place = names->n;
	}
	int number = *place - 1;
	pthread_mutex_unlock(&h->lock);
	return number;
}

const char *history_text(struct history_log *h, const struct history_names *names, int number)
{
	pthread_mutex_lock(&h->lock);
	const char *text = names->texts[number];
	pthread_mutex_unlock(&h->lock);
	return text;
}

/* --- steps --------------------------------------------------------------------------------------- */

void history_init(struct history_log *h)
{
	memset(h, 0, sizeof *h);
	pthread_mutex_init(&h->lock, NULL);
}

void history_free(struct history_log *h)
{
	names_free(&h->records);
	names_free(&h->values);
	names_free(&h->keys);
	names_free(&h->events);
	free(h->steps.all);
	pthread_mutex_destroy(&h->lock);
}

struct history_step history_step_new(enum history_kind kind, int who, int64_t begin)
{
	return (struct history_step){.kind = kind,
	    .who = who,
	    .begin = begin,
	    .end = HISTORY_NEVER,
	    .record = -1,
	    .value = -1,
	    .key = -1,
	    .event = -1,
	    .tag = -1,
	    .match = -1};
}

void history_add(struct history_steps *to, const struct history_step *step)
{
	if (to->n == to->cap) {
		to->cap = to->cap ? 2 * to->cap : 256;
		to->all = mem_realloc(to->all, (size_t)to->cap * sizeof *to->all);
	}
	to->all[to->n++] = *step;
}

void history_gather(struct history_log *h, struct history_steps *from)
{
	for (int i = 0; i < from->n; i++)
		history_add(&h->steps, &from->all[i]);
	free(from->all);
	memset(from, 0, sizeof *from);
}

/* --- reading text --------------------------------------------------------------------------------- */

/* "A,a1" of a list, "updated,e2,A,a1" of the feed. */
static bool parse_part(struct history_log *h, const struct history_step *head, char *word)
{
	struct history_step step = history_step_new(HISTORY_ITEM, head->who, head->begin);
	char *parts[4] = {NULL}, *rest = word;
	int n = 0;

	while (rest && n < 4)
		parts[n++] = strsep(&rest, ",");
	step.end = head->end;
	step.status = head->status;
	step.process = head->process;
	if (head->kind == HISTORY_LIST && n == 2) {
		step.record = history_name(h, &h->records, parts[0]);
		step.value = history_name(h, &h->values, parts[1]);
		history_add(&h->steps, &step);
		return true;
	}
	step.kind = HISTORY_EVENT;
	for (int i = 0; i < CHANGES; i++)
		if (strcmp(parts[0], history_changes[i]) == 0 && n == (i == CHANGE_UPDATED ? 4 : 3)) {
			step.change = (enum history_change)i;
			step.event = history_name(h, &h->events, parts[1]);
			step.record = history_name(h, &h->records, parts[2]);
			step.value = history_name(h, &h->values, parts[3]);
			history_add(&h->steps, &step);
			return head->kind == HISTORY_FEED;
		}
	return false;
}

/* What follows the status. */
static void parse_word(struct history_log *h, struct history_step *step, char *word)
{
	char *value = strchr(word, '=');

	if (value)
		*value++ = '\0';
	if (value && strcmp(word, "tag") == 0)
		step->tag = strtoll(value, NULL, 10);
	else if (value && strcmp(word, "match") == 0)
		step->match = strtoll(value, NULL, 10);
	else if (value && strcmp(word, "key") == 0)
		step->key = history_name(h, &h->keys, value);
	else if (value && strcmp(word, "event") == 0)
		step->event = history_name(h, &h->events, value);
	else if (value && strcmp(word, "value") == 0)
		step->value = history_name(h, &h->values, value);
	else if (value && strcmp(word, "process") == 0)
		step->process = (int)strtol(value, NULL, 10);
	else if (strcmp(word, "replayed") == 0)
		step->replayed = true;
	else if (strcmp(word, "part") == 0)
		step->part = true;
	else if (strcmp(word, "start") == 0)
		step->from = FROM_START;
	else if (strcmp(word, "copy") == 0)
		step->from = FROM_COPY;
	else if (step->record < 0)
		step->record = history_name(h, &h->records, word);
	else
		step->value = history_name(h, &h->values, word);
}

static bool parse_step(struct history_log *h, char *words[], int n)
{
	struct history_step step = history_step_new(HISTORY_READ, 0, 0);
	int kind = 0, i, head;

	while (kind < KINDS && strcmp(kinds[kind], words[0]) != 0)
		kind++;
	if (kind == KINDS || n < 5)
		return false;
	step.kind = (enum history_kind)kind;
	step.who = (int)strtol(words[1] + 1, NULL, 10);
	step.begin = strtoll(words[2], NULL, 10);
	if (strcmp(words[3], "-") != 0)
		step.end = strtoll(words[3], NULL, 10);
	step.status = (int)strtol(words[4], NULL, 10);
	for (i = 5; i < n && !strchr(words[i], ','); i++)
		parse_word(h, &step, words[i]);
	head = h->steps.n;
	history_add(&h->steps, &step);
	for (; i < n; i++) {
		struct history_step first = h->steps.all[head]; /* the array may move */
		if (!parse_part(h, &first, words[i]))
			return false;
	}
	return true;
}

static bool parse_line(struct history_log *h, char *line)
{
	char *words[WORDS_MAX], *word;
	int n = 0;

	while ((word = strsep(&line, " \t")))
		if (*word && n < WORDS_MAX)
			words[n++] = word;
	if (n == 0 || *words[0] == '#')
		return true;
	if (n == 2 && strcmp(words[0], "hooks") == 0)
		return (h->hooks = (int)strtol(words[1], NULL, 10)) > 0;
	if (n == 1 && strcmp(words[0], "undisturbed") == 0)
		return (h->undisturbed = true);
	return parse_step(h, words, n);
}

bool history_parse(struct history_log *h, const char *text, int *line)
{
	char *copy = mem_dupz(text), *rest = copy, *one;
	bool ok = true;

	for (*line = 1; ok && (one = strsep(&rest, "\n")); ++*line)
		ok = parse_line(h, one);
	free(copy);
	return ok;
}

/* --- writing text ----------------------------------------------------------------------------------- */

static const char *name_of(const struct history_names *names, int number)
{
	return number < 0 ? "" : names->texts[number];
}

static void print_name(FILE *f, const char *before, const struct history_names *names, int number)
{
	if (number >= 0)
		fprintf(f, "%s%s", before, names->texts[number]);
}

void history_print_step(const struct history_log *h, const struct history_step *s, FILE *f)
{
	static const char *const from[] = {"", " start", " copy"};

	if (s->kind == HISTORY_ITEM) {
		fprintf(f, " %s,%s", name_of(&h->records, s->record), name_of(&h->values, s->value));
		return;
	}
	if (s->kind == HISTORY_EVENT) {
		fprintf(f, " %s,%s,%s", history_changes[s->change], name_of(&h->events, s->event),
		    name_of(&h->records, s->record));
		print_name(f, ",", &h->values, s->value);
		return;
	}
	fprintf(f, "%s %c%d %lld ", kinds[s->kind],
	    s->kind == HISTORY_FEED   ? 'f'
	    : s->kind == HISTORY_HOOK ? 'h'
	                              : 'c',
	    s->who, (long long)s->begin);
	if (s->end == HISTORY_NEVER)
		fprintf(f, "- %d", s->status);
	else
		fprintf(f, "%lld %d", (long long)s->end, s->status);
	print_name(f, " ", &h->records, s->record);
	print_name(f, s->record < 0 ? " value=" : " ", &h->values, s->value);
	if (s->tag >= 0)
		fprintf(f, " tag=%lld", (long long)s->tag);
	if (s->match >= 0)
		fprintf(f, " match=%lld", (long long)s->match);
	print_name(f, " key=", &h->keys, s->key);
	print_name(f, " event=", &h->events, s->event);
	fprintf(
	    f, " process=%d%s%s%s", s->process, s->replayed ? " replayed" : "", s->part ? " part" : "", from[s->from]);
}

void history_print(const struct history_log *h, FILE *f)
{
	for (int i = 0; i < h->steps.n; i++) {
		const struct history_step *s = &h->steps.all[i];
		if (i && s->kind != HISTORY_ITEM && s->kind != HISTORY_EVENT)
			fputc('\n', f);
		history_print_step(h, s, f);
	}
	fprintf(f, "\nhooks %d\n%s", h->hooks, h->undisturbed ? "undisturbed\n" : "");
}
