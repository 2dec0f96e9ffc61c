// What a name below the cluster's domain asks for (the DNS-based service discovery specification).

export type ClusterName =
  /** A Service, one of its ports (SRV), or one of its endpoints. Empty parts match all. */
  | {
      readonly kind: "service";
      readonly namespace: string;
      readonly service: string;
      readonly port: string;
      readonly protocol: string;
      readonly endpoint: string;
    }
  | { readonly kind: "pod"; readonly namespace: string; readonly dashedAddress: string }
  /** The domain itself, or `svc` or `pod` in it. */
  | { readonly kind: "apex" }
  | { readonly kind: "unknown" };

/** `name` in lower case; undefined outside of the zone. */
export function parseClusterName(name: string, zone: string): ClusterName | undefined {
  if (name === zone) return { kind: "apex" };
  if (!name.endsWith(`.${zone}`)) return undefined;
  const labels = name.slice(0, -zone.length - 1).split(".");
  const kind = labels.pop();
  if (kind !== "svc" && kind !== "pod") return { kind: "unknown" };
  const namespace = labels.pop();
  if (namespace === undefined) return { kind: "apex" };
  const owner = labels.pop() ?? "";
  if (kind === "pod") return labels.length === 0 ? { kind, namespace, dashedAddress: owner } : { kind: "unknown" };
  const base = { kind: "service", namespace, service: owner, port: "", protocol: "", endpoint: "" } as const;
  if (labels.length === 0) return base;
  const [first, second] = labels as [string, string | undefined];
  if (labels.length === 1) return { ...base, endpoint: first };
  if (labels.length > 2) return { kind: "unknown" };
  return { ...base, port: withoutUnderscore(first), protocol: withoutUnderscore(second ?? "") };
}

function withoutUnderscore(label: string): string {
  return label.startsWith("_") ? label.slice(1) : label;
}

/** `1.2.244.10.in-addr.arpa` → `10.244.2.1` */
export function parseReverseName(name: string): string | undefined {
  const match = /^(\d+)\.(\d+)\.(\d+)\.(\d+)\.in-addr\.arpa$/.exec(name);
  return match === null ? undefined : match.slice(1).reverse().join(".");
}

/** `10-244-1-5` → `10.244.1.5` */
export function parseDashedAddress(label: string): string | undefined {
  const parts = label.split("-");
  const isAddress = parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255);
  return isAddress ? parts.join(".") : undefined;
}
