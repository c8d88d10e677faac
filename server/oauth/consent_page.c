/* The pages of the consent: one HTML form, or a sentence that says why there is none. */
#include "server/oauth/oauth_private.h"

#include <string.h>

#include "server/base/text.h"
#include "server/request/reply.h"
#include "server/request/server.h"

enum { POLICY_MAX = 2000 };

static const char style[] =
    "body{font:16px/1.5 system-ui,sans-serif;margin:0;background:#f3f4f6;color:#111827}"
    "main{max-width:30rem;margin:8vh auto;padding:2rem;background:#fff;border:1px solid #d1d5db;border-radius:.75rem}"
    "h1{font-size:1.35rem;margin:0 0 1rem}fieldset{border:1px solid #d1d5db;border-radius:.5rem;margin:1rem 0}"
    "label{display:block;margin:.5rem 0}small{display:block;color:#4b5563;margin-left:1.6rem}"
    "dl{display:grid;grid-template-columns:auto 1fr;gap:.25rem 1rem;margin:1rem 0}dt{color:#4b5563}dd{margin:0;"
    "overflow-wrap:anywhere}.no{color:#b91c1c}button{font:inherit;padding:.6rem 1.4rem;border-radius:.5rem;"
    "border:1px solid #6b7280;background:#fff;color:#111827;cursor:pointer}"
    "button.yes{background:#1d4ed8;border-color:#1d4ed8;color:#fff;margin-right:.75rem}"
    "@media(prefers-color-scheme:dark){body{background:#111827;color:#f3f4f6}main{background:#1f2937;border-color:"
    "#374151}small,dt{color:#9ca3af}button{background:#374151;color:#f3f4f6}.no{color:#fca5a5}}"
    "button:disabled{opacity:.5;cursor:default;pointer-events:none}";

/* Another page may open this one under the pointer just before the second click of a double click, or while Enter is
 * held down. So Allow works only after half a second in which the page was in sight and in focus, and nothing was
 * pressed. Until then Enter in a field does nothing: Chromium would press Deny, the next button that is enabled. Deny
 * itself always works. Without scripts the form works, too, but without this protection. */
static const char script[] =
    "(()=>{let ready=false,timer;"
    "const put=on=>{ready=on;const b=document.querySelector('.yes');if(b)b.disabled=!on};"
    "const wait=()=>{clearTimeout(timer);put(false);"
    "if(!document.hidden&&document.hasFocus())timer=setTimeout(put,500,true)};"
    "const press=e=>{if(ready)return;if(e.key==='Enter'&&e.target.localName==='input')e.preventDefault();wait()};"
    "for(const type of ['focus','blur','pageshow'])addEventListener(type,wait);"
    "for(const type of ['DOMContentLoaded','visibilitychange'])document.addEventListener(type,wait);"
    "for(const type of ['pointerdown','keydown'])addEventListener(type,press,true);"
    "addEventListener('submit',e=>ready||e.submitter?.value==='deny'||e.preventDefault(),true)})()";

/* The scopes in words that people understand, in their order. */
static const struct {
	const char *name, *title, *about;
	bool on; /* chosen unless the user decides otherwise */
} rights[KEY_SCOPES] = {
    {"read", "Look", "at everything that you can see: people, companies, deals, notes, tasks", true},
    {"write", "Change", "and create records", true},
    {"delete", "Delete", "and merge records", false},
    {"admin", "Administer", "groups with their members and fields, keys and users, as far as you may", false},
    {"contacts", "Address books", "on devices", true},
    {"calendar", "Calendars", "on devices", true},
};

/* --- writing --------------------------------------------------------------------------------------- */

static void html_text(struct buf *out, const char *text)
{
	for (; *text; text++)
		switch (*text) {
		case '<':
			buf_addz(out, "&lt;");
			break;
		case '>':
			buf_addz(out, "&gt;");
			break;
		case '&':
			buf_addz(out, "&amp;");
			break;
		case '"':
			buf_addz(out, "&quot;");
			break;
		case '\'':
			buf_addz(out, "&#39;");
			break;
		default:
			buf_addc(out, *text);
		}
}

/* A text of somebody else in the page's own; bdi keeps its direction of writing to itself. */
static void html_foreign(struct buf *out, const char *text)
{
	buf_addz(out, "<bdi>");
	html_text(out, text);
	buf_addz(out, "</bdi>");
}

/* What stands in the page itself is allowed by its digest. */
static void policy_allow(struct buf *policy, const char *directive, const char *content)
{
	unsigned char digest[SHA256_SIZE];

	sha256_digest(content, strlen(content), digest);
	buf_printf(policy, "%s 'sha256-", directive);
	text_base64(policy, digest, sizeof digest);
	buf_addz(policy, "'; ");
}

/* Forms lead here and, by the answer, to the client. The page has no pictures, no scripts but its own, and no frame
 * shows it. Without the referrer, browsers would not say where the form comes from. */
static void page_begin(struct req *r, int status, const char *source, const char *title)
{
	struct buf policy;

	buf_init(&policy, POLICY_MAX);
	buf_addz(&policy, "default-src 'none'; ");
	policy_allow(&policy, "style-src", style);
	policy_allow(&policy, "script-src", script);
	buf_printf(&policy, "base-uri 'none'; frame-ancestors 'none'; form-action 'self' %s", source ? source : "");
	reply_forget(&r->reply);
	r->reply.status = status;
	reply_header(r, "Content-Type", "text/html; charset=utf-8");
	reply_header(r, "Content-Security-Policy", policy.data);
	reply_header(r, "X-Frame-Options", "DENY");
	reply_header(r, "Referrer-Policy", "same-origin");
	reply_header(r, "Cache-Control", "no-store");
	buf_free(&policy);
	buf_addz(&r->reply.out, "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>");
	html_text(&r->reply.out, title);
	buf_printf(&r->reply.out,
	    "</title><meta name=\"viewport\" content=\"width=device-width\"><style>%s</style><script>%s</script></head>"
	    "<body><main>\n",
	    style, script);
}

static enum step page_end(struct req *r)
{
	buf_addz(&r->reply.out, "</main></body></html>\n");
	return DONE;
}

enum step consent_refuse(struct req *r, const char *title, const char *text)
{
	page_begin(r, 400, NULL, title);
	r->reply.error = ERROR_INVALID_REQUEST;
	r->reply.why = title;
	buf_addz(&r->reply.out, "<h1>");
	html_text(&r->reply.out, title);
	buf_addz(&r->reply.out, "</h1>\n<p>");
	html_text(&r->reply.out, text);
	buf_addz(&r->reply.out, "</p>\n");
	return page_end(r);
}

/* --- the form --------------------------------------------------------------------------------------- */

const char *consent_token(struct req *r, int64_t made_ms)
{
	unsigned char mac[SHA256_SIZE];
	const char *time = arena_printf(&r->arena, "oauth consent %lld ", (long long)made_ms);
	struct hmac h;
	struct buf text;
	char *token;

	hmac_begin(&h, r->server->cursor_key, sizeof r->server->cursor_key);
	hmac_add(&h, time, strlen(time));
	hmac_add(&h, r->caller.ticket.key_hash, sizeof r->caller.ticket.key_hash);
	hmac_add(&h, r->given.raw_query, r->given.raw_query_len);
	hmac_end(&h, mac);
	buf_init(&text, POLICY_MAX);
	buf_printf(&text, "%lld.", (long long)made_ms);
	text_base64url(&text, mac, sizeof mac);
	token = arena_dup(&r->arena, text.data, text.len);
	buf_free(&text);
	return token;
}

/* Where the client is, in words. */
static void page_place(struct buf *out, const char *redirect, struct arena *a)
{
	const char *host = redirect_uri_host(redirect, a);

	if (redirect_uri_loopback(redirect))
		buf_addz(out, "a program on the computer that you are using");
	else if (host[strlen(host) - 1] == ':')
		html_foreign(out, arena_printf(a, "an application on this device (%s)", host));
	else
		html_foreign(out, host);
}

enum step consent_lead_back(struct req *r, const char *location, const char *description)
{
	static const char title[] = "The application has sent a wrong request";
	struct buf *out = &r->reply.out;

	page_begin(r, 400, NULL, title);
	r->reply.error = ERROR_INVALID_REQUEST;
	r->reply.why = title;
	buf_printf(out, "<h1>%s</h1>\n<p>Nothing was allowed. Tell its makers: ", title);
	html_text(out, description);
	buf_addz(out,
	    ".</p>\n<p>You have not connected this application before. If you have just started this yourself, "
	    "<a rel=\"noreferrer\" href=\"");
	html_text(out, location);
	buf_addz(out, "\">go back to ");
	page_place(out, r->state.oauth->redirect, &r->arena);
	buf_addz(out, "</a>.</p>\n");
	return page_end(r);
}

static void page_who(struct req *r, const char *workspace)
{
	const struct oauth_work *w = r->state.oauth;
	const struct user *user = workspace_user(r->caller.ws, &r->caller.viewer.user);
	struct buf *out = &r->reply.out;

	buf_addz(out, "<h1>Connect ");
	html_foreign(out, w->client->name);
	buf_addz(out, " to kith?</h1>\n<dl><dt>Application</dt><dd>");
	html_foreign(out, w->client->name);
	buf_addz(out, "</dd><dt>Answers go to</dt><dd>");
	page_place(out, w->redirect, &r->arena);
	if (w->document) {
		buf_addz(out, "</dd><dt>Described at</dt><dd>");
		html_foreign(out, w->document);
	}
	buf_addz(out, "</dd><dt>Workspace</dt><dd>");
	html_foreign(out, workspace);
	buf_addz(out, "</dd><dt>Signed in as</dt><dd>");
	html_foreign(out, user ? user->full_name : "");
	buf_addz(out, " ");
	html_foreign(out, user ? user->email : "");
	buf_printf(out, "</dd><dt>Opens</dt><dd>%s</dd></dl>\n",
	    w->mcp ? "kith's tools for assistants" : "the whole API, and the tools for assistants");
}

static void page_rights(struct req *r)
{
	const struct oauth_work *w = r->state.oauth;
	struct buf *out = &r->reply.out;

	buf_addz(out, "<fieldset><legend>It may</legend>\n");
	for (int i = 0; i < KEY_SCOPES; i++)
		if (w->offered & 1U << i)
			buf_printf(out,
			    "<label><input type=\"checkbox\" name=\"may_%s\" value=\"1\"%s> "
			    "<b>%s</b><small>%s</small></label>\n",
			    rights[i].name, rights[i].on ? " checked" : "", rights[i].title, rights[i].about);
	buf_addz(out, "</fieldset>\n");
	if (w->chosen_none)
		buf_addz(out, "<p class=\"no\">Choose what the application may do, or deny.</p>\n");
}

enum step consent_ask(struct req *r)
{
	struct sql *s = req_sql(r, "consent_workspace", &r->at);

	sql_add(s,
	    "select name, exists (select from oauth_grants g where g.workspace_id = $1 and g.code_used_at is not null "
	    "and g.user_id = ");
	sql_uuid(s, &r->caller.viewer.user);
	sql_add_textz(s, " and g.client_id = ", r->state.oauth->client->id);
	sql_add(s, ") from workspaces where workspace_id = $1");
	return req_ask(r, DB_POINT);
}

enum step consent_show(struct req *r)
{
	struct oauth_work *w = r->state.oauth;
	bool found = db_rows(r->db.last, r->at) > 0;
	const char *name = found ? db_text(r->db.last, r->at, 0, 0, NULL) : "";
	struct buf *out = &r->reply.out;
	enum step step;

	w->known = found && db_bool(r->db.last, r->at, 0, 1);
	step = authorize_check(r);
	if (step != PASS)
		return step;
	page_begin(
	    r, w->chosen_none ? 400 : 200, redirect_uri_source(w->redirect, &r->arena), "Connect an application");
	page_who(r, name);
	buf_addz(out, "<form method=\"post\" action=\"authorize?");
	html_text(out, arena_dup(&r->arena, r->given.raw_query, r->given.raw_query_len));
	buf_printf(out, "\">\n<input type=\"hidden\" name=\"token\" value=\"%s\">\n",
	    consent_token(r, r->caller.ticket.now_ms));
	page_rights(r);
	buf_addz(out,
	    "<p>An application never gets more rights than you have. kith has not checked who made it: allow it only "
	    "if you have just started this yourself. You can end the connection at any time in the console.</p>\n"
	    "<button class=\"yes\" name=\"decision\" value=\"allow\">Allow</button>"
	    "<button name=\"decision\" value=\"deny\">Deny</button>\n</form>\n");
	return page_end(r);
}
