/* The key file, and sealing with it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test/lib/server/child.h"
#include "test/lib/server/directory.h"
#include "test/lib/test.h"
#include "webhook/vault.h"

enum { PROCESSES = 8 };

static char directory[DIRECTORY_SIZE], path[256];

BEFORE_EACH()
{
	assert_true(directory_make("vault", directory));
	snprintf(path, sizeof path, "%s/new/secret", directory);
}

AFTER_EACH()
{
	snprintf(path, sizeof path, "%s/new/secret", directory);
	unlink(path);
	snprintf(path, sizeof path, "%s/new", directory);
	rmdir(path);
	snprintf(path, sizeof path, "%s/secret", directory);
	unlink(path);
	assert_int_equal(rmdir(directory), 0);
}

static void write_key_file(const char *text, mode_t mode)
{
	FILE *f;

	snprintf(path, sizeof path, "%s/secret", directory);
	unlink(path);
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	assert_int_equal(chmod(path, mode), 0);
}

static void read_fingerprint(unsigned char out[VAULT_FINGERPRINT_LEN])
{
	struct vault *v = vault_open(path);

	assert_non_null(v);
	vault_fingerprint(v, out);
	vault_close(v);
}

/* Made with its directory, readable only by its owner, and the same when opened again. */
TEST(test_made_once)
{
	unsigned char first[VAULT_FINGERPRINT_LEN], second[VAULT_FINGERPRINT_LEN];
	struct stat st;

	read_fingerprint(first);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_int_equal(st.st_size, 65);
	read_fingerprint(second);
	assert_memory_equal(first, second, sizeof first);
}

/* Processes that start at once agree on one key. */
TEST(test_race)
{
	unsigned char mine[VAULT_FINGERPRINT_LEN], other[VAULT_FINGERPRINT_LEN];
	int pipes[2];
	pid_t children[PROCESSES];

	assert_int_equal(pipe(pipes), 0);
	for (int i = 0; i < PROCESSES; i++) {
		children[i] = child_fork();
		if (children[i] == 0) {
			struct vault *v = vault_open(path);
			if (!v)
				_exit(1);
			vault_fingerprint(v, mine);
			vault_close(v);
			_exit(write(pipes[1], mine, sizeof mine) == (ssize_t)sizeof mine ? 0 : 1);
		}
	}
	for (int i = 0; i < PROCESSES; i++) {
		int status;
		assert_int_equal(waitpid(children[i], &status, 0), children[i]);
		assert_int_equal(status, 0);
		assert_int_equal(read(pipes[0], i ? other : mine, sizeof mine), (int)sizeof mine);
		assert_memory_equal(mine, i ? other : mine, sizeof mine);
	}
	close(pipes[0]);
	close(pipes[1]);
}

TEST(test_wrong_files)
{
	static const char *const texts[] = {"", "abc", "\n",
	    "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1",
	    "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1g",
	    "000102030405060708090A0B0C0D0E0F101112131415161718191a1b1c1d1e1f",
	    "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f00"};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		write_key_file(texts[i], 0600);
		assert_null(vault_open(path));
	}
	write_key_file("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f \r\n", 0600);
	vault_close(vault_open(path));
	snprintf(path, sizeof path, "%s", directory); /* a directory is not a file */
	assert_null(vault_open(path));
	snprintf(path, sizeof path, "%s/not/there/secret", directory);
	assert_null(vault_open(path));
}

TEST(test_sealing)
{
	unsigned char secret[SIGN_SECRET_LEN], sealed[VAULT_SEALED_LEN], again[VAULT_SEALED_LEN], out[SIGN_SECRET_LEN];
	struct uuid id = id_new(), other = id_new();
	struct vault *v = vault_open(path);

	assert_non_null(v);
	random_bytes(secret, sizeof secret);
	vault_seal(v, &id, secret, sealed);
	vault_seal(v, &id, secret, again);
	assert_memory_not_equal(sealed, again, sizeof sealed);
	assert_true(vault_unseal(v, &id, sealed, sizeof sealed, out));
	assert_memory_equal(out, secret, sizeof secret);
	assert_false(vault_unseal(v, &other, sealed, sizeof sealed, out));
	assert_false(vault_unseal(v, &id, sealed, sizeof sealed - 1, out));
	assert_false(vault_unseal_text(v, "answer", id.b, sizeof id.b, sealed, sizeof sealed, out));
	for (size_t i = 0; i < sizeof sealed; i++) {
		memcpy(again, sealed, sizeof sealed);
		again[i] ^= 1;
		assert_false(vault_unseal(v, &id, again, sizeof again, out));
	}
	vault_close(v);
	write_key_file("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f\n", 0600);
	v = vault_open(path);
	assert_false(vault_unseal(v, &id, sealed, sizeof sealed, out));
	vault_close(v);
}

TEST(test_texts)
{
	static const char text[] = "{\"data\": {}}";
	unsigned char sealed[sizeof text + VAULT_EXTRA], out[sizeof text];
	struct vault *v = vault_open(path);

	vault_seal_text(v, "answer", "key", 3, text, sizeof text, sealed);
	assert_true(vault_unseal_text(v, "answer", "key", 3, sealed, sizeof sealed, out));
	assert_memory_equal(out, text, sizeof text);
	assert_false(vault_unseal_text(v, "answer", "kez", 3, sealed, sizeof sealed, out));
	assert_false(vault_unseal_text(v, "answer", "key", 3, sealed, VAULT_EXTRA - 1, out));
	assert_false(vault_unseal_text(v, "answer", "key", 3, sealed, 0, out));
	vault_seal_text(v, "answer", "key", 3, "", 0, sealed);
	assert_true(vault_unseal_text(v, "answer", "key", 3, sealed, VAULT_EXTRA, out));
	vault_close(v);
}
