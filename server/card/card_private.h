/* What the files card_*.c share: which property has which field, and what its value means. */
#ifndef KITH_SERVER_CARD_CARD_PRIVATE_H
#define KITH_SERVER_CARD_CARD_PRIVATE_H

#include "server/base/vcard_text.h"
#include "server/card/card.h"

#define CARD_TAG_PROPERTY "X-KITH-VERSION"

/* How a property has a field. */
enum card_shape {
	CARD_TEXT,
	CARD_FULL_NAME, /* FN: never empty */
	CARD_NAMES,     /* N */
	CARD_COMPANY,   /* ORG: its first part */
	CARD_DATE,
	CARD_GENDER,
	CARD_GROUPS, /* CATEGORIES */
	CARD_URL,    /* from here on lists: a property for each item */
	CARD_LIST,
	CARD_ADDRESS
};

struct card_row {
	const char *name, *member; /* of the property, of the record */
	enum card_shape shape;
	size_t max; /* characters of an item of a list: a longer one is kept, and not in the field; 0: it is refused */
};

/* The properties that have fields; the last one has no name. A second property of a name that is not a list is an extra
 * one: it is kept, and no field has it. */
const struct card_row *card_rows(enum id_kind kind);
/* NULL: no field has it. */
const struct card_row *card_row_named(enum id_kind kind, const char *name);

/* Without controls and without blanks at both ends, with LF as line end. Values are compared in this form. */
const char *card_clean(struct arena *a, const char *text, size_t len);
/* What the property means in its field: the text, the day "1985-04-12", the word of a choice. For N the two names as
 * card_names_value() writes them. "": nothing that the field can have. */
const char *card_value(struct arena *a, const struct card_row *row, const struct card_property *p);
/* The same of the record's field, unless it is a list or the groups. */
const char *card_record_value(
    struct arena *a, enum id_kind kind, const struct card_row *row, const struct json *record);
const char *card_names_value(struct arena *a, const char *first, const char *last);
/* The part of N or ADR with that number. */
const char *card_value_part(struct arena *a, const char *value, size_t len, size_t at);
/* Makes names of a full name, as the API does for a new person who has no others. */
void card_split_name(struct arena *a, const char *full, const char **first, const char **last);
/* The full name that the API makes of names. */
const char *card_joined_name(struct arena *a, const char *first, const char *last);

/* Moves a text into the arena, and frees the buffer. len may be NULL. */
const char *card_text_move(struct arena *a, struct buf *text, size_t *len);
/* Appends a value of a field as the value of a property. */
void card_write_value(struct buf *out, enum card_shape shape, const char *value, enum card_version version);
/* Appends a property without its line end. */
void card_write_line(struct buf *out, const struct card_property *p);

/* Reads a line of what is kept, or of a card after quoted-printable was decoded. False: it is not a property. */
bool card_property_read(struct arena *a, const char *text, size_t len, struct card_property *p);
/* Reads what is kept, in the form that the version writes. */
void card_kept_read(struct arena *a, const struct card_kept *kept, enum card_version version, struct card *out);
/* Changes a property of one version to the form of the other. */
void card_convert(struct arena *a, struct card_property *p, enum card_version version);

/* The rank by which clients order properties of a list: PREF, or 1 for TYPE=pref. */
enum { CARD_RANK_NONE = 101 };
int card_rank(const struct card_property *p);
/* Returns the parameters without a preference, or with the first one. */
const char *card_params_ranked(struct arena *a, const char *params, enum card_version version, bool first);
/* Finds a parameter and its value without quotation marks. */
bool card_param_find(const struct card_property *p, const char *name, struct vcard_param *found);

/* A card that is compared with a record. */
struct card_changing {
	struct arena *a;
	const struct card *card;
	const struct card_before *before;
	struct card kept; /* what is kept now, in the version of the card */
	/* card_value() of their properties, made once because lists are compared with each other; "" without a field */
	const char **values, **kept_values;
	struct card_change *change;
	struct buf text; /* what is kept from now on */
	size_t n_kept;   /* properties in it */
	bool split;      /* the names come of FN */
};

/* Further values are left out. A list of this length is too long for every field, and the API refuses it. */
enum { CARD_VALUES_MAX = 100 };

struct card_values {
	const char *values[CARD_VALUES_MAX + 1];
	int ranks[CARD_VALUES_MAX];
	size_t n;
};

/* The property that has a single field: the first one with a value that the field can have, else the first one of that
 * name. card->n: there is none. */
size_t card_field_property(const struct card_changing *c, const struct card_row *row);
/* Its value; "": none. */
const char *card_field(const struct card_changing *c, const struct card_row *row);
/* Adds the values that a list has in the card, in the order of their ranks. */
void card_values_take(const struct card_changing *c, const struct card_row *row, struct card_values *v);
/* card_value() of each property of a card. */
const char **card_values_of(struct arena *a, enum id_kind kind, const struct card *card);
/* Decides what is kept from now on (card_keep.c). */
void card_keep(struct card_changing *c);

/* True when it has that name, in any case. */
bool card_is(const struct card_property *p, const char *name);
/* X-ABLABEL and the like belong to the other property of their group. */
bool card_is_label(const struct card_property *p);

#endif
