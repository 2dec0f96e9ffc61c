// What the stages of the pipeline share: the world's clock, the store, the kinds, and the parts that hold state of their own.

import { otherFailure } from "#cluster/api/errors.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import type { ResourceDefinition, WriteFacts } from "#cluster/resources/definition.ts";
import type { Registry } from "#cluster/resources/registry.ts";
import type { EtcdConnection } from "#cluster/storage/etcd-connection.ts";
import type { Store } from "#cluster/storage/store.ts";
import type { Table } from "#cluster/storage/table.ts";
import type { Simulation } from "#sim/simulation.ts";
import type { AdmissionChain } from "./admission/chain.ts";
import type { ServiceAllocators } from "./allocation/service-allocators.ts";
import type { Authorizer } from "./authorization/authorizer.ts";
import type { TolerationSeconds } from "./command-line.ts";
import { carryManagers } from "./field-management.ts";
import { lateRequests } from "./late-requests.ts";
import type { ResourceRequest } from "./resource-request.ts";
import type { ServiceAccountTokens } from "./service-account-tokens.ts";

export interface Machinery {
  readonly simulation: Simulation;
  readonly store: Store;
  readonly etcd: EtcdConnection;
  readonly registry: Registry;
  readonly authorizer: Authorizer;
  /** Another one where the server is started with other plugins. */
  admission: AdmissionChain;
  /** Whether containers may be privileged, as the server's command line says. */
  allowsPrivileged: boolean;
  /** What DefaultTolerationSeconds gives Pods, as the server's command line says. */
  tolerationSeconds: TolerationSeconds;
  readonly allocators: ServiceAllocators;
  readonly tokens: ServiceAccountTokens;
}

export function writeFacts({ simulation }: Machinery, { user }: ResourceRequest): WriteFacts {
  return { nowMs: simulation.nowMs, user };
}

/** Who makes or changes an object is told what its kind, and this cluster, have to say about it. */
export function warnOf(request: ResourceRequest, object: KubeObject, old: KubeObject | undefined): void {
  const { definition, isUnwarned, warnings } = request;
  if (isUnwarned === true) return;
  warnings.push(...(definition.warnings?.(object, old) ?? []));
  if (definition.schemaType !== undefined) warnings.push(...lateRequests.code.unsimulatedWarnings(definition, object, old));
}

export function tableOf(machinery: Machinery, definition: ResourceDefinition): Table {
  return machinery.store.table(machinery.registry.storageOf(definition));
}

/** The key of an object in its table. */
export function storageKey(namespace: string, name: string): string {
  return namespace === "" ? name : `${namespace}/${name}`;
}

/** Below /registry kinds have their plural, but for these. */
const oldKeys: { readonly [plural: string]: string } = {
  nodes: "minions",
  services: "services/specs",
  endpoints: "services/endpoints",
  replicationcontrollers: "controllers",
  ingresses: "ingress",
};

/** Where etcd keeps an object: `/registry/pods/default/web`; custom kinds and those of extensions below their group. */
export function etcdKey({ definition, namespace, name }: ResourceRequest): string {
  const { group, plural, schemaType } = definition;
  const byGroup = schemaType === undefined || group === "apiextensions.k8s.io" || group === "apiregistration.k8s.io";
  return `/registry/${byGroup ? `${group}/${plural}` : (oldKeys[plural] ?? plural)}/${storageKey(namespace, name)}`;
}

/** Stored objects in the form of another version, each converted once. */
const presentedForms = new WeakMap<ResourceDefinition, WeakMap<KubeObject, KubeObject>>();

/** A stored object in the form of the version that is asked for. */
export function presented(definition: ResourceDefinition, stored: KubeObject): KubeObject {
  if (definition.fromStorage === undefined) return stored;
  let forms = presentedForms.get(definition);
  if (forms === undefined) {
    forms = new WeakMap();
    presentedForms.set(definition, forms);
  }
  let form = forms.get(stored);
  if (form === undefined) {
    form = definition.fromStorage(stored);
    carryManagers(form, stored);
    forms.set(stored, form);
  }
  return form;
}

/** The object that a request names, in the request's version. */
export function storedObject(machinery: Machinery, request: ResourceRequest): KubeObject | undefined {
  const stored = tableOf(machinery, request.definition).get(storageKey(request.namespace, request.name));
  return stored === undefined ? undefined : presented(request.definition, stored);
}

/** What etcd takes of one object (`--max-request-bytes`). */
const maxStoredBytes = 1.5 * 1024 * 1024;

/** Writes an object and answers it as the request's version has it, with its new resourceVersion. */
export function writeObject(machinery: Machinery, request: ResourceRequest, key: string, object: KubeObject): KubeObject {
  const { definition, bodyBytes = 0 } = request;
  if (bodyBytes > maxStoredBytes) throw otherFailure(500, "", "etcdserver: request is too large");
  const table = tableOf(machinery, definition);
  const stored = machinery.store.put(table, key, definition.toStorage?.(object) ?? object);
  if (definition.timeToLiveMs !== undefined) expireLater(machinery, table, key, stored, definition.timeToLiveMs);
  return presented(definition, stored);
}

/** Removes the object unless it is written again before its time. */
function expireLater(machinery: Machinery, table: Table, key: string, stored: KubeObject, delayMs: number): void {
  machinery.simulation.after(
    delayMs,
    () => {
      if (table.get(key) === stored) machinery.store.remove(table, key, stored);
    },
    { background: true },
  );
}
