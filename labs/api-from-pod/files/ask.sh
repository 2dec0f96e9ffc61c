# Asks the API server for a path, as a program in a Pod does.
# kubectl exec -i POD -- sh -s PATH < ask.sh
dir=/var/run/secrets/kubernetes.io/serviceaccount
curl -s --cacert $dir/ca.crt -H "Authorization: Bearer $(cat $dir/token)" \
  https://kubernetes.default.svc$1
