/* The key of files; see file_key.h. */
#include "server/base/file_key.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/base/text.h"

bool first_line_read(const char *file, const char *variable, char *out, size_t size, size_t *len)
{
	const char *given = getenv(variable);
	FILE *f = file ? fopen(file, "re") : NULL;

	*len = 0;
	out[0] = '\0';
	if (file && !f)
		return false;
	if (f) {
		setvbuf(f, NULL, _IONBF, 0);
		if (!fgets(out, (int)size, f))
			out[0] = '\0';
		fclose(f);
	} else if (given) {
		snprintf(out, size, "%s", given);
	}
	*len = strcspn(out, "\r\n");
	out[*len] = '\0';
	return true;
}

bool file_key_read(struct file_key *k, const char *file)
{
	if (!first_line_read(file, "KITH_FILE_KEY", k->text, sizeof k->text, &k->len)) {
		fprintf(stderr, "kith: the key in %s cannot be read: %s\n", file, strerror(errno));
		return false;
	}
	if (k->len > FILE_KEY_MAX) {
		fprintf(stderr, "kith: the key of files must have at most %d bytes\n", FILE_KEY_MAX);
		return false;
	}
	if (k->len >= FILE_KEY_MIN || (!file && !getenv("KITH_FILE_KEY")))
		return true;
	/* It says that there is to be a key: without one the file would be made, or taken, as if nobody had asked. */
	if (!file && k->len == 0) {
		fprintf(stderr, "kith: KITH_FILE_KEY is set and empty: put a key into it, or unset it\n");
		return false;
	}
	fprintf(stderr,
	    "kith: the key of files must be a line of at least %d characters, such as \"openssl rand -hex 32\" makes\n",
	    FILE_KEY_MIN);
	return false;
}

void file_key_begin(const struct file_key *k, const char *kind, struct hmac *h)
{
	hmac_begin(h, k->text, k->len);
	hmac_add(h, "kith ", 5);
	hmac_add(h, kind, strlen(kind) + 1);
}

enum file_trust file_key_judge(const struct file_key *k, const char *path, const char *has,
    const unsigned char should[SHA256_SIZE], bool trust, const char *could)
{
	char digits[2 * SHA256_SIZE + 1];
	bool same;

	text_hex(digits, should, SHA256_SIZE);
	same = strlen(has) == sizeof digits - 1 && crypto_equal(has, digits, sizeof digits - 1);
	if (k->len && *has && !same) {
		fprintf(stderr, "kith: %s was changed, or was made with another key than --file-key names\n", path);
		return FILE_REFUSED;
	}
	if (k->len && *has)
		return FILE_AUTHENTIC;
	if (trust)
		return FILE_TRUSTED;
	fprintf(stderr,
	    "kith: nothing proves who made %s: %s\n"
	    "kith: %s\n",
	    path, *has ? "give its key with --file-key FILE or KITH_FILE_KEY" : "it was made without --file-key",
	    could);
	fprintf(
	    stderr, "kith: if you trust everybody who could have changed it, repeat the command with --trust-file\n");
	return FILE_REFUSED;
}
