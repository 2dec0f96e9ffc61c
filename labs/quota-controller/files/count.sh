# sh count.sh QUOTA: Pods used, Pods allowed, and who wrote the first number last.
kubectl get resourcequota "$1" -o json --show-managed-fields | jq -r '
  [.status.used.pods, .status.hard.pods, (.metadata.managedFields[] | select(.fieldsV1["f:status"]["f:used"]["f:pods"]?) | .manager)] | join(" ")'
