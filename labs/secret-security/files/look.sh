# sh look.sh weather/tiles-db
pki=/etc/kubernetes/pki/etcd
ssh control-plane etcdctl --cacert=$pki/ca.crt --cert=$pki/server.crt --key=$pki/server.key get /registry/secrets/$1
