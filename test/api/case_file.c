/* Reads .t files, line by line. */
#include "test/api/case.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/buf.h"
#include "test/api/written_rows.h"

enum { FILE_MAX = 4 << 20 };

/* What the next line may be. */
enum section { IN_HEAD, IN_CASE, IN_REQUEST, IN_REQUEST_BODY, IN_ANSWER, IN_ANSWER_BODY, IN_CAPTURES };

struct parse {
	struct arena *arena;
	struct case_file *file;
	const char *path;
	int line;
	enum section section;
	struct test_case *test;
	struct case_step *step;
	bool is_shared; /* the answer of the step: other requests before it expect the same one */
	struct test_case **next_test;
	struct case_step **next_step;
	struct case_capture **next_capture;
	const char *key;
	int repeat, poll_s;
	bool example;
	struct buf body; /* of the request or the answer, while its lines come in */
	const char *error;
};

static void refuse_case(struct parse *p, const char *what)
{
	if (!p->error)
		p->error = arena_printf(p->arena, "%s:%d: %s", p->path, p->line, what);
}

static const char *rest_of(const char *line)
{
	return line + strspn(line, " \t");
}

static size_t split_words(struct parse *p, const char *text, const char **out)
{
	size_t n = 0;

	for (text = rest_of(text); *text; text = rest_of(text)) {
		size_t len = strcspn(text, " \t");
		if (n == CASE_WORDS_MAX) {
			refuse_case(p, "too many words");
			break;
		}
		out[n++] = arena_dup(p->arena, text, len);
		text += len;
	}
	out[n] = NULL;
	return n;
}

/* The body that was collected belongs to the request, or to what is expected. */
static void end_body(struct parse *p)
{
	if (p->error)
		return;
	if (p->section == IN_REQUEST_BODY)
		p->step->body = arena_dup(p->arena, p->body.len ? p->body.data : "", p->body.len);
	else if (p->section == IN_ANSWER_BODY)
		p->step->answer->body = arena_dup(p->arena, p->body.len ? p->body.data : "", p->body.len);
	buf_clear(&p->body);
}

static bool awaits_answer(const struct case_step *s)
{
	return s && s->kind == STEP_REQUEST && s->answer->status == 0;
}

static void end_step(struct parse *p)
{
	if (awaits_answer(p->step))
		refuse_case(p, "a request without a line \"-- STATUS\" before this line");
	p->step = NULL;
}

static struct case_step *begin_step(struct parse *p, enum step_kind kind)
{
	struct case_step *s = arena_alloc(p->arena, sizeof(*s));

	p->is_shared = kind == STEP_REQUEST && awaits_answer(p->step);
	s->answer = p->is_shared ? p->step->answer : arena_alloc(p->arena, sizeof *s->answer);
	if (!p->is_shared)
		end_step(p);
	if (!p->test) {
		refuse_case(p, "before the first \"== name\"");
		return s;
	}
	s->kind = kind;
	s->line = p->line;
	s->key = p->key;
	s->repeat = p->repeat ? p->repeat : 1;
	s->poll_s = p->poll_s;
	s->example = p->example;
	p->key = NULL;
	p->example = false;
	p->repeat = p->poll_s = 0;
	*p->next_step = s;
	p->next_step = &s->next;
	p->next_capture = &s->captures;
	p->step = s;
	return s;
}

static void begin_case(struct parse *p, const char *line)
{
	struct test_case *t = arena_alloc(p->arena, sizeof(*t));

	end_step(p);
	if (p->test && !p->test->steps)
		refuse_case(p, "the case above does nothing");
	t->name = arena_dupz(p->arena, rest_of(line + 2));
	t->line = p->line;
	*p->next_test = t;
	p->next_test = &t->next;
	p->next_step = &t->steps;
	p->test = t;
	p->section = IN_CASE;
}

static int count_of(struct parse *p, const char *text)
{
	int n = (int)strtol(text, NULL, 10);

	if (n < 1 || n > 1000)
		refuse_case(p, "a number from 1 to 1000 is needed");
	return n;
}

static void add_body_line(struct parse *p, const char *line)
{
	bool escaped = *line == '~';

	if (p->section == IN_REQUEST_BODY && escaped != p->step->body_escaped) {
		refuse_case(p, "a body is either JSON or lines with ~");
		return;
	}
	if (p->body.len && !escaped)
		buf_addc(&p->body, '\n');
	buf_addz(&p->body, escaped ? line + 1 : line);
}

static void begin_body(struct parse *p, const char *line)
{
	if (!p->step || p->step->kind != STEP_REQUEST) {
		refuse_case(p, "not understood here");
		return;
	}
	if (p->section == IN_REQUEST) {
		p->step->body_escaped = *line == '~';
		p->section = IN_REQUEST_BODY;
	} else {
		p->step->answer->body_line = p->line;
		p->section = IN_ANSWER_BODY;
	}
	add_body_line(p, line);
}

/* "Name: value" or "!Name"; false when the line is neither. */
static bool take_header(struct parse *p, const char *line, struct case_header *list, size_t *n)
{
	bool absent = *line == '!';
	size_t start = absent ? 1 : 0;
	size_t len = start;

	while (isalnum((unsigned char)line[len]) || line[len] == '-')
		len++;
	if (len == start || (absent ? line[len] != '\0' : line[len] != ':'))
		return false;
	if (*n == CASE_HEADERS_MAX) {
		refuse_case(p, "too many headers");
		return true;
	}
	list[*n].name = arena_dup(p->arena, line + start, len - start);
	list[*n].value = absent ? NULL : arena_dupz(p->arena, rest_of(line + len + 1));
	(*n)++;
	return true;
}

/* The header after a target or a status: " (If-Match: *)"; NULL: there is none. */
static const char *header_in(const char *text)
{
	const char *header = strstr(text, " ("), *body = strstr(text, " {");

	return header && (!body || header < body) ? header : NULL;
}

static void take_header_in(struct parse *p, const char *text, struct case_header *list, size_t *n)
{
	if (!take_header(p, arena_dup(p->arena, text + 2, strcspn(text + 2, ")")), list, n))
		refuse_case(p, "only a header may be in parentheses");
}

static void take_status(struct parse *p, const char *line)
{
	char *past;

	if (!awaits_answer(p->step)) {
		refuse_case(p, "a status without a request");
		return;
	}
	struct case_answer *a = p->step->answer;
	a->status = (int)strtol(line + 2, &past, 10);
	a->status_line = p->line;
	if (a->status < 100 || a->status > 599)
		refuse_case(p, "a status from 100 to 599 is needed");
	const char *header = header_in(past), *body = strstr(header ? header + strcspn(header, ")") : past, " {");
	const char *end = header ? header : body ? body : past + strlen(past), *text = rest_of(past);
	a->status_text = arena_dup(p->arena, text, text < end ? (size_t)(end - text) : 0);
	if (header)
		take_header_in(p, header, a->headers, &a->n_headers);
	p->section = IN_ANSWER;
	if (body)
		begin_body(p, body + 1);
}

/* The answer after a target and a body: " -- 404 …"; NULL: there is none. */
static const char *answer_in(const char *line)
{
	while ((line = strstr(line, " -- ")) != NULL && !isdigit((unsigned char)line[strlen(" -- ")]))
		line++;
	return line;
}

/* "CALL tool arguments": the call of a tool of /mcp, in the newest revision that needs no other headers. */
static void make_call(struct parse *p, const char *arguments)
{
	struct case_step *s = p->step;

	buf_printf(&p->body,
	    "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"tools/call\", \"params\": {\"name\": \"%s\", "
	    "\"arguments\": %s}}",
	    s->target, arguments);
	take_header(p, "MCP-Protocol-Version: 2025-11-25", s->headers, &s->n_headers);
	s->method = "POST";
	s->target = "/mcp";
}

/* "METHOD target", which a header, a body and the answer may follow: "PATCH /v1/people/1 (If-Match: *) {} -- 404". */
static void begin_request(struct parse *p, const char *line)
{
	size_t len = strcspn(line, " ");
	const char *target = rest_of(line + len), *answer = answer_in(target), *header, *body, *end;
	struct case_step *s = begin_step(p, STEP_REQUEST);

	s->method = arena_dup(p->arena, line, len);
	if (answer)
		target = arena_dup(p->arena, target, (size_t)(answer - target));
	header = header_in(target);
	body = strstr(header ? header + strcspn(header, ")") : target, " {");
	end = header ? header : body ? body : target + strlen(target);
	s->target = arena_dup(p->arena, target, (size_t)(end - target));
	if (header)
		take_header_in(p, header, s->headers, &s->n_headers);
	p->section = body ? IN_REQUEST_BODY : IN_REQUEST;
	if (strcmp(s->method, "CALL") == 0)
		make_call(p, body ? body + 1 : "{}");
	else if (body)
		buf_addz(&p->body, body + 1);
	if (!answer)
		return;
	end_body(p);
	if (p->is_shared)
		refuse_case(p, "an answer in the line of a request is not for those above it");
	take_status(p, answer + 1);
}

static bool is_request_line(const char *line)
{
	size_t len = 0;

	while (isupper((unsigned char)line[len]))
		len++;
	return len >= 3 && line[len] == ' ';
}

/* A request, which may be of another user: "POST /target", "@bob POST /target". */
static bool take_request(struct parse *p, const char *line)
{
	const char *user = NULL;

	if (*line == '@') {
		size_t len = strcspn(line + 1, " ");
		user = arena_dup(p->arena, line + 1, len);
		line = rest_of(line + 1 + len);
	}
	if (!is_request_line(line))
		return false;
	p->key = user && strcmp(user, "none") == 0 ? "" : user;
	begin_request(p, line);
	return true;
}

static void add_capture(struct parse *p, const char *name, size_t len, const char *path)
{
	struct case_capture *c = arena_alloc(p->arena, sizeof(*c));

	c->name = arena_dup(p->arena, name, len);
	c->path = arena_dupz(p->arena, path);
	c->line = p->line;
	*p->next_capture = c;
	p->next_capture = &c->next;
	p->section = IN_CAPTURES;
}

/* "ann POST /v1/people {…}": a request that must get a 200, and a capture of the new id. The body may follow it. */
static void take_make(struct parse *p, const char *line)
{
	size_t len = strcspn(line, " ");
	enum section section;

	end_step(p);
	if (!take_request(p, rest_of(line + len)))
		refuse_case(p, "@make is \"@make NAME POST TARGET BODY\"");
	if (p->error)
		return;
	p->step->answer->status = 200;
	p->step->answer->status_line = p->line;
	p->step->answer->status_text = "";
	section = p->section;
	add_capture(p, line, len, "data.id");
	p->section = section;
}

/* "@example", "@repeat 25", "@poll 5": of the next request, which may be in the same line. Returns what follows; NULL:
 * it is none of them. */
static const char *take_option(struct parse *p, const char *line)
{
	size_t len = strcspn(line, " ");
	const char *rest = rest_of(line + len);

	if (len == strlen("@example") && strncmp(line, "@example", len) == 0) {
		p->example = true;
		return rest;
	}
	if (len == strlen("@repeat") && strncmp(line, "@repeat", len) == 0)
		p->repeat = count_of(p, rest);
	else if (len == strlen("@poll") && strncmp(line, "@poll", len) == 0)
		p->poll_s = count_of(p, rest);
	else
		return NULL;
	return rest_of(rest + strcspn(rest, " "));
}

/* "@name rest": a directive, or the request of another user. */
static void take_directive(struct parse *p, const char *line)
{
	const char *name = arena_dup(p->arena, line + 1, strcspn(line + 1, " \t"));
	const char *rest = rest_of(line + 1 + strlen(name)), *after;

	if (strcmp(name, "server") == 0 || strcmp(name, "users") == 0) {
		if (p->section != IN_HEAD) {
			refuse_case(p, "this directive belongs to the head of the file");
			return;
		}
		p->file->own_server = p->file->own_server || *name == 's';
		split_words(p, rest, *name == 's' ? p->file->settings : p->file->users);
		return;
	}
	after = take_option(p, line);
	if (!after && take_request(p, line))
		return;
	end_step(p);
	p->section = IN_CASE;
	if (after && *after == '@') {
		take_directive(p, after);
	} else if (after) {
		if (*after && !take_request(p, after))
			refuse_case(p, "not understood here");
	} else if (strcmp(name, "make") == 0) {
		take_make(p, rest);
	} else if (strcmp(name, "kith") == 0) {
		struct case_step *s = begin_step(p, STEP_COMMAND);
		s->command = arena_dupz(p->arena, rest);
		p->section = IN_CAPTURES;
	} else {
		refuse_case(
		    p, arena_printf(p->arena, "unknown directive @%s; @make and @kith come before the user", name));
	}
}

static void take_capture(struct parse *p, const char *line)
{
	const char *name = rest_of(line + 1);
	size_t len = strcspn(name, " =");
	const char *equals = name + len + strspn(name + len, " ");

	if (!p->step || awaits_answer(p->step) || p->is_shared || *equals != '=' || len == 0) {
		refuse_case(p, "a capture is \"> name = path\", after the answer to one request");
		return;
	}
	add_capture(p, name, len, rest_of(equals + 1));
}

static void take_issue(struct parse *p, const char *line)
{
	struct case_answer *a = p->step->answer;

	if (a->n_issues == CASE_ISSUES_MAX) {
		refuse_case(p, "too many issues");
		return;
	}
	a->issue_lines[a->n_issues] = p->line;
	a->issues[a->n_issues++] = arena_dupz(p->arena, rest_of(line + 1));
}

static void take_line(struct parse *p, const char *line)
{
	struct case_step *s = p->step;

	if (*line == '\0' || *line == '#')
		return;
	bool starts = strncmp(line, "==", 2) == 0 || strncmp(line, "-- ", 3) == 0 || *line == '@' || *line == '>' ||
	              is_request_line(line);
	if (starts && (p->section == IN_REQUEST_BODY || p->section == IN_ANSWER_BODY))
		end_body(p);
	if (strncmp(line, "==", 2) == 0)
		begin_case(p, line);
	else if (strncmp(line, "-- ", 3) == 0)
		take_status(p, line);
	else if (*line == '@')
		take_directive(p, line);
	else if (*line == '>')
		take_capture(p, line);
	else if (take_request(p, line))
		return;
	else if (p->section == IN_REQUEST && take_header(p, line, s->headers, &s->n_headers))
		return;
	else if (p->section == IN_ANSWER && take_header(p, line, s->answer->headers, &s->answer->n_headers))
		return;
	else if (p->section == IN_ANSWER && strncmp(line, "* ", 2) == 0)
		take_issue(p, line);
	else if (p->section == IN_REQUEST || p->section == IN_ANSWER)
		begin_body(p, line);
	else if (p->section == IN_REQUEST_BODY || p->section == IN_ANSWER_BODY)
		add_body_line(p, line);
	else
		refuse_case(p, "not understood here");
}

struct case_file *case_parse(struct arena *a, const char *path, const char *text, const char **error)
{
	struct parse p = {.arena = a, .path = path};
	struct case_line *lines;
	size_t n;
	const char *wrong;

	p.file = arena_alloc(a, sizeof(*p.file));
	p.file->path = arena_dupz(a, path);
	p.next_test = &p.file->cases;
	buf_init(&p.body, FILE_MAX);
	lines = table_lines(a, text, &n, &p.line, &wrong);
	if (wrong)
		refuse_case(&p, wrong);
	for (size_t i = 0; i < n && !p.error; i++) {
		p.line = lines[i].number;
		take_line(&p, lines[i].text);
	}
	end_body(&p);
	end_step(&p);
	if (!p.file->cases)
		refuse_case(&p, "no case");
	buf_free(&p.body);
	*error = p.error;
	return p.error ? NULL : p.file;
}

struct case_file *case_read(struct arena *a, const char *path, const char **error)
{
	FILE *f = fopen(path, "r");
	struct buf text;

	if (!f) {
		*error = arena_printf(a, "%s: cannot be opened", path);
		return NULL;
	}
	buf_init(&text, FILE_MAX);
	for (int c; (c = getc(f)) != EOF;)
		buf_addc(&text, (char)c);
	fclose(f);
	const char *copy = arena_dup(a, text.len ? text.data : "", text.len);
	buf_free(&text);
	return case_parse(a, path, copy, error);
}
