// A container's environment: services of the namespace, then envFrom, then env, with $(VAR) expanded in order.

import type { ConfigMap, Container, EnvVar, Secret, Service } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { asciiLowerCase, asciiUpperCase } from "#sim/ascii.ts";
import { decodeUtf8 } from "#sim/bytes.ts";
import { type DownwardContext, fieldValue, resourceValue } from "./downward.ts";
import { expand } from "./expansion.ts";

/** Why a container cannot be configured; the waiting message of CreateContainerConfigError. */
export class ConfigError extends Error {}

export interface EnvironmentSources {
  /** Undefined: does not exist. */
  configMap(namespace: string, name: string): Stored<ConfigMap> | undefined;
  secret(namespace: string, name: string): Stored<Secret> | undefined;
  services(namespace: string): Iterable<Stored<Service>>;
}

export interface Environment {
  readonly values: ReadonlyMap<string, string>;
  /** Names in envFrom that are no names for variables, by source. */
  readonly skipped: readonly { readonly source: string; readonly keys: readonly string[] }[];
}

function variableName(name: string): string {
  return asciiUpperCase(name).replaceAll("-", "_");
}

/** Of each version of a Service: every container that starts in its namespace gets them. */
const knownVariables = new WeakMap<Stored<Service>, ReadonlyMap<string, string>>();

function variablesOf(service: Stored<Service>): ReadonlyMap<string, string> {
  let known = knownVariables.get(service);
  if (known === undefined) {
    known = workOutVariables(service);
    knownVariables.set(service, known);
  }
  return known;
}

function workOutVariables(service: Stored<Service>): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  const address = service.spec?.clusterIP;
  const ports = service.spec?.ports ?? [];
  const first = ports[0];
  if (address === undefined || address === "" || address === "None" || first === undefined) return values;
  const prefix = variableName(service.metadata.name);
  values.set(`${prefix}_SERVICE_HOST`, address);
  values.set(`${prefix}_SERVICE_PORT`, String(first.port));
  for (const port of ports) {
    if (port.name !== undefined && port.name !== "")
      values.set(`${prefix}_SERVICE_PORT_${variableName(port.name)}`, String(port.port));
  }
  const urlHost = address.includes(":") ? `[${address}]` : address;
  for (const [index, port] of ports.entries()) {
    const protocol = asciiLowerCase(port.protocol ?? "TCP");
    const url = `${protocol}://${urlHost}:${port.port}`;
    if (index === 0) values.set(`${prefix}_PORT`, url);
    const portPrefix = `${prefix}_PORT_${port.port}_${asciiUpperCase(protocol)}`;
    values.set(portPrefix, url);
    values.set(`${portPrefix}_PROTO`, protocol);
    values.set(`${portPrefix}_PORT`, String(port.port));
    values.set(`${portPrefix}_ADDR`, address);
  }
  return values;
}

function serviceVariables(context: DownwardContext, sources: EnvironmentSources): Map<string, string> {
  const { pod } = context;
  const namespace = pod.metadata.namespace ?? "";
  const values = new Map<string, string>();
  const all = new Map<string, Stored<Service>>();
  for (const service of sources.services("default")) if (service.metadata.name === "kubernetes") all.set("kubernetes", service);
  if (pod.spec?.enableServiceLinks !== false) {
    for (const service of sources.services(namespace)) all.set(service.metadata.name, service);
  }
  for (const service of all.values()) for (const [name, value] of variablesOf(service)) values.set(name, value);
  return values;
}

function decodeSecret(value: string): string {
  const binary = atob(value);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index);
  return decodeUtf8(bytes);
}

type Data = { readonly [key: string]: string };

function configMapData(
  namespace: string,
  name: string,
  optional: boolean | undefined,
  sources: EnvironmentSources,
): Data | undefined {
  const found = sources.configMap(namespace, name);
  if (found !== undefined) return found.data ?? {};
  if (optional === true) return undefined;
  throw new ConfigError(`configmap "${name}" not found`);
}

function secretData(namespace: string, name: string, optional: boolean | undefined, sources: EnvironmentSources): Data | undefined {
  const found = sources.secret(namespace, name);
  if (found !== undefined) return found.data ?? {};
  if (optional === true) return undefined;
  throw new ConfigError(`secret "${name}" not found`);
}

function referenced(
  variable: EnvVar,
  container: Container,
  context: DownwardContext,
  sources: EnvironmentSources,
): string | undefined {
  const { pod } = context;
  const namespace = pod.metadata.namespace ?? "";
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = variable.valueFrom ?? {};
  if (fieldRef !== undefined) return fieldValue(context, fieldRef.fieldPath);
  if (resourceFieldRef !== undefined) return resourceValue(resourceFieldRef, container, context);
  if (configMapKeyRef !== undefined) {
    const name = configMapKeyRef.name ?? "";
    const data = configMapData(namespace, name, configMapKeyRef.optional, sources);
    const value = data?.[configMapKeyRef.key];
    if (value !== undefined || configMapKeyRef.optional === true) return value;
    throw new ConfigError(`couldn't find key ${configMapKeyRef.key} in ConfigMap ${namespace}/${name}`);
  }
  if (secretKeyRef !== undefined) {
    const name = secretKeyRef.name ?? "";
    const data = secretData(namespace, name, secretKeyRef.optional, sources);
    const value = data?.[secretKeyRef.key];
    if (value !== undefined) return decodeSecret(value);
    if (secretKeyRef.optional === true) return undefined;
    throw new ConfigError(`couldn't find key ${secretKeyRef.key} in Secret ${namespace}/${name}`);
  }
  if (fileKeyRef !== undefined) throw new ConfigError("fileKeyRef is not simulated");
  return undefined;
}

/** Throws ConfigError. */
export function environmentOf(container: Container, context: DownwardContext, sources: EnvironmentSources): Environment {
  const namespace = context.pod.metadata.namespace ?? "";
  const values = serviceVariables(context, sources);
  const skipped: { source: string; keys: string[] }[] = [];
  if (container.envFrom === undefined && container.env === undefined) return { values, skipped };
  for (const from of container.envFrom ?? []) {
    const { configMapRef, secretRef } = from;
    let data: Data | undefined;
    if (configMapRef !== undefined) data = configMapData(namespace, configMapRef.name ?? "", configMapRef.optional, sources);
    else if (secretRef !== undefined) data = secretData(namespace, secretRef.name ?? "", secretRef.optional, sources);
    for (const key of Object.keys(data ?? {}).sort()) {
      const value = (data as Data)[key] as string;
      values.set(`${from.prefix ?? ""}${key}`, configMapRef !== undefined ? value : decodeSecret(value));
    }
  }
  const own = new Map<string, string>();
  const known = new Map(values);
  for (const variable of container.env ?? []) {
    const value =
      variable.valueFrom === undefined ? expand(variable.value ?? "", known) : referenced(variable, container, context, sources);
    if (value === undefined) continue;
    own.set(variable.name, value);
    known.set(variable.name, value);
  }
  for (const [name, value] of own) values.set(name, value);
  return { values, skipped };
}
