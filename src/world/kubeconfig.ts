// The kubeconfig that kubeadm leaves for the administrator.

import { isList, isObject, type JsonValue } from "#cluster/api/wire.ts";
import { parseYaml, YamlSyntaxError } from "#cluster/api/yaml-text.ts";
import { traditionalKeyPem } from "#x509/keys.ts";
import { type Credentials, clusterAuthority } from "./pki/cluster-pki.ts";

const cluster = "kubernetes";
const user = "kubernetes-admin";

export function adminKubeconfig(apiAddress: string, { certificate, key }: Credentials): string {
  return `apiVersion: v1
clusters:
- cluster:
    certificate-authority-data: ${btoa(clusterAuthority.pem)}
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
    client-certificate-data: ${btoa(certificate.pem)}
    client-key-data: ${btoa(traditionalKeyPem(key))}
`;
}

/** The current context of a kubeconfig, and its namespace; empty for a file that cannot be read. */
export function currentContext(text: string): { readonly context: string; readonly namespace: string } {
  const file = contentOf(text);
  const context = textAt(file, "current-context");
  const contexts = at(file, "contexts");
  const entry = isList(contexts) ? contexts.find((one) => textAt(one, "name") === context) : undefined;
  return { context, namespace: textAt(at(entry, "context"), "namespace") || "default" };
}

function contentOf(text: string): JsonValue | undefined {
  try {
    return parseYaml(text).value;
  } catch (error) {
    if (error instanceof YamlSyntaxError) return undefined;
    throw error;
  }
}

/** A field of what may be no object at all: learners write into this file. */
function at(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return isObject(value) ? value[name] : undefined;
}

function textAt(value: JsonValue | undefined, name: string): string {
  const text = at(value, name);
  return typeof text === "string" ? text : "";
}
