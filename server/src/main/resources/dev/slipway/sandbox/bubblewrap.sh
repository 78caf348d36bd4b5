# bubblewrap <seccomp filter> <overlay options> <mount point> <bwrap> <argument>...
#
# What bubblewrap cannot do itself, in a mount namespace of its own where there is something to
# mount: a dash for the options stands for no overlay, one for the filter for none.
[ "$1" = - ] || exec 5<"$1"
[ "$2" = - ] || mount -t overlay -o "$2" overlay "$3" || exit 125
shift 3
exec "$@"
