# What the cluster's DNS server has been asked by a Pod in the last ten minutes, and how it answered: sh asked.sh POD
address=$(kubectl get pod "$1" -o jsonpath='{.status.podIP}')
kubectl logs --namespace kube-system --selector k8s-app=kube-dns --since=10m --tail=-1 --timestamps |
  sed -n "s/^\([^ ]*\)Z .* $address:.*\"\([A-Z]*\) IN \([^ ]*\) .*\" \([A-Z]*\) .*/\1 \2 \3 \4/p" |
  sort -s -k1,1 | cut -d ' ' -f 2-
