// The kubeconfig that leads a real client to the port.

/** Plain HTTP on loopback: clients send no credentials, and the port stands for the administrator. */
export function kubeconfigFor(port: number): string {
  return `apiVersion: v1
kind: Config
clusters:
- cluster:
    server: http://127.0.0.1:${port}
  name: pilothouse
contexts:
- context:
    cluster: pilothouse
    user: kubernetes-admin
  name: kubernetes-admin@pilothouse
current-context: kubernetes-admin@pilothouse
users:
- name: kubernetes-admin
  user: {}
`;
}
