/* The steps of the routes of users; see account.c. */
#ifndef KITH_SERVER_SIGNIN_ACCOUNT_H
#define KITH_SERVER_SIGNIN_ACCOUNT_H

#include "server/request/request.h"

step_fn account_admin;          /* refuses everybody but admins of the workspace */
step_fn account_get;            /* lets admins and the user read one; step_loaded and step_show follow */
step_fn account_change_allowed; /* checks whose fields the caller may change, and which */

/* After step_config_open: */
step_fn account_count, account_create;
step_fn account_lock, account_update, account_disable, account_enable, account_invite;

#endif
