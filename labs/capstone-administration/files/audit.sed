/^    - kube-apiserver$/a\    - --audit-policy-file=/etc/kubernetes/audit/policy.yaml\n    - --audit-log-path=/var/log/kubernetes/audit/audit.log
/^    volumeMounts:$/a\    - {mountPath: /etc/kubernetes/audit, name: audit, readOnly: true}\n    - {mountPath: /var/log/kubernetes/audit, name: audit-log}
/^  volumes:$/a\  - {name: audit, hostPath: {path: /etc/kubernetes/audit, type: DirectoryOrCreate}}\n  - {name: audit-log, hostPath: {path: /var/log/kubernetes/audit, type: DirectoryOrCreate}}
