/* The browser of a request, as far as people recognize it in a list of sessions. */
#ifndef KITH_SERVER_SIGNIN_BROWSER_H
#define KITH_SERVER_SIGNIN_BROWSER_H

#include "server/request/request.h"

struct browser {
	const char *name;    /* "Firefox on Linux" */
	const char *address; /* where the request comes from, through trusted proxies */
	const char *agent;   /* what it calls itself, cut to 200 characters; "": nothing */
};

/* The texts are in the request's arena. */
struct browser browser_of(struct req *r);

/* The name for the value of the header User-Agent. */
const char *browser_name(struct arena *a, const char *agent);

#endif
