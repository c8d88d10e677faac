/* The files of the pages. pages/build.mjs makes their table, which is compiled in. It is empty when the program was
 * built without Node.js, npm or npm's registry, or with --without-console. */
#ifndef KITH_SERVER_PAGES_ASSET_H
#define KITH_SERVER_PAGES_ASSET_H

#include <stddef.h>

struct asset {
	const char *path; /* "/console/app.js" */
	const char *type; /* its Content-Type */
	const char *etag, *gzip_etag;
	const char *data, *gzip; /* gzip NULL: compression would hardly make it shorter */
	size_t len, gzip_len;
};

extern const struct asset assets[];
extern const size_t n_assets;

/* Returns the file at the path of a request; NULL: none. */
const struct asset *asset_find(const char *path, size_t len);

#endif
