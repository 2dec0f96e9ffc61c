# sh cable.sh down a1 a2
# sh cable.sh up a1 a2
state=$1
shift
for node in "$@"; do
  port=$(virsh domiflist $node | grep -o 'vnet[0-9]*')
  virsh domif-setlink $node $port $state > /dev/null && echo "$node: $state"
done
