/* Records of the API as lines of a file. */
#ifndef KITH_TRANSFER_EXPORT_RECORD_H
#define KITH_TRANSFER_EXPORT_RECORD_H

#include "transfer/roster.h"

/* The header of a CSV file: our own names of fields, then the group's custom fields. */
void export_csv_header(struct buf *out, enum transfer_kind kind, const struct roster *l);
/* One line of a CSV file. "; " separates the items of a list. A value that a spreadsheet would take for a formula, or
 * that begins with ', gets a ' in front, which our own reader removes. group: the group of the custom fields. */
void export_csv_record(
    struct buf *out, enum transfer_kind kind, const struct roster *l, const char *group, const struct json *record);

/* A card of vCard 4.0 (RFC 6350), of a person or company. */
void export_vcard_record(struct buf *out, enum transfer_kind kind, const struct json *record);

#endif
