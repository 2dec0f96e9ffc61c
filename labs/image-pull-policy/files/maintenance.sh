#!/bin/bash
# sh maintenance.sh begin | sh maintenance.sh end
if [ "$1" = begin ]; then
  for node in node-1 node-2 node-3; do
    ssh $node 'echo 127.0.0.1 registry.lab.example >> /etc/hosts'
  done
  kubectl run probe --image=registry.lab.example:5000/shop/probe:v1 -- sleep 36000
elif [ "$1" = end ]; then
  for node in node-1 node-2 node-3; do
    ssh $node "sed -i /registry.lab.example/d /etc/hosts"
  done
else
  echo "usage: sh maintenance.sh begin|end"
  exit 1
fi
