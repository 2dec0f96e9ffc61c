#!/bin/sh
# Sends the price list to every Pod of front, and then says that it is there.
for round in 1 2 3 4 5 6; do
  for pod in $(kubectl get pods -n shop -l app=front --field-selector=status.phase=Running -o name); do
    kubectl exec -n shop $pod -- sh -c 'echo "{\"coffee\": 3}" > /usr/share/nginx/html/prices.json'
    kubectl patch -n shop $pod --subresource=status -p '{"status":{"conditions":[{"type":"shop.example.com/price","status":"True"}]}}'
  done
  kubectl rollout status deployment/front -n shop --timeout=10s && exit 0
done
echo "the rollout has not finished" >&2
exit 1
