# The same question three times: without a token, with a false one, with the Pod's.
dir=/var/run/secrets/kubernetes.io/serviceaccount
url=https://kubernetes.default.svc/api/v1/namespaces/bikes/pods
curl -s --cacert $dir/ca.crt $url
curl -s --cacert $dir/ca.crt -H "Authorization: Bearer made-up" $url
curl -s --cacert $dir/ca.crt -H "Authorization: Bearer $(cat $dir/token)" $url
