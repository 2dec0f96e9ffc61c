// Bootstrap tokens, with which new nodes ask to join: `abcdef.0123456789abcdef`, kept in Secrets of kube-system
// (plugin/pkg/auth/authenticator/token/bootstrap).

import type { Secret } from "#cluster/api/generated/types.ts";
import { tryParseTime } from "#cluster/api/time.ts";
import type { UserInfo } from "#cluster/client/client.ts";
import type { Store } from "#cluster/storage/store.ts";

const tokenPattern = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;
const groupPattern = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;
const bootstrapGroup = "system:bootstrappers";
const secretType = "bootstrap.kubernetes.io/token";

/** The user of a bootstrap token that is good now; undefined for every other text. */
export function bootstrapUser(store: Store, nowMs: number, token: string): UserInfo | undefined {
  const [, id, secretPart] = tokenPattern.exec(token) ?? [];
  if (id === undefined) return undefined;
  const secret = store.table("secrets").get(`kube-system/bootstrap-token-${id}`);
  if (secret === undefined || secret.metadata.deletionTimestamp !== undefined || secret["type"] !== secretType) return undefined;
  const values = (secret["data"] ?? {}) as NonNullable<Secret["data"]>;
  const value = (key: string): string => decoded(values[key]);
  if (value("token-id") !== id || value("token-secret") !== secretPart) return undefined;
  if (hasExpired(value("expiration"), nowMs) || value("usage-bootstrap-authentication") !== "true") return undefined;
  const groups = value("auth-extra-groups")
    .split(",")
    .filter((group) => group !== "");
  if (!groups.every((group) => groupPattern.test(group))) return undefined;
  return { name: `system:bootstrap:${id}`, groups: [...new Set([bootstrapGroup, ...groups])].sort() };
}

/** A time that cannot be read counts as past. */
function hasExpired(expiration: string, nowMs: number): boolean {
  return expiration !== "" && (tryParseTime(expiration) ?? 0) <= nowMs;
}

function decoded(base64: string | undefined): string {
  try {
    return atob(base64 ?? "");
  } catch {
    return "";
  }
}
