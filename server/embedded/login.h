/* The login with which kith uses the embedded cluster. It owns the database and is not a superuser, so neither an
 * injected statement nor a restored dump can read files or run programs. The cluster's superuser only creates the login
 * and the roles it acts as. */
#ifndef KITH_SERVER_EMBEDDED_LOGIN_H
#define KITH_SERVER_EMBEDDED_LOGIN_H

#include <stdbool.h>

/* Creates the login and what else is missing. url leads to the database as superuser. In a cluster of an earlier
 * release, the login becomes the owner of what the superuser owned. Changes nothing when everything is done. False with
 * a message. */
extern const char login_name[];
bool login_make(const char *url, char error[512]);

#endif
