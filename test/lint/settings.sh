#!/bin/sh
# The tables of settings and limits in the documents agree with the program's own.
. "$(dirname "$0")/common"

sed -n 's/^[[:space:]]*{"\([a-z_]*\)", SETTING_[A-Z]*, AT([a-z_]*), "\([^"]*\)".*/\1	\2/p' server/config/settings.c >"$tmp"
[ -s "$tmp" ] || report table "server/config/settings.c: no setting found; has its layout changed?"
if [ -f docs/settings.md ]; then
	while IFS='	' read -r name initial; do
		row=$(grep "^| *\`$name\`" docs/settings.md)
		if [ -z "$row" ]; then
			report "$name" "docs/settings.md: the setting $name has no row"
		elif [ -n "$initial" ] && ! printf '%s' "$row" | grep -qF "| \`$initial\` |"; then
			report "$name" "docs/settings.md: the row of $name does not name its default, $initial"
		fi
	done <"$tmp"
	sed -n 's/^| *`\([a-z_]*\)`.*/\1/p' docs/settings.md | while IFS= read -r name; do
		grep -q "^$name	" "$tmp" || echo "$name	docs/settings.md: $name is not a setting"
	done >"$tmp".unknown
	findings <"$tmp".unknown
else
	report docs/settings.md "docs/settings.md is missing"
fi

# The documents write 10 * 1000 as 10,000.
sed -n 's/^[[:space:]]*\[LIMIT_[A-Z_]*\] = {"\(.*\)", "\(.*\)", \([0-9 *]*\)},.*/\1	\2	\3/p' server/input/limits.c >"$tmp"
[ -s "$tmp" ] || report limits "server/input/limits.c: no limit found; has its layout changed?"
while IFS='	' read -r holder unit most; do
	number=$(echo $(($most)) | sed ':a; s/\([0-9]\)\([0-9]\{3\}\)\($\|,\)/\1,\2\3/; ta')
	grep -qF "| $holder | $number | $unit |" docs/api.md || report "$unit" "docs/api.md: no row | $holder | $number | $unit |"
done <"$tmp"
verdict "Every setting has a row in docs/settings.md, every limit one in docs/api.md: | \`name\` | default | meaning |"
