/* POST /auth/password. Each attempt does the same work, whether the address has a user or not: it is counted, looked
 * up, and one hash is derived (server/signin/password_hash.h). What differs follows the answer
 * (server/signin/attempt.h). */
#include <string.h>

#include "server/input/body.h"
#include "server/request/server.h"
#include "server/request/transaction.h"
#include "server/signin/password_task.h"
#include "server/signin/session.h"
#include "server/signin/sign_in.h"
#include "store/horizon.h"

enum { COL_FOLDED, COL_WORKSPACE, COL_USER, COL_ADMIN, COL_HASH, COL_NAME, COL_VERSION };

enum step sign_in_begin(struct req *r)
{
	const struct value *email = &r->given.input->values[SIGN_IN_EMAIL];

	if (!password_possible(r))
		return DONE;
	r->sign_in = arena_alloc(&r->arena, sizeof *r->sign_in);
	return attempt_ask(r, &r->sign_in->attempt, email->text, email->len);
}

/* --- the look-up ------------------------------------------------------------------------------ */

/* One row at least, which has the address in lower case. */
enum step sign_in_find(struct req *r)
{
	const struct value *v = r->given.input->values;
	enum step counted = attempt_asked(r, &r->sign_in->attempt);
	struct uuid workspace = {{0}}; /* no workspace has this id */
	struct sql *s;

	if (counted != PASS)
		return counted;
	s = exchange_statement(r, &r->at);
	sql_begin_system(s, s->arena, "sign_in_users");
	sql_add(s, "select e.folded, u.workspace_id, u.id, u.role = 'admin', u.password_hash, w.name, " HORIZON_VERSION
	           " from (select lower(");
	sql_text(s, v[SIGN_IN_EMAIL].text, v[SIGN_IN_EMAIL].len);
	sql_add(s, ") as folded) e left join (users u join workspaces w on w.workspace_id = u.workspace_id cross join "
	           "event_generation g) on lower(u.email) = e.folded and u.password_hash is not null and "
	           "u.disabled_at is null and u.workspace_id = coalesce(");
	id_parse(ID_WORKSPACE, v[SIGN_IN_WORKSPACE].text ? v[SIGN_IN_WORKSPACE].text : "", v[SIGN_IN_WORKSPACE].len,
	    &workspace);
	sql_uuid(s, v[SIGN_IN_WORKSPACE].len ? &workspace : NULL);
	sql_addf(s, ", u.workspace_id) order by u.workspace_id limit %d", SIGN_IN_USERS);
	return req_ask(r, DB_ADMIT);
}

/* --- hashing ---------------------------------------------------------------------------------- */

/* Which derivation decides about a stored hash; a new one if need be. */
static int sign_in_derivation(struct sign_in *in, const struct password_hash *hash)
{
	for (int i = 0; i < in->n_hashes; i++)
		if (password_hash_alike(&in->hashes[i], hash))
			return i;
	if (in->n_hashes == SIGN_IN_HASHES)
		return -1;
	in->hashes[in->n_hashes] = *hash;
	return in->n_hashes++;
}

static void sign_in_add_user(struct req *r, int row)
{
	struct sign_in *in = r->sign_in;
	const struct db_exchange *x = r->db.last;
	struct sign_in_user *u = &in->users[in->n_users];
	size_t len;

	if (db_null(x, r->at, row, COL_USER))
		return;
	u->workspace = db_uuid(x, r->at, row, COL_WORKSPACE);
	u->user = db_uuid(x, r->at, row, COL_USER);
	u->admin = db_bool(x, r->at, row, COL_ADMIN);
	u->workspace_name = arena_dupz(&r->arena, db_text(x, r->at, row, COL_NAME, NULL));
	u->version = db_int(x, r->at, row, COL_VERSION);
	u->stored = arena_dupz(&r->arena, db_text(x, r->at, row, COL_HASH, &len));
	u->derived = password_hash_parse(&u->hash, u->stored, len) ? sign_in_derivation(in, &u->hash) : -1;
	in->n_users++;
}

enum step sign_in_check(struct req *r)
{
	const struct value *password = &r->given.input->values[SIGN_IN_PASSWORD];
	struct sign_in *in = r->sign_in;
	int rows = db_rows(r->db.last, r->at);
	enum step step;
	size_t len;
	const char *folded = db_text(r->db.last, r->at, 0, COL_FOLDED, &len);

	password_hash_begin(&in->hashes[0], r->server->cursor_key, folded, len);
	in->n_hashes = 1;
	in->users = arena_alloc(&r->arena, (size_t)rows * sizeof *in->users);
	for (int i = 0; i < rows; i++)
		sign_in_add_user(r, i);
	step = password_derive(r, in->hashes, in->n_hashes, sign_in_copy(r, password), password->len);
	if (step == DONE) /* too busy */
		attempt_take_back(r, &in->attempt);
	return step;
}

/* --- the decision ----------------------------------------------------------------------------- */

static bool sign_in_fits(const struct sign_in *in, const struct sign_in_user *u)
{
	return u->derived >= 0 && password_hash_equal(&in->hashes[u->derived], &u->hash);
}

static enum step sign_in_refuse(struct req *r)
{
	return reply_error(r, ERROR_UNAUTHORIZED, "The e-mail address or the password is wrong");
}

static enum step sign_in_ask_which(struct req *r)
{
	const struct sign_in *in = r->sign_in;
	struct json_out o;
	struct buf details;

	buf_init(&details, 256 << 10);
	json_out_init(&o, &details);
	json_begin_object(&o);
	json_key(&o, "workspaces");
	json_begin_array(&o);
	for (size_t i = 0; i < in->n_users; i++)
		if (sign_in_fits(in, &in->users[i])) {
			json_begin_object(&o);
			json_add_id(&o, "id", ID_WORKSPACE, &in->users[i].workspace);
			json_add_string(&o, "name", in->users[i].workspace_name);
			json_end_object(&o);
		}
	json_end_array(&o);
	json_end_object(&o);
	reply_error_details(r, ERROR_SEVERAL_WORKSPACES, &details);
	buf_free(&details);
	return DONE;
}

/* The password may have been changed, and its sessions ended, since it was looked up. The lock makes a later change
 * wait until it sees the new session. */
static enum step sign_in_lock(struct req *r)
{
	struct sql *s;

	transaction_begin(r);
	s = req_sql(r, "password_locked", &r->at);
	sql_add(s, "select password_hash from users where workspace_id = $1 and disabled_at is null and id = ");
	sql_uuid(s, &r->sign_in->user->user);
	sql_add(s, " for share");
	return transaction_ask(r);
}

/* Replaces a hash of an older cost, or with the salt of another installation. */
static void sign_in_renew(struct req *r, const struct sign_in_user *u)
{
	char text[PASSWORD_TEXT_SIZE];
	struct sql *s;

	if (u->derived == 0)
		return;
	s = req_sql(r, "password_renew", NULL);
	sql_add_textz(s, "update users set password_hash = ", password_hash_format(&r->sign_in->hashes[0], text));
	sql_add_uuid(s, " where workspace_id = $1 and id = ", &u->user);
}

static enum step sign_in_finish(struct req *r)
{
	const struct sign_in_user *u = r->sign_in->user;

	if (db_rows(r->db.last, r->at) == 0 || db_null(r->db.last, r->at, 0, 0) ||
	    strcmp(db_text(r->db.last, r->at, 0, 0, NULL), u->stored) != 0)
		return sign_in_refuse(r);
	sign_in_renew(r, u);
	return session_begin(r, &(struct session_start){.user = u->user, .scopes = user_scopes(u->admin)});
}

enum step sign_in_decide(struct req *r)
{
	static step_fn *const steps[] = {sign_in_lock, sign_in_finish};
	struct sign_in *in = r->sign_in;
	size_t fit = 0;

	for (size_t i = 0; i < in->n_users; i++)
		if (sign_in_fits(in, &in->users[i])) {
			in->user = &in->users[i];
			fit++;
		}
	if (fit == 0) {
		for (size_t i = 0; i < in->n_users; i++)
			attempt_failed(r, &in->users[i].workspace, &in->users[i].user);
		if (in->n_users == 0)
			attempt_failed(r, NULL, NULL);
		return sign_in_refuse(r);
	}
	/* It counts if a user with the address in another workspace has another password. Else an admin could try
	 * passwords of that user without limit, as those of a user of their own: a second one that fits is a 409. */
	if (fit == in->n_users)
		attempt_take_back(r, &in->attempt);
	return fit == 1 ? sign_in_enter(r, steps) : sign_in_ask_which(r);
}
