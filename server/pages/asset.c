/* Finds the files of the pages. */
#include "server/pages/asset.h"

#include <string.h>

const struct asset *asset_find(const char *path, size_t len)
{
	for (size_t i = 0; i < n_assets; i++)
		if (strlen(assets[i].path) == len && memcmp(assets[i].path, path, len) == 0)
			return &assets[i];
	return NULL;
}
