// The kubeconfig that kubeadm leaves for the administrator.

import { parse } from "yaml";
import type { Certificate } from "#sim/net.ts";
import { authorityCertificate, issue, keyPemOf, pemOf } from "./certificates.ts";

const cluster = "kubernetes";
const user = "kubernetes-admin";

export function adminCertificate(nowMs: number): Certificate {
  return issue({ commonName: user, organizations: ["kubeadm:cluster-admins"], nowMs });
}

export function adminKubeconfig(apiAddress: string, nowMs: number): string {
  const certificate = adminCertificate(nowMs);
  return `apiVersion: v1
clusters:
- cluster:
    certificate-authority-data: ${btoa(pemOf(authorityCertificate(nowMs)))}
    server: https://${apiAddress}
  name: ${cluster}
contexts:
- context:
    cluster: ${cluster}
    user: ${user}
  name: ${user}@${cluster}
current-context: ${user}@${cluster}
kind: Config
users:
- name: ${user}
  user:
    client-certificate-data: ${btoa(pemOf(certificate))}
    client-key-data: ${btoa(keyPemOf(certificate))}
`;
}

interface KubeconfigFile {
  readonly "current-context"?: string;
  readonly contexts?: readonly { readonly name?: string; readonly context?: { readonly namespace?: string } }[];
}

/** The current context of a kubeconfig, and its namespace; empty for a file that cannot be read. */
export function currentContext(text: string): { readonly context: string; readonly namespace: string } {
  let file: KubeconfigFile | null;
  try {
    file = parse(text) as KubeconfigFile | null;
  } catch {
    file = null;
  }
  const context = file?.["current-context"] ?? "";
  const entry = file?.contexts?.find(({ name }) => name === context);
  return { context, namespace: entry?.context?.namespace || "default" };
}
