/* The fields of a group, of its members and of a workspace's users. */
#include "store/resources.h"

static const char *const visibilities[] = {"public", "private", NULL};
static const char *const roles[] = {"admin", "contributor", "reader", NULL};

static const struct field group_fields[GROUP_FIELDS] = {
    [GROUP_ID] = {.name = "id", .column = "id", .type = FIELD_ID},
    [GROUP_NAME] = {.name = "name",
        .column = "name",
        .type = FIELD_TEXT,
        .flags = FIELD_IN | FIELD_REQUIRED | FIELD_NO_EMPTY,
        .max = 255},
    [GROUP_VISIBILITY] = {.name = "visibility",
        .column = "visibility",
        .type = FIELD_CHOICE,
        .flags = FIELD_IN | FIELD_REQUIRED | FIELD_NO_EMPTY,
        .choices = visibilities},
    [GROUP_CREATED_AT] = {.name = "createdAt", .column = "created_at", .type = FIELD_TIME},
    [GROUP_CREATED_BY] = {.name = "createdBy", .column = "created_by", .type = FIELD_USER},
};

static const struct field member_fields[MEMBER_FIELDS] = {
    [MEMBER_ID] = {.name = "id", .column = "user_id", .type = FIELD_USER_ID, .flags = FIELD_IN_CREATE | FIELD_REQUIRED},
    [MEMBER_FULL_NAME] = {.name = "fullName", .type = FIELD_TEXT},
    [MEMBER_EMAIL] = {.name = "email", .type = FIELD_TEXT},
    [MEMBER_ROLE] = {.name = "role",
        .column = "role",
        .type = FIELD_CHOICE,
        .flags = FIELD_IN | FIELD_REQUIRED | FIELD_REQUIRED_UPDATE | FIELD_NO_EMPTY,
        .choices = roles},
};

static const struct field user_fields[USER_FIELDS] = {
    [USER_ID] = {.name = "id", .column = "id", .type = FIELD_ID},
    [USER_FULL_NAME] = {.name = "fullName", .column = "full_name", .type = FIELD_TEXT},
    [USER_EMAIL] = {.name = "email", .column = "email", .type = FIELD_TEXT},
};

const struct resource group_resource = {
    .name = "group", .table = "groups", .id_kind = ID_GROUP, .fields = group_fields, .n_fields = GROUP_FIELDS};
const struct resource member_resource = {
    .name = "member", .table = "group_members", .id_kind = ID_USER, .fields = member_fields, .n_fields = MEMBER_FIELDS};
const struct resource user_resource = {
    .name = "user", .table = "users", .id_kind = ID_USER, .fields = user_fields, .n_fields = USER_FIELDS};
