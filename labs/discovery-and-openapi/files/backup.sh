#!/bin/sh
# Saves the namespace museum into backup/, one file a type.
mkdir -p backup
for type in pods replicasets.apps deployments.apps services; do
  kubectl get "$type" -n museum -o yaml > "backup/$type.yaml"
done
