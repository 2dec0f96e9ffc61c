# Fills the queue: the list given, with twelve orders.
list=${1:-orders}
kubectl exec deploy/queue -- redis-cli del $list
kubectl exec deploy/queue -- redis-cli rpush $list 1001 1002 1003 1004 1005 1006 1007 1008 1009 1010 1011 1012
