#!/bin/sh
# Runs the pumps while this program holds the Lease "pumps". Two programs that pump at once let a tank run over.
url=https://$KUBERNETES_SERVICE_HOST:$KUBERNETES_SERVICE_PORT/apis/coordination.k8s.io/v1/namespaces/pumps/leases/pumps
account=/var/run/secrets/kubernetes.io/serviceaccount

api() { curl -sS --max-time 3 --cacert $account/ca.crt -H "Authorization: Bearer $(cat $account/token)" -o answer -w '%{http_code}' "$@"; }
field() { sed -n "s/^ *\"$1\": \"\{0,1\}\([^\",]*\).*/\1/p" answer; }

cd /tmp
last=$(($(date +%s) / 10))
while sleep 2; do
  now=$(date +%s)
  leading=
  if [ "$(api $url)" = 200 ]; then
    version=$(field resourceVersion)
    if [ "$version" != "$seen" ]; then seen=$version changed=$now; fi
    holder=$(field holderIdentity)
    count=$(field leaseTransitions)

    mine=
    if [ "$holder" = "$IDENTITY" ]; then
      mine=yes
    elif [ -z "$holder" ] || [ $((now - changed)) -gt "$(field leaseDurationSeconds)" ]; then
      mine=yes count=$((count + 1))
    fi

    if [ -n "$mine" ]; then
      spec="{\"holderIdentity\":\"$IDENTITY\",\"renewTime\":\"$(date -u +%FT%T.000000Z)\",\"leaseTransitions\":${count:-0}}"
      body="{\"metadata\":{\"resourceVersion\":\"$version\"},\"spec\":$spec}"
      code=$(api -X PATCH -H 'Content-Type: application/merge-patch+json' -d "$body" $url)
      if [ "$code" = 200 ]; then leading=yes; fi
    fi
  else
    sed -n 's/^ *"message": //p' answer
  fi

  turn=$((now / 10))
  if [ "$turn" != "$last" ]; then
    last=$turn
    if [ -n "$leading" ]; then echo "$(date -u -d @$((turn * 10)) +%T) ${ACTION:-pumps on}"; fi
  fi
done
