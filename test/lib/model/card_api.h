/* What the API makes of the bodies that cards become: people and companies without a database. */
#ifndef KITH_TEST_LIB_MODEL_CARD_API_H
#define KITH_TEST_LIB_MODEL_CARD_API_H

#include "server/base/json.h"

struct card_api {
	enum id_kind kind;
	struct json *record; /* as the API answers it */
	bool named;          /* the full name was given */
};

/* Makes a record of the body of a create, or changes it by the body of an update. */
void card_api_create(struct arena *a, struct card_api *api, enum id_kind kind, const struct json *body);
void card_api_update(struct arena *a, struct card_api *api, const struct json *body);

#endif
