# The kind of every volume that a Deployment names, and of those behind claims.
kubectl get deployments -o json | jq -r '.items[] | .metadata.name as $name
  | .spec.template.spec.volumes[]? | "deployment/\($name) \(del(.name) | keys[0])"'
kubectl get persistentvolumes -o json | jq -r '.items[].spec | .claimRef.name as $claim
  | del(.accessModes, .capacity, .claimRef, .mountOptions, .nodeAffinity, .persistentVolumeReclaimPolicy,
    .storageClassName, .volumeAttributesClassName, .volumeMode) | "persistentvolumeclaim/\($claim) \(keys[0])"'
