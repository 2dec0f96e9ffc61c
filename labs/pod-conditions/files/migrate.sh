# Migrates the data, then says that the migration is done.
kubectl apply -f migrate.yaml
sleep 2
kubectl wait --for=condition=Ready pod -n shop -l job-name=migrate --timeout=60s
kubectl create configmap migrated -n shop
