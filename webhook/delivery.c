/* See delivery.h. */
#include "webhook/delivery.h"

#include <string.h>

#include "server/base/crypto.h"
#include "server/base/json.h"

enum { TIME_BYTES = 6 };

void delivery_body_write(struct buf *out, const struct uuid *webhook, const struct event_row *e,
    const struct event_listener *l, const char *public_url, struct arena *a)
{
	char hook[ID_SIZE];
	struct json_out o;

	json_out_init(&o, out);
	event_row_begin(
	    &o, e, l, arena_printf(a, "%s/v1/webhooks/%s", public_url, id_format(ID_WEBHOOK, webhook, hook)));
	json_comma(&o);
	event_data_write(out, e, l, public_url, a);
	json_end_object(&o);
}

struct uuid delivery_id(const struct uuid *webhook, const struct uuid *event)
{
	unsigned char both[2 * sizeof webhook->b], digest[SHA256_SIZE];
	struct uuid id;

	memcpy(both, webhook->b, sizeof webhook->b);
	memcpy(both + sizeof webhook->b, event->b, sizeof event->b);
	sha256_digest(both, sizeof both, digest);
	memcpy(id.b, digest, sizeof id.b);
	memcpy(id.b, event->b, TIME_BYTES);
	id.b[6] = (unsigned char)(0x70 | (id.b[6] & 0x0f));
	id.b[8] = (unsigned char)(0x80 | (id.b[8] & 0x3f));
	return id;
}

void delivery_at(struct sql *s, const char *q, const char *e)
{
	static const char *const sides[] = {">=", "<="};

	for (int i = 0; i < 2; i++)
		sql_addf(s, " and (%s.generation, %s.xid, %s.seq) %s (%s.generation, %s.xid, %s.seq)", q, q, q,
		    sides[i], e, e, e);
	sql_addf(s, " and %s.created_at = %s.created_at order by %s.generation, %s.xid, %s.seq limit 1", q, e, q, q, q);
}

void delivery_of_id(struct sql *s, const char *q, const struct uuid *id)
{
	sql_addf(s, " and %s.id >= ", q);
	sql_uuid(s, id);
	sql_addf(s, " and %s.id <= ", q);
	sql_again(s, s->n_params);
	sql_addf(s, " order by %s.id limit 1", q);
}
