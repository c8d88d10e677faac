/* What the files of the import share. */
#ifndef KITH_TRANSFER_IMPORT_PRIVATE_H
#define KITH_TRANSFER_IMPORT_PRIVATE_H

#include "transfer/bar.h"
#include "transfer/compose.h"
#include "transfer/import.h"
#include "transfer/progress.h"
#include "transfer/refusal.h"
#include "transfer/source.h"

enum {
	IMPORT_BATCH = 100,           /* records */
	IMPORT_BATCH_BYTES = 1 << 20, /* of their text in the file */
	IMPORT_TRIES = 3,             /* attempts for a batch that the server answers with 500 */
	IMPORT_NAMED = 20             /* records that are named on stderr */
};

struct import {
	const struct import_options *options;
	const char *name; /* what FILE.kith and FILE.refused are named after */
	int fd;           /* of the file, or of a copy of stdin */
	enum transfer_kind kind;
	bool part;    /* the file has people and companies: only records of this kind count */
	bool foreign; /* unknown columns are left out instead of stopping the import (import_left.c) */
	struct remote *remote;
	struct roster roster;
	struct mapping mapping;
	struct compose compose;
	struct source scanned; /* the first reading; the mapping refers to its columns */
	struct source source;  /* the second reading */
	struct progress progress;
	struct refusal refusal;
	struct bar bar;
	char group[ID_SIZE]; /* "": none */
	bool makes_group;    /* the group of --group does not exist yet */
	char sum[65];
	char *options_text, *path, *match;

	int64_t records;                  /* of the file, without blank ones, and without companies among people */
	int64_t companies;                /* among people; they are imports of their own */
	bool complete;                    /* all records have been sent */
	int64_t next_batch;               /* its number */
	bool read_all, failed;            /* failed: with a message */
	bool unknown;                     /* the result of a batch is unknown */
	int64_t matches;                  /* of a dry run: records whose e-mail address exists already */
	int64_t nameless;                 /* records that were made without a name */
	int64_t lost_named;               /* references that were left out and are named in messages */
	bool by_name;                     /* some record refers to a contact by other means than an id */
	int64_t unmatched;                /* records that were created because they have no value to match by */
	int64_t shown;                    /* records of a dry run that were shown */
	char contact_id[ID_SIZE];         /* of the first contact in NDJSON; shows whether ids are of this workspace */
	struct import_contacts *contacts; /* import_contacts.c; NULL: none yet */
	bool has_authors;
	struct import_labels *labels; /* import_options.c; NULL: none */
	struct import_fields *fields; /* import_fields.c: custom fields of an NDJSON file; NULL: none */
};

/* import.c: imports the records of im->kind, or of the kind that the file decides. Returns the exit status. It only
 * counts the records of a file that tells people from companies, unless im->part. */
int import_kind(struct import *im);

/* True for a record that this import is about. */
bool import_takes(const struct import *im, const struct entry *e);

/* import_scan.c: reads the whole file without sending anything: its SHA-256, columns, labels, and number of records.
 * False with a message when it cannot be read, or when a column has no field. */
bool import_scan(struct import *im);
/* import_left.c: true, with a message, when a column has no field and stops the import. Sets im->foreign. */
bool import_lacks_fields(struct import *im);
/* Names the columns and values that are left out. */
void import_tell_left(struct import *im);
/* True when --make-fields creates a field for the column. */
bool import_makes_field(const struct import *im, const struct mapping_column *c);

/* import_scan.c: reads the custom fields of the group of --group for this kind of records. False with a message. */
bool import_load_fields(struct import *im);
/* Creates the custom fields and groups that the options ask for. */
bool import_make(struct import *im);

/* import_make.c: creates a public group, and adds it to the roster. False with a message. */
bool import_make_group(struct import *im, const char *name);
/* The same for a custom field; labels: the options of a select. */
bool import_make_field(struct import *im, const char *group, const char *name, const char *type,
    const char *const *labels, size_t n_labels);
/* "person", "company", or the type of objects. */
const char *import_entity_type(const struct import *im);

/* import_fields.c: notes the custom fields that a record of NDJSON has values of. */
void import_fields_observe(struct import *im, const struct json *record);
/* Compares them with the fields of the workspace. False, with a list of the missing ones, unless the options say to
 * create them. With make they are created now. */
bool import_fields_settle(struct import *im, bool make);
void import_fields_free(struct import *im);

/* import_make.c: notes a contact that was created because a record refers to it. */
bool import_note_contact(struct import *im, const struct json *data);

/* import_options.c: notes the labels of selects that a record has (--make-options), of columns and of NDJSON.
 */
void import_options_observe(struct import *im, const struct entry *e);
void import_options_observe_object(struct import *im, const struct json *record);
/* Creates the missing options. False with a message. */
bool import_options_settle(struct import *im);
void import_options_free(struct import *im);

/* import_contacts.c: find, expect and make of struct compose. */
const char *import_find_contact(
    void *ctx, const char *list, enum compose_key key, const char *text, const char *id, size_t *n);
void import_expect_contact(void *ctx, const char *list, enum compose_key key, const char *text);
const char *import_make_contact(void *ctx, const char *list, const char *name, const char *email);
/* Before a batch: forgets contacts when there are too many. */
void import_begin_contacts(struct import *im);
void import_tell_contacts(struct import *im);
void import_contacts_free(struct import *im);

/* import_batch.c: sends all records; false with a message when the import stopped before its end. */
bool import_send(struct import *im);

/* import_tell.c. Returns a message of the API with its place in the file in front, such as
 * line 3, column "Stage", "Opne": …
 * text is the message; it begins with the path of a member of the body. */
const char *import_place(
    const struct import *im, struct arena *a, const struct entry *e, const char *body, size_t len, const char *text);
/* Counts the references of a record that were left out, here and by the server, and names the first ones on stderr. */
int64_t import_lose(struct import *im, const struct entry *e, const char *body, size_t len, const struct json *result);
/* Notes a created record that has no name, or no value to match by. */
void import_note_made(struct import *im, const struct entry *e, const struct json *result);
/* Prints what was left out, and how to include it. */
void import_tell(struct import *im);

/* import_basis.c: the Idempotency-Key of a request, made from the file, the options, the run, and the request's
 * purpose.
 */
void import_key(const struct import *im, char key[REMOTE_KEY_SIZE], const char *what, int64_t number);

/* Hides the bar and prints a message. */
void import_say(struct import *im, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
