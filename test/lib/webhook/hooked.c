/* See hooked.h. */
#include "test/lib/webhook/hooked.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/crypto.h"
#include "webhook/sign.h"

static const char people[] = "[{\"eventType\":\"person.created\",\"filter\":{}},"
                             "{\"eventType\":\"person.updated\",\"filter\":{}}]";

static const struct json *json_member_of(const struct json *object, const char *key)
{
	return object && object->type == JSON_OBJECT ? json_member(object, key) : NULL;
}

static const char *text_of(const struct json *object, const char *key)
{
	const struct json *value = json_member_of(object, key);

	return value && value->type == JSON_STRING ? value->text : "";
}

struct hooked hooked_make(struct caller *c, const char *url, const char *events)
{
	const char *error;
	struct caller_answer a = caller_sendf(c, "POST", "/v1/webhooks", NULL,
	    "{\"name\":\"Test\",\"targetUrl\":\"%s\",\"subscribedEvents\":%s}", url, events ? events : people);
	const struct json *body = json_read(&c->arena, a.reply.body, a.reply.body_len, &error);

	if (a.status != 200) {
		fprintf(stderr, "no webhook was made: %d %s %s\n", a.status, a.reply.body, a.error);
		exit(1);
	}
	return (struct hooked){.id = a.id, .secret = text_of(json_member_of(body, "data"), "signingSecret")};
}

struct hooked_event hooked_event(struct arena *a, const struct receiver_request *q)
{
	const char *error = "";
	const struct json *body = json_read(a, q->body, q->body_len, &error);

	if (!body) {
		fprintf(stderr, "a delivery's body is not JSON: %s\n%s\n", error, q->body);
		exit(1);
	}
	return (struct hooked_event){.id = text_of(body, "id"),
	    .type = text_of(body, "type"),
	    .source = text_of(body, "source"),
	    .record = text_of(json_member_of(body, "data"), "id"),
	    .created_at = text_of(body, "createdAt"),
	    .body = body};
}

/* Standard base64 of exactly the secret's length. */
static bool secret_bytes(const char *text, unsigned char out[SIGN_SECRET_LEN])
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	unsigned bits = 0, n_bits = 0, n = 0;

	if (strncmp(text, "whsec_", 6) != 0)
		return false;
	for (const char *p = text + 6; *p && *p != '='; p++) {
		const char *digit = strchr(digits, *p);
		if (!digit)
			return false;
		bits = bits << 6 | (unsigned)(digit - digits);
		n_bits += 6;
		if (n_bits >= 8) {
			n_bits -= 8;
			if (n < SIGN_SECRET_LEN)
				out[n] = (unsigned char)(bits >> n_bits);
			n++;
		}
	}
	return n == SIGN_SECRET_LEN;
}

int hooked_signatures(const struct receiver_request *q, const char *secret, int *good)
{
	char *id = receiver_header(q, "webhook-id"), *at = receiver_header(q, "webhook-timestamp"),
	     *all = receiver_header(q, "webhook-signature"), expected[SIGN_SIGNATURE_TEXT];
	unsigned char key[SIGN_SECRET_LEN];
	int n = 0;

	*good = 0;
	if (id && at && all && secret_bytes(secret, key)) {
		sign_signature(expected, key, SIGN_SECRET_LEN, id, strtoll(at, NULL, 10), q->body, q->body_len);
		for (const char *p = all; *p; p += strspn(p, " ")) {
			size_t len = strcspn(p, " ");
			n++;
			*good += len == strlen(expected) && memcmp(p, expected, len) == 0;
			p += len;
		}
	}
	free(id);
	free(at);
	free(all);
	return n;
}

bool hooked_until(const struct rig *r, int64_t number, int ms, const char *format, ...)
{
	char sql[1024];
	int64_t got;
	va_list args;

	va_start(args, format);
	vsnprintf(sql, sizeof sql, format, args);
	va_end(args);
	if (database_until(r->program, sql, number, ms, &got))
		return true;
	fprintf(stderr, "%s: %lld, not %lld\n", sql, (long long)got, (long long)number);
	return false;
}
