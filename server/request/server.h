/* Everything that lives as long as the process. server/serve.c fills it in. */
#ifndef KITH_SERVER_REQUEST_SERVER_H
#define KITH_SERVER_REQUEST_SERVER_H

#include "server/base/list.h"
#include "server/config/config.h"
#include "server/http/http.h"
#include "server/request/cors.h"
#include "server/request/joint.h"
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
struct fetcher;
struct oidc;
struct client_documents;
struct webhook_service;
struct target_rules;
struct vault;
struct commit_notify;
struct workers;

enum { RUNNING_BUCKETS = 1024, KNOWN_KEYS = 4096 };

/* A recently admitted key. It tells, before admission, whose limit the body of a request counts against. */
struct known_key {
	bool good;
	unsigned char hash[ADMISSION_KEY_SIZE];
	struct uuid user;
};

/* The oldest writing transaction of the cluster, see server/job/horizon_watch.c. */
struct held_back {
	int64_t xmin, pid, since_us; /* when it was first seen */
	int64_t warn_us;             /* time of the next warning */
};

struct server {
	struct config *config;
	struct loop *loop;
	struct db *db;
	struct replica *replica;         /* standby for lists; NULL: lists are read on the primary */
	const struct embedded *embedded; /* the private cluster; NULL: database_url is set */
	struct admission *admission;
	struct workspace_cache *workspaces;
	struct http_server *http;
	struct scheduler *scheduler;
	struct commit_notify *commit_notify;
	struct vault *vault;                       /* encrypts the secrets of webhooks */
	struct target_rules *target_rules;         /* networks that webhooks may connect to */
	struct resolver *resolver;                 /* NULL once the server is stopping */
	struct fetcher *fetcher;                   /* fetches documents of other servers */
	struct oidc *oidc;                         /* NULL: people do not sign in through a provider */
	struct client_documents *client_documents; /* of applications that are named by a URL */
	struct webhook_service *webhook_service;   /* sends to webhooks; NULL until started */
	const struct dispatcher *dispatcher;       /* the part that chooses deliveries; NULL until started */
	struct event_waits *event_waits;
	char identity[65]; /* identity of the installation and database, for processes that share a port */
	struct held_back held_back;
	struct cors cors;                         /* other origins whose pages may send requests */
	struct proxies proxies;                   /* proxies that may report the addresses of clients */
	struct workers *passwords;                /* threads that hash passwords */
	uint64_t passwords_hashed;                /* for /metrics */
	struct compressors *compressors;          /* NULL: answers are not compressed */
	bool probe_failed;                        /* the answer to the last probe was not 200 */
	char *default_url;                        /* the base of links outside requests */
	unsigned char cursor_key[32];             /* sealed cursors before each workspace had a key of its own */
	struct tally *tally;                      /* counts of requests, for /metrics */
	struct usages *usages;                    /* the same counts by workspace */
	char process[37];                         /* names this process */
	struct list requests;                     /* running requests */
	struct list running[RUNNING_BUCKETS];     /* claimed keys: they detect most duplicates without the database */
	struct known_key known_keys[KNOWN_KEYS];  /* indexed by the first bytes of their hashes */
	struct list coalesced;                    /* reads of this turn, sent at its end */
	struct list joints;                       /* joint transactions (server/request/joint.h) */
	struct joint_counts joint_counts;         /* for /metrics */
	struct list asking;                       /* requests that wait to ask again for the outcome of a COMMIT */
	struct req *large;                        /* the running large batch; NULL: none */
	struct fair_queue large_waiting;          /* batches that wait for their turn, by workspace */
	struct list turns_waiting, turns_running; /* exclusive changes, see server/request/turns.h */
	bool stopping;
	bool closing; /* the database is being closed: send no more queries */
};

#endif
