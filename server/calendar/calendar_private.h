/* Inside server/calendar/. */
#ifndef KITH_SERVER_CALENDAR_CALENDAR_PRIVATE_H
#define KITH_SERVER_CALENDAR_CALENDAR_PRIVATE_H

#include "server/base/crypto.h"
#include "server/request/request.h"

struct zone;

/* A zone that events name, and the first of these events. */
struct calendar_zone {
	const struct zone *zone;
	const char *name;
	size_t len;
	int64_t from;
	struct calendar_zone *next;
};

/* A calendar that is being written. Its events are in r->reply.out. */
struct calendar {
	unsigned parts;      /* bits of the parts that it has */
	int part;            /* the part that is being read */
	size_t in_part;      /* events of that part so far */
	int row;             /* the next row of the page that is being written */
	size_t page_at;      /* where the events of that page begin */
	struct uuid before;  /* the part continues with ids below this one */
	struct uuid *groups; /* those of the birthdays */
	size_t n_groups;
	const struct zone *home; /* the zone of the user */
	const char *home_name, *base_url;
	struct calendar_zone *zones;
	unsigned char digest[SHA256_SIZE]; /* of the pages so far */
};

/* The columns of the rows: first those of all parts, then those of a part. */
enum {
	ROW_ID,
	ROW_UPDATED,
	ROW_TITLE,
	ROW_TEXT, /* may be null or empty */
	ROW_PUBLIC,
	ROW_TYPE, /* of the record that it is about */
	ROW_ENTITY,
	ROW_OWN,
	ROW_DUE_DAY = ROW_OWN, /* tasks */
	ROW_DUE_TIME,
	ROW_RULE = ROW_OWN, /* reminders */
	ROW_NEXT,
	ROW_BIRTHDAY = ROW_OWN /* birthdays */
};

/* Write the event of a row of r->db.last at r->at. */
void event_of_task(struct req *r, struct calendar *c, int row);
void event_of_reminder(struct req *r, struct calendar *c, int row);
void event_of_birthday(struct req *r, struct calendar *c, int row);

/* Adds the zone to those of the calendar. */
void calendar_zone_use(
    struct req *r, struct calendar *c, const struct zone *z, const char *name, size_t len, int64_t at);

/* Writes the VTIMEZONE of a zone. */
void calendar_zone_write(struct buf *out, const struct calendar_zone *z, int64_t now);

#endif
