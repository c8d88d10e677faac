/* An address book, as devices see it. */
#include "store/resources.h"

/* clang-format off */
static const struct field fields[ADDRESS_BOOK_FIELDS] = {
	[ADDRESS_BOOK_ID]    = {"id",    NULL, FIELD_TEXT, 0, .about = "`people`, `companies`, or the id of a group."},
	[ADDRESS_BOOK_NAME]  = {"name",  NULL, FIELD_TEXT, 0, .about = "Its name on devices, unless one of them has given it another."},
	[ADDRESS_BOOK_SHOWN] = {"shown", NULL, FIELD_FLAG, FIELD_IN_UPDATE | FIELD_REQUIRED_UPDATE, .about = "Whether the user's devices see it."},
};
/* clang-format on */

const struct resource address_book_resource = {.name = "addressBook",
    .title = "address book",
    .about = "People or companies that devices can have as an address book.",
    .id_kind = ID_GROUP,
    .fields = fields,
    .n_fields = ADDRESS_BOOK_FIELDS};
