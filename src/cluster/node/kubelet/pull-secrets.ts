// The registry credentials that a Pod brings along: its imagePullSecrets, looked up in its own namespace.

import { decodeUtf8 } from "#sim/bytes.ts";
import { type Keyring, keyringOf } from "./images/keyring.ts";
import type { KubeletParts } from "./parts.ts";
import type { StoredPod } from "./pod-spec.ts";

function decoded(base64: string): string {
  return decodeUtf8(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
}

/** Names missing secrets in one event; the pull is tried all the same. */
export function pullSecretKeyring(parts: KubeletParts, pod: StoredPod): Keyring {
  const missing: string[] = [];
  const entries: Keyring[number][] = [];
  for (const { name = "" } of pod.spec?.imagePullSecrets ?? []) {
    const secret = parts.references.secret(pod.metadata.namespace ?? "", name);
    const data = secret?.data;
    if (secret === undefined) missing.push(name);
    else if (secret.type === "kubernetes.io/dockerconfigjson") {
      entries.push(...keyringOf(decoded(data?.[".dockerconfigjson"] ?? ""), "config.json"));
    } else if (secret.type === "kubernetes.io/dockercfg") {
      entries.push(...keyringOf(decoded(data?.[".dockercfg"] ?? ""), "dockercfg"));
    }
  }
  if (missing.length > 0) {
    parts.recorder.warning(
      pod,
      "FailedToRetrieveImagePullSecret",
      `Unable to retrieve some image pull secrets (${missing.join(", ")}); attempting to pull the image may not succeed.`,
    );
  }
  return entries;
}
