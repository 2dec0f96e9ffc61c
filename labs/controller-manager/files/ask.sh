# What the controller manager of a node answers: sh ask.sh NODE PATH. Its port 10257 listens on that node only.
pki=/etc/kubernetes/pki/apiserver-kubelet-client
ssh $1 "curl -ks --cert $pki.crt --key $pki.key 'https://127.0.0.1:10257$2'"
