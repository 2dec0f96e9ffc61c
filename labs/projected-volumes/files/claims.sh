# Whom a token on the standard input is for, and for how many seconds.
jq -cR 'split(".")[1] | gsub("-";"+") | gsub("_";"/") | @base64d | fromjson | {aud, seconds: (.exp - .iat)}'
