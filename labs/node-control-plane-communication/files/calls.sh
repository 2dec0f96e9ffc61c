cd /var/run/secrets/kubernetes.io/serviceaccount
api=https://kubernetes.default.svc
code() { curl -s -o /dev/null -w '%{http_code}\n' --cacert ca.crt "$@"; }
code -H "Authorization: Bearer $(cat token)" $api/version
code $api/version
code -H 'Authorization: Bearer wrong' $api/version
