# network <address>... -- <address>...
#
# Keeps a network namespace for as long as its standard input is open, which the server's death
# closes too. What runs in it must not reach the first addresses: they are the host's own. The others
# are the namespace's own too, as there will be doors at them.
ip link set lo up || exit 1
while [ "$1" != "--" ]; do
  ip route add prohibit "$1" || exit 1
  shift
done
shift
for address in "$@"; do
  case $address in
    127.*) ;;
    *) ip address replace "$address/32" dev lo || exit 1 ;;
  esac
done
echo ready
exec cat
