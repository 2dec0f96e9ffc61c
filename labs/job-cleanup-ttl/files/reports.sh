# Ten reports that succeed, one that fails, one that is still running.
for n in 01 02 03 04 05 06 07 08 09 10; do
  kubectl create job report-$n --image=busybox:1.36 --dry-run=client -o json -- echo report $n |
    jq '.metadata.labels = {team: "reports"}' | kubectl create -f -
done
kubectl create job report-11 --image=busybox:1.36 --dry-run=client -o json -- sh -c 'echo no printer; exit 1' |
  jq '.metadata.labels = {team: "reports"} | .spec.backoffLimit = 0' | kubectl create -f -
kubectl create job report-12 --image=busybox:1.36 --dry-run=client -o json -- sleep 100000 |
  jq '.metadata.labels = {team: "reports"}' | kubectl create -f -
