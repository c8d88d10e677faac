/* The fields of a user as admins of the workspace and the user see them. Everybody else sees user_resource. */
#include "store/resources.h"

static const char *const roles[] = {"admin", "member", NULL};

enum { NAME_MAX = 500, EMAIL_MAX = 254, ZONE_MAX = 64 };

/* link: flags of the invitation's link, which only the answer that makes it shows. */
/* clang-format off */
#define FIELDS(link) { \
	[ACCOUNT_ID]          = {"id",            "id",          FIELD_ID,     0, .about = "Id of the user."}, \
	[ACCOUNT_FULL_NAME]   = {"fullName",      "full_name",   FIELD_TEXT,   FIELD_IN | FIELD_NO_EMPTY, .max = NAME_MAX, .about = "Name of the user; when absent from a new one, the e-mail address."}, \
	[ACCOUNT_EMAIL]       = {"email",         "email",       FIELD_TEXT,   FIELD_IN_CREATE | FIELD_REQUIRED | FIELD_NO_EMPTY, .max = EMAIL_MAX, .about = "E-mail address of the user, unique in the workspace; upper and lower case are the same. It cannot be changed."}, \
	[ACCOUNT_ROLE]        = {"role",          "role",        FIELD_CHOICE, FIELD_IN | FIELD_NO_EMPTY, .choices = roles, .about = "An `admin` of the workspace, or a `member`, the default."}, \
	[ACCOUNT_TIME_ZONE]   = {"timeZone",      "time_zone",   FIELD_TEXT,   FIELD_IN | FIELD_NULLABLE | FIELD_NULL_EMPTY, .max = ZONE_MAX, .about = "The user's time zone by its name in the IANA database, such as `Europe/Berlin`; null: UTC."}, \
	[ACCOUNT_CREATED_AT]  = {"createdAt",     "created_at",  FIELD_TIME,   0, .about = "When the user was created."}, \
	[ACCOUNT_UPDATED_AT]  = {"updatedAt",     "updated_at",  FIELD_STAMP,  0, .about = "When the user was last changed."}, \
	[ACCOUNT_PASSWORD_AT] = {"passwordAt",    "password_at", FIELD_TIME,   FIELD_NULLABLE, .about = "When the user last set a password; null: never."}, \
	[ACCOUNT_DISABLED_AT] = {"disabledAt",    "disabled_at", FIELD_TIME,   FIELD_NULLABLE, .about = "When the user was disabled; null: the user is not. A disabled user cannot sign in, and their keys are refused."}, \
	[ACCOUNT_LINK]        = {"invitationUrl", NULL,          FIELD_TEXT,   FIELD_NULL_EMPTY | (link), .about = "The link with which the user sets a password and signs in, once, within 7 days. It is not shown again. Null: nobody could sign in with it, because `public_url` is not an `https://` address or `password_sign_in` is off, or the key of the request expires or lacks scopes."}, \
}
/* clang-format on */

static const struct field fields[ACCOUNT_FIELDS] = FIELDS(FIELD_HIDDEN), invited_fields[ACCOUNT_FIELDS] = FIELDS(0);

const struct resource account_resource = {.name = "account",
    .about = "A user of the workspace, as its admins and the user see it.",
    .table = "users",
    .id_kind = ID_USER,
    .stamp = ACCOUNT_UPDATED_AT,
    .fields = fields,
    .n_fields = ACCOUNT_FIELDS};
const struct resource account_invited_resource = {.name = "account invited",
    .about = "A user of the workspace, with the link to sign in for the first time.",
    .table = "users",
    .id_kind = ID_USER,
    .stamp = ACCOUNT_UPDATED_AT,
    .fields = invited_fields,
    .n_fields = ACCOUNT_FIELDS};
