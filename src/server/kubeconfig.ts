// The kubeconfig that leads a real client to the port.

import type { DoorCertificates } from "./certificates.ts";

/** Without certificates the port speaks plain HTTP: clients send no credentials and are the administrator. */
export function kubeconfigFor(port: number, certificates?: DoorCertificates): string {
  const scheme = certificates === undefined ? "http" : "https";
  const authority = certificates === undefined ? "" : `    certificate-authority-data: ${base64(certificates.authorityPem)}\n`;
  const user =
    certificates === undefined
      ? "  user: {}\n"
      : `  user:
    client-certificate-data: ${base64(certificates.administrator.certificatePem)}
    client-key-data: ${base64(certificates.administrator.keyPem)}
`;
  return `apiVersion: v1
kind: Config
clusters:
- cluster:
${authority}    server: ${scheme}://127.0.0.1:${port}
  name: pilothouse
contexts:
- context:
    cluster: pilothouse
    user: kubernetes-admin
  name: kubernetes-admin@pilothouse
current-context: kubernetes-admin@pilothouse
users:
- name: kubernetes-admin
${user}`;
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}
