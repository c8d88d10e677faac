/* The bodies with which people sign in, and set and change their password. Nothing of them is stored as it is. */
#include "store/resources.h"

enum { EMAIL_MAX = 254, PASSWORD_MAX = 200, TOKEN_MAX = 1000, ID_MAX = 40 };

/* clang-format off */
static const struct field sign_in_fields[SIGN_IN_FIELDS] = {
	[SIGN_IN_EMAIL]     = {"email",     NULL, FIELD_TEXT, FIELD_IN_CREATE | FIELD_REQUIRED | FIELD_NO_EMPTY, .max = EMAIL_MAX, .about = "The user's e-mail address; upper and lower case are the same."},
	[SIGN_IN_PASSWORD]  = {"password",  NULL, FIELD_TEXT, FIELD_IN_CREATE | FIELD_REQUIRED | FIELD_NO_EMPTY, .max = PASSWORD_MAX, .about = "The user's password."},
	[SIGN_IN_WORKSPACE] = {"workspace", NULL, FIELD_TEXT, FIELD_IN_CREATE, .max = ID_MAX, .about = "The id of the workspace, if users of several have this e-mail address and password."},
};

static const struct field accept_fields[ACCEPT_FIELDS] = {
	[ACCEPT_TOKEN]    = {"token",    NULL, FIELD_TEXT, FIELD_IN_CREATE | FIELD_REQUIRED | FIELD_NO_EMPTY, .max = TOKEN_MAX, .about = "The part of the link after `#invitation=`, or the whole link."},
	[ACCEPT_PASSWORD] = {"password", NULL, FIELD_TEXT, FIELD_IN_CREATE | FIELD_NO_EMPTY, .max = PASSWORD_MAX, .about = "The password that the user will have. The link of `kith demo` needs none."},
};

static const struct field change_fields[PASSWORD_CHANGE_FIELDS] = {
	[PASSWORD_CHANGE_OLD] = {"currentPassword", NULL, FIELD_TEXT, FIELD_IN_CREATE | FIELD_REQUIRED | FIELD_NO_EMPTY, .max = PASSWORD_MAX, .about = "The user's current password."},
	[PASSWORD_CHANGE_NEW] = {"newPassword",     NULL, FIELD_TEXT, FIELD_IN_CREATE | FIELD_REQUIRED | FIELD_NO_EMPTY, .max = PASSWORD_MAX, .about = "The password that the user will have: at least 12 characters, not one of the most common passwords, and not made of the user's name or e-mail address."},
};
/* clang-format on */

const struct resource sign_in_resource = {.name = "sign in",
    .about = "An e-mail address and a password.",
    .id_kind = ID_USER,
    .fields = sign_in_fields,
    .n_fields = SIGN_IN_FIELDS};
const struct resource accept_resource = {.name = "invitation acceptance",
    .about = "An invitation, and the password to set.",
    .id_kind = ID_USER,
    .fields = accept_fields,
    .n_fields = ACCEPT_FIELDS};
const struct resource password_change_resource = {.name = "password change",
    .about = "A user's current password and the new one.",
    .id_kind = ID_USER,
    .fields = change_fields,
    .n_fields = PASSWORD_CHANGE_FIELDS};
