/* The end of the last step of a write, write_reply(): the answer is one record, or one result for each record of a
 * batch. */
#include "server/output/render.h"
#include "server/request/route.h"
#include "server/request/slice.h"
#include "server/resource/merged.h"
#include "server/resource/write.h"

/* A batch may name a record a hundred times, and a character may take six bytes in JSON. */
enum { SHOWN_MAX = 24 << 20 };
static const char too_much[] =
    "The answer to this batch would be too large, so nothing was done: send fewer records at a time";

static const struct write_target *shown_target(const struct write_target *t)
{
	return t->duplicate_of ? t->duplicate_of : t;
}

static enum step reply_single(struct req *r, struct write *w)
{
	struct write_target *t = &w->targets[0];

	if (t->failed && t->error == ERROR_UNPROCESSABLE)
		return reply_issues(r, "Invalid input");
	if (t->failed && t->error == ERROR_NOT_FOUND)
		return merged_not_found(r);
	if (t->failed && t->error == ERROR_PRECONDITION_FAILED)
		return reply_precondition(r, t->old, t->message);
	if (t->failed)
		return reply_error(r, t->error, t->message);
	for (struct warning *warning = t->warnings; warning; warning = warning->next)
		reply_warning_json(&r->reply, warning->json, warning->len);
	if (w->op == WRITE_DELETE)
		return reply_id(r, w->kind->res->id_kind, &t->id);
	return reply_record_named(r, shown_target(t)->new, &w->names);
}

/* Only for a record of a batch. */
static void reply_put_data(
    struct json_out *o, const struct req_caller *caller, const struct write *w, const struct write_target *t)
{
	if (w->op == WRITE_DELETE) {
		json_begin_object(o);
		json_key(o, "id");
		json_id(o, w->kind->res->id_kind, &t->id);
		json_end_object(o);
	} else {
		render_record(o, shown_target(t)->new, caller->ws, &caller->viewer, &w->names);
	}
}

static void put_warnings(struct json_out *o, const struct write_target *t)
{
	if (!t->warnings)
		return;
	json_key(o, "warnings");
	json_begin_array(o);
	for (const struct warning *w = t->warnings; w; w = w->next)
		json_raw(o, w->json, w->len);
	json_end_array(o);
}

/* The groups that the record left, as far as the viewer may see them. */
static void put_left(struct json_out *o, const struct req_caller *caller, const struct write_target *t)
{
	bool any = false;

	for (size_t i = 0; i < t->left_groups.n_ids; i++) {
		const struct group *g = visible_group(caller->ws, &t->left_groups.ids[i], &caller->viewer);
		if (!g)
			continue;
		if (!any) {
			json_key(o, "removedGroups");
			json_begin_array(o);
		}
		any = true;
		json_begin_object(o);
		json_key(o, "id");
		json_id(o, ID_GROUP, &g->id);
		json_key(o, "name");
		json_string(o, g->name);
		json_end_object(o);
	}
	if (any)
		json_end_array(o);
}

static void put_candidates(struct json_out *o, const struct write *w, const struct write_target *t)
{
	json_key(o, "details");
	json_begin_object(o);
	json_key(o, "candidates");
	json_begin_array(o);
	for (size_t i = 0; i < t->n_candidates; i++)
		json_id(o, w->kind->res->id_kind, &t->candidates[i]);
	json_end_array(o);
	json_end_object(o);
}

static void put_failure(struct req *r, const struct write *w, const struct write_target *t)
{
	enum error_code error = t->failed ? t->error : ERROR_NOT_FOUND; /* an earlier record has deleted it */
	const char *message = t->failed ? t->message : NULL;
	struct json_out *o = &r->reply.json;

	json_key(o, "status");
	json_string(o, "failed");
	json_key(o, "error");
	json_begin_object(o);
	json_key(o, "code");
	json_string(o, error_rows[error].record_code);
	json_key(o, "message");
	json_string(o, message ? message : error_rows[error].message);
	json_key(o, "documentationUrl");
	error_url(o, error, req_base_url(r));
	if (error == ERROR_AMBIGUOUS)
		put_candidates(o, w, t);
	json_end_object(o);
}

/* The member "operation" of the result; NULL: it has none. again: an earlier record has the same target. */
static const char *target_operation(const struct write *w, const struct write_target *t, bool again)
{
	if (w->op == WRITE_CREATE && w->kind->entity == ENTITY_COMPANY)
		return t->existing ? "existing" : "created";
	if (!w->upsert)
		return NULL;
	if (t->op == WRITE_CREATE)
		return again ? "updated" : "created";
	return record_diff(t->old, t->new) ? "updated" : "unchanged";
}

static void put_result(struct req *r, const struct write *w, const struct write_target *t, bool again)
{
	struct json_out *o = &r->reply.json;
	const char *operation;

	json_begin_object(o);
	if (t->failed || (w->op == WRITE_DELETE && again)) {
		put_failure(r, w, t);
		json_end_object(o);
		return;
	}
	json_key(o, "status");
	json_string(o, "succeeded");
	json_key(o, "data");
	reply_put_data(o, &r->caller, w, t);
	put_warnings(o, t);
	put_left(o, &r->caller, t);
	operation = target_operation(w, t, again);
	if (operation)
		json_add_string(o, "operation", operation);
	json_end_object(o);
}

/* True when an earlier record has the same target. */
static bool named_before(const struct write *w, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (w->record_target[i] == w->record_target[index])
			return true;
	return false;
}

enum step write_reply(struct req *r, struct write *w)
{
	struct json_out *o = &r->reply.json;

	if (!w->batch)
		return reply_single(r, w);
	if (w->replied == 0) {
		reply_begin(r);
		json_begin_object(o);
		json_key(o, "results");
		json_begin_array(o);
	}
	while (w->replied < w->n_records) {
		size_t i = w->replied++;
		put_result(r, w, &w->targets[w->record_target[i]], named_before(w, i));
		if (r->reply.out.len > SHOWN_MAX)
			return reply_error_status(r, ERROR_INVALID_REQUEST, 413, too_much);
		if (w->replied < w->n_records && slice_over(r))
			return AGAIN;
	}
	json_end_array(o);
	json_end_object(o);
	return reply_end(r);
}
