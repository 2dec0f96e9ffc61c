// The registry credentials that a Pod brings along: its imagePullSecrets, looked up in its own namespace
// (kubelet's getPullSecretsForPod, pkg/credentialprovider/secrets).

import { decodeUtf8 } from "#sim/bytes.ts";
import type { Keyring, TrackedCredentials } from "./images/keyring.ts";
import { lateKeyring } from "./images/late-keyring.ts";
import type { KubeletParts } from "./parts.ts";
import type { StoredPod } from "./pod-spec.ts";
import type { Task } from "./task.ts";

function decoded(base64: string): string {
  return decodeUtf8(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
}

/** Names missing secrets in one event, at every look at the pod; pulls are tried all the same. */
export function warnOfMissingPullSecrets(parts: KubeletParts, pod: StoredPod): void {
  const named = pod.spec?.imagePullSecrets;
  if (named === undefined || named.length === 0) return;
  const isMissing = (name: string): boolean =>
    name !== "" && parts.references.secret(pod.metadata.namespace ?? "", name) === undefined;
  const missing = named.flatMap(({ name = "" }) => (isMissing(name) ? [name] : []));
  if (missing.length === 0) return;
  parts.recorder.warning(
    pod,
    "FailedToRetrieveImagePullSecret",
    `Unable to retrieve some image pull secrets (${missing.join(", ")}); attempting to pull the image may not succeed.`,
  );
}

/** All of the pod's secrets in one keyring; other types than docker's are left out. Throws KeyringError. */
export function pullSecretKeyring(parts: KubeletParts, pod: StoredPod): Keyring {
  const namespace = pod.metadata.namespace ?? "";
  return (pod.spec?.imagePullSecrets ?? []).flatMap(({ name = "" }) => {
    const secret = parts.references.secret(namespace, name);
    if (secret === undefined) return [];
    const source = { namespace, name, uid: secret.metadata.uid };
    const text = (key: string): string => decoded(secret.data?.[key] ?? "");
    if (secret.type === "kubernetes.io/dockerconfigjson")
      return lateKeyring.code.keyringOf(text(".dockerconfigjson"), "config.json", source);
    return secret.type === "kubernetes.io/dockercfg" ? lateKeyring.code.keyringOf(text(".dockercfg"), "dockercfg", source) : [];
  });
}

/** The pod's own, then the node's, then those of plugins. */
export function* imageCredentials(parts: KubeletParts, pod: StoredPod, repository: string): Task<readonly TrackedCredentials[]> {
  const { nodeKeyring, credentialPlugins } = parts;
  const keyrings = [pullSecretKeyring(parts, pod), nodeKeyring.entries()];
  if (credentialPlugins !== undefined) keyrings.push(yield* credentialPlugins.keyring(repository));
  return keyrings.flatMap((keyring) => (keyring.length === 0 ? [] : lateKeyring.code.credentialsFor(keyring, repository)));
}
