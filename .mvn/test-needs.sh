#!/bin/sh
# What the tests need beside a JDK: installed where that is possible, named in a sentence where not.
set -eu

missing=
for program in git node npm curl python3; do
  command -v "$program" >/dev/null 2>&1 || missing="$missing $program"
done
# The standard library's own, which Debian packs apart.
python3 -c 'import ensurepip, venv' >/dev/null 2>&1 || missing="$missing python3-venv"
command -v bwrap >/dev/null 2>&1 || missing="$missing bubblewrap"
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  packages=$(printf '%s' "$missing" | sed 's/ node/ nodejs/')
  echo "Installing what the tests need:$packages"
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq >/dev/null
  # shellcheck disable=SC2086
  apt-get install -qq -y --no-install-recommends $packages >/dev/null
  exit 0
fi

# Without bubblewrap the tests of that level of isolation are left out; the others still run.
if [ "$missing" != " bubblewrap" ]; then
  echo "The tests need these programs, which this machine lacks; please install them:$missing" >&2
  exit 1
fi
echo "bubblewrap is not installed: the strongest isolation is not tested here."
