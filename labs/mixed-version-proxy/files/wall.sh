#!/bin/sh
# The wall of screens in the control room reads how many Pods "boards" has, in the API version that $API names, from whichever API server it comes to.
url=https://$KUBERNETES_SERVICE_HOST:$KUBERNETES_SERVICE_PORT/apis/$API/namespaces/tram/horizontalpodautoscalers/boards
account=/var/run/secrets/kubernetes.io/serviceaccount

while sleep 5; do
  status=$(curl -s --max-time 3 --cacert $account/ca.crt -H "Authorization: Bearer $(cat $account/token)" -o /dev/null -w '%{http_code}' $url)
  # A server that is starting: the next try comes to another one.
  if [ "$status" != 000 ]; then echo "$(date -u +%T) $API $status"; fi
done
