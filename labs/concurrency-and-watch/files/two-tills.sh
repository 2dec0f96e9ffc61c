# An empty railcar; then both tills sell five seats each, one by one, at the same time.
kubectl patch configmap railcar -n museum -p '{"data":{"left":"40","desk":"0","web":"0"}}'
for till in desk web; do
  for ticket in 1 2 3 4 5; do sh sell.sh $till 1; done &
done
wait
kubectl get configmap railcar -n museum -o jsonpath='left: {.data.left}, desk: {.data.desk}, web: {.data.web}{"\n"}'
