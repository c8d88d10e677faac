#!/bin/sh
# The systemd unit: restarts while the database is unavailable, reads root's settings file, and has few rights. If
# systemd-analyze is installed, its exposure level must be at most 1.5.
. "$(dirname "$0")/common"

unit=deploy/kith.service
for line in StartLimitIntervalSec=0 Restart=on-failure RestartSec=2 LoadCredential=kith.conf:/etc/kith.conf DynamicUser=true; do
	grep -qxF "$line" $unit || report "$line" "$unit: without $line"
done
if command -v systemd-analyze >/dev/null 2>&1; then
	exposure=$(systemd-analyze security --offline=true $unit 2>/dev/null |
		sed -n 's/.*exposure level for kith.service: \([0-9.]*\).*/\1/p')
	awk -v e="${exposure:-10}" 'BEGIN { exit !(e <= 1.5) }' || report exposure "$unit: an exposure of ${exposure:-?}"
fi
verdict "See systemd.exec(5)."
