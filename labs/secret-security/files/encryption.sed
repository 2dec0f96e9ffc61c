/^    - kube-apiserver$/a\    - --encryption-provider-config=/etc/kubernetes/enc/enc.yaml
/^    volumeMounts:$/a\    - {mountPath: /etc/kubernetes/enc, name: enc, readOnly: true}
/^  volumes:$/a\  - {name: enc, hostPath: {path: /etc/kubernetes/enc, type: DirectoryOrCreate}}
