#include "test/lib/http/card_device.h"

#include <string.h>

#include "server/base/json.h"

struct caller device_of(struct caller *owner, struct server_process *s, const char *scopes)
{
	struct caller_answer made = caller_good(
	    caller_sendf(owner, "POST", "/v1/keys", NULL, "{\"name\": \"device\", \"scopes\": %s}", scopes));
	const char *error;
	struct json *body = json_read(&owner->arena, made.reply.body, made.reply.body_len, &error);
	struct caller device;

	caller_init(&device, s->base, json_text(json_member(body, "data"), "key"));
	return device;
}

struct caller device_open(struct server_process *s, const char *scopes)
{
	return device_of(&ada, s, scopes);
}

char *card_path(const char *book, const char *name)
{
	return TEXT("/dav/books/%s/%s/%s", rig.ada.id, book, name);
}

struct client_reply device_send(
    struct caller *c, const char *method, const char *target, const char *body, const char *header, const char *value)
{
	struct client_request request = {.method = method, .target = target, .body = body};
	struct client_reply reply;
	char error[256];

	request.headers[request.n_headers++] =
	    (struct client_header){"Authorization", arena_printf(&c->arena, "Bearer %s", c->key)};
	if (body && (!header || strcmp(header, "Content-Type") != 0))
		request.headers[request.n_headers++] =
		    (struct client_header){"Content-Type", "text/vcard; charset=utf-8"};
	request.body_len = body ? strlen(body) : 0;
	if (header)
		request.headers[request.n_headers++] = (struct client_header){header, value};
	if (!client_send(c->client, &c->arena, &request, &reply, error))
		fail_msg("%s %s: %s", method, target, error);
	return reply;
}

char *card_text(const char *uid, const char *name, const char *lines)
{
	return TEXT(
	    "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:%s\r\nFN:%s\r\nN:;%s;;;\r\n%sEND:VCARD\r\n", uid, name, name, lines);
}
