# slices.sh SERVICE: for each slice, the oldest first, its name, its number of endpoints, and its generation, one more after each write.
kubectl get endpointslices -l kubernetes.io/service-name=$1 --sort-by=.metadata.creationTimestamp -o json |
  jq -r '.items[] | "\(.metadata.name) \(.endpoints | length) \(.metadata.generation)"'
