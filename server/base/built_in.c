/* Finds the texts that the build puts into the program; see built_in.h. */
#include "server/base/built_in.h"

#include <stdio.h>
#include <string.h>

#include "server/base/fatal.h"

const char *built_in_text(const char *name)
{
	char message[100];

	for (const struct built_in *b = built_in_texts; b->name; b++)
		if (strcmp(b->name, name) == 0)
			return b->text;
	snprintf(message, sizeof message, "no file has the text \"%s\"", name);
	fatal_abort(message);
}
