/* Texts that the build puts into the program from files beside the sources that use them: long SQL and JSON. psql -f
 * runs the files of SQL, too. embed_built_in.sh says how they are written. */
#ifndef KITH_SERVER_BASE_BUILT_IN_H
#define KITH_SERVER_BASE_BUILT_IN_H

struct built_in {
	const char *name, *text;
};

/* Ends with a row of NULLs. */
extern const struct built_in built_in_texts[];

/* Returns a text by its name: "doctor locks" is the statement "locks" of doctor.sql, "part.json" a whole file. Aborts
 * if there is no such text. */
const char *built_in_text(const char *name);

#endif
