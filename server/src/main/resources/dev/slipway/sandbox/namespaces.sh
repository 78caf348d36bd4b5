# namespaces <overlay options> <app> <tmp> <home> <covered>... -- <read-only>... -- <program>...
#
# The first process of its process namespace, in a mount namespace of its own: arranges the files
# as far as plain mounts go, then runs the program and answers its exit status. The app and its
# directories appear below /mnt; <covered> are hidden; <read-only> are seen even below those.
exec 4<&0 </dev/null
set -e
room=/mnt
options=$1 app=$2 tmp=$3 home=$4
shift 4
mount -t tmpfs -o mode=0755,size=1m tmpfs "$room"
mkdir "$room/app" "$room/home" "$room/tmp" "$room/.kept"
if [ "$options" = - ]; then
  mount --bind "$app" "$room/app"
else
  mount -t overlay -o "$options" overlay "$room/app"
fi
mount --bind "$home" "$room/home"
mount --bind "$tmp" "$room/tmp"

# Two passes over what is read-only: put by before its parents are hidden, put back afterwards.
put_by() {
  while [ "$1" != -- ]; do shift; done
  shift
  number=0
  while [ "$1" != -- ]; do
    mkdir "$room/.kept/$number"
    mount --bind "$1" "$room/.kept/$number"
    number=$((number + 1))
    shift
  done
}
put_by "$@"
while [ "$1" != -- ]; do
  mount -t tmpfs -o mode=0711,size=1m tmpfs "$1"
  shift
done
shift
number=0
while [ "$1" != -- ]; do
  mkdir -p "$1"
  mount --bind "$room/.kept/$number" "$1"
  mount -o remount,bind,ro "$1"
  umount "$room/.kept/$number"
  number=$((number + 1))
  shift
done
shift
mount --bind "$room/tmp" /tmp
mount -t proc proc /proc
set +e
"$@" <&4 4<&- &
exec 3>&- 4<&-
wait "$!"
