/* The limits of attempts to sign in with a password (migrations/0020_sessions.sql). */
#ifndef KITH_STORE_ATTEMPTS_H
#define KITH_STORE_ATTEMPTS_H

enum {
	ATTEMPT_WINDOW_S = 10 * 60,
	ATTEMPT_BUCKETS = 10, /* of the window; counts are kept by bucket */
	ATTEMPTS_PAIR = 10,   /* failures in a window of an account from one network */
	ATTEMPTS_ACCOUNT = 100,
	ATTEMPTS_NETWORK = 30,
	ATTEMPTS_SITE = 300 /* of all networks of an IPv6 /48 */
};

#endif
