#!/bin/sh
# What the tests need beside a JDK: installed where that is possible, named in a sentence where not.
set -eu

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
[ -n "$missing$spared" ] || exit 0

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  packages=$(printf '%s' "$missing$spared" | sed 's/ node/ nodejs/')
  echo "Installing what the tests need:$packages"
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq >/dev/null
  # shellcheck disable=SC2086
  apt-get install -qq -y --no-install-recommends $packages >/dev/null
  exit 0
fi

if [ -n "$missing" ]; then
  echo "The tests need these programs, which this machine lacks; please install them:$missing" >&2
  exit 1
fi
echo "Not installed, so some tests are left out:$spared"
