# The code with which the API server answers the workstation, with a token from the standard input.
kubectl get configmap kube-root-ca.crt -o jsonpath='{.data.ca\.crt}' > ca.crt
curl -s -o /dev/null -w '%{http_code}\n' --cacert ca.crt -H "Authorization: Bearer $(cat)" \
  https://172.18.0.2:6443/api/v1/namespaces/bikes/pods
