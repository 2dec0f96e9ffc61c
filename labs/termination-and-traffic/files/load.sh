# Requests to the Service site for so many seconds, about forty a second, counted by their outcome
kubectl exec client -- sh -c "
  end=\$((\$(date +%s) + $1))
  while [ \$(date +%s) -lt \$end ]; do
    curl -s -S -m 1 -o /dev/null http://site && echo ok
    sleep 0.02
  done" 2>&1 | sed 's/ after.*//' | sort | uniq -c
