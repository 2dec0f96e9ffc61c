# The node whose controller manager leads, and how often the leader has changed.
kubectl get lease kube-controller-manager -n kube-system -o json |
  jq -r '.spec | "\(.holderIdentity | sub("_.*"; "")) \(.leaseTransitions)"'
