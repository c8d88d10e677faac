#!/bin/sh
# The systemd unit: it survives a database that is away, reads a file of root's, and may do little. Where
# systemd-analyze is, its figure of exposure is at most 1.5.
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
