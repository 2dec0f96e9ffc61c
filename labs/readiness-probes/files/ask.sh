# Thirty requests to the Service, five a second, counted by their outcome
kubectl exec client -- sh -c '
  for i in $(seq 30); do
    wget -q -T 1 -O /dev/null http://catalog && echo ok
    sleep 0.2
  done' 2>&1 | sort | uniq -c
