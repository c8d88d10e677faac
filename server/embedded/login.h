/* The login by which kith uses the embedded cluster. It owns the database and is no superuser: neither a statement that
 * somebody smuggles in nor a restored dump can read files or run programs. The cluster's superuser only makes the login
 * and the roles it acts as. */
#ifndef KITH_SERVER_EMBEDDED_LOGIN_H
#define KITH_SERVER_EMBEDDED_LOGIN_H

#include <stdbool.h>

/* url: of the database, as superuser. Makes what is missing; what the superuser owns in a cluster of an earlier release
 * becomes the login's. Changes nothing when all is done. False with a message. */
extern const char login_name[];
bool login_make(const char *url, char error[512]);

#endif
