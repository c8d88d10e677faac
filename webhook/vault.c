/* The key file, and sealing with its key. */
#include "webhook/vault.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/base/arena.h"
#include "server/base/log.h"
#include "server/base/text.h"

enum { VERSION = 1, KEY_TEXT = 2 * SEAL_KEY_SIZE, BOUND_MAX = 64, FILE_READ = 4096 };

struct vault {
	unsigned char key[SEAL_KEY_SIZE];
};

/* --- the file ---------------------------------------------------------------------- */

/* 64 hexadecimal digits and optional trailing blanks, so that the file can be copied by hand. */
static bool vault_parse_key(const char *text, size_t len, unsigned char key[SEAL_KEY_SIZE])
{
	if (strspn(text, "0123456789abcdef") != KEY_TEXT || strspn(text + KEY_TEXT, " \t\r\n") != len - KEY_TEXT)
		return false;
	for (size_t i = 0; i < SEAL_KEY_SIZE; i++) {
		const char digits[] = {text[2 * i], text[2 * i + 1], '\0'};
		key[i] = (unsigned char)strtoul(digits, NULL, 16);
	}
	return true;
}

enum vault_found { FOUND, ABSENT, BAD };

static enum vault_found vault_read_key(const char *path, unsigned char key[SEAL_KEY_SIZE])
{
	char text[FILE_READ] = "";
	struct stat st;
	bool good = false;
	size_t len = 0;
	FILE *f = fopen(path, "re");

	if (!f && errno == ENOENT)
		return ABSENT;
	if (f) {
		setvbuf(f, NULL, _IONBF, 0); /* no copy of the key */
		len = fread(text, 1, sizeof text - 1, f);
	}
	if (!f || ferror(f)) {
		fprintf(stderr,
		    "kith: cannot read the secret file %s, which encrypts the webhooks' secrets: %s; let this user "
		    "read it, or name another file with secret_file\n",
		    path, strerror(errno));
	} else {
		good = vault_parse_key(text, len, key);
		if (!good)
			fprintf(stderr,
			    "kith: %s is not a secret file (64 hexadecimal digits): restore it from a backup, or name "
			    "the right one with secret_file; without it the webhooks' secrets cannot be read\n",
			    path);
		if (fstat(fileno(f), &st) == 0 && (st.st_mode & (S_IRWXG | S_IRWXO)))
			log_warn("vault", "users other than its owner can read %s; run chmod 600 on it", path);
	}
	if (f)
		fclose(f);
	crypto_wipe(text, sizeof text);
	return good ? FOUND : BAD;
}

/* Opens the file's directory, to make a link in it durable; creates it if its parent exists. */
static int open_directory(const char *path)
{
	char copy[PATH_MAX];
	const char *parent;

	if ((size_t)snprintf(copy, sizeof copy, "%s", path) >= sizeof copy)
		return -1;
	parent = dirname(copy);
	/* The embedded database's user must be able to traverse a directory made by root. */
	if (mkdir(parent, geteuid() == 0 ? 0711 : 0700) != 0 && errno != EEXIST)
		return -1;
	return open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* Writes the key to a temporary file, then links it to its name. If several processes start at the same time, the key
 * of the first one is used, and no process ever reads an incomplete key. */
static bool make_key(const char *path, const unsigned char key[SEAL_KEY_SIZE])
{
	char text[KEY_TEXT + 2], name[PATH_MAX];
	int directory = open_directory(path), fd = -1;
	bool made = false;

	text_hex(text, key, SEAL_KEY_SIZE);
	memcpy(text + KEY_TEXT, "\n", 2);
	if (directory >= 0 && (size_t)snprintf(name, sizeof name, "%s.XXXXXX", path) < sizeof name)
		fd = mkostemp(name, O_CLOEXEC); /* mode 0600 */
	if (fd >= 0) {
		made = write(fd, text, KEY_TEXT + 1) == KEY_TEXT + 1 && fsync(fd) == 0 &&
		       (link(name, path) == 0 || errno == EEXIST) && fsync(directory) == 0;
		close(fd);
	}
	if (!made)
		fprintf(stderr,
		    "kith: cannot create the secret file %s, which encrypts the webhooks' secrets: %s; with "
		    "secret_file, name a file that this user may write\n",
		    path, strerror(errno));
	if (fd >= 0)
		unlink(name);
	if (directory >= 0)
		close(directory);
	crypto_wipe(text, sizeof text);
	return made;
}

static bool make_new_key(const char *path)
{
	unsigned char key[SEAL_KEY_SIZE];
	bool made;

	random_bytes(key, sizeof key);
	made = make_key(path, key);
	crypto_wipe(key, sizeof key);
	return made;
}

struct vault *vault_open(const char *path)
{
	struct vault *v = mem_zalloc(sizeof *v);
	enum vault_found found = vault_read_key(path, v->key);

	if (found == ABSENT && make_new_key(path))
		found = vault_read_key(path, v->key);
	if (found == FOUND)
		return v;
	vault_close(v);
	return NULL;
}

void vault_close(struct vault *v)
{
	if (!v)
		return;
	crypto_wipe(v, sizeof *v);
	free(v);
}

void vault_key(const struct vault *v, unsigned char out[SEAL_KEY_SIZE])
{
	memcpy(out, v->key, SEAL_KEY_SIZE);
}

bool vault_restore(const char *path, const unsigned char key[SEAL_KEY_SIZE])
{
	unsigned char there[SEAL_KEY_SIZE];
	bool read, same;

	if (access(path, F_OK) != 0 && !make_key(path, key))
		return false;
	read = vault_read_key(path, there) == FOUND;
	same = read && crypto_equal(there, key, sizeof there);
	if (read && !same)
		fprintf(stderr,
		    "kith: %s is the secret file of another database: move it away, or name another file with "
		    "secret_file\n",
		    path);
	crypto_wipe(there, sizeof there);
	return same;
}

void vault_fingerprint(const struct vault *v, unsigned char out[VAULT_FINGERPRINT_LEN])
{
	static const char text[] = "kith vault";

	hmac_sha256(v->key, sizeof v->key, text, sizeof text, out);
}

/* --- sealing ------------------------------------------------------------------------- */

/* The associated data of a sealed text: its kind, then its id. */
static size_t vault_bind(unsigned char out[BOUND_MAX], const char *kind, const void *which, size_t len)
{
	size_t kind_len = strlen(kind) + 1;

	if (kind_len + len > BOUND_MAX)
		abort();
	memcpy(out, kind, kind_len);
	memcpy(out + kind_len, which, len);
	return kind_len + len;
}

void vault_seal_text(const struct vault *v, const char *kind, const void *which, size_t which_len, const void *text,
    size_t len, unsigned char *out)
{
	unsigned char bound[BOUND_MAX];

	out[0] = VERSION;
	crypto_seal(v->key, bound, vault_bind(bound, kind, which, which_len), text, len, out + 1);
}

bool vault_unseal_text(const struct vault *v, const char *kind, const void *which, size_t which_len, const void *sealed,
    size_t len, unsigned char *out)
{
	const unsigned char *bytes = sealed;
	unsigned char bound[BOUND_MAX];

	if (len < VAULT_EXTRA || bytes[0] != VERSION)
		return false;
	return crypto_open(v->key, bound, vault_bind(bound, kind, which, which_len), bytes + 1, len - 1, out);
}

void vault_seal(const struct vault *v, const struct uuid *webhook, const unsigned char secret[SIGN_SECRET_LEN],
    unsigned char out[VAULT_SEALED_LEN])
{
	vault_seal_text(v, "webhook", webhook->b, sizeof webhook->b, secret, SIGN_SECRET_LEN, out);
}

bool vault_unseal(const struct vault *v, const struct uuid *webhook, const void *sealed, size_t len,
    unsigned char out[SIGN_SECRET_LEN])
{
	return len == VAULT_SEALED_LEN &&
	       vault_unseal_text(v, "webhook", webhook->b, sizeof webhook->b, sealed, len, out);
}
