# sh evict.sh <pod>
kubectl create --raw "/api/v1/namespaces/default/pods/$1/eviction" -f - <<END
{"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": "$1"}}
END
