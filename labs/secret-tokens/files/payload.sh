# What a ServiceAccount token on the standard input says: whose it is, and for how many minutes.
jq -cR 'split(".")[1] | gsub("-";"+") | gsub("_";"/") | @base64d | fromjson | {sub, minutes: (if .exp then (.exp - .iat) / 60 else null end)}'
