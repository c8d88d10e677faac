#include "test/lib/model/card_sample.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/text.h"
#include "test/lib/test.h"

enum { PARAMS_MOST = 8, TEXT_MOST = 2 << 20, PHOTO_MOST = 500 << 10 };

struct sample_param {
	const char *name, *value;
};

struct sample_maker {
	uint64_t state;
	int version, items, unique;
	bool lower, lf;
	struct buf *text, *expected;
};

static uint64_t sample_random(struct sample_maker *m, uint64_t below)
{
	uint64_t z = m->state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return (z ^ z >> 31) % below;
}

static bool sample_chance(struct sample_maker *m, int percent)
{
	return sample_random(m, 100) < (uint64_t)percent;
}

/* --- one way of writing ---------------------------------------------------------------------------- */

static char upper_case(char c)
{
	return (char)(c >= 'a' && c <= 'z' ? c - 32 : c);
}

static int compare_texts(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Appends the parameters sorted; each word of TYPE is one. */
static void lines_params(struct buf *out, char *const *params, size_t n)
{
	char *all[64], *word, *rest;
	size_t count = 0;

	for (size_t i = 0; i < n; i++) {
		char *value = strchr(params[i], '=');
		for (char *c = params[i]; c < (value ? value : c); c++)
			*c = upper_case(*c);
		if (!value || strncmp(params[i], "TYPE=", 5) != 0) {
			all[count++] = strdup(params[i]);
			continue;
		}
		for (rest = value + 1; (word = strsep(&rest, ","));) {
			for (char *c = word; *c; c++)
				*c = upper_case(*c);
			assert_true(count < 60);
			if (*word)
				assert_true(asprintf(&all[count++], "TYPE=%s", word) > 0);
		}
	}
	qsort(all, count, sizeof *all, compare_texts);
	for (size_t i = 0; i < count; i++) {
		buf_addc(out, ';');
		buf_addz(out, all[i]);
		free(all[i]);
	}
}

/* Appends an unfolded line in the one way of writing. */
static void lines_add(struct buf *out, char *line)
{
	char *params[64], *at = line, *begin = line;
	size_t n = 0;
	bool quoted = false;

	for (char *to = line;; at++) {
		if (*at == '"') {
			quoted = !quoted;
			continue;
		}
		bool ends = !quoted && (*at == ';' || *at == ':');
		char c = *at;
		assert_true(*at && n < 63);
		*to++ = ends ? '\0' : c;
		if (!ends)
			continue;
		params[n++] = begin;
		begin = to;
		if (c == ':')
			break;
	}
	char *dot = strchr(params[0], '.');
	for (char *c = dot ? dot + 1 : params[0]; *c; c++)
		*c = upper_case(*c);
	buf_addz(out, params[0]);
	lines_params(out, params + 1, n - 1);
	buf_addc(out, ':');
	buf_addz(out, at + 1);
	buf_addc(out, '\n');
}

void card_lines_sort(struct buf *lines)
{
	char *text = strdup(lines->data ? lines->data : ""), *rest = text, *line,
	     **all = calloc(lines->len + 1, sizeof *all);
	size_t n = 0;

	while ((line = strsep(&rest, "\n")))
		if (*line)
			all[n++] = line;
	qsort(all, n, sizeof *all, compare_texts);
	buf_clear(lines);
	for (size_t i = 0; i < n; i++) {
		buf_addz(lines, all[i]);
		buf_addc(lines, '\n');
	}
	free(all);
	free(text);
}

static bool lines_left_out(const char *line)
{
	static const char *const names[] = {"BEGIN:", "END:", "VERSION:", "REV:", "X-KITH-"};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strncmp(line, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

void card_lines(struct buf *out, const char *text, size_t len, int strict)
{
	const char *at = text, *end = text + len, *lf;
	struct buf line;

	buf_init(&line, TEXT_MOST);
	while (at < end) {
		lf = memchr(at, '\n', (size_t)(end - at));
		assert_non_null(lf);
		size_t n = (size_t)(lf - at) - (lf > at && lf[-1] == '\r');
		assert_true(!strict || (n <= 75 && text_utf8_valid(at, n) && lf > at && lf[-1] == '\r'));
		buf_add(&line, at, n);
		at = lf + 1;
		if (at < end && (*at == ' ' || *at == '\t')) {
			at++;
			continue;
		}
		if (line.len && !lines_left_out(line.data))
			lines_add(out, line.data);
		buf_clear(&line);
	}
	buf_free(&line);
	card_lines_sort(out);
}

/* --- texts ----------------------------------------------------------------------------------------------- */

/* Appends words; escaped as programs do. */
static void sample_words(struct sample_maker *m, struct buf *out, int words, bool parts)
{
	static const char *const all[] = {"Ada", "Müller", "naïve", "日本語", "👩‍💻", "😀", "a\\,b", "c\\;d",
	    "\\\\", "line\\nbreak", "\"quoted\"", "x=y", "q:r", "O'Neill", "<b>&amp;", "Straße", "Ω", "100%",
	    "tab\there", "N.N."};

	for (int i = 0; i < words; i++) {
		buf_addz(out, i ? " " : "");
		buf_addz(out, all[sample_random(m, sizeof all / sizeof *all)]);
		if (!parts && sample_chance(m, 5))
			buf_addz(out, sample_chance(m, 50) ? ";" : ",");
	}
	buf_printf(out, " %d", ++m->unique);
}

static char *sample_text(struct sample_maker *m, int words, bool parts)
{
	struct buf out;
	char *text;
	size_t len;

	buf_init(&out, 1 << 20);
	sample_words(m, &out, words, parts);
	text = buf_take(&out, &len);
	return text;
}

/* --- lines -------------------------------------------------------------------------------------------------- */

static void sample_end_line(struct sample_maker *m)
{
	buf_addz(m->text, m->lf ? "\n" : "\r\n");
}

/* Folds anywhere, also within characters. */
static void sample_fold(struct sample_maker *m, const char *line, size_t len)
{
	size_t width = m->version == 0 ? len : 20 + sample_random(m, 56);

	if (len > 2000)
		width = 75;
	for (size_t at = 0; at < len;) {
		size_t n = len - at < width ? len - at : width;
		buf_add(m->text, line + at, n);
		at += n;
		if (at < len) {
			sample_end_line(m);
			buf_addc(m->text, m->version && sample_chance(m, 10) ? '\t' : ' ');
		}
	}
	sample_end_line(m);
}

static void sample_quoted_printable(struct sample_maker *m, const char *head, const char *value)
{
	size_t column = strlen(head);

	buf_addz(m->text, head);
	for (; *value; value++) {
		if (column > 70) {
			buf_addz(m->text, "=");
			sample_end_line(m);
			column = 0;
		}
		if (value[0] == '\\' && value[1] == 'n') {
			buf_addz(m->text, "=0D=0A");
			value++;
			column += 6;
		} else if ((unsigned char)*value >= 0x7f || *value == '=' || (unsigned char)*value < ' ') {
			buf_printf(m->text, "=%02X", (unsigned char)*value);
			column += 3;
		} else {
			buf_addc(m->text, *value);
			column++;
		}
	}
	sample_end_line(m);
}

static bool sample_needs_encoding(const char *value)
{
	for (; *value; value++)
		if ((unsigned char)*value >= 0x7f || (unsigned char)*value < ' ' || *value == '=' ||
		    (value[0] == '\\' && value[1] == 'n'))
			return true;
	return false;
}

static void sample_head(struct sample_maker *m, struct buf *out, const char *group, const char *name,
    const struct sample_param *params, size_t n, bool as_sent)
{
	buf_printf(out, "%s%s", group, *group ? "." : "");
	for (; *name; name++)
		buf_addc(out, as_sent && m->lower && *name >= 'A' && *name <= 'Z' ? (char)(*name + 32) : *name);
	for (size_t i = 0; i < n; i++) {
		bool type = strcmp(params[i].name, "TYPE") == 0, quote = strpbrk(params[i].value, ",;:") != NULL;
		if (as_sent && m->version == 0 && type && !quote)
			buf_printf(out, ";%s", params[i].value);
		else if (quote || (m->version == 4 && sample_chance(m, 10) && as_sent))
			buf_printf(out, ";%s=\"%s\"", params[i].name, params[i].value);
		else
			buf_printf(out, ";%s=%s", params[i].name, params[i].value);
	}
}

static void sample_put(struct sample_maker *m, const char *group, const char *name, const struct sample_param *params,
    size_t n, const char *value)
{
	struct buf line;
	char *copy;

	buf_init(&line, TEXT_MOST);
	sample_head(m, &line, group, name, params, n, false);
	buf_printf(&line, ":%s", value);
	copy = strdup(line.data);
	lines_add(m->expected, copy);
	free(copy);
	buf_clear(&line);
	sample_head(m, &line, group, name, params, n, true);
	if (m->version == 0 && sample_needs_encoding(value)) {
		buf_printf(&line, "%s;ENCODING=QUOTED-PRINTABLE:", sample_chance(m, 80) ? ";CHARSET=UTF-8" : "");
		sample_quoted_printable(m, line.data, value);
	} else {
		buf_printf(&line, ":%s", value);
		sample_fold(m, line.data, line.len);
	}
	buf_free(&line);
}

static void sample_plain(struct sample_maker *m, const char *name, const char *value)
{
	sample_put(m, "", name, NULL, 0, value);
}

/* --- properties ----------------------------------------------------------------------------------------------- */

/* A property of a list: with types, a label in its group, a preference. */
static void sample_item(struct sample_maker *m, const char *name, const char *value, bool preferred)
{
	static const char *const types[] = {"HOME", "WORK", "CELL", "VOICE", "FAX", "INTERNET", "x-mobile", "OTHER"};
	struct sample_param params[PARAMS_MOST];
	size_t n = 0;
	char group[16] = "";

	for (int i = (int)sample_random(m, 4); i > 0; i--)
		params[n++] = (struct sample_param){"TYPE", types[sample_random(m, 8)]};
	for (size_t i = 0; i < n; i++)
		for (size_t k = i + 1; k < n; k++)
			if (params[i].value == params[k].value)
				params[k--] = params[--n];
	if (m->version != 0 && n == 0 && sample_chance(m, 10))
		params[n++] = (struct sample_param){"TYPE", "home,work"};
	if (preferred)
		params[n++] =
		    m->version == 4 ? (struct sample_param){"PREF", "1"} : (struct sample_param){"TYPE", "PREF"};
	if (m->version && sample_chance(m, 10))
		params[n++] = (struct sample_param){"X-LABEL", "odd: \xc3\xa9; yes"};
	if (sample_chance(m, 25))
		snprintf(group, sizeof group, "item%d", ++m->items);
	sample_put(m, group, name, params, n, value);
	if (*group)
		sample_plain(m, sample_chance(m, 50) ? "X-NOTHING" : "X-OTHER", group);
	if (*group)
		sample_put(m, group, "X-ABLABEL", NULL, 0, sample_chance(m, 50) ? "_$!<HomePage>!$_" : "Büro\\, oben");
}

static void sample_list(struct sample_maker *m, const char *name, int most)
{
	int n = (int)sample_random(m, (uint64_t)most + 1),
	    preferred = sample_chance(m, 30) ? (int)sample_random(m, 9) : -1;
	char value[200];

	for (int i = 0; i < n; i++) {
		int u = ++m->unique;
		if (strcmp(name, "TEL") == 0)
			snprintf(value, sizeof value, "%s+49 (0) 30 %d",
			    m->version == 4 && sample_chance(m, 20) ? "tel:" : "", u);
		else if (strcmp(name, "EMAIL") == 0)
			snprintf(value, sizeof value, "user.%d@exämple.org", u);
		else if (strcmp(name, "URL") == 0)
			snprintf(value, sizeof value, "https://example.org/%d?a=b;c=%%20%s", u,
			    sample_chance(m, 20) ? "," : "");
		else
			snprintf(value, sizeof value, "%s;;Straße %d\\, links%s;%s;;12345;%s",
			    sample_chance(m, 20) ? "Postfach 7" : "", u, sample_chance(m, 20) ? "\\nHof" : "",
			    sample_chance(m, 80) ? "München" : "", sample_chance(m, 50) ? "Deutschland" : "");
		sample_item(m, name, value, i == preferred);
		if (sample_chance(m, 5)) /* the same number for something else */
			sample_put(m, "", name, &(struct sample_param){"TYPE", "X-TWICE"}, 1, value);
	}
}

static void sample_photo(struct sample_maker *m)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	size_t len = sample_chance(m, 8) ? PHOTO_MOST / 3 * 4 : sample_random(m, 4000) * 4;
	struct buf value;

	if (m->version && sample_chance(m, 20)) {
		sample_put(m, "", "PHOTO", &(struct sample_param){"VALUE", "uri"}, 1, "https://example.org/a.jpg");
		return;
	}
	buf_init(&value, TEXT_MOST);
	buf_addz(&value, m->version == 4 ? "data:image/png;base64," : "");
	for (size_t i = 0; i < len; i++)
		buf_addc(&value, digits[sample_random(m, 64)]);
	if (m->version == 4)
		sample_plain(m, "PHOTO", value.data);
	else
		sample_put(m, "", "PHOTO", (struct sample_param[]){{"ENCODING", "b"}, {"TYPE", "JPEG"}}, 2,
		    value.data ? value.data : "");
	buf_free(&value);
}

static void sample_day(struct sample_maker *m)
{
	static const char *const days[] = {
	    "1985-04-12", "19850412", "--0412", "1985-04-12T10:00:00Z", "circa 1800", "1604-04-12"};
	size_t i = sample_random(m, sizeof days / sizeof *days);

	sample_put(m, "", "BDAY",
	    &(struct sample_param){i == 4 ? "VALUE" : "X-APPLE-OMIT-YEAR", i == 4 ? "text" : "1604"}, i > 3, days[i]);
}

static void sample_texts(struct sample_maker *m)
{
	static const char *const names[] = {"NICKNAME", "ROLE", "IMPP", "X-SOCIALPROFILE", "RELATED", "TZ", "GEO",
	    "LABEL", "X-AIM", "X-PHONETIC-FIRST-NAME", "LANG", "MAILER", "PRODID", "X-ANNIVERSARY", "SORT-STRING",
	    "CLASS", "KEY", "X-EVOLUTION-SPOUSE", "X-ANDROID-CUSTOM", "X-ABDATE", "TITLE", "NOTE", "NOTE", "CATEGORIES",
	    "FN", "BDAY"};
	static const struct sample_param param[] = {{"LANGUAGE", "de"}, {"ALTID", "1"}, {"X-A", "b"}};

	for (int i = (int)sample_random(m, 12); i > 0; i--) {
		const char *name = names[sample_random(m, sizeof names / sizeof *names)];
		bool words = strcmp(name, "CATEGORIES") == 0;
		char *text = sample_text(m, 1 + (int)sample_random(m, 9), words);
		sample_put(m, "", name, param + sample_random(m, 3), sample_chance(m, 20), text);
		free(text);
	}
}

static void sample_names(struct sample_maker *m)
{
	bool names = sample_chance(m, 80), empty = !names || sample_chance(m, 10);
	char *part[6];
	struct buf n;

	for (int i = 0; i < 6; i++)
		part[i] = sample_text(m, 1 + (int)sample_random(m, 2), true);
	buf_init(&n, 1 << 16);
	buf_printf(&n, "%s;%s;%s;%s;%s", empty ? "" : part[0], empty ? "" : part[1],
	    sample_chance(m, 20) ? part[2] : "", sample_chance(m, 20) ? "Dr." : "",
	    sample_chance(m, 10) ? part[3] : "");
	if (names || m->version != 4)
		sample_plain(m, "N", n.data);
	sample_put(m, "", "FN", &(struct sample_param){"LANGUAGE", "en"}, sample_chance(m, 5), part[4]);
	if (sample_chance(m, 60)) {
		buf_clear(&n);
		buf_printf(
		    &n, "%s%s%s", part[5], sample_chance(m, 30) ? ";Forschung" : "", sample_chance(m, 10) ? ";" : "");
		sample_plain(m, "ORG", n.data);
	}
	buf_free(&n);
	for (int i = 0; i < 6; i++)
		free(part[i]);
}

void card_sample_make(struct card_sample *s, uint64_t seed)
{
	static const int versions[] = {0, 3, 3, 4};
	struct sample_maker m = {.state = seed * 7919 + 1, .text = &s->text, .expected = &s->expected};
	char uid[64];

	buf_init(&s->text, TEXT_MOST);
	buf_init(&s->expected, TEXT_MOST);
	s->version = m.version = versions[sample_random(&m, 4)];
	m.lower = sample_chance(&m, 10);
	m.lf = sample_chance(&m, 20);
	buf_printf(&s->text, "BEGIN:VCARD%sVERSION:%s", m.lf ? "\n" : "\r\n",
	    m.version == 0   ? "2.1"
	    : m.version == 3 ? "3.0"
	                     : "4.0");
	sample_end_line(&m);
	snprintf(uid, sizeof uid, "sample-%llu@example.org", (unsigned long long)seed);
	sample_plain(&m, "UID", uid);
	sample_names(&m);
	sample_list(&m, "TEL", 5);
	sample_list(&m, "EMAIL", 5);
	sample_list(&m, "ADR", 3);
	sample_list(&m, "URL", 3);
	sample_texts(&m);
	if (sample_chance(&m, 50))
		sample_day(&m);
	if (m.version == 4 && sample_chance(&m, 50))
		sample_plain(&m, "GENDER",
		    sample_chance(&m, 80)   ? "F"
		    : sample_chance(&m, 50) ? "O;it's complicated"
		                            : "N");
	if (sample_chance(&m, 30))
		sample_photo(&m);
	buf_addz(&s->text, m.lf ? "REV:2026-01-01T00:00:00Z\nEND:VCARD\n" : "REV:20260101T000000Z\r\nEND:VCARD\r\n");
	card_lines_sort(&s->expected);
}

void card_sample_free(struct card_sample *s)
{
	buf_free(&s->text);
	buf_free(&s->expected);
}
