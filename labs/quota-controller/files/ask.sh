# sh ask.sh PATH: what kube-controller-manager answers on its node to the ServiceAccount inspector, which may read /configz.
ssh control-plane "curl -sk -H 'Authorization: Bearer $(kubectl create token inspector)' https://localhost:10257$1"
