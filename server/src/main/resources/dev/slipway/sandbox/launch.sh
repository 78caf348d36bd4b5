# launch <kept|piped|connected> <working directory> (<number of words> <program> <argument>...)...
#
# Runs programs one after the other while they succeed, the last one in its own place.
#
# The last thing before the program, already inside and already its user, so that variables such as
# LD_PRELOAD never reach anything with more rights. Standard input holds the environment: for each
# variable a line with its name, one with the number of lines of its value, and these; then a dot.
# Where it is connected, what comes after that is the program's to read.
# On descriptor 3 it says that the program is about to be run, or why not.
slipway_launch_output=$1
cd -- "$2" || exit 125
shift 2
unset LC_ALL PWD OLDPWD
slipway_launch_newline='
'
while IFS= read -r slipway_launch_name && [ "$slipway_launch_name" != . ]; do
  IFS= read -r slipway_launch_lines
  IFS= read -r slipway_launch_value
  while [ "$slipway_launch_lines" -gt 1 ]; do
    IFS= read -r slipway_launch_line
    slipway_launch_value=$slipway_launch_value$slipway_launch_newline$slipway_launch_line
    slipway_launch_lines=$((slipway_launch_lines - 1))
  done
  export "$slipway_launch_name=$slipway_launch_value"
done
# The server died while it wrote: half an environment is none.
[ "$slipway_launch_name" = . ] || exit 125
unset slipway_launch_name slipway_launch_lines slipway_launch_value slipway_launch_line
unset slipway_launch_newline
[ "$slipway_launch_output" = connected ] || exec </dev/null
unset slipway_launch_output
case $2 in
  */*) [ -f "$2" ] && [ -x "$2" ] ;;
  *) command -v -- "$2" >/dev/null ;;
esac || {
  echo "refused" >&3
  exit 127
}
echo "started" >&3
exec 3>&-
# What eval reads is numbers alone: "${2}" "${3}" and so on.
while [ "$#" -gt "$(($1 + 1))" ]; do
  slipway_launch_words=
  slipway_launch_word=2
  while [ "$slipway_launch_word" -le "$(($1 + 1))" ]; do
    slipway_launch_words="$slipway_launch_words \"\${$slipway_launch_word}\""
    slipway_launch_word=$((slipway_launch_word + 1))
  done
  eval "$slipway_launch_words" || exit "$?"
  shift "$(($1 + 1))"
done
shift
exec "$@"
