# Keeps five Pods swarms-…: six passes, 4 seconds apart. The list is renewed every third pass; one pass makes four Pods at most.
wanted=5
: > keeper.log
for pass in 1 2 3 4 5 6; do
  if [ $((pass % 3)) = 1 ]; then kubectl get pods -l app=swarms -o name > copy.txt; fi
  seen=$(wc -l < copy.txt)
  missing=$((wanted - seen))
  if [ $missing -gt 4 ]; then missing=4; fi
  if [ $missing -lt 0 ]; then missing=0; fi
  echo "pass $pass: sees $seen, makes $missing" | tee -a keeper.log
  for n in $(seq 1 $missing); do kubectl create -f swarm.yaml > made.txt; done
  sleep 4
done
