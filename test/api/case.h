/* A parsed file of cases; test/api/README.md describes the format. */
#ifndef KITH_TEST_API_CASE_H
#define KITH_TEST_API_CASE_H

#include <stdbool.h>
#include <stddef.h>

#include "server/base/arena.h"

enum { CASE_HEADERS_MAX = 32, CASE_ISSUES_MAX = 128, CASE_WORDS_MAX = 16 };

/* A header to send, or one to expect; value NULL: not sent, or must be absent. */
struct case_header {
	const char *name, *value;
};

/* "> name = path" after a request or a command. */
struct case_capture {
	const char *name, *path;
	int line;
	struct case_capture *next;
};

/* What is expected of an answer. */
struct case_answer {
	int status;
	int status_line;
	const char *status_text; /* what follows the number: an error's code or message, or "" */
	struct case_header headers[CASE_HEADERS_MAX];
	size_t n_headers;
	const char *issues[CASE_ISSUES_MAX]; /* after "* " */
	int issue_lines[CASE_ISSUES_MAX];
	size_t n_issues;
	const char *body; /* NULL: not compared */
	int body_line;
};

enum step_kind { STEP_REQUEST, STEP_COMMAND };

/* One request with what is expected of the answer, or one command. Texts are
 * as written: variables and generators are put in when it runs. */
struct case_step {
	enum step_kind kind;
	int line;
	const char *command; /* STEP_COMMAND */

	const char *key; /* the user whose key is used; "" for none, NULL for the usual one */
	int repeat;      /* number of repetitions, at least 1 */
	bool example;    /* recorded as the example of its operation */
	int poll_s;      /* repeat until it succeeds, for at most that many seconds; 0: once */
	const char *method, *target;
	struct case_header headers[CASE_HEADERS_MAX];
	size_t n_headers;
	const char *body;  /* NULL: none */
	bool body_escaped; /* written with ~ and escapes */

	struct case_answer *answer; /* several requests in a row may share it */
	struct case_capture *captures;
	struct case_step *next;
};

struct test_case {
	const char *name;
	int line;
	struct case_step *steps;
	struct test_case *next;
};

struct case_file {
	const char *path;
	const char *settings[CASE_WORDS_MAX + 1]; /* @server; ends with NULL */
	bool own_server;
	const char *users[CASE_WORDS_MAX + 1]; /* @users; ends with NULL */
	struct test_case *cases;
};

/* Reads the text of a file. NULL with "path:line: what is wrong" in *error. All lives in the arena. */
struct case_file *case_parse(struct arena *a, const char *path, const char *text, const char **error);

/* The same from the file itself. */
struct case_file *case_read(struct arena *a, const char *path, const char **error);

#endif
