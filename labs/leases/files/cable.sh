# sh cable.sh down node-1
# sh cable.sh up node-1
state=$1
shift
for node in "$@"; do
  port=$(virsh domiflist $node | grep -o 'vnet[0-9]*')
  virsh domif-setlink $node $port $state > /dev/null && echo "$node: $state"
done
