/* Names of referenced records. */
#include "server/output/names.h"

void names_want(struct arena *a, struct names *n, enum id_kind kind, const struct uuid *id)
{
	struct named *named;

	if (!n->table.arena)
		table_init(&n->table, a, 16);
	if (table_has(&n->table, id, sizeof *id))
		return;
	named = arena_alloc(a, sizeof *named);
	*named = (struct named){.id = *id, .kind = kind};
	table_row(&n->table, &named->id, sizeof named->id)->value = named;
	n->count++;
}

const struct named *names_find(const struct names *n, const struct uuid *id)
{
	return n ? table_find(&n->table, id, sizeof *id) : NULL;
}
