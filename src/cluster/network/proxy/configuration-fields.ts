// The fields of KubeProxyConfiguration (kubeproxy.config.k8s.io/v1alpha1): their types and their defaults
// (pkg/proxy/apis/config/v1alpha1/defaults.go).

import { formatGoDuration } from "#cluster/api/duration.ts";
import { flag, type GoType, int32, list, type Struct, struct, text } from "#cluster/api/go-fields.ts";
import type { JsonObject, JsonValue } from "#cluster/api/wire.ts";

type Kind = "text" | "flag" | "int32" | "float32" | "duration" | "texts" | "any";

/** What a field is when nothing is said; of a pointer, nothing is not the same as its zero value. */
type Leaf = readonly [kind: Kind, usual: JsonValue, isPointer?: true];

interface Fields {
  readonly [name: string]: Leaf | Fields;
}

const types: { readonly [kind in Kind]: GoType } = {
  text,
  flag,
  int32,
  float32: { kind: "float32" },
  duration: { kind: "duration" },
  texts: list(text),
  any: { kind: "any" },
};

const second = 1000;
const hour = 3_600 * second;
const noLimits = { text: { infoBufferSize: "0" }, json: { infoBufferSize: "0" } };

const fields: Fields = {
  featureGates: ["any", {}],
  clientConnection: {
    kubeconfig: ["text", ""],
    acceptContentTypes: ["text", ""],
    contentType: ["text", "application/vnd.kubernetes.protobuf"],
    qps: ["float32", 5],
    burst: ["int32", 10],
  },
  logging: ["any", { format: "text", flushFrequency: "5s", verbosity: 0, options: noLimits }],
  hostnameOverride: ["text", ""],
  bindAddress: ["text", "0.0.0.0"],
  healthzBindAddress: ["text", "0.0.0.0:10256"],
  metricsBindAddress: ["text", "127.0.0.1:10249"],
  bindAddressHardFail: ["flag", false],
  enableProfiling: ["flag", false],
  showHiddenMetricsForVersion: ["text", ""],
  mode: ["text", ""],
  iptables: {
    masqueradeBit: ["int32", 14, true],
    masqueradeAll: ["flag", false],
    localhostNodePorts: ["flag", true, true],
    syncPeriod: ["duration", 30 * second],
    minSyncPeriod: ["duration", second],
  },
  ipvs: {
    syncPeriod: ["duration", 30 * second],
    minSyncPeriod: ["duration", 0],
    scheduler: ["text", ""],
    excludeCIDRs: ["texts", []],
    strictARP: ["flag", false],
    tcpTimeout: ["duration", 0],
    tcpFinTimeout: ["duration", 0],
    udpTimeout: ["duration", 0],
  },
  nftables: {
    masqueradeBit: ["int32", 14, true],
    masqueradeAll: ["flag", false],
    syncPeriod: ["duration", 30 * second],
    minSyncPeriod: ["duration", second],
  },
  winkernel: {
    networkName: ["text", ""],
    sourceVip: ["text", ""],
    enableDSR: ["flag", false],
    rootHnsEndpointName: ["text", ""],
    forwardHealthCheckVip: ["flag", false],
  },
  detectLocalMode: ["text", ""],
  detectLocal: { bridgeInterface: ["text", ""], interfaceNamePrefix: ["text", ""] },
  clusterCIDR: ["text", ""],
  nodePortAddresses: ["texts", []],
  oomScoreAdj: ["int32", -999, true],
  conntrack: {
    maxPerCore: ["int32", 32_768, true],
    min: ["int32", 131_072, true],
    tcpEstablishedTimeout: ["duration", 24 * hour, true],
    tcpCloseWaitTimeout: ["duration", hour, true],
    tcpBeLiberal: ["flag", false],
    udpTimeout: ["duration", 0],
    udpStreamTimeout: ["duration", 0],
  },
  configSyncPeriod: ["duration", 900 * second],
  portRange: ["text", ""],
};

/** A configuration with all of its fields; durations are milliseconds. */
export interface WholeConfiguration {
  readonly clientConnection: { readonly kubeconfig: string; readonly burst: number };
  readonly featureGates: { readonly [gate: string]: boolean };
  readonly hostnameOverride: string;
  readonly bindAddress: string;
  readonly healthzBindAddress: string;
  readonly metricsBindAddress: string;
  readonly enableProfiling: boolean;
  readonly showHiddenMetricsForVersion: string;
  readonly mode: string;
  readonly iptables: ModeFields & { readonly localhostNodePorts: boolean };
  readonly nftables: ModeFields;
  readonly ipvs: SyncFields & {
    readonly scheduler: string;
    readonly excludeCIDRs: readonly string[];
    readonly tcpTimeout: number;
    readonly tcpFinTimeout: number;
    readonly udpTimeout: number;
  };
  readonly detectLocalMode: string;
  readonly detectLocal: { readonly bridgeInterface: string; readonly interfaceNamePrefix: string };
  readonly clusterCIDR: string;
  readonly nodePortAddresses: readonly string[];
  readonly oomScoreAdj: number;
  readonly conntrack: {
    readonly maxPerCore: number;
    readonly min: number;
    readonly tcpEstablishedTimeout: number;
    readonly tcpCloseWaitTimeout: number;
    readonly udpTimeout: number;
    readonly udpStreamTimeout: number;
  };
  readonly configSyncPeriod: number;
  readonly portRange: string;
}

interface SyncFields {
  readonly syncPeriod: number;
  readonly minSyncPeriod: number;
}

interface ModeFields extends SyncFields {
  readonly masqueradeBit: number;
  readonly masqueradeAll: boolean;
}

/** Upstream's names of the structs that fields are in. */
const structNames: { readonly [field: string]: string } = {
  clientConnection: "v1alpha1.ClientConnectionConfiguration",
  iptables: "v1alpha1.KubeProxyIPTablesConfiguration",
  ipvs: "v1alpha1.KubeProxyIPVSConfiguration",
  nftables: "v1alpha1.KubeProxyNFTablesConfiguration",
  winkernel: "v1alpha1.KubeProxyWinkernelConfiguration",
  detectLocal: "v1alpha1.DetectLocalConfiguration",
  conntrack: "v1alpha1.KubeProxyConntrackConfiguration",
};

function isLeaf(entry: Leaf | Fields): entry is Leaf {
  return Array.isArray(entry);
}

export const configurationShape: Struct = structOf("v1alpha1.KubeProxyConfiguration", fields, { apiVersion: text, kind: text });

function structOf(name: string, entries: Fields, more: Struct["fields"] = {}): Struct {
  const typed = Object.entries(entries).map(([field, entry]): [string, GoType] => [
    field,
    isLeaf(entry) ? types[entry[0]] : structOf(structNames[field] ?? field, entry),
  ]);
  return struct(name, { ...more, ...Object.fromEntries(typed) });
}

export function withDefaults(given: JsonObject): WholeConfiguration {
  return filled(fields, given) as unknown as WholeConfiguration;
}

function filled(entries: Fields, given: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(entries).map(([name, entry]): [string, JsonValue] => {
      const value = given[name];
      if (!isLeaf(entry)) return [name, filled(entry, (value ?? {}) as JsonObject)];
      const [, usual, isPointer] = entry;
      const isSaid = value !== undefined && (isPointer === true || (value !== "" && value !== 0));
      return [name, isSaid ? value : usual];
    }),
  );
}

/** Paths of fields that say something else than usual; `ipvs.strictARP`. */
export function unusualFields(whole: WholeConfiguration): readonly string[] {
  return unusual(fields, whole as unknown as JsonObject, "");
}

function unusual(entries: Fields, whole: JsonObject, before: string): readonly string[] {
  return Object.entries(entries).flatMap(([name, entry]) => {
    const value = whole[name] as JsonValue;
    if (!isLeaf(entry)) return unusual(entry, value as JsonObject, `${before}${name}.`);
    return JSON.stringify(value) === JSON.stringify(entry[1]) || isKubeadms(name, value) ? [] : [`${before}${name}`];
  });
}

/** What kubeadm writes for nothing. */
function isKubeadms(name: string, value: JsonValue): boolean {
  const nothing = { flushFrequency: 0, options: { json: noLimits.json, text: noLimits.text }, verbosity: 0 };
  return name === "logging" && JSON.stringify(value) === JSON.stringify(nothing);
}

/** As JSON has it. */
export function printedConfiguration(whole: WholeConfiguration): JsonObject {
  return printed(fields, whole as unknown as JsonObject);
}

function printed(entries: Fields, whole: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(entries).map(([name, entry]): [string, JsonValue] => {
      const value = whole[name] as JsonValue;
      if (!isLeaf(entry)) return [name, printed(entry, value as JsonObject)];
      if (entry[0] === "duration") return [name, formatGoDuration(value as number)];
      if (name === "logging" && isKubeadms(name, value)) return [name, entry[1]];
      return [name, Array.isArray(value) && value.length === 0 ? null : value];
    }),
  );
}
