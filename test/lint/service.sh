#!/bin/sh
# The systemd unit: restarts while the database is unavailable, is watched, keeps its sockets and every line of its log,
# and has few rights. If
# systemd-analyze is installed, its exposure level must be at most 1.5. The package has the program's version.
. "$(dirname "$0")/common"

unit=deploy/kith.service
for line in Type=notify StartLimitIntervalSec=0 Restart=on-failure RestartSec=2 WatchdogSec=30 FileDescriptorStoreMax=16 LogRateLimitIntervalSec=0 User=kith; do
	grep -qxF "$line" $unit || report "$line" "$unit: without $line"
done
if command -v systemd-analyze >/dev/null 2>&1; then
	exposure=$(systemd-analyze security --offline=true $unit 2>/dev/null |
		sed -n 's/.*exposure level for kith.service: \([0-9.]*\).*/\1/p')
	awk -v e="${exposure:-10}" 'BEGIN { exit !(e <= 1.5) }' || report exposure "$unit: an exposure of ${exposure:-?}"
fi

version=$(sed -n 's/^AC_INIT(\[kith\], \[\(.*\)\])/\1/p' configure.ac)
head -n 1 debian/changelog | grep -qF "kith ($version) " || report version "debian/changelog: its first entry is not of version $version"
verdict "See systemd.exec(5)."
