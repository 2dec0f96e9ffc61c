# sh release.sh SERVICE: the addresses that a release waits for, one a line.
kubectl get endpoints "$1" -o jsonpath='{range .subsets[*].addresses[*]}{.ip}{"\n"}{end}'
