# The address of each Pod of stations that is ready, one a line: what the monitoring asks every minute.
kubectl get endpointslices -l kubernetes.io/service-name=stations --sort-by=.metadata.creationTimestamp -o json |
  jq -r '.items[0].endpoints[] | select(.conditions.ready) | .addresses[0]'
