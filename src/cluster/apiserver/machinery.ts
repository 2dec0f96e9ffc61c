// What the stages of the pipeline share: the world's clock, the store, the kinds, and the parts that hold state of their own.

import { otherFailure } from "#cluster/api/errors.ts";
import { groupVersionOf, type KubeObject } from "#cluster/api/objects.ts";
import type { ResourceDefinition, WriteFacts } from "#cluster/resources/definition.ts";
import type { Registry } from "#cluster/resources/registry.ts";
import type { EtcdConnection } from "#cluster/storage/etcd-connection.ts";
import type { Store } from "#cluster/storage/store.ts";
import type { Table } from "#cluster/storage/table.ts";
import type { Simulation } from "#sim/simulation.ts";
import type { AdmissionChain } from "./admission/chain.ts";
import type { WebhookAnswers } from "./admission/dynamic/webhook-answers.ts";
import type { ServiceAllocators } from "./allocation/service-allocators.ts";
import type { Authorizer } from "./authorization/authorizer.ts";
import type { TolerationSeconds } from "./command-line.ts";
import { carryManagers } from "./field-management.ts";
import { lateRequests } from "./late-requests.ts";
import type { ServerLog } from "./log.ts";
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
  /** While its process runs. */
  log?: ServerLog | undefined;
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

/** Whether a kind is stored as JSON below its group, as custom kinds and those of extensions are. */
export function isStoredByGroup({ group, schemaType }: ResourceDefinition): boolean {
  return schemaType === undefined || group === "apiextensions.k8s.io" || group === "apiregistration.k8s.io";
}

/** Below which key etcd keeps a kind's objects: `/registry/pods/`. */
export function etcdFolder(definition: ResourceDefinition): string {
  const { group, plural } = definition;
  return `/registry/${isStoredByGroup(definition) ? `${group}/${plural}` : (oldKeys[plural] ?? plural)}/`;
}

/** Where etcd keeps an object: `/registry/pods/default/web`. */
export function etcdKey({ definition, namespace, name }: ResourceRequest): string {
  return etcdFolder(definition) + storageKey(namespace, name);
}

type Forms = WeakMap<KubeObject, KubeObject>;

/** Stored objects in the form of another version, each converted once. */
const presentedForms = new WeakMap<ResourceDefinition, Forms>();
/** Those of kinds that a webhook converts, for one request. */
const formsOfRequests = new WeakMap<WebhookAnswers, Forms>();

function formsIn<K extends object>(known: WeakMap<K, Forms>, key: K): Forms {
  let forms = known.get(key);
  if (forms === undefined) {
    forms = new WeakMap();
    known.set(key, forms);
  }
  return forms;
}

/** A stored object in the form of the version that is asked for. `answers`: of the request, where a webhook converts. */
export function presented(definition: ResourceDefinition, stored: KubeObject, answers?: WebhookAnswers): KubeObject {
  return definition.fromStorage === undefined ? stored : formOf(definition, stored, formsIn(presentedForms, definition), answers);
}

function formOf(definition: ResourceDefinition, stored: KubeObject, forms: Forms, answers?: WebhookAnswers): KubeObject {
  let form = forms.get(stored);
  if (form === undefined) {
    const converted = definition.converter?.convert(stored, groupVersionOf(definition), answers) ?? stored;
    form = definition.fromStorage?.(converted) ?? converted;
    carryManagers(form, stored);
    forms.set(stored, form);
  }
  return form;
}

/** Several objects, with one question to whoever converts; what was converted before stays so, as in the server's caches. */
export function presentedAll(
  definition: ResourceDefinition,
  objects: readonly KubeObject[],
  answers?: WebhookAnswers,
): readonly KubeObject[] {
  if (definition.fromStorage === undefined) return objects;
  const forms = formsIn(presentedForms, definition);
  const { converter } = definition;
  converter?.require(
    objects.filter((object) => !forms.has(object)),
    groupVersionOf(definition),
    answers,
  );
  return objects.map((object) => formOf(definition, object, forms, answers));
}

/** As etcd is read for one object: a webhook is asked anew by each request. */
export function presentedTo({ definition, answers }: ResourceRequest, stored: KubeObject): KubeObject {
  if (definition.converter === undefined || answers === undefined) return presented(definition, stored, answers);
  return formOf(definition, stored, formsIn(formsOfRequests, answers), answers);
}

/** An object of the request's version as it is stored. */
export function storedForm({ definition, answers }: ResourceRequest, object: KubeObject): KubeObject {
  const { converter } = definition;
  const converted = converter?.convert(object, converter.storageVersion, answers) ?? object;
  return definition.toStorage?.(converted) ?? converted;
}

/** What would be read again of an object that a dry run does not write: the stored version has defaults of its own. */
export function throughStorage(request: ResourceRequest, object: KubeObject): KubeObject {
  return request.definition.toStorage === undefined ? object : presentedTo(request, storedForm(request, object));
}

/** Whether the object that a request names is there. */
export function isStored(machinery: Machinery, { definition, namespace, name }: ResourceRequest): boolean {
  return tableOf(machinery, definition).get(storageKey(namespace, name)) !== undefined;
}

/** The object that a request names, in the request's version. */
export function storedObject(machinery: Machinery, request: ResourceRequest): KubeObject | undefined {
  const table = tableOf(machinery, request.definition);
  const stored = table.get(storageKey(request.namespace, request.name));
  if (stored === undefined) return undefined;
  machinery.store.encryption?.open(table, stored);
  return presentedTo(request, stored);
}

/** What etcd takes of one object (`--max-request-bytes`). */
const maxStoredBytes = 1.5 * 1024 * 1024;

/** Writes an object and answers it as the request's version has it, with its new resourceVersion. */
export function writeObject(machinery: Machinery, request: ResourceRequest, key: string, object: KubeObject): KubeObject {
  const { definition, bodyBytes = 0 } = request;
  if (bodyBytes > maxStoredBytes) throw otherFailure(500, "", "etcdserver: request is too large");
  const table = tableOf(machinery, definition);
  const stored = machinery.store.put(table, key, storedForm(request, object));
  if (definition.timeToLiveMs !== undefined) expireLater(machinery, table, key, stored, definition.timeToLiveMs);
  return presentedTo(request, stored);
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
