/* The baseline of the bench that a user would write: evhttp, libpq in pipeline mode, and one table with the columns,
 * the key and the indexes of people. It has no keys of the API, limits, rights, events, versions or relations.
 *   plain_server WORKSPACE USER      the bare UUIDs that new rows have; the database is KITH_DATABASE_URL
 *     POST /people                   inserts one row in a transaction of its own, and answers it
 *     GET /people/ID, GET /people?limit=100
 * Prints its port, and serves until it is killed. */
#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>
#include <libpq-fe.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "server/base/buf.h"
#include "server/base/id.h"
#include "server/base/json.h"

enum { CONNECTIONS = 8, BODY_MAX = 1 << 20, ANSWER_MAX = 16 << 20, PARAMS_MAX = 8 };

struct waiting {
	struct evhttp_request *http;
	bool is_list;
	struct waiting *next;
};

/* A connection to the database. It answers in the order of the requests. */
struct link {
	PGconn *pg;
	struct event *readable, *writable;
	struct waiting *first, **end;
	int count;
};

static struct link links[CONNECTIONS];
static const char *workspace, *user;
static struct buf body;

#define COLUMNS                                                                                                        \
	"id, first_name, last_name, full_name, description, birthday, gender, job_title, array_to_json(addresses), "   \
	"array_to_json(emails), array_to_json(phones), array_to_json(urls), created_at, created_by, updated_at"

/* The names of COLUMNS in answers; those of lists are JSON already. */
static const struct {
	const char *name;
	bool is_json;
} columns[] = {{"id", false}, {"firstName", false}, {"lastName", false}, {"fullName", false}, {"description", false},
    {"birthday", false}, {"gender", false}, {"jobTitle", false}, {"addresses", true}, {"emails", true},
    {"phones", true}, {"urls", true}, {"createdAt", false}, {"createdBy", false}, {"updatedAt", false}};

static const struct {
	const char *name, *sql;
} statements[] = {
    {"insert",
        "insert into plain_people (workspace_id, id, first_name, last_name, full_name, job_title, emails, phones, "
        "created_at, created_by, updated_at) values ($1, $2, $3, $4, concat_ws(' ', nullif($3, ''), "
        "nullif($4, '')), $5, $6, $7, now(), $8, now()) returning " COLUMNS},
    {"get", "select " COLUMNS " from plain_people where workspace_id = $1 and id = $2"},
    {"list", "select " COLUMNS " from plain_people where workspace_id = $1 order by id limit $2"},
};

static void end_with(const char *what)
{
	fprintf(stderr, "plain_server: %s\n", what);
	exit(1);
}

/* --- answers ---------------------------------------------------------------- */

static void add_row(struct json_out *out, const PGresult *result, int row)
{
	json_begin_object(out);
	for (int i = 0; i < PQnfields(result); i++) {
		const char *value = PQgetvalue(result, row, i);
		size_t len = (size_t)PQgetlength(result, row, i);
		json_key(out, columns[i].name);
		if (PQgetisnull(result, row, i))
			json_null(out);
		else if (columns[i].is_json)
			json_raw(out, value, len);
		else
			json_string_len(out, value, len);
	}
	json_end_object(out);
}

static void send_rows(struct waiting *w, const PGresult *result)
{
	struct evbuffer *text = evbuffer_new();
	struct json_out out;

	buf_clear(&body);
	json_out_init(&out, &body);
	json_begin_object(&out);
	json_key(&out, "data");
	if (w->is_list) {
		json_begin_array(&out);
		for (int row = 0; row < PQntuples(result); row++)
			add_row(&out, result, row);
		json_end_array(&out);
	} else {
		add_row(&out, result, 0);
	}
	json_end_object(&out);
	evhttp_add_header(evhttp_request_get_output_headers(w->http), "Content-Type", "application/json");
	evbuffer_add(text, body.data, body.len);
	evhttp_send_reply(w->http, HTTP_OK, "OK", text);
	evbuffer_free(text);
}

static void send_result(struct waiting *w, const PGresult *result)
{
	if (PQresultStatus(result) != PGRES_TUPLES_OK) {
		fputs(PQresultErrorMessage(result), stderr);
		evhttp_send_error(w->http, HTTP_INTERNAL, NULL);
	} else if (!w->is_list && PQntuples(result) == 0) {
		evhttp_send_error(w->http, HTTP_NOTFOUND, NULL);
	} else {
		send_rows(w, result);
	}
}

/* --- the database ----------------------------------------------------------- */

static void flush_link(struct link *l)
{
	int left = PQflush(l->pg);

	if (left < 0)
		end_with(PQerrorMessage(l->pg));
	if (left > 0)
		event_add(l->writable, NULL);
}

static void on_writable(evutil_socket_t fd, short what, void *l)
{
	(void)fd;
	(void)what;
	flush_link(l);
}

/* The result of each request is followed by NULL, and by that of its sync. */
static void on_readable(evutil_socket_t fd, short what, void *arg)
{
	struct link *l = arg;

	(void)fd;
	(void)what;
	if (!PQconsumeInput(l->pg))
		end_with(PQerrorMessage(l->pg));
	while (l->first && !PQisBusy(l->pg)) {
		PGresult *result = PQgetResult(l->pg);
		struct waiting *w = l->first;
		if (result && PQresultStatus(result) != PGRES_PIPELINE_SYNC) {
			send_result(w, result);
		} else if (result) {
			l->first = w->next;
			l->end = l->first ? l->end : &l->first;
			l->count--;
			free(w);
		}
		PQclear(result);
	}
	flush_link(l);
}

static void open_link(struct event_base *base, struct link *l)
{
	l->pg = PQconnectdb(getenv("KITH_DATABASE_URL"));
	if (PQstatus(l->pg) != CONNECTION_OK)
		end_with(PQerrorMessage(l->pg));
	for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
		PGresult *result = PQprepare(l->pg, statements[i].name, statements[i].sql, 0, NULL);
		if (PQresultStatus(result) != PGRES_COMMAND_OK)
			end_with(PQerrorMessage(l->pg));
		PQclear(result);
	}
	if (PQsetnonblocking(l->pg, 1) != 0 || !PQenterPipelineMode(l->pg))
		end_with("no pipeline mode");
	l->end = &l->first;
	l->readable = event_new(base, PQsocket(l->pg), EV_READ | EV_PERSIST, on_readable, l);
	l->writable = event_new(base, PQsocket(l->pg), EV_WRITE, on_writable, l);
	event_add(l->readable, NULL);
}

/* Sends the statement on the connection with the fewest requests. */
static void ask_database(struct evhttp_request *http, const char *name, int count, const char *const *values)
{
	struct waiting *w = calloc(1, sizeof *w);
	struct link *l = &links[0];

	for (int i = 1; i < CONNECTIONS; i++)
		l = links[i].count < l->count ? &links[i] : l;
	*w = (struct waiting){.http = http, .is_list = strcmp(name, "list") == 0};
	*l->end = w;
	l->end = &w->next;
	l->count++;
	if (!PQsendQueryPrepared(l->pg, name, count, values, NULL, NULL, 0) || !PQpipelineSync(l->pg))
		end_with(PQerrorMessage(l->pg));
	flush_link(l);
}

/* --- requests --------------------------------------------------------------- */

/* An array of texts, as PostgreSQL reads it: {"a","b"} */
static const char *array_text(struct arena *arena, const struct json *array)
{
	struct buf text;
	char *copy;

	buf_init(&text, BODY_MAX);
	buf_addc(&text, '{');
	json_each(item, array) {
		buf_addz(&text, item == array->first ? "\"" : ",\"");
		for (size_t i = 0; i < item->len; i++) {
			if (item->text[i] == '"' || item->text[i] == '\\')
				buf_addc(&text, '\\');
			buf_addc(&text, item->text[i]);
		}
		buf_addc(&text, '"');
	}
	buf_addc(&text, '}');
	copy = arena_dup(arena, text.data, text.len);
	buf_free(&text);
	return copy;
}

static void create_person(struct evhttp_request *http)
{
	struct evbuffer *input = evhttp_request_get_input_buffer(http);
	size_t len = evbuffer_get_length(input);
	struct uuid id = id_new();
	char id_text[ID_SIZE];
	struct arena arena;
	const struct json *person;
	const char *error;

	arena_init(&arena);
	person = json_read(&arena, (const char *)evbuffer_pullup(input, -1), len, &error);
	if (person && person->type == JSON_OBJECT) {
		uuid_format(&id, id_text);
		ask_database(http, "insert", PARAMS_MAX,
		    (const char *const[PARAMS_MAX]){workspace, id_text, json_text(person, "firstName"),
		        json_text(person, "lastName"), json_text(person, "jobTitle"),
		        array_text(&arena, json_typed(person, "emails", JSON_ARRAY)),
		        array_text(&arena, json_typed(person, "phones", JSON_ARRAY)), user});
	} else {
		evhttp_send_error(http, HTTP_BADREQUEST, NULL);
	}
	arena_free(&arena);
}

static void handle_request(struct evhttp_request *http, void *unused)
{
	const char *target = evhttp_request_get_uri(http);
	static const char one[] = "/people/", many[] = "/people?limit=";

	(void)unused;
	if (evhttp_request_get_command(http) == EVHTTP_REQ_POST && strcmp(target, "/people") == 0)
		create_person(http);
	else if (strncmp(target, one, sizeof one - 1) == 0)
		ask_database(http, "get", 2, (const char *const[]){workspace, target + sizeof one - 1});
	else if (strncmp(target, many, sizeof many - 1) == 0)
		ask_database(http, "list", 2, (const char *const[]){workspace, target + sizeof many - 1});
	else
		evhttp_send_error(http, HTTP_NOTFOUND, NULL);
}

int main(int argc, char **argv)
{
	struct event_base *base = event_base_new();
	struct evhttp *http = evhttp_new(base);
	struct sockaddr_in address;
	socklen_t len = sizeof address;
	struct evhttp_bound_socket *bound;
	int fd, on = 1;

	if (argc != 3)
		end_with("usage: plain_server WORKSPACE USER");
	workspace = argv[1];
	user = argv[2];
	signal(SIGPIPE, SIG_IGN);
	buf_init(&body, ANSWER_MAX);
	for (int i = 0; i < CONNECTIONS; i++)
		open_link(base, &links[i]);
	evhttp_set_max_body_size(http, BODY_MAX);
	evhttp_set_gencb(http, handle_request, NULL);
	bound = evhttp_bind_socket_with_handle(http, "127.0.0.1", 0);
	if (!bound)
		end_with("cannot listen");
	fd = evhttp_bound_socket_get_fd(bound);
	/* Connections inherit it. Without it a long answer waits up to 40 ms for an acknowledgement. */
	if (setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) != 0 ||
	    getsockname(fd, (struct sockaddr *)&address, &len) != 0)
		end_with("cannot set up its socket");
	printf("%d\n", ntohs(address.sin_port));
	fflush(stdout);
	event_base_dispatch(base);
	return 0;
}
