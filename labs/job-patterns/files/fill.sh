# Fills the queue: the list concerts, with six items.
kubectl exec deploy/queue -- redis-cli del concerts
kubectl exec deploy/queue -- redis-cli rpush concerts arena harbour theatre garden cellar dome
