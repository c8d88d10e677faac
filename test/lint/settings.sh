#!/bin/sh
# The README's table of settings and the program's own say the same.
. "$(dirname "$0")/common"

sed -n 's/^[[:space:]]*{"\([a-z_]*\)", SETTING_[A-Z]*, AT([a-z_]*), "\([^"]*\)".*/\1	\2/p' server/config/table.c >"$tmp"
[ -s "$tmp" ] || report table "server/config/table.c: no setting found; has its layout changed?"
if [ -f README.md ]; then
	while IFS='	' read -r name initial; do
		row=$(grep "^| *\`$name\`" README.md)
		if [ -z "$row" ]; then
			report "$name" "README.md: the setting $name has no row"
		elif [ -n "$initial" ] && ! printf '%s' "$row" | grep -qF "$initial"; then
			report "$name" "README.md: the row of $name does not name its default, $initial"
		fi
	done <"$tmp"
	sed -n '/^##* Settings/,/^##* [^S]/s/^| *`\([a-z_]*\)`.*/\1/p' README.md | while IFS= read -r name; do
		grep -q "^$name	" "$tmp" || echo "$name	README.md: $name is no setting"
	done >"$tmp".unknown
	findings <"$tmp".unknown
else
	report README.md "README.md is missing"
fi
verdict "Every setting has a row under \"Settings\": | \`name\` | default | meaning |"
