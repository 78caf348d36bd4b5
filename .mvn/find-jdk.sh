# Sourced by mvnw and slipway: finds a JDK 25 or newer and exports it as JAVA_HOME.
# Looks at JAVA_HOME, the java on PATH, the system's folders and the usual version managers.

# Prints the major version of the JDK in $1; fails where there is none, or no compiler.
jdk_major() {
  [ -x "$1/bin/javac" ] && [ -r "$1/release" ] || return 1
  sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release"
}

find_jdk() {
  on_path=
  if command -v java >/dev/null 2>&1; then
    on_path=$(readlink -f "$(command -v java)" 2>/dev/null || :)
    on_path=${on_path%/bin/java}
  fi
  for jdk in "${JAVA_HOME:-}" "$on_path" \
    /usr/lib/jvm/* /usr/java/* /opt/java/* /opt/jdk* /opt/*jdk* \
    "$HOME"/.sdkman/candidates/java/* "$HOME"/.jdks/* "$HOME"/.jabba/jdk/* \
    "$HOME"/.asdf/installs/java/* "$HOME"/.local/share/mise/installs/java/* "$HOME"/.jenv/versions/* \
    /Library/Java/JavaVirtualMachines/*/Contents/Home; do
    major=$(jdk_major "$jdk") || continue
    if [ "${major:-0}" -ge 25 ]; then
      printf '%s\n' "$jdk"
      return 0
    fi
  done
  return 1
}

HOME=${HOME:-/}
if JAVA_HOME=$(find_jdk); then
  export JAVA_HOME
else
  echo "Slipway needs a JDK 25 or newer and found none: install one (for example Eclipse Temurin 25) or set JAVA_HOME to it." >&2
  exit 1
fi
