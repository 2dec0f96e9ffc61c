# Deletes a Pod, then prints what its containers said, by seconds since the request, and their exit codes
kubectl logs -f $1 --all-containers --prefix --timestamps --since=1s > log.txt &
logs=$!
kubectl get pod $1 -w -o jsonpath='{range .status.containerStatuses[*]}{.name} {.state.terminated.exitCode}, {end}{range .status.initContainerStatuses[*]}{.name} {.state.terminated.exitCode}, {end}{"\n"}' > codes.txt &
codes=$!
sleep 1
start=$(date +%s%3N)
kubectl delete pod "$@"
sort -k 2 log.txt | while read container time text; do
  container=${container##*/}
  printf '%2d s  %-8s %s\n' $((($(date -d $time +%s%3N) - start) / 1000)) ${container%]} "$text"
done
echo "exit codes: $(tail -n 1 codes.txt | sed 's/, $//')"
kill $codes $logs 2>/dev/null
