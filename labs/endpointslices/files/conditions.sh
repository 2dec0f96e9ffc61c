kubectl get endpointslices -l kubernetes.io/service-name=$1 -o json |
  jq -r '.items[].endpoints[]? | "\(.nodeName) ready=\(.conditions.ready) serving=\(.conditions.serving) terminating=\(.conditions.terminating)"' |
  sort
