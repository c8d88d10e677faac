/* Everything that lives as long as the process. Filled in by server/serve.c, used everywhere. */
#ifndef KITH_SERVER_REQUEST_SERVER_H
#define KITH_SERVER_REQUEST_SERVER_H

#include "server/base/list.h"
#include "server/config/config.h"
#include "server/http/server.h"
#include "server/request/cors.h"
#include "server/request/proxies.h"
#include "server/request/request.h"
#include "server/snapshot/workspace.h"
#include "store/admission.h"
#include "store/db.h"

struct compressors;
struct usages;
struct dispatcher;
struct tally;
struct event_waits;
struct scheduler;
struct loop;
struct resolver;
struct webhook_service;
struct target_rules;
struct vault;
struct commit_notify;

enum { RUNNING_BUCKETS = 1024, KNOWN_KEYS = 4096 };

/* A recently admitted key: it identifies the user whose limit a body counts against, before admission. */
struct known_key {
	bool good;
	unsigned char hash[ADMISSION_KEY_SIZE];
	struct uuid user;
};

/* The oldest writing transaction, see server/job/horizon.c. */
struct held_back {
	int64_t xmin, pid, since_us; /* when it was first seen */
	int64_t warn_us;             /* time of the next warning */
};

struct server {
	struct config *config;
	struct loop *loop;
	struct db *db;
	struct replica *replica;         /* NULL: lists are read on the primary */
	const struct embedded *embedded; /* NULL: database_url is set */
	struct admission *admission;
	struct workspace_cache *workspaces;
	struct http_server *http;
	struct scheduler *scheduler;
	struct commit_notify *commit_notify;
	struct vault *vault;                     /* seals webhooks' secrets */
	struct target_rules *target_rules;       /* where webhooks may lead */
	struct resolver *resolver;               /* NULL once the server is stopping */
	struct webhook_service *webhook_service; /* sends to webhooks; NULL until started */
	const struct dispatcher *dispatcher;     /* its part that chooses; NULL until started */
	struct event_waits *event_waits;
	char identity[65]; /* of the installation and database, for processes that share a port */
	struct held_back held_back;
	struct cors cors;                         /* pages that may ask */
	struct proxies proxies;                   /* peers that say who their clients are */
	struct compressors *compressors;          /* NULL: answers are sent as they are */
	bool probe_failed;                        /* the last probe was not answered with 200 */
	char *default_url;                        /* for links outside requests */
	unsigned char cursor_key[32];             /* sealed cursors before workspaces had keys of their own */
	struct tally *tally;                      /* of requests, for /metrics */
	struct usages *usages;                    /* the same by workspace */
	char process[37];                         /* names this process */
	struct list requests;                     /* under way */
	struct list running[RUNNING_BUCKETS];     /* claimed keys: most duplicates are detected without the database */
	struct known_key known_keys[KNOWN_KEYS];  /* by the first bytes of their hashes */
	struct list coalesced;                    /* reads of this turn, sent at its end */
	struct list asking;                       /* requests waiting to ask again for the outcome of a COMMIT */
	struct req *large;                        /* the large batch in progress; NULL: none */
	struct list large_waiting;                /* batches waiting for their turn */
	struct list turns_waiting, turns_running; /* exclusive changes, see server/request/turns.h */
	bool stopping;
	bool closing; /* the database is being closed: no more queries */
};

#endif
