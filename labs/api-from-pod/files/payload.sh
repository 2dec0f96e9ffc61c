# What a token on the standard input says: whose it is, for whom, of which Pod, and for how many minutes.
jq -cR 'split(".")[1] | gsub("-";"+") | gsub("_";"/") | @base64d | fromjson
  | {sub, aud, pod: ."kubernetes.io".pod.name, minutes: ((.exp - .iat) / 60)} | del(.[] | nulls)'
