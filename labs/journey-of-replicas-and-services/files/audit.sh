# sh audit.sh WORDS: the audited writes that these words are in. Each: second, answer, user, verb, path below the namespace, reason of an event.
ssh control-plane "grep -e '$1' /var/log/kubernetes/audit/audit.log" | jq -r '
  select(.verb | test("create|update|patch|delete"))
  | [.requestReceivedTimestamp[17:23], .responseStatus.code, .user.username, .verb,
      (.requestURI | sub("^.*/namespaces/[^/]*/"; "") | sub("[?].*"; "")), (.requestObject.reason? | values)]
  | map(tostring) | join(" ")'
