/* Files of records out of memory. */
#include "test/lib/server/sourced.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "transfer/source.h"

static void sourced_text(struct buf *out, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (text[i] == '\n')
			buf_addz(out, "\\n");
		else
			buf_addc(out, text[i]);
	}
}

static void sourced_record(struct buf *out, const struct source *s, const struct entry *e)
{
	struct json_out o;

	buf_printf(out, "%lld: ", (long long)e->line);
	if (e->refused) {
		buf_printf(out, "refused: %s\n", e->refused);
		return;
	}
	if (e->object) {
		json_out_init(&o, out);
		json_value(&o, e->object);
	}
	for (size_t i = 0; i < e->n_values; i++) {
		buf_printf(out, "%s%s%s=", i ? "|" : "", s->reader.columns.names[e->values[i].column],
		    e->values[i].preferred ? "!" : "");
		sourced_text(out, e->values[i].text, e->values[i].len);
	}
	buf_addc(out, '\n');
}

void sourced_dump(struct buf *out, const void *bytes, size_t len, const char *name, const char *encoding)
{
	int fd = memfd_create("source", 0);
	struct source s;
	struct entry e;

	if (fd < 0 || write(fd, bytes, len) != (ssize_t)len || lseek(fd, 0, SEEK_SET) != 0) {
		perror("memfd");
		abort();
	}
	entry_init(&e);
	if (source_open(&s, fd, name, encoding))
		while (source_next(&s, &e))
			sourced_record(out, &s, &e);
	if (*source_error(&s))
		buf_printf(out, "error: %s\n", source_error(&s));
	entry_free(&e);
	source_close(&s);
}
