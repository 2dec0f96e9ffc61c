# sh ask.sh HOST/PATH …: asks the controller's node port for each, and prints the code and the program's answer.
for url in "$@"; do
  code=$(curl -s -m 3 -o answer.tmp -w '%{http_code}' -H "Host: ${url%%/*}" "http://node-1:30080/${url#*/}")
  case $code in 200) answer=$(cat answer.tmp) ;; *) answer=- ;; esac
  echo "$url $code $answer"
done
rm -f answer.tmp
