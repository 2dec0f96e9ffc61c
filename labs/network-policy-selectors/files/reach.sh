# sh reach.sh [NAMESPACE/]POD URL…: asks from inside the Pod, 3 seconds at most, and prints the answer or why there is none.
from=$1
case $from in */*) namespace="--namespace=${from%%/*}" ;; *) namespace= ;; esac
shift
for url in "$@"; do
  answer=$(kubectl exec $namespace "${from##*/}" -- curl -sS -m 3 "$url" 2>&1 | head -n 1 | sed 's/ after [0-9]* m.*//')
  echo "$from, $url: $answer"
done
