# supervisor <run directory> <kept|piped|connected> <bytes of an output file> <program> <argument>...
#
# Runs one program and writes down how it ended, whatever becomes of the server that started it.
# Its standard input is the program's environment, read by launch.sh; its standard error is a
# pipe to the server on which launch.sh says whether the program could be started, and where it is
# connected the program complains. Every value is an
# argument or a file; nothing is put together into code. It is read whole before it runs (it is
# shorter than a shell's buffer) and never changed in place, so an upgrade cannot hurt it.
run=$1 output=$2 bytes=$3
shift 3
set -f
umask 077
exec 3>&2 4<&0 2>>"$run/supervisor.log" || exit 1

# Who this is, before anything else. A line without its end counts as not written. Whoever ends
# this run renames its directory first, and then this either fails or has been seen.
start_time() { shift 19; started=$1; }
read -r stat <"/proc/$$/stat" && read -r boot </proc/sys/kernel/random/boot_id || exit 1
start_time ${stat##*) }
echo "$$ $started $boot" >"$run/identity" && [ -e "$run/identity" ] || exit 1

become_program() {
  while IFS= read -r group; do
    echo 0 >"$group/cgroup.procs" || exit 125
  done <"$run/cgroups"
  umask 022
  exec "$@"
}

killed_for_memory() {
  while IFS= read -r group; do
    for events in "$group/memory.events" "$group/memory.oom_control"; do
      [ -r "$events" ] || continue
      while read -r key count; do
        [ "$key" = oom_kill ] && [ "$count" != 0 ] && return 0
      done <"$events"
    done
  done <"$run/cgroups"
  return 1
}

refused_processes() {
  while IFS= read -r group; do
    [ -r "$group/pids.events" ] || continue
    while read -r key count; do
      [ "$key" = max ] && [ "$count" != 0 ] && return 0
    done <"$group/pids.events"
  done <"$run/cgroups"
  return 1
}

# What the program left running. With a process namespace of its own that is nothing.
end_rest() {
  kill -s KILL -- "-$1" 2>/dev/null # the one form that dash takes
  while IFS= read -r group; do
    tries=0
    while [ "$tries" -lt 500 ] && read -r pid <"$group/cgroup.procs"; do
      kill -s KILL "$pid" 2>/dev/null
      tries=$((tries + 1))
      [ "$tries" -lt 20 ] || sleep 0.01
    done
  done <"$run/cgroups"
}

supervise() {
  # A program in the background would get an empty standard input if it were not given.
  if [ "$output" = connected ]; then
    become_program "$@" <&4 2>&3 &
  else
    become_program "$@" <&4 2>&1 &
  fi
  child=$!
  exec 3>&- 4<&-
  echo "$child" >"$run/child"
  wait "$child"
  status=$?
  end_rest "$child"
  limits=
  killed_for_memory && limits=" memory"
  refused_processes && limits="$limits processes"
  echo "$status$limits" >"$run/exit.new"
}

# Keeps the newest two to three files of output, each of exactly so many bytes, so that a file's
# number says where in the output it begins. Without a buffer head writes what it reads at once. A
# full disk ends the capture, never the program.
keep() {
  number=0
  while :; do
    stdbuf -o0 head -c "$bytes" >"$run/output.$number" || exec cat >/dev/null
    [ -s "$run/output.$number" ] || break
    number=$((number + 1))
    [ "$number" -lt 3 ] || rm -f "$run/output.$((number - 3))"
  done
}

if [ "$output" = kept ]; then
  supervise "$@" | keep 3>&- 4<&-
else
  supervise "$@"
fi
set --
while IFS= read -r group; do
  set -- "$@" "$group" "${group%/*}"
done <"$run/cgroups"
[ "$#" -eq 0 ] || rmdir "$@" 2>/dev/null # the upper ones are others' too, and then stay
mv -f "$run/exit.new" "$run/exit"
