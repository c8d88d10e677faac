/* Which new passwords are refused, beside those that are too short or too long. */
#ifndef KITH_SERVER_SIGNIN_PASSWORD_RULE_H
#define KITH_SERVER_SIGNIN_PASSWORD_RULE_H

#include <stddef.h>

/* Returns why a user with this e-mail address and name must not have this password, for people; NULL: they may. The
 * texts end with a NUL. */
const char *password_rule_broken(const char *password, size_t len, const char *email, const char *name);

#endif
