#!/bin/sh
# Writes the C table of migrations (store/migrate.h) from the files given, which
# are named NNNN_name.sql: embed_migrations.sh migrations/*.sql > build/migrations.c
set -eu
LC_ALL=C
export LC_ALL

echo '/* Made by store/embed_migrations.sh. */'
echo '#include "store/migrate.h"'
last=0
rows=
n=0
for file in "$@"; do
	base=${file##*/}
	base=${base%.sql}
	case $base in
	[0-9][0-9][0-9][0-9]_[a-z]*) ;;
	*) echo "$file: not named NNNN_name.sql" >&2; exit 1 ;;
	esac
	name=${base#*_}
	case $name in
	*[!a-z0-9_]*) echo "$file: only a-z, 0-9 and _ in a name" >&2; exit 1 ;;
	esac
	level=$(expr "${base%%_*}" + 0)
	if [ "$level" -ne $((last + 1)) ]; then
		echo "$file: level $level after level $last" >&2
		exit 1
	fi
	last=$level
	n=$((n + 1))
	# Bytes, not string literals: those may not be longer than 4095 characters.
	echo "static const unsigned char sql_$level[] = {"
	od -An -v -tx1 "$file" | awk '{ for (i = 1; i <= NF; i++) printf "0x%s,", $i; print "" }'
	echo '0x00};'
	rows="$rows	{$level, \"$name\", (const char *)sql_$level},
"
done
echo 'const struct migration migrations[] = {'
printf '%s' "$rows"
echo '	{0, 0, 0}};'
echo "const int n_migrations = $n;"
