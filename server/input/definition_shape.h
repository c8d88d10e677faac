/* The shape of custom field definitions in bodies. */
#ifndef KITH_SERVER_INPUT_DEFINITION_SHAPE_H
#define KITH_SERVER_INPUT_DEFINITION_SHAPE_H

#include "server/input/body.h"

/* Checks the shape of a member of a definition (numbered by enum custom_field_field); issues go to rd->shape. */
void definition_shape(struct reading *rd, int member, const struct json *value, const struct path *at);

#endif
