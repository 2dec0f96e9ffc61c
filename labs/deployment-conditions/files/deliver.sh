kubectl set image deployment/"$1" "web=$2"
kubectl get deployment "$1"
echo "$1: delivered"
