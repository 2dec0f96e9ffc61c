# Every evening at 22:00: all boards to 40.
for board in $(kubectl get configmaps -l app=board -o name); do
  kubectl patch $board -p '{"data":{"level":"40"}}'
done
