/* The file of an import's progress between its reading and its locking: when another import has gone on with it, or
 * made it, what was read is no longer true. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "test/lib/server/directory.h"
#include "test/lib/test.h"
#include "transfer/progress.h"

static const char run_line[] =
    "{\"run\":{\"sha256\":\"0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\","
    "\"options\":\"\",\"path\":\"/v1/people\"}}\n",
                  batch_line[] = "{\"batch\":0,\"counts\":{\"created\":100}}\n";

static char directory[DIRECTORY_SIZE], path[DIRECTORY_SIZE + 16], other[DIRECTORY_SIZE + 16];

static void put_text(const char *file, const char *mode, const char *text)
{
	FILE *f = fopen(file, mode);

	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, strlen(text), f), strlen(text));
	fclose(f);
}

static void leave_file(void) {}

static void go_on(void)
{
	put_text(path, "a", batch_line);
}

static void replace_file(void)
{
	put_text(other, "w", run_line);
	assert_int_equal(rename(other, path), 0);
}

static void make_file(void)
{
	put_text(path, "w", run_line);
}

static const struct {
	const char *before; /* NULL: there is no file */
	void (*meanwhile)(void);
	bool locks;
} cases[] = {
    {run_line, leave_file, true},
    {run_line, go_on, false},
    {run_line, replace_file, false},
    {NULL, leave_file, true},
    {NULL, make_file, false},
};

TEST(test_meanwhile)
{
	assert_true(directory_make("progress", directory));
	snprintf(path, sizeof path, "%s/a.csv.kith", directory);
	snprintf(other, sizeof other, "%s/other", directory);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct progress p;
		if (cases[i].before)
			put_text(path, "w", cases[i].before);
		assert_true(progress_open(&p, path));
		cases[i].meanwhile();
		if (progress_lock(&p) != cases[i].locks)
			fail_msg("case %zu", i);
		progress_close(&p);
		unlink(path);
	}
	rmdir(directory);
}
