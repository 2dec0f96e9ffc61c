# Prints the nodes that have given no sign of life for more than 60 s.
kubectl get nodes -o json | jq -r '.items[]
  | (.status.conditions[] | select(.type == "Ready") | .lastHeartbeatTime | fromdate) as $beat
  | select(now - $beat > 60) | .metadata.name'
