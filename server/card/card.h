/* vCards (versions 3.0 and 4.0; 2.1 is read) as records of the API, and back. Pure functions.
 *
 * A card is a record's own fields and what is kept beside the record. Kept are the client's properties: those that no
 * field has (a photo, X-…), and those whose field has only a part of them (the type of a number, the parts of an
 * address). card_write() writes a kept property as it came while the field still has its value. Otherwise it
 * writes the field's value. So a label stays with its value. */
#ifndef KITH_SERVER_CARD_CARD_H
#define KITH_SERVER_CARD_CARD_H

#include "server/base/json.h"

enum {
	CARD_MAX = 1 << 20,         /* bytes of a card, and of what is kept of it */
	CARD_PHOTO_MAX = 512 << 10, /* bytes of a decoded photo */
	CARD_KEPT_PROPERTIES_MAX = 1000,
	CARD_PROPERTIES_MAX = 1200 /* that are read: those of the fields, too */
};

/* Databases store the numbers. */
enum card_version { CARD_UNKNOWN, CARD_3_0, CARD_4_0 };

/* "3.0", "4.0". */
const char *card_version_name(enum card_version version);
/* CARD_UNKNOWN: another version, or no text of one. */
enum card_version card_version_named(const char *text, size_t len);

/* What is kept beside a record. */
struct card_kept {
	const char *text; /* the properties, a line each, unfolded; valid UTF-8 without NUL */
	size_t len;
	const char *uid;           /* ""; then the card has "urn:uuid:" and the record's id */
	enum card_version version; /* of the client that sent them */
};

/* Appends the card of a person or a company with its CRLFs, folded at 75 octets. record is what the API answers for it
 * (the value of "data"). kept NULL: nothing is kept. tag: of the version; "": it is not told. Many programs send it
 * back in the card, and so tell what they have seen, also those that send no condition. It is at most as long as the
 * record and what is kept together need. */
void card_write(struct buf *out, enum id_kind kind, const struct json *record, const struct card_kept *kept,
    enum card_version version, const char *tag);
/* Its UID. */
const char *card_uid(struct arena *a, const struct json *record, const struct card_kept *kept);
/* A UID without "urn:uuid:", which some programs drop. */
const char *card_uid_bare(const char *uid);

/* A line of a card, unfolded. Quoted-printable is decoded, and parameters without a name (2.1) are TYPE parameters. */
struct card_property {
	const char *group;  /* "item1"; "": none */
	const char *name;   /* as sent; compared in any case */
	const char *params; /* ";TYPE=home;PREF=1", or "" */
	const char *value;  /* escaped as the client sent it, without line ends */
	size_t len;         /* bytes of value */
};

struct card {
	enum card_version version;        /* of 2.1: CARD_3_0 */
	struct card_property *properties; /* without BEGIN, VERSION and END, in their order */
	size_t n;
	const char *uid; /* "": none */
	const char *tag; /* of the version that it was made from; "": not told */
	bool photo_cut;  /* it had a photo that was too large and was left out */
	bool is_group;   /* it was refused because it is a group of cards */
};

/* Reads exactly one card. NULL, or a sentence for the client that says what is wrong (valid-address-data). The text
 * must stay valid as long as the card. */
const char *card_read(struct arena *a, const char *text, size_t len, struct card *card);

/* Replaces the company in ORG, and keeps what follows it. */
void card_set_company(struct arena *a, struct card *card, const char *name);

/* What a card is to be compared with. */
struct card_before {
	enum id_kind kind;
	const struct json *record;    /* NULL: a new record */
	const struct card_kept *kept; /* NULL: nothing is kept */
	/* The client has seen, or written, the current version. Then the record loses what the card lacks. Otherwise
	 * the card only adds values and replaces single ones, because somebody else may have added what it lacks. */
	bool seen;
	/* The names of all groups, now and before, also those that the caller may not see, in the order of
	 * card_compare_groups(). CATEGORIES never changes groups, and the other words in it are kept. */
	const char *const *groups;
	size_t n_groups;
	const char *join; /* id of a group that the record joins; NULL: none */
};

int card_compare_groups(const void *a, const void *b);

/* What the record has to become. */
struct card_change {
	struct json *body;     /* of the POST or the PATCH: the fields that differ; an empty object: none */
	struct card_kept kept; /* from now on */
	bool kept_differs;     /* from what is kept now; a new UID counts */
	bool kept_too_much;    /* more than the limits above */
	const char *company;   /* the name in ORG, if body.companies begins with it; else NULL */
};

/* Compares a card with a record. Values are only compared and converted: the API checks them. It never fails: values
 * that a field cannot have by their form, such as a birthday without a year, are kept instead. */
void card_change(
    struct arena *a, const struct card *card, const struct card_before *before, struct card_change *change);

/* What is kept when two records become one: all of the first, with its UID, and what only the other one has, as far as
 * there is room. Either may be NULL: nothing is kept of it. */
struct card_kept card_unite(
    struct arena *a, enum id_kind kind, const struct card_kept *kept, const struct card_kept *other);

#endif
