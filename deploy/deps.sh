#!/bin/sh
# Installs the Debian packages that kith is built and tested with.
#   deps.sh run     what "make run" needs to build and serve. It also installs Node.js and npm, which build the pages,
#                   if it can: everything else works without them
#   deps.sh deb     the same and what "make deb" needs
#   deps.sh check   the same and what "make check" needs
#   deps.sh system  the same and what "make check-package" needs
#   deps.sh newest  the same as "check", and upgrades these packages and their dependencies to Debian's newest, for
#                   tests on a machine whose image may be old
#   deps.sh patroni what "make run" and "make check-patroni" need
# When dpkg has all packages it does nothing, except for "newest", and needs neither root nor a network.
# On other systems ./configure names the missing libraries.
set -eu

# "a|b": one of them is enough. The script installs the first one that is available.
# CLANG-RT stands for the run-time libraries of the installed clang version.
run_list='gcc libc6-dev make autoconf pkg-config|pkgconf libevent-dev libpq-dev libssl-dev libyajl-dev
	libcurl4-openssl-dev zlib1g-dev libexpat1-dev postgresql tzdata'
deb_list='debhelper dpkg-dev lintian man-db'
system_list='debootstrap systemd-container'
patroni_list='patroni etcd-server|etcd etcd-client python3-etcd python3-psycopg2'
check_list='clang CLANG-RT lld clang-format clang-tidy libcmocka-dev wrk nginx-light|nginx curl pgbouncer
	python3-dateutil python3-gi gir1.2-ical-3.0 prometheus
	vdirsyncer khard cadaver syncevolution litmus python3-vobject radicale
	evolution-data-server gir1.2-ebook-1.2 dbus-daemon|dbus'
# Node.js, npm and a browser may be installed without Debian's packages; npm may be part of another package.
pages_list=
command -v node >/dev/null 2>&1 || pages_list="$pages_list nodejs"
command -v npm >/dev/null 2>&1 || pages_list="$pages_list npm"
# Without the certificates npm cannot verify its registry.
[ -z "$pages_list" ] || [ -e /etc/ssl/certs/ca-certificates.crt ] || pages_list="$pages_list ca-certificates"
check_list="$check_list $pages_list"
command -v chromium >/dev/null 2>&1 || check_list="$check_list chromium"

extra=
case "${1-}" in
run)
	list=$run_list
	# ./configure --without-console needs no pages.
	grep -qs '^CONSOLE = no' config.mk || extra=$pages_list
	;;
deb)
	list="$run_list $deb_list"
	extra=$pages_list
	;;
check | newest) list="$run_list $deb_list $check_list" ;;
patroni) list="$run_list $patroni_list" ;;
system) list="$run_list $deb_list $check_list $system_list" ;;
*)
	echo "usage: $0 run|deb|check|system|newest|patroni" >&2
	exit 2
	;;
esac

[ -z "${KITH_SKIP_DEPS-}" ] || exit 0
if ! command -v dpkg-query >/dev/null 2>&1 || ! command -v apt-get >/dev/null 2>&1; then
	# shellcheck disable=SC2086 # words
	cat >&2 <<TEXT
This is not a Debian or Ubuntu system, so this script cannot install anything.
Install the counterparts of these Debian packages:
$(printf '  %s\n' $list)
Then call make again with KITH_SKIP_DEPS=1 in the environment.
TEXT
	exit 1
fi

# One dpkg query for everything; a pattern may match nothing.
# shellcheck disable=SC2016,SC2046 # dpkg's own fields; words
installed=$(dpkg-query -W -f '${db:Status-Abbrev}${Package}\n' $(printf '%s' "$list" | tr '|' ' ') \
	'libclang-rt-*-dev' 'libclang-common-*-dev' 2>/dev/null | sed -n 's/^[ih]i //p') || true
has() {
	printf '%s\n' "$installed" | grep -qx "$1"
}

# Prints the package of clang's run-time libraries. It is separate since clang 14. Before that libclang-common has
# them, which clang depends on.
clang_rt() {
	version=$(apt-cache depends clang 2>/dev/null | sed -n 's/.*Depends: clang-\([0-9][0-9]*\)$/\1/p' | head -n 1)
	if [ -n "$version" ] && apt-cache show "libclang-rt-$version-dev" >/dev/null 2>&1; then
		echo "libclang-rt-$version-dev"
	else
		echo "libclang-common-${version:-14}-dev"
	fi
}

missing=
for item in $list; do
	found=no
	if [ "$item" = CLANG-RT ]; then
		has 'libclang-rt-[0-9]*-dev' && found=yes
	else
		for name in $(printf '%s' "$item" | tr '|' ' '); do
			has "$name" && found=yes
		done
	fi
	[ $found = yes ] || missing="$missing $item"
done
[ -n "$missing$extra" ] || [ "$1" = newest ] || exit 0

[ -z "$missing$extra" ] || echo "kith: installing$missing$extra" >&2
[ "$1" != newest ] || echo "kith: upgrading the packages of the tests to Debian's newest" >&2
as_root=
if [ "$(id -u)" != 0 ]; then
	command -v sudo >/dev/null 2>&1 || {
		[ -n "$missing" ] || exit 0
		echo "kith: installing packages needs root or sudo. As root, run: $0 $1" >&2
		exit 1
	}
	as_root=sudo
	# Without a terminal nobody can type a password.
	[ -t 0 ] || as_root='sudo -n'
fi

# No package may start a system service: neither the distribution's
# PostgreSQL cluster nor nginx on port 80.
policy=/usr/sbin/policy-rc.d
made_policy=
cleanup() {
	[ -z "$made_policy" ] || $as_root rm -f "$policy"
}
trap cleanup EXIT
trap 'exit 1' HUP INT TERM
if [ ! -e "$policy" ]; then
	made_policy=yes
	printf '#!/bin/sh\nexit 101\n' | $as_root tee "$policy" >/dev/null
	$as_root chmod 755 "$policy"
fi
if ! dpkg-query -W postgresql-common >/dev/null 2>&1 && [ ! -e /etc/postgresql-common/createcluster.conf ]; then
	$as_root mkdir -p /etc/postgresql-common
	echo 'create_main_cluster = false' | $as_root tee /etc/postgresql-common/createcluster.conf >/dev/null
fi

apt() {
	$as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y \
		-o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold "$@" </dev/null >&2
}
without_pages() {
	echo "kith: Node.js and npm could not be installed. The build leaves out the pages /docs and /console." >&2
	exit 0
}
apt update || [ -n "$missing" ] || [ "$1" = newest ] || without_pages
packages=
for item in $missing; do
	if [ "$item" = CLANG-RT ]; then
		name=$(clang_rt)
	else
		name=
		for choice in $(printf '%s' "$item" | tr '|' ' '); do
			if [ -z "$name" ] && apt-cache show "$choice" >/dev/null 2>&1; then
				name=$choice
			fi
		done
		[ -n "$name" ] || name=${item%%|*}
	fi
	packages="$packages $name"
done
# shellcheck disable=SC2086 # words
[ -z "$packages" ] || apt install --no-install-recommends $packages || {
	echo "kith: apt could not install these packages, which are needed:$packages" >&2
	exit 1
}
if [ "$1" = newest ]; then
	# Their dependencies are upgraded too, one level deep, because "postgresql" itself has no program.
	# shellcheck disable=SC2046,SC2086 # words
	newest=$(apt-cache depends --installed $(printf '%s' "$list" | tr '|' ' ' | sed 's/CLANG-RT//') 2>/dev/null |
		sed -n 's/^[ |]*Depends: \([a-z0-9][a-z0-9.+-]*\).*/\1/p; s/^\([a-z0-9][a-z0-9.+-]*\)$/\1/p' | sort -u)
	# shellcheck disable=SC2046,SC2086 # words
	apt install --only-upgrade $(dpkg-query -W -f '${db:Status-Abbrev}${Package}\n' $newest 2>/dev/null |
		sed -n 's/^[ih]i //p' | sort -u) || exit 1
fi
# shellcheck disable=SC2086 # words
[ -z "$extra" ] || apt install --no-install-recommends $extra || without_pages
