/* People: names derived from other names. */
#include <string.h>

#include "server/resource/write.h"

static struct value join_names(struct arena *a, const struct value *first, const struct value *last)
{
	bool both = first->len && last->len;
	size_t len = first->len + both + last->len;
	char *text = arena_alloc(a, len + 1);

	memcpy(text, first->text, first->len);
	if (both)
		text[first->len] = ' ';
	memcpy(text + first->len + both, last->text, last->len);
	return (struct value){.text = text, .len = len};
}

/* The first word is the first name, the rest the last name. */
static void split_name(struct record *rec)
{
	const struct value *full = &rec->values[PERSON_FULL_NAME];
	const char *text = full->text, *end = full->text + full->len, *space;

	while (text < end && *text == ' ')
		text++;
	space = memchr(text, ' ', (size_t)(end - text));
	rec->values[PERSON_FIRST_NAME] = (struct value){.text = text, .len = (size_t)((space ? space : end) - text)};
	while (space && space < end && *space == ' ')
		space++;
	if (space && space < end)
		rec->values[PERSON_LAST_NAME] = (struct value){.text = space, .len = (size_t)(end - space)};
}

/* A derived full name follows the first and last name, even when an update sends the derived name back. A given full
 * name stays until it is set to "". */
void person_settle(struct arena *a, struct write_target *t, bool create)
{
	struct value *v = t->new->values, derived = join_names(a, &v[PERSON_FIRST_NAME], &v[PERSON_LAST_NAME]);
	bool repeated =
	    !create && !v[PERSON_FULL_NAME_GIVEN].number && value_equal(FIELD_TEXT, &v[PERSON_FULL_NAME], &derived);

	if (target_gives(t, PERSON_FULL_NAME) && !repeated)
		v[PERSON_FULL_NAME_GIVEN].number = v[PERSON_FULL_NAME].len > 0;
	if (!v[PERSON_FULL_NAME_GIVEN].number)
		v[PERSON_FULL_NAME] = derived;
	else if (create && !v[PERSON_FIRST_NAME].len && !v[PERSON_LAST_NAME].len)
		split_name(t->new);
}

struct value person_name_given(struct arena *a, const struct input *in)
{
	static const struct value none = {.text = ""};
	const struct value *v = in->values;
	bool first = in->given & FIELD_BIT(PERSON_FIRST_NAME), last = in->given & FIELD_BIT(PERSON_LAST_NAME);

	if ((in->given & FIELD_BIT(PERSON_FULL_NAME)) && v[PERSON_FULL_NAME].len)
		return v[PERSON_FULL_NAME];
	return join_names(a, first ? &v[PERSON_FIRST_NAME] : &none, last ? &v[PERSON_LAST_NAME] : &none);
}
