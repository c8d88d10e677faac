/* The key file, and sealing with its key. */
#include "webhook/vault.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/base/arena.h"
#include "server/base/crypto.h"
#include "server/base/log.h"

enum { VERSION = 1, KEY_TEXT = 2 * SEAL_KEY_SIZE, BOUND_MAX = 64, FILE_READ = 4096 };

struct vault {
	unsigned char key[SEAL_KEY_SIZE];
};

/* --- the file ---------------------------------------------------------------------- */

static bool vault_refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));
static bool vault_refuse(const char *format, ...)
{
	va_list args;

	fputs("kith: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	return false;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* 64 hexadecimal digits and optional trailing blanks, so that the file can be copied by hand. */
static bool parse_key(const char *text, size_t len, unsigned char key[SEAL_KEY_SIZE])
{
	if (len < KEY_TEXT || strspn(text + KEY_TEXT, " \t\r\n") != len - KEY_TEXT)
		return false;
	for (size_t i = 0; i < SEAL_KEY_SIZE; i++) {
		int high = hex_digit(text[2 * i]), low = hex_digit(text[2 * i + 1]);
		if (high < 0 || low < 0)
			return false;
		key[i] = (unsigned char)(high << 4 | low);
	}
	return true;
}

/* Reads the file, NUL terminated; -1 with errno. */
static ssize_t vault_read_all(int fd, char text[FILE_READ])
{
	size_t len = 0;

	while (len < FILE_READ - 1) {
		ssize_t n = read(fd, text + len, FILE_READ - 1 - len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		if (n == 0)
			break;
		len += (size_t)n;
	}
	text[len] = '\0';
	return (ssize_t)len;
}

enum vault_found { FOUND, ABSENT, BAD };

static enum vault_found vault_read_key(const char *path, unsigned char key[SEAL_KEY_SIZE])
{
	char text[FILE_READ];
	struct stat st;
	bool good;
	ssize_t len;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 && errno == ENOENT)
		return ABSENT;
	len = fd < 0 ? -1 : vault_read_all(fd, text);
	if (len < 0)
		vault_refuse(
		    "cannot read the secret file %s, which encrypts the webhooks' secrets: %s; let this user read it, "
		    "or name another file with secret_file",
		    path, strerror(errno));
	else if (fstat(fd, &st) == 0 && (st.st_mode & (S_IRWXG | S_IRWXO)))
		log_warn("vault", "%s can be read by others than its owner: chmod 600", path);
	good = len >= 0 && parse_key(text, (size_t)len, key);
	if (len >= 0 && !good)
		vault_refuse(
		    "%s is no secret file (64 hexadecimal digits): restore it from a backup, or name the right one "
		    "with "
		    "secret_file; without it the webhooks' secrets cannot be read",
		    path);
	if (fd >= 0)
		close(fd);
	crypto_wipe(text, sizeof text);
	return good ? FOUND : BAD;
}

static bool vault_write_all(int fd, const char *text, size_t len)
{
	while (len) {
		ssize_t n = write(fd, text, len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		text += n;
		len -= (size_t)n;
	}
	return fsync(fd) == 0;
}

/* Opens the file's directory, to make a link in it durable; creates it if its parent exists. */
static int open_directory(const char *path)
{
	char parent[PATH_MAX];
	const char *slash = strrchr(path, '/');
	size_t len = slash ? (size_t)(slash - path) : 0;

	if (len >= sizeof parent)
		return -1;
	memcpy(parent, slash ? path : ".", len);
	parent[len] = '\0';
	if (len == 0)
		snprintf(parent, sizeof parent, "%s", slash ? "/" : ".");
	/* The embedded database's user must be able to traverse a directory made by root. */
	if (mkdir(parent, geteuid() == 0 ? 0711 : 0700) != 0 && errno != EEXIST)
		return -1;
	return open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* Written completely under another name, then linked: of several processes starting at once one wins, and none ever
 * reads half a key. */
static bool make_key(const char *path)
{
	unsigned char key[SEAL_KEY_SIZE];
	char text[KEY_TEXT + 2], name[PATH_MAX];
	int directory = open_directory(path), fd = -1;
	bool made = false;

	random_bytes(key, sizeof key);
	for (size_t i = 0; i < sizeof key; i++)
		snprintf(text + 2 * i, 3, "%02x", key[i]);
	memcpy(text + KEY_TEXT, "\n", 2);
	if (directory >= 0 && (size_t)snprintf(name, sizeof name, "%s.XXXXXX", path) < sizeof name)
		fd = mkostemp(name, O_CLOEXEC); /* mode 0600 */
	if (fd >= 0) {
		made = vault_write_all(fd, text, KEY_TEXT + 1) && (link(name, path) == 0 || errno == EEXIST) &&
		       fsync(directory) == 0;
		close(fd);
	}
	if (!made)
		vault_refuse(
		    "cannot make the secret file %s, which encrypts the webhooks' secrets: %s; name a file that this "
		    "user "
		    "may write with secret_file",
		    path, strerror(errno));
	if (fd >= 0)
		unlink(name);
	if (directory >= 0)
		close(directory);
	crypto_wipe(key, sizeof key);
	crypto_wipe(text, sizeof text);
	return made;
}

struct vault *vault_open(const char *path)
{
	struct vault *v = mem_zalloc(sizeof *v);
	enum vault_found found = vault_read_key(path, v->key);

	if (found == ABSENT && make_key(path))
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
