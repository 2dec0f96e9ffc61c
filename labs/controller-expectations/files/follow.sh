# Pods that the API server has, and what the controller last wrote of them, every two seconds: sh follow.sh REPLICASET SECONDS.
for t in $(seq 0 2 $2); do
  pods=$(kubectl get pods -l app=$1 -o json | jq '[.items[] | select(.metadata.deletionTimestamp == null)] | length')
  wrote=$(kubectl get replicaset $1 -o json | jq -r '"replicas \(.status.replicas), generation \(.status.observedGeneration) of \(.metadata.generation)"')
  echo "+${t}s: $pods Pods; status: $wrote"
  sleep 2
done
