/* Reads the rows of a calendar, a page after the other, and answers. */
#include "server/calendar/calendar.h"

#include <stdio.h>

#include "server/base/apikey.h"
#include "server/base/civil.h"
#include "server/base/text.h"
#include "server/base/xml_text.h"
#include "server/calendar/calendar_private.h"
#include "server/calendar/ical.h"
#include "server/recurrence/zone.h"
#include "server/request/admit.h"
#include "server/request/large.h"
#include "server/request/reply.h"
#include "server/request/server.h"
#include "server/request/slice.h"
#include "server/request/transaction.h"
#include "server/resource/activity.h"
#include "store/entity_kind.h"

enum {
	DAY = 24 * 60 * 60,
	PAGE_ROWS = 1000,
	BYTES_MAX = 16 << 20, /* a calendar ends with the page that goes beyond */
	HEAD_MAX = 8 << 20,   /* bytes of the properties and zones at the head: all zones since 1900 have half of it */
	ETAG_TEXT = 3 + 2 * 16 + 2 /* W/"…" with half of the digest */
};

/* --- the key ----------------------------------------------------------------------------- */

enum step calendar_admit(struct req *r)
{
	static const char suffix[] = ".ics";
	const struct path_value *file = &r->given.path[0];
	size_t len = strlen(suffix);

	if (file->len != APIKEY_LEN + len || memcmp(file->text + APIKEY_LEN, suffix, len) != 0 ||
	    !apikey_well_formed(file->text, APIKEY_LEN))
		return reply_not_found(r);
	return admit_ask(r, arena_dup(&r->arena, file->text, APIKEY_LEN));
}

enum step calendar_admitted(struct req *r)
{
	const struct admission_ticket *t = &r->caller.ticket;
	bool found = t->status == ADMISSION_ADMITTED || t->status == ADMISSION_LIMITED;

	if (t->status == ADMISSION_NO_KEY || (found && t->kind != KEY_KIND_CALENDAR))
		return reply_not_found(r);
	return step_admitted(r);
}

/* --- parts ------------------------------------------------------------------------------- */

enum { TASKS, REMINDERS, BIRTHDAYS, PARTS };

/* Begins the statement of a page with the columns of all parts. text: SQL of what follows the name of the record that
 * the row is about. */
static struct sql *part_select(struct req *r, const char *name, const char *title, const char *text, const char *public)
{
	struct sql *s = req_sql(r, name, &r->at);

	sql_addf(s, "select t.id, t.updated_at, t.%s, concat_ws(E'\\n\\n', nullif(", title);
	entity_name_sql(s, "entity_id");
	sql_addf(s, ", ''), nullif(%s, '')), %s, t.entity_type, t.entity_id", text, public);
	return s;
}

static struct sql *tasks_ask(struct req *r, struct calendar *c)
{
	struct sql *s = part_select(r, "calendar_tasks", "title", "left(t.description, 500)", "t.is_public");

	(void)c;
	sql_add(s, ", t.due_at, t.due_time from tasks t where t.workspace_id = $1 and t.completed_at is null and "
	           "t.assigned_user_ids @> ");
	sql_uuid_array(s, &r->caller.viewer.user, 1);
	activity_visible_sql(&r->caller, &task_resource, s);
	return s;
}

/* A reminder that has ended stays for a year, as other past events do. */
static struct sql *reminders_ask(struct req *r, struct calendar *c)
{
	struct sql *s = part_select(r, "calendar_reminders", "name", "''", "t.visibility = 'public'");

	(void)c;
	sql_add(s, ", t.recurrence_rule, t.next_trigger_at from reminders t where t.workspace_id = $1 and "
	           "(t.next_trigger_at is not null or coalesce(t.last_trigger_at, t.created_at) > now() - interval "
	           "'1 year') and (t.created_by = ");
	sql_uuid(s, &r->caller.viewer.user);
	sql_add_uuid_array(s, " or t.assigned_user_ids @> ", &r->caller.viewer.user, 1);
	sql_add(s, ")");
	activity_visible_sql(&r->caller, &reminder_resource, s);
	return s;
}

/* A birthday before 1900 is one without a year. */
static struct sql *birthdays_ask(struct req *r, struct calendar *c)
{
	struct sql *s = req_sql(r, "calendar_birthdays", &r->at);

	sql_add(s,
	    "select t.id, t.updated_at, '\U0001F382 ' || t.full_name || case when t.birthday >= '1900-01-01' then ' (' "
	    "|| extract(year from t.birthday) || ')' else '' end, null::text, true, 'person', t.id, t.birthday from "
	    "people t "
	    "where t.workspace_id = $1 and t.birthday is not null and t.id in (select g.person_id from "
	    "person_groups g where g.workspace_id = $1 and g.group_id = any (");
	sql_uuid_array(s, c->groups, c->n_groups);
	sql_add(s, "))");
	return s;
}

/* What a calendar may have. Its newest records come first, and those beyond max are left out. */
static const struct calendar_part {
	const char *word; /* in the parameter include */
	size_t max;
	struct sql *(*ask)(struct req *r, struct calendar *c); /* the statement of its rows t */
	void (*write)(struct req *r, struct calendar *c, int row);
} parts[PARTS] = {
    [TASKS] = {"tasks", 10000, tasks_ask, event_of_task},
    [REMINDERS] = {"reminders", 10000, reminders_ask, event_of_reminder},
    [BIRTHDAYS] = {"birthdays", 5000, birthdays_ask, event_of_birthday},
};

/* --- parameters -------------------------------------------------------------------------- */

/* Calls take for each word of a PARAM_NAMES. */
static void words_each(struct req *r, struct calendar *c, const char *name,
    void (*take)(struct req *r, struct calendar *c, const char *word, size_t len))
{
	const struct param_value *v = req_param(r, name);

	json_each(text, v->given ? v->names : NULL)
		for (const char *at = text->text, *end = at + text->len; at <= end;) {
			const char *comma = memchr(at, ',', (size_t)(end - at));
			size_t len = (size_t)((comma ? comma : end) - at);
			take(r, c, at, len);
			at += len + 1;
		}
}

static void include_take(struct req *r, struct calendar *c, const char *word, size_t len)
{
	struct path at = PATH_NAME(NULL, "include");
	const char *words[PARTS + 1] = {NULL};
	int i = 0;

	for (int k = 0; k < PARTS; k++)
		words[k] = parts[k].word;
	while (i < PARTS && (strlen(parts[i].word) != len || memcmp(parts[i].word, word, len) != 0))
		i++;
	if (i == PARTS)
		issue_choice(&r->given.issues, &at, words, word, len);
	else
		c->parts |= 1U << i;
}

/* A group that the user does not see, or that was deleted, has no birthdays. The rest of the calendar must go on. */
static void group_take(struct req *r, struct calendar *c, const char *word, size_t len)
{
	struct path at = PATH_NAME(NULL, "group");
	struct uuid id;

	if (len != ID_LEN) {
		issue_id(&r->given.issues, &at, len > ID_LEN, id_prefix(ID_GROUP));
	} else if (id_parse(ID_GROUP, word, len, &id) && visible_group(r->caller.ws, &id, &r->caller.viewer) &&
	           c->n_groups < r->caller.ws->n_groups) {
		if (!c->groups)
			c->groups = arena_alloc(&r->arena, r->caller.ws->n_groups * sizeof *c->groups);
		c->groups[c->n_groups++] = id;
	}
}

static void parameters_take(struct req *r, struct calendar *c)
{
	struct path at = PATH_NAME(NULL, "group");

	words_each(r, c, "include", include_take);
	words_each(r, c, "group", group_take);
	if (!req_param(r, "include")->given)
		c->parts = 1U << TASKS | 1U << REMINDERS;
	if (c->parts & 1U << BIRTHDAYS && !req_param(r, "group")->given)
		issue_required(&r->given.issues, &at, "array");
	if (!c->n_groups)
		c->parts &= ~(1U << BIRTHDAYS);
}

/* --- the answer --------------------------------------------------------------------------- */

static const char *calendar_name(struct req *r)
{
	const struct user *u = workspace_user(r->caller.ws, &r->caller.viewer.user);

	return u ? arena_printf(&r->arena, "kith: %s", *u->full_name ? u->full_name : u->email) : "kith";
}

static void head_write(struct req *r, struct calendar *c, struct buf *out)
{
	const char *name = calendar_name(r);

	buf_addz(out, "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//kith//kith//EN\r\nCALSCALE:GREGORIAN\r\n");
	ical_add_text(out, "NAME", name, strlen(name));
	ical_add_text(out, "X-WR-CALNAME", name, strlen(name));
	ical_add_text(out, "X-WR-TIMEZONE", c->home_name, strlen(c->home_name));
	buf_addz(out, "REFRESH-INTERVAL;VALUE=DURATION:PT1H\r\nX-PUBLISHED-TTL:PT1H\r\n");
	for (const struct calendar_zone *z = c->zones; z; z = z->next)
		calendar_zone_write(out, z, req_now_ms(r) / 1000);
}

/* Puts the head before the events. */
static void head_insert(struct req *r, const struct buf *head)
{
	struct buf *out = &r->reply.out;
	size_t len = out->len;

	if (!buf_room(out, head->len))
		return;
	memmove(out->data + head->len, out->data, len);
	memcpy(out->data, head->data, head->len);
	out->len += head->len;
}

static char *calendar_etag(struct calendar *c, const struct buf *head, char out[ETAG_TEXT])
{
	struct sha256 h;
	unsigned char digest[SHA256_SIZE];
	char hex[2 * SHA256_SIZE + 1];

	sha256_begin(&h);
	sha256_part(&h, c->digest, sizeof c->digest);
	sha256_part(&h, head->data, head->len);
	sha256_end(&h, digest);
	text_hex(hex, digest, sizeof digest);
	snprintf(out, ETAG_TEXT, "W/\"%.32s\"", hex);
	return out;
}

static enum step calendar_answer(struct req *r, struct calendar *c)
{
	struct buf head;
	char etag[ETAG_TEXT];

	buf_init(&head, HEAD_MAX);
	head_write(r, c, &head);
	r->reply.status = 200;
	reply_header(r, "Cache-Control", "private, no-cache");
	if (reply_is_known(r, calendar_etag(c, &head, etag))) {
		buf_clear(&r->reply.out);
	} else {
		head_insert(r, &head);
		buf_addz(&r->reply.out, "END:VCALENDAR\r\n");
		reply_header(r, "Content-Type", "text/calendar; charset=utf-8");
		reply_header(r, "Content-Disposition", "inline; filename=\"kith.ics\"");
	}
	buf_free(&head);
	return r->reply.out.overflow ? reply_error(r, ERROR_INTERNAL, "The response is too large") : DONE;
}

/* Thunderbird asks for the name by PROPFIND. Without an answer it shows the last part of the path, which is the key,
 * and takes the calendar as one that can be changed. */
enum step calendar_describe(struct req *r)
{
	static const char head[] =
	    "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<d:multistatus xmlns:d=\"DAV:\"><d:response><d:href>",
	                  name[] = "</d:href><d:propstat><d:prop><d:displayname>",
	                  tail[] = "</d:displayname><d:getcontenttype>text/calendar</d:getcontenttype><d:resourcetype/>"
	                           "<d:current-user-privilege-set><d:privilege><d:read/></d:privilege>"
	                           "</d:current-user-privilege-set></d:prop><d:status>HTTP/1.1 200 OK</d:status>"
	                           "</d:propstat></d:response></d:multistatus>\n";
	struct buf *out = &r->reply.out;
	const char *title = calendar_name(r);

	r->reply.status = 207;
	reply_header(r, "Content-Type", "application/xml; charset=utf-8");
	reply_header(r, "Cache-Control", "private, no-cache");
	buf_addz(out, head);
	xml_text_add(out, r->target, r->target_len);
	buf_addz(out, name);
	xml_text_add(out, title, strlen(title));
	buf_addz(out, tail);
	return DONE;
}

/* --- pages -------------------------------------------------------------------------------- */

/* Asks for the next page; answers when there is none. */
static enum step part_ask(struct req *r, struct calendar *c)
{
	struct sql *s;

	while (c->part < PARTS && !(c->parts & 1U << c->part)) {
		c->part++;
		c->in_part = 0;
		memset(&c->before, 0xff, sizeof c->before);
	}
	if (c->part == PARTS || r->reply.out.len > BYTES_MAX)
		return calendar_answer(r, c);
	transaction_free(r); /* the page before is written */
	r->db.last = NULL;
	s = parts[c->part].ask(r, c);
	sql_add_uuid(s, " and t.id < ", &c->before);
	sql_addf(s, " order by t.id desc limit %d", PAGE_ROWS);
	return req_ask(r, DB_LIST);
}

static int64_t year_begin(int64_t now)
{
	int year, month, day;

	civil_from_days((int32_t)civil_floor(now, DAY), &year, &month, &day);
	return (int64_t)civil_days(year, 1, 1) * DAY;
}

enum step calendar_begin(struct req *r)
{
	const struct user *u = workspace_user(r->caller.ws, &r->caller.viewer.user);
	struct calendar *c = r->state.calendar = arena_alloc(&r->arena, sizeof *c);

	parameters_take(r, c);
	if (r->given.issues.count)
		return reply_issues(r, r->given.issues.message ? r->given.issues.message : "Invalid query parameters");
	c->home_name = u ? u->time_zone : "UTC";
	c->home = zone_find(c->home_name, strlen(c->home_name));
	if (!c->home) {
		c->home_name = "UTC";
		c->home = zone_utc();
	}
	c->base_url = req_base_url(r);
	/* A calendar without a component would not be valid. It must stay the same, so it does not have the
	 * current time. */
	calendar_zone_use(r, c, c->home, c->home_name, strlen(c->home_name), year_begin(req_now_ms(r) / 1000));
	memset(&c->before, 0xff, sizeof c->before);
	return part_ask(r, c);
}

/* The rows of a page are written. */
static enum step page_end(struct req *r, struct calendar *c, int rows)
{
	struct sha256 h;

	if (rows)
		c->before = db_uuid(r->db.last, r->at, rows - 1, ROW_ID);
	sha256_begin(&h);
	sha256_part(&h, c->digest, sizeof c->digest);
	sha256_part(&h, r->reply.out.data + c->page_at, r->reply.out.len - c->page_at);
	sha256_end(&h, c->digest);
	if (rows < PAGE_ROWS || c->in_part == parts[c->part].max)
		c->parts &= ~(1U << c->part);
	c->row = 0;
	c->page_at = r->reply.out.len;
	r->next--; /* calendar_rows(), for the next page */
	return part_ask(r, c);
}

enum step calendar_rows(struct req *r)
{
	struct calendar *c = r->state.calendar;
	const struct calendar_part *part = &parts[c->part];
	int rows = db_rows(r->db.last, r->at);
	enum step turn = r->reply.out.len > LARGE_BYTES ? large_take_turn(r) : PASS;

	if (turn != PASS)
		return turn;
	for (; c->row < rows && c->in_part < part->max; c->row++, c->in_part++) {
		if (slice_over(r))
			return AGAIN;
		part->write(r, c, c->row);
	}
	return page_end(r, c, rows);
}
