/* The fields of a group, of its members and of a workspace's users. */
#include "store/resources.h"

static const char *const visibilities[] = {"public", "private", NULL};
static const char *const roles[] = {"admin", "contributor", "reader", NULL};

/* clang-format off */
static const struct field group_fields[GROUP_FIELDS] = {
	[GROUP_ID]         = {"id",         "id",         FIELD_ID,     0},
	[GROUP_NAME]       = {"name",       "name",       FIELD_TEXT,   FIELD_IN | FIELD_REQUIRED | FIELD_NO_EMPTY, .max = 255, .example = "Analytical Engines"},
	[GROUP_VISIBILITY] = {"visibility", "visibility", FIELD_CHOICE, FIELD_IN | FIELD_REQUIRED | FIELD_NO_EMPTY, .choices = visibilities},
	[GROUP_CREATED_AT] = {"createdAt",  "created_at", FIELD_TIME,   0},
	[GROUP_CREATED_BY] = {"createdBy",  "created_by", FIELD_USER,   0},
};

static const struct field member_fields[MEMBER_FIELDS] = {
	[MEMBER_ID]        = {"id",       "user_id", FIELD_USER_ID, FIELD_IN_CREATE | FIELD_REQUIRED},
	[MEMBER_FULL_NAME] = {"fullName", NULL,      FIELD_TEXT,    0, .example = "Ada Lovelace"},
	[MEMBER_EMAIL]     = {"email",    NULL,      FIELD_TEXT,    0, .example = "ada@example.com"},
	[MEMBER_ROLE]      = {"role",     "role",    FIELD_CHOICE,  FIELD_IN | FIELD_REQUIRED | FIELD_REQUIRED_UPDATE | FIELD_NO_EMPTY, .choices = roles},
};

static const struct field user_fields[USER_FIELDS] = {
	[USER_ID]        = {"id",       "id",        FIELD_ID,   0},
	[USER_FULL_NAME] = {"fullName", "full_name", FIELD_TEXT, 0, .example = "Ada Lovelace"},
	[USER_EMAIL]     = {"email",    "email",     FIELD_TEXT, 0, .example = "ada@example.com"},
};
/* clang-format on */

const struct resource group_resource = {
    .name = "group", .table = "groups", .id_kind = ID_GROUP, .fields = group_fields, .n_fields = GROUP_FIELDS};
const struct resource member_resource = {
    .name = "member", .table = "group_members", .id_kind = ID_USER, .fields = member_fields, .n_fields = MEMBER_FIELDS};
const struct resource user_resource = {
    .name = "user", .table = "users", .id_kind = ID_USER, .fields = user_fields, .n_fields = USER_FIELDS};
