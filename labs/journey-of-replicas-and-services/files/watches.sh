# sh watches.sh RESOURCE: who has watched it in all namespaces, and with which field selector, says the audit log.
ssh control-plane "grep '\"verb\":\"watch\"' /var/log/kubernetes/audit/audit.log" | jq -r --arg resource "$1" '
  select(.objectRef.resource == $resource and .objectRef.namespace == null)
  | .user.username + " " + (.requestURI | if test("fieldSelector") then sub(".*fieldSelector="; "") | sub("&.*"; "") else "all" end)' |
  sed 's/%3D/=/' | sort | uniq -c
