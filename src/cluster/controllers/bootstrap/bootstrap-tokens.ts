// The Secrets of bootstrap tokens as the controllers read them (k8s.io/cluster-bootstrap/token).

import type { Secret } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { tryParseTime } from "#cluster/api/time.ts";

export const tokenNamespace = "kube-system";
const tokenType = "bootstrap.kubernetes.io/token";
const namePrefix = "bootstrap-token-";

export interface BootstrapToken {
  readonly id: string;
  readonly secret: string;
  /** Undefined: never; a time that cannot be read is long past. */
  readonly expiresMs: number | undefined;
  /** May sign kube-public/cluster-info. */
  readonly isForSigning: boolean;
}

export function isBootstrapToken({ type, metadata }: Stored<Secret>): boolean {
  return type === tokenType && metadata.namespace === tokenNamespace;
}

/** Undefined when the name, the id and the secret do not make a token. */
export function bootstrapTokenOf({ metadata, data }: Stored<Secret>): BootstrapToken | undefined {
  const value = (key: string): string => decoded(data?.[key]);
  const id = value("token-id");
  const secret = value("token-secret");
  if (id === "" || secret === "" || metadata.name !== `${namePrefix}${id}`) return undefined;
  return { id, secret, expiresMs: expirationOf(data), isForSigning: value("usage-bootstrap-signing") === "true" };
}

export function expirationOf(data: Secret["data"]): number | undefined {
  const text = decoded(data?.["expiration"]);
  return text === "" ? undefined : (tryParseTime(text) ?? 0);
}

function decoded(base64: string | undefined): string {
  try {
    return atob(base64 ?? "");
  } catch {
    return "";
  }
}
