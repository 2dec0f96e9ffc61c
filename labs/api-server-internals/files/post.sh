# sh post.sh TOKEN FILE
curl -s --cacert ca.crt -o answer.json -w '%{http_code} ' \
  -H "Authorization: Bearer $1" -H 'Content-Type: application/json' \
  --data-binary @$2 https://172.18.0.2:6443/api/v1/namespaces/apiary/pods
jq -r '.message // "\(.kind) \(.metadata.name)"' answer.json
