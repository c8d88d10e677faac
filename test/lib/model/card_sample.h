/* Random cards as programs write them: 2.1, 3.0 and 4.0, with folding, quoted-printable, groups and labels, parameters
 * quoted and not, several of everything, emoji, photos of up to 500 KB. */
#ifndef KITH_TEST_LIB_MODEL_CARD_SAMPLE_H
#define KITH_TEST_LIB_MODEL_CARD_SAMPLE_H

#include <stdint.h>

#include "server/base/buf.h"

struct card_sample {
	struct buf text;     /* the card */
	struct buf expected; /* its properties in the form of card_lines() */
	int version;         /* 0: 2.1; 3, 4 */
};

/* The same seed makes the same card. Free with card_sample_free(). */
void card_sample_make(struct card_sample *s, uint64_t seed);
void card_sample_free(struct card_sample *s);

/* Appends the properties of a card, a line each, sorted, in one way of writing: without BEGIN, END, VERSION, REV and
 * X-KITH-…; names and TYPE in capitals, parameters sorted and without quotation marks. It is a reader of its own. With
 * strict it fails the test for a line that is too long, or cut within a character. */
void card_lines(struct buf *out, const char *text, size_t len, int strict);
/* Sorts the lines of a text. */
void card_lines_sort(struct buf *lines);

#endif
