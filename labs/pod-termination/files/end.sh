# Deletes a Pod, then prints how long it took to end, and the exit code
kubectl get pod $1 -w -o jsonpath='{.status.containerStatuses[0].state.terminated.exitCode}{"\n"}' > code.txt &
sleep 1
start=$(date +%s%3N)
kubectl delete pod "$@"
echo "$((($(date +%s%3N) - start + 500) / 1000)) s, exit code $(tail -n 1 code.txt)"
kill $!
