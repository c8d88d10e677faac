/* The fields of a group, of its members and of a workspace's users. */
#include "store/resources.h"

static const char *const visibilities[] = {"public", "private", NULL};
static const char *const roles[] = {"admin", "contributor", "reader", NULL};

/* clang-format off */
static const struct field group_fields[GROUP_FIELDS] = {
	[GROUP_ID]         = {"id",         "id",         FIELD_ID,     0, .about = "Id of the group."},
	[GROUP_NAME]       = {"name",       "name",       FIELD_TEXT,   FIELD_IN | FIELD_REQUIRED | FIELD_NO_EMPTY, .max = 255, .about = "Name of the group."},
	[GROUP_VISIBILITY] = {"visibility", "visibility", FIELD_CHOICE, FIELD_IN | FIELD_REQUIRED | FIELD_NO_EMPTY, .choices = visibilities, .about = "`public` for all users of the workspace, `private` for members and admins of the workspace."},
	[GROUP_CREATED_AT] = {"createdAt",  "created_at", FIELD_TIME,   0, .about = "When it was created."},
	[GROUP_CREATED_BY] = {"createdBy",  "created_by", FIELD_USER,   0, .about = "Who created it."},
};

static const struct field member_fields[MEMBER_FIELDS] = {
	[MEMBER_ID]        = {"id",       "user_id", FIELD_USER_ID, FIELD_IN_CREATE | FIELD_REQUIRED, .about = "Id of the user."},
	[MEMBER_FULL_NAME] = {"fullName", NULL,      FIELD_TEXT,    0, .about = "Name of the user."},
	[MEMBER_EMAIL]     = {"email",    NULL,      FIELD_TEXT,    0, .about = "E-mail address of the user."},
	[MEMBER_ROLE]      = {"role",     "role",    FIELD_CHOICE,  FIELD_IN | FIELD_REQUIRED | FIELD_REQUIRED_UPDATE | FIELD_NO_EMPTY, .choices = roles, .about = "A `reader` reads, a `contributor` also writes records and values of the group, an `admin` also its fields, types and members."},
};

static const struct field user_fields[USER_FIELDS] = {
	[USER_ID]        = {"id",       "id",        FIELD_ID,   0, .about = "Id of the user."},
	[USER_FULL_NAME] = {"fullName", "full_name", FIELD_TEXT, 0, .about = "Name of the user."},
	[USER_EMAIL]     = {"email",    "email",     FIELD_TEXT, 0, .about = "E-mail address of the user, unique in the workspace."},
};
/* clang-format on */

const struct resource group_resource = {.name = "group",
    .about = "A group of people and companies, with custom fields for them and objects of its own.",
    .table = "groups",
    .id_kind = ID_GROUP,
    .fields = group_fields,
    .n_fields = GROUP_FIELDS};
const struct resource member_resource = {.name = "member",
    .about = "A user as a member of a group.",
    .table = "group_members",
    .id_kind = ID_USER,
    .fields = member_fields,
    .n_fields = MEMBER_FIELDS};
const struct resource user_resource = {.name = "user",
    .about = "A user of the workspace.",
    .table = "users",
    .id_kind = ID_USER,
    .fields = user_fields,
    .n_fields = USER_FIELDS};
