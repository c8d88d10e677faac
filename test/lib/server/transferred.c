/* Running kith import and kith export. */
#include "test/lib/server/transferred.h"
#include "test/lib/test.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test/lib/patience.h"
#include "test/lib/server/child.h"

void transferred_init(struct transferred *t, struct rig *r, const char *url, const char *key)
{
	memset(t, 0, sizeof *t);
	t->rig = r;
	t->url = url;
	t->key = key;
	t->arena = &r->arena;
	if (!directory_make("files", t->dir)) {
		perror("transferred: directory");
		exit(1);
	}
}

void transferred_free(struct transferred *t)
{
	DIR *d = opendir(t->dir);
	struct dirent *e;

	while (d && (e = readdir(d)) != NULL)
		if (*e->d_name != '.')
			unlink(transferred_path(t, e->d_name));
	if (d)
		closedir(d);
	rmdir(t->dir);
}

const char *transferred_path(struct transferred *t, const char *name)
{
	return arena_printf(t->arena, "%s/%s", t->dir, name);
}

const char *transferred_write(struct transferred *t, const char *name, const char *text, size_t len)
{
	const char *path = transferred_path(t, name);
	FILE *f = fopen(path, "w");

	if (!f || fwrite(text, 1, len, f) != len || fclose(f) != 0)
		fail_msg("%s: %s", path, strerror(errno));
	return path;
}

/* The whole file, NULL: there is none. */
static const char *read_file(struct transferred *t, const char *path, size_t *len)
{
	FILE *f = fopen(path, "r");
	struct buf text;
	char chunk[4096];
	size_t n;

	if (!f)
		return NULL;
	buf_init(&text, 256 << 20);
	while ((n = fread(chunk, 1, sizeof chunk, f)) > 0)
		buf_add(&text, chunk, n);
	fclose(f);
	*len = text.len;
	const char *copy = arena_dup(t->arena, text.len ? text.data : "", text.len);
	buf_free(&text);
	return copy;
}

const char *transferred_sample(struct transferred *t, const char *name)
{
	size_t len = 0;
	const char *text = read_file(t, arena_printf(t->arena, "test/samples/%s", name), &len);

	if (!text)
		fail_msg("test/samples/%s: %s", name, strerror(errno));
	return transferred_write(t, name, text, len);
}

const char *transferred_read(struct transferred *t, const char *name)
{
	size_t len;

	return read_file(t, transferred_path(t, name), &len);
}

pid_t transferred_start(struct transferred *t, const char *const args[])
{
	const char *argv[COMMAND_ARGS_MAX] = {0};
	int n = 0, out, err;
	pid_t pid;

	for (; args[n] && n < COMMAND_ARGS_MAX - 5; n++)
		argv[n] = args[n];
	argv[n++] = "--url";
	argv[n++] = t->url;
	argv[n++] = "--key";
	argv[n++] = t->key;
	out = open(transferred_path(t, "stdout"), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	err = open(transferred_path(t, "stderr"), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	assert_true(out > 0 && err > 0);
	pid = command_start(t->rig->program, argv, out, err);
	close(out);
	close(err);
	return pid;
}

void transferred_end(struct transferred *t, pid_t pid)
{
	t->status = child_wait(pid);
	t->out = transferred_read(t, "stdout");
	t->err = transferred_read(t, "stderr");
}

bool transferred_runs(pid_t pid)
{
	siginfo_t info = {0};

	return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == 0;
}

void transferred_run(struct transferred *t, const char *const args[])
{
	transferred_end(t, transferred_start(t, args));
}

bool transferred_killed(struct transferred *t, unsigned below_ms, const char *const args[])
{
	pid_t pid = transferred_start(t, args);

	patience_chance_us(below_ms * 1000);
	kill(pid, SIGKILL);
	transferred_end(t, pid);
	return t->status == -1;
}

const char *transferred_list(struct transferred *t, const char *kind)
{
	TRANSFERRED(t, "export", kind);
	assert_int_equal(t->status, 0);
	return t->out;
}

size_t transferred_lines(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += *text == '\n';
	return n;
}

size_t transferred_logged(const struct server_process *s, const char *text, const char *also)
{
	FILE *f = fopen(s->log, "r");
	char line[4096];
	size_t n = 0;

	assert_non_null(f);
	while (fgets(line, sizeof line, f))
		n += strstr(line, text) && strstr(line, also);
	fclose(f);
	return n;
}

void transferred_expect(const struct transferred *t, int status, const char *out, const char *err)
{
	if (t->status != status || !strstr(t->out, out) || !strstr(t->err, err))
		fail_msg(
		    "status %d, not %d with \"%s\" and \"%s\":\n%s\n%s", t->status, status, out, err, t->out, t->err);
}
