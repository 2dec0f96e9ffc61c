# sh follow.sh SERVICE: a line for each write of its Endpoints object, from now on: addresses | notReadyAddresses.
kubectl get endpoints "$1" --watch -o jsonpath='{.subsets[*].addresses[*].ip} | {.subsets[*].notReadyAddresses[*].ip}{"\n"}' 2>/dev/null
