#!/bin/sh
# Finds calls that this project does not use, and names their replacements.
. "$(dirname "$0")/common"

{
	sources 'server/*.[ch]' 'store/*.[ch]' 'filter/*.[ch]' 'webhook/*.[ch]' 'transfer/*.[ch]' | sed 's/^/program /'
	sources 'test/*.[ch]' | sed 's/^/test /'
} >"$tmp"
for part in program test; do
	sed -n "s/^$part //p" "$tmp" | xargs awk -v part=$part "$strip_c"'
	BEGIN {
		both = "strcpy|stpcpy|strcat:snprintf or buf_add;sprintf|vsprintf:snprintf;gets:fgets;atoi|atol|atoll|atof:text_uint or strtol;" \
			"sscanf|fscanf|scanf:strtol, the parsers of server/base;strtok|strtok_r:strcspn;alloca:arena_alloc;system|popen:run_start;" \
			"tmpnam|mktemp|tempnam:mkstemp;rand|srand|random|srandom|drand48:random_bytes;gmtime|localtime|ctime|asctime:server/base/clock.h;" \
			"sleep|usleep:a condition with a deadline"
		program = ";nanosleep|poll|select:the loop;PQexec|PQexecParams|PQexecPrepared|PQprepare|PQconnectdb|PQconnectdbParams|PQping|PQpingParams|PQsetdbLogin|PQreset|PQcancel|PQputCopyData:the calls of libpq that do not block;" \
			"chown|lchown|chmod:place_own, fchown or fchmod, as a path may lead elsewhere meanwhile;yajl_tree_parse|yajl_gen_double:json_read, json_raw;gethostbyname|getaddrinfo:evdns;pthread_create|thrd_create:one loop, no threads"
		test = ";fork|vfork:child_start or child_fork of test/lib/server/child.h, as other threads may hold what the child needs"
		rules = split(both (part == "program" ? program : test), rule, ";")
		for (i = 1; i <= rules; i++) {
			split(rule[i], half, ":")
			names = split(half[1], name, "|")
			for (j = 1; j <= names; j++) instead[name[j]] = half[2]
		}
	}
	{
		rest = line
		while (match(rest, /[A-Za-z_][A-Za-z_0-9]*[ \t]*\(/)) {
			call = substr(rest, RSTART, RLENGTH - 1)
			before = RSTART > 1 ? substr(rest, RSTART - 1, 1) : ""
			rest = substr(rest, RSTART + RLENGTH)
			sub(/[ \t]+$/, "", call)
			if (call in instead && before != "." && before != ">")
				print FILENAME ":" call "\t" FILENAME ":" FNR ": " call "(): use " instead[call]
		}
		if (line ~ /(^|[^A-Za-z_0-9])goto[ \t]+/ && line !~ /goto[ \t]+out;/)
			print FILENAME ":goto\t" FILENAME ":" FNR ": goto to anything but the one label out"
	}'
done >"$tmp".found
findings <"$tmp".found
verdict "Use what is named instead, or give a reason in test/lint/allow."
