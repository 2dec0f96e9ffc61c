kubectl get pods -l app=$1 -o jsonpath='{range .items[*]}{.metadata.uid}{"\n"}{end}' | sort
