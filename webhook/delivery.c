/* Ids of deliveries: see delivery.h. */
#include "webhook/delivery.h"

#include <string.h>

#include "server/base/crypto.h"

enum { TIME_BYTES = 6 };

struct uuid delivery_id(const struct uuid *webhook, const struct uuid *event)
{
	unsigned char both[2 * sizeof webhook->b], digest[SHA256_SIZE];
	struct uuid id;

	memcpy(both, webhook->b, sizeof webhook->b);
	memcpy(both + sizeof webhook->b, event->b, sizeof event->b);
	sha256(both, sizeof both, digest);
	memcpy(id.b, digest, sizeof id.b);
	memcpy(id.b, event->b, TIME_BYTES);
	id.b[6] = (unsigned char)(0x70 | (id.b[6] & 0x0f));
	id.b[8] = (unsigned char)(0x80 | (id.b[8] & 0x3f));
	return id;
}
