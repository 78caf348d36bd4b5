# way-out <slirp4netns> <argument>...
#
# Connects a network namespace with what is outside of the host, for as long as its standard input
# is open. Something on standard output says that it is; its end without that, that it will not be.
"$@" --ready-fd=3 3>&1 >/dev/null &
child=$!
exec >/dev/null
cat
kill "$child"
