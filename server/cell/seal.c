/* Re-encrypts the secrets of a row with another key. */
#include "server/cell/seal.h"

#include <string.h>

#include "server/base/arena.h"
#include "server/base/crypto.h"
#include "server/base/text.h"

enum { FIELDS_MAX = 64, ROW_MAX = 64 << 20 };

/* A column of the row: its text as COPY writes it. */
struct seal_field {
	const char *name, *text;
	size_t name_len, len;
};

struct seal_row {
	struct seal_field fields[FIELDS_MAX];
	size_t n;
};

static void row_split(struct seal_row *r, const char *columns, const char *line, size_t len)
{
	const char *end = line + len - 1; /* the line feed */

	for (r->n = 0; r->n < FIELDS_MAX && *columns && line <= end; r->n++) {
		struct seal_field *f = &r->fields[r->n];
		const char *tab = memchr(line, '\t', (size_t)(end - line));
		f->name = columns;
		f->name_len = strcspn(columns, ",");
		columns += f->name_len;
		columns += strspn(columns, ", ");
		f->text = line;
		f->len = (size_t)((tab ? tab : end) - line);
		line = (tab ? tab : end) + 1;
	}
}

static const struct seal_field *row_field(const struct seal_row *r, const char *name)
{
	for (size_t i = 0; i < r->n; i++)
		if (strlen(name) == r->fields[i].name_len && memcmp(name, r->fields[i].name, strlen(name)) == 0)
			return &r->fields[i];
	return NULL;
}

/* Reads the bytes of a bytea: "\\x" and digits. NULL: the column is null. */
static unsigned char *field_bytes(const struct seal_field *f, struct arena *a, size_t *len)
{
	unsigned char *bytes;

	if (!f || f->len < 3 || memcmp(f->text, "\\\\x", 3) != 0)
		return NULL;
	*len = (f->len - 3) / 2;
	bytes = arena_alloc(a, *len + 1);
	for (size_t i = 0; i < *len; i++) {
		int high = text_hex_value(f->text[3 + 2 * i]), low = text_hex_value(f->text[4 + 2 * i]);
		if (high < 0 || low < 0)
			return NULL;
		bytes[i] = (unsigned char)(high << 4 | low);
	}
	return bytes;
}

/* Returns the column's new text; NULL: it stays unchanged. */
static const char *sealed_text(struct arena *a, const unsigned char *bytes, size_t len)
{
	char *text = arena_alloc(a, 2 * len + 4);

	memcpy(text, "\\\\x", 4);
	text_hex(text + 3, bytes, len);
	return text;
}

/* Each secret is sealed separately. */
static const char *seal_secrets(const struct seal_field *f, struct arena *a, const struct uuid *id,
    const struct vault *from, const struct vault *to)
{
	unsigned char secret[SIGN_SECRET_LEN], *bytes;
	size_t len = 0;
	bool changed = false;

	bytes = field_bytes(f, a, &len);
	for (size_t at = 0; bytes && at + VAULT_SEALED_LEN <= len; at += VAULT_SEALED_LEN) {
		if (!vault_unseal(from, id, bytes + at, VAULT_SEALED_LEN, secret))
			continue;
		vault_seal(to, id, secret, bytes + at);
		changed = true;
	}
	crypto_wipe(secret, sizeof secret);
	return changed ? sealed_text(a, bytes, len) : NULL;
}

static const char *seal_answer(const struct seal_field *f, const struct seal_field *key, struct arena *a,
    const struct vault *from, const struct vault *to)
{
	size_t len = 0, key_len = 0;
	unsigned char *bytes = field_bytes(f, a, &len), *hash = field_bytes(key, a, &key_len), *plain;

	if (!bytes || !hash || key_len != SHA256_SIZE || len < VAULT_EXTRA)
		return NULL;
	plain = arena_alloc(a, len);
	if (!vault_unseal_text(from, "answer", hash, key_len, bytes, len, plain))
		return NULL;
	vault_seal_text(to, "answer", hash, key_len, plain, len - VAULT_EXTRA, bytes);
	crypto_wipe(plain, len);
	return sealed_text(a, bytes, len);
}

/* Writes the row with new texts for some columns. */
static void row_write(struct buf *out, const struct seal_row *r, const char *const texts[])
{
	for (size_t i = 0; i < r->n; i++) {
		buf_add(out, "\t", i > 0);
		if (texts[i])
			buf_addz(out, texts[i]);
		else
			buf_add(out, r->fields[i].text, r->fields[i].len);
	}
	buf_addc(out, '\n');
}

bool seal_line(struct buf *out, const struct cell_table *t, const char *columns, const char *line, size_t len,
    const struct vault *from, const struct vault *to)
{
	const char *texts[FIELDS_MAX] = {NULL};
	const struct seal_field *id;
	struct seal_row r;
	struct arena a;
	struct uuid of;
	bool changed = false;

	if (t->sealed == CELL_OPEN || !from || !to)
		return false;
	arena_init(&a);
	row_split(&r, columns, line, len);
	id = row_field(&r, "id");
	for (size_t i = 0; i < r.n; i++) {
		const struct seal_field *f = &r.fields[i];
		if (t->sealed == CELL_ANSWER && f == row_field(&r, "body"))
			texts[i] = seal_answer(f, row_field(&r, "key_hash"), &a, from, to);
		else if (t->sealed == CELL_WEBHOOK && id && uuid_parse(id->text, id->len, &of) &&
		         (f == row_field(&r, "secret") || f == row_field(&r, "former_secret")))
			texts[i] = seal_secrets(f, &a, &of, from, to);
		changed = changed || texts[i];
	}
	if (changed)
		row_write(out, &r, texts);
	arena_free(&a);
	return changed;
}

void seal_print(const struct vault *v, char out[SEAL_PRINT_SIZE])
{
	unsigned char print[VAULT_FINGERPRINT_LEN];

	vault_fingerprint(v, print);
	text_hex(out, print, sizeof print);
}
