/* The manifest of a backup, JSON with a checksum of itself, and the files that it names. */
#include "server/operate/manifest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/base/json.h"
#include "server/base/text.h"

enum { MANIFEST_MAX = 64 << 10 };

static const char *const file_names[BACKUP_FILES] = {BACKUP_DUMP, BACKUP_SECRET};
static const char *const secret_names[] = {"sealed", "left out", "none"};

const char *manifest_secret_name(enum backup_secret secret)
{
	return secret_names[secret];
}

static bool has_file(const struct manifest *m, int file)
{
	return file == BACKUP_FILE_DUMP || m->secret == BACKUP_SEALED;
}

/* --- files -------------------------------------------------------------------------------- */

/* A full disk accepts a part first, and reports its error at the next attempt. */
bool backup_append(int fd, const void *bytes, size_t len)
{
	for (const char *at = bytes; len > 0;) {
		ssize_t n = write(fd, at, len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		at += n;
		len -= (size_t)n;
	}
	return true;
}

bool backup_write(int dir, const char *name, const void *bytes, size_t len)
{
	int fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	bool ok = fd >= 0 && backup_append(fd, bytes, len) && fsync(fd) == 0;

	if (fd >= 0)
		close(fd);
	return ok;
}

ssize_t backup_read(int dir, const char *name, void *out, size_t max)
{
	int fd = openat(dir, name, O_RDONLY | O_CLOEXEC);
	ssize_t len = fd < 0 ? -1 : read(fd, out, max);

	if (fd >= 0)
		close(fd);
	return len;
}

void backup_sum_end(struct sha256 *h, char out[BACKUP_SUM_SIZE])
{
	unsigned char digest[SHA256_SIZE];

	sha256_end(h, digest);
	text_hex(out, digest, sizeof digest);
}

void backup_sum(const void *bytes, size_t len, char out[BACKUP_SUM_SIZE])
{
	struct sha256 h;

	sha256_begin(&h);
	sha256_add(&h, bytes, len);
	backup_sum_end(&h, out);
}

/* --- writing ------------------------------------------------------------------------------ */

/* The checksum and the HMAC cover the canonical form of everything else. NULL: leave out both. */
static void manifest_render(struct buf *out, const struct manifest *m, const char *sum, const char *hmac)
{
	struct json_out o;

	json_out_init(&o, out);
	json_begin_object(&o);
	json_add_int(&o, "format", BACKUP_FORMAT);
	json_add_string(&o, "kith", m->kith);
	json_add_int(&o, "level", m->level);
	json_add_int(&o, "postgresql", m->server);
	json_add_int(&o, "pgDump", m->pg_dump);
	json_add_string(&o, "createdAt", m->created_at);
	json_add_string(&o, "database", m->database);
	json_add_string(&o, "secret", secret_names[m->secret]);
	json_key(&o, "rows");
	json_raw(&o, m->rows, strlen(m->rows));
	json_key(&o, "files");
	json_begin_array(&o);
	for (int i = 0; i < BACKUP_FILES; i++) {
		if (!has_file(m, i))
			continue;
		json_begin_object(&o);
		json_add_string(&o, "name", file_names[i]);
		json_add_int(&o, "bytes", m->files[i].bytes);
		json_add_string(&o, "sha256", m->files[i].sha256);
		json_end_object(&o);
	}
	json_end_array(&o);
	if (sum)
		json_add_string(&o, "sha256", sum);
	if (sum && *hmac)
		json_add_string(&o, "hmac", hmac);
	json_end_object(&o);
	buf_addc(out, '\n');
}

static void manifest_sum(
    const struct json *without, const struct file_key *key, char sum[BACKUP_SUM_SIZE], unsigned char mac[SHA256_SIZE])
{
	struct hmac h;
	struct buf text;

	buf_init(&text, MANIFEST_MAX);
	json_canonical(&text, without);
	backup_sum(text.data, text.len, sum);
	file_key_begin(key, "backup", &h);
	hmac_add(&h, text.data, text.len);
	hmac_end(&h, mac);
	buf_free(&text);
}

bool manifest_write(int dir, const struct manifest *m, const struct file_key *key)
{
	char sum[BACKUP_SUM_SIZE], hmac[BACKUP_SUM_SIZE] = "";
	unsigned char mac[SHA256_SIZE];
	const char *error;
	struct arena a;
	struct buf text;
	bool ok;

	arena_init(&a);
	buf_init(&text, MANIFEST_MAX);
	manifest_render(&text, m, NULL, NULL);
	manifest_sum(json_read(&a, text.data, text.len, &error), key, sum, mac);
	if (key->len)
		text_hex(hmac, mac, sizeof mac);
	buf_clear(&text);
	manifest_render(&text, m, sum, hmac);
	ok = backup_write(dir, BACKUP_MANIFEST, text.data, text.len);
	if (!ok)
		fprintf(stderr, "kith: the manifest cannot be written: %s\n", strerror(errno));
	buf_free(&text);
	arena_free(&a);
	return ok;
}

/* --- reading ------------------------------------------------------------------------------ */

static bool read_files(const struct json *object, struct manifest *m)
{
	for (int i = 0; i < BACKUP_FILES; i++) {
		const struct json *file = json_items(json_member(object, "files"));
		while (file && (strcmp(json_text(file, "name"), file_names[i]) != 0))
			file = file->next;
		if (!has_file(m, i))
			continue;
		if (!file)
			return false;
		m->files[i].bytes = json_number(file, "bytes", -1);
		snprintf(m->files[i].sha256, BACKUP_SUM_SIZE, "%s", json_text(file, "sha256"));
	}
	return true;
}

/* The text of a member that is an object; "": it is not one. */
static const char *member_object(const struct json *object, const char *key, struct arena *a)
{
	const struct json *value = json_typed(object, key, JSON_OBJECT);
	struct buf text;
	const char *out;

	if (!value)
		return "";
	buf_init(&text, MANIFEST_MAX);
	json_canonical(&text, value);
	out = arena_dup(a, text.data, text.len);
	buf_free(&text);
	return out;
}

static bool manifest_take(struct json *object, struct manifest *m, const struct file_key *key, struct arena *a)
{
	char sum[BACKUP_SUM_SIZE];
	unsigned char should[SHA256_SIZE];
	const char *secret = json_text(object, "secret"), *said = arena_dupz(a, json_text(object, "sha256")),
	           *hmac = arena_dupz(a, json_text(object, "hmac"));
	int s = 0;

	while (s <= BACKUP_NONE && strcmp(secret, secret_names[s]) != 0)
		s++;
	json_remove(object, "sha256");
	json_remove(object, "hmac");
	manifest_sum(object, key, sum, should);
	*m = (struct manifest){.kith = json_text(object, "kith"),
	    .created_at = json_text(object, "createdAt"),
	    .database = json_text(object, "database"),
	    .level = (int)json_number(object, "level", -1),
	    .server = (int)json_number(object, "postgresql", -1),
	    .pg_dump = (int)json_number(object, "pgDump", -1),
	    .secret = (enum backup_secret)s,
	    .rows = member_object(object, "rows", a)};
	snprintf(m->hmac, sizeof m->hmac, "%s", hmac);
	memcpy(m->should, should, sizeof should);
	return strcmp(sum, said) == 0 && s <= BACKUP_NONE && m->level > 0 && m->pg_dump > 0 &&
	       (*m->rows || json_number(object, "format", -1) == 1) && read_files(object, m);
}

bool manifest_read(int dir, struct manifest *m, const struct file_key *key, struct arena *a)
{
	char *text = arena_alloc(a, MANIFEST_MAX);
	const char *error;
	ssize_t len = backup_read(dir, BACKUP_MANIFEST, text, MANIFEST_MAX);
	struct json *object = len > 0 ? json_read(a, text, (size_t)len, &error) : NULL;
	int64_t format = json_number(object, "format", -1);

	if (len < 0)
		fprintf(stderr, "kith: %s cannot be read: %s: this is not a finished backup\n", BACKUP_MANIFEST,
		    strerror(errno));
	else if (format > BACKUP_FORMAT)
		fprintf(
		    stderr, "kith: the backup was made by a newer kith: restore it with that version or a later one\n");
	else if (format < 1 || !manifest_take(object, m, key, a))
		fprintf(stderr, "kith: %s is damaged: its contents do not match its checksum\n", BACKUP_MANIFEST);
	else
		return true;
	return false;
}

/* --- checking ----------------------------------------------------------------------------- */

/* Reads a piece, or the rest of the file. */
static ssize_t piece_read(int fd, char piece[BACKUP_PIECE])
{
	size_t len = 0;
	ssize_t n = 1;

	while (len < BACKUP_PIECE && (n = read(fd, piece + len, BACKUP_PIECE - len)) != 0) {
		if (n < 0 && errno != EINTR)
			return -1;
		len += n > 0 ? (size_t)n : 0;
	}
	return (ssize_t)len;
}

static void piece_sum(const char *piece, ssize_t len, unsigned char digest[SHA256_SIZE])
{
	struct sha256 h;

	sha256_begin(&h);
	sha256_add(&h, piece, (size_t)len);
	sha256_end(&h, digest);
}

ssize_t manifest_piece(int fd, const struct manifest_file *file, size_t n, char piece[BACKUP_PIECE])
{
	unsigned char digest[SHA256_SIZE];
	ssize_t len = piece_read(fd, piece);

	if (len <= 0)
		return n == file->n_pieces ? len : -1;
	piece_sum(piece, len, digest);
	return n < file->n_pieces && crypto_equal(digest, file->pieces[n], sizeof digest) ? len : -1;
}

/* False when the file cannot be read to its end. */
static bool file_sum(int fd, struct manifest_file *file, char sum[BACKUP_SUM_SIZE], struct arena *a)
{
	size_t most = (size_t)(file->bytes / BACKUP_PIECE + 1);
	char *piece = mem_alloc(BACKUP_PIECE);
	struct sha256 h;
	ssize_t n;

	file->pieces = arena_alloc(a, most * sizeof *file->pieces);
	file->n_pieces = 0;
	sha256_begin(&h);
	while ((n = piece_read(fd, piece)) > 0 && file->n_pieces < most) {
		sha256_add(&h, piece, (size_t)n);
		piece_sum(piece, n, file->pieces[file->n_pieces++]);
	}
	backup_sum_end(&h, sum);
	free(piece);
	return n == 0;
}

static bool file_check(int dir, const char *name, struct manifest_file *file, struct arena *a)
{
	/* opening a pipe would wait */
	int fd = openat(dir, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	char sum[BACKUP_SUM_SIZE];
	struct stat st;
	bool same = false;

	if (fd < 0 || fstat(fd, &st) != 0)
		fprintf(stderr, "kith: %s of the backup cannot be read: %s\n", name, strerror(errno));
	else if (st.st_size != file->bytes)
		fprintf(stderr, "kith: %s of the backup has %lld bytes, not the %lld that were written\n", name,
		    (long long)st.st_size, (long long)file->bytes);
	else if (!file_sum(fd, file, sum, a))
		fprintf(stderr, "kith: %s of the backup cannot be read to its end\n", name);
	else if (strcmp(sum, file->sha256) != 0)
		fprintf(stderr,
		    "kith: %s of the backup is damaged: its contents do not match the checksum in the manifest\n",
		    name);
	else
		same = true;
	if (fd >= 0)
		close(fd);
	return same;
}

bool manifest_check(int dir, struct manifest *m, struct arena *a)
{
	for (int i = 0; i < BACKUP_FILES; i++)
		if (has_file(m, i) && !file_check(dir, file_names[i], &m->files[i], a))
			return false;
	return true;
}
