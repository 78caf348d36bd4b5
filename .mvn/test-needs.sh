#!/bin/sh
# What the tests need beside a JDK: installed where that is possible, named in a sentence where not.
set -eu

# Keeps the services of packages down while they are installed; one of ours that a killed run left goes.
policy=/usr/sbin/policy-rc.d
mark='# of .mvn/test-needs.sh'
if grep -qsxF "$mark" "$policy"; then
  rm -f "$policy" || true
fi

missing=
for program in git node npm curl python3; do
  command -v "$program" >/dev/null 2>&1 || missing="$missing $program"
done
# The standard library's own, which Debian packs apart.
python3 -c 'import ensurepip, venv' >/dev/null 2>&1 || missing="$missing python3-venv"
# What the tests can do without: those that need one of these are left out where it is missing.
spared=
command -v bwrap >/dev/null 2>&1 || spared="$spared bubblewrap"
command -v git-lfs >/dev/null 2>&1 || spared="$spared git-lfs"
command -v slirp4netns >/dev/null 2>&1 || spared="$spared slirp4netns"
[ -x /usr/sbin/mariadbd ] || spared="$spared mariadb-server"
[ -x /usr/lib/postgresql/15/bin/postgres ] || spared="$spared postgresql-15"
[ -x /usr/bin/chromium ] || spared="$spared chromium"
[ -n "$missing$spared" ] || exit 0

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  export DEBIAN_FRONTEND=noninteractive
  apt-get -o DPkg::Lock::Timeout=300 update -qq >/dev/null
  packages=$(printf '%s' "$missing" | sed 's/ node/ nodejs/')
  # Not every version of the distribution has all of them.
  left_out=
  for package in $spared; do
    if apt-cache show "$package" >/dev/null 2>&1; then
      packages="$packages $package"
    else
      left_out="$left_out $package"
    fi
  done
  if [ -n "$packages" ]; then
    echo "Installing what the tests need:$packages"
    # The tests start servers of their own.
    if [ ! -e "$policy" ]; then
      trap 'rm -f "$policy"' EXIT
      trap 'exit 1' HUP INT TERM
      printf '#!/bin/sh\n%s\nexit 101\n' "$mark" >"$policy"
      chmod 755 "$policy"
    fi
    # shellcheck disable=SC2086
    apt-get -o DPkg::Lock::Timeout=300 install -qq -y --no-install-recommends $packages >/dev/null
  fi
  [ -z "$left_out" ] || echo "Not to be had here, so some tests are left out:$left_out"
  exit 0
fi

if [ -n "$missing" ]; then
  echo "The tests need these programs, which this machine lacks; please install them:$missing" >&2
  exit 1
fi
echo "Not installed, so some tests are left out:$spared"
