#!/bin/sh
# Allowed includes between folders, and the files that may include each foreign library.
. "$(dirname "$0")/common"

sources 'server/*.[ch]' 'store/*.[ch]' 'filter/*.[ch]' 'webhook/*.[ch]' 'transfer/*.[ch]' | xargs awk "$floors"'
	function folder(path) {
		if (path ~ /^server\/base\//) return "base"
		sub(/\/.*/, "", path)
		return path
	}
	function found(text) { print FILENAME ":" name "\t" FILENAME ":" FNR ": " text }
	BEGIN {
		may["base"] = "^server/base/|^[a-z_]+\\.h$"
		may["store"] = "^(server/base|store)/"
		may["filter"] = "^(server/base|filter)/|^store/(field|resources|sql)\\.h$"
		may["webhook"] = "^(server/base|store|webhook)/"
		may["transfer"] = "^(server/base|transfer)/|^store/(field|resources)\\.h$"
		may["server"] = "^(server|store|filter|webhook|transfer)/"
		n = 0
		rule[++n] = "^yajl/|^yajl_";        where[n] = "^server/base/json[a-z_]*\\.[ch]$"
		rule[++n] = "^libpq|^postgres|^pg_"; where[n] = "^store/db[a-z_]*\\.[ch]$"
		rule[++n] = "^event2/(http|keyvalq)"; where[n] = "^server/http/|^webhook/deliver[a-z_]*\\.[ch]$"
		rule[++n] = "^event2/(buffer|listener)"; where[n] = "^server/http/|^webhook/deliver[a-z_]*\\.[ch]$"
		rule[++n] = "^event2/dns";          where[n] = "^server/base/dns\\.c$"
		rule[++n] = "^event2/";             where[n] = "^(server|store|webhook)/[a-z_]+\\.[ch]$|^server/(http|request|event|job)/|^server/base/(dns|loop)\\.c$"
		rule[++n] = "^openssl/";            where[n] = "^server/base/[a-z_]+\\.c$|^webhook/deliver[a-z_]*\\.[ch]$|^server/signin/id_token\\.c$"
		rule[++n] = "^curl/";               where[n] = "^(filter|webhook)/[a-z_]+\\.c$|^transfer/remote\\.c$"
		rule[++n] = "^zlib\\.h$";           where[n] = "^(transfer/decoder|server/base/gzip(_file)?)\\.c$"
		rule[++n] = "^iconv\\.h$";          where[n] = "^transfer/decoder\\.c$"
		rule[++n] = "^(pthread|threads|setjmp|alloca)\\.h$"; where[n] = "^$"
	}
	FNR == 1 && !floor(FILENAME) { name = "floor"; found("the folder has no level in test/lint/common") }
	/^[ \t]*#[ \t]*include[ \t]*"/ {
		split($0, part, "\""); name = part[2]
		if (name !~ may[folder(FILENAME)]) found("must not include \"" name "\"")
		else if (FILENAME ~ /^server\// && name ~ /^server\// && floor(name) > floor(FILENAME))
			found("must not include \"" name "\", which stands above it")
	}
	/^[ \t]*#[ \t]*include[ \t]*</ {
		name = $0; sub(/^[^<]*</, "", name); sub(/>.*/, "", name)
		for (i = 1; i <= n; i++)
			if (name ~ rule[i]) {
				if (FILENAME !~ where[i]) found("must not include <" name ">, which belongs to " where[i])
				break
			}
	}
	/^[ \t]*#[ \t]*pragma[ \t]+once/ { name = "pragma"; found("use an include guard") }
' >"$tmp"
findings <"$tmp"
verdict "Folders below must not know those above, and each foreign library is met in one place; move the code, or ask its owner's header."
