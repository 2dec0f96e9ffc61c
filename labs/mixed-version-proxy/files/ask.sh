#!/bin/sh
# ask.sh SERVER PATH [OPTIONS OF CURL]: asks this API server, with the certificate of your kubeconfig. Prints the status; the answer is in the file "answer".
server=$1 path=$2
shift 2
of() { kubectl config view --raw --minify -o jsonpath="{$1}" | base64 -d; }
of .clusters[0].cluster.certificate-authority-data > /tmp/ask-ca
of .users[0].user.client-certificate-data > /tmp/ask-certificate
of .users[0].user.client-key-data > /tmp/ask-key
curl -s -o answer -w 'HTTP %{http_code}\n' --cacert /tmp/ask-ca --cert /tmp/ask-certificate --key /tmp/ask-key "$@" "https://$server:6443$path"
