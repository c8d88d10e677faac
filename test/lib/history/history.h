/* A history: what clients, followers and receivers of webhooks asked and were told, with the times at which each
 * request began and its answer was there. history_check.h judges it.
 *
 * As text a history has one step a line:
 *
 *   create c1 10 20 200 A a0 tag=1 key=k    a write, with the value that it writes; "-" for an end: no answer came
 *   update c1 30 40 200 A a1 tag=2 match=1  match: the tag of its If-Match
 *   delete c1 50 60 200 A
 *   read   c2 10 20 200 A a1 tag=2          404: without a value
 *   list   c2 10 20 200 A,a1 B,b0           what it shows; records that it does not name are not in it
 *   feed   f1 10 20 200 start created,e1,A updated,e2,A,a1 deleted,e3,A
 *   hook   h1 30 30 200 event=e1            a delivery, and what the receiver answered
 *   hooks  1                                how many webhooks there are
 *   undisturbed                             no process was ended or stopped, so no delivery is made twice
 *
 * Status 0: nobody knows whether the write was done. "replayed": the answer was stored before. "part": the list does
 * not show everything. A follower begins with "start" (the oldest event) or "copy" (the cursor of its last list).
 * Follower f0 reads the feed when everything has ended: its events are what happened. */
#ifndef KITH_TEST_LIB_HISTORY_HISTORY_H
#define KITH_TEST_LIB_HISTORY_HISTORY_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define HISTORY_NEVER INT64_MAX

enum history_kind {
	HISTORY_CREATE,
	HISTORY_UPDATE,
	HISTORY_DELETE,
	HISTORY_READ,
	HISTORY_LIST,
	HISTORY_FEED,
	HISTORY_HOOK,
	HISTORY_ITEM, /* of the list before it */
	HISTORY_EVENT /* of the page of the feed before it */
};

enum history_change { CHANGE_CREATED, CHANGE_UPDATED, CHANGE_DELETED, CHANGES };
extern const char *const history_changes[CHANGES]; /* "created" and so on */

enum history_from { FROM_BEFORE, FROM_START, FROM_COPY };

struct history_step {
	enum history_kind kind;
	int who, process;
	int64_t begin, end; /* microseconds; end: HISTORY_NEVER without an answer */
	int status;         /* 0: the outcome is unknown */
	bool replayed, part;
	enum history_from from;        /* of a page of the feed */
	enum history_change change;    /* of an event */
	int record, value, key, event; /* numbers of names; -1: none */
	int64_t tag, match;            /* -1: none */
};

/* Texts with numbers from 0. */
struct history_names {
	char **texts;
	int *table; /* a hash table of numbers plus one */
	int n, cap;
};

struct history_steps {
	struct history_step *all;
	int n, cap;
};

struct history_log {
	struct history_steps steps;
	struct history_names records, values, keys, events;
	pthread_mutex_t lock; /* of the names */
	int hooks;
	bool undisturbed;
};

void history_init(struct history_log *h);
void history_free(struct history_log *h);

/* The number of a text, which is added if it is new; -1 for NULL and "". Threads may call it. */
int history_name(struct history_log *h, struct history_names *names, const char *text);
/* The text of a number; valid until history_free(). */
const char *history_text(struct history_log *h, const struct history_names *names, int number);

/* A step without names, tags and an answer. */
struct history_step history_step_new(enum history_kind kind, int who, int64_t begin);
/* Appends a copy. The steps of one list or page follow each other. */
void history_add(struct history_steps *to, const struct history_step *step);
/* Moves all steps of a thread to the history. */
void history_gather(struct history_log *h, struct history_steps *from);

/* Reads lines; false with the number of the first wrong one. */
bool history_parse(struct history_log *h, const char *text, int *line);
void history_print(const struct history_log *h, FILE *f);
void history_print_step(const struct history_log *h, const struct history_step *step, FILE *f);

#endif
