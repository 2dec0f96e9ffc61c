// ConfigMaps, Secrets and ServiceAccounts.

import type { ConfigMap, Secret, ServiceAccount } from "#cluster/api/generated/types.ts";
import { compareTexts } from "#sim/compare-texts.ts";
import { describeHead, withEvents, withoutEvents } from "./from-object.ts";

function sorted(data: { readonly [key: string]: string } | undefined): readonly (readonly [string, string])[] {
  return Object.entries(data ?? {}).sort(([a], [b]) => compareTexts(a, b));
}

/** How many bytes a base64 text stands for. */
function byteCount(base64: string): number {
  return atob(base64).length;
}

export const describeConfigMap = withEvents<ConfigMap>((out, map) => {
  describeHead(out, map);
  for (const text of ["", "Data", "===="]) out.line(text);
  for (const [key, value] of sorted(map.data)) {
    for (const text of [`${key}:`, "----", value, ""]) out.line(text);
  }
  for (const text of ["", "BinaryData", "===="]) out.line(text);
  for (const [key, value] of sorted(map.binaryData)) out.line(`${key}: ${byteCount(value)} bytes`);
  out.line("");
});

export const describeSecret = withoutEvents<Secret>((out, secret) => {
  describeHead(out, secret);
  out.line("");
  out.field("Type", secret.type ?? "");
  for (const text of ["", "Data", "===="]) out.line(text);
  for (const [key, value] of sorted(secret.data)) {
    const isToken = key === "token" && secret.type === "kubernetes.io/service-account-token";
    out.field(key, isToken ? atob(value) : `${byteCount(value)} bytes`);
  }
});

export const describeServiceAccount = withEvents<ServiceAccount>((out, account) => {
  describeHead(out, account);
  const names = (account.imagePullSecrets ?? []).map(({ name }) => name ?? "");
  if (names.length === 0) out.line("Image pull secrets:\t<none>");
  for (const [index, name] of names.entries()) out.line(`${index === 0 ? "Image pull secrets:" : " ".repeat(19)}\t${name}`);
});
