// What stands in configMap, secret, downwardAPI and projected volumes: files by path, with their permissions.

import { aggregateText } from "#cluster/api/aggregate-text.ts";
import { ApiError } from "#cluster/api/errors.ts";
import type {
  ConfigMap,
  DownwardAPIVolumeFile,
  KeyToPath,
  ProjectedVolumeSource,
  Secret,
  Volume,
  VolumeProjection,
} from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { finishedToken } from "#cluster/api/signed-tokens.ts";
import { type Bytes, encodeUtf8 } from "#sim/bytes.ts";
import { type DownwardContext, fieldValue, resourceValue } from "../downward.ts";
import { containersOf, initContainersOf, type StoredPod } from "../pod-spec.ts";

export interface PayloadFile {
  readonly content: string | Bytes;
  readonly permissions: number;
  /** Root's unless stated. */
  readonly uid?: number | undefined;
  /** What programs see in the content's place. */
  readonly finish?: (draft: string) => string;
}

/** Path relative to the volume → file. */
export type Payload = ReadonlyMap<string, PayloadFile>;

/** Why a volume cannot be set up; the text after `STAGE for volume "v" : `. */
export class VolumeError extends Error {
  readonly stage: string;
  /** Where it goes by another name than the Pod's. */
  readonly volume: string | undefined;

  constructor(message: string, stage = "MountVolume.SetUp failed", volume?: string) {
    super(message);
    this.stage = stage;
    this.volume = volume;
  }
}

/** Of a volume that the kubelet does not even try to mount: it waits for none of the Pod's then. */
export function unprocessed(message: string): VolumeError {
  return new VolumeError(message, "");
}

/** It is on its way: the kubelet waits, and tells nobody. */
export class NotYet extends VolumeError {
  constructor() {
    super("");
  }
}

export interface PayloadSources {
  configMap(namespace: string, name: string): Stored<ConfigMap> | undefined;
  secret(namespace: string, name: string): Stored<Secret> | undefined;
  /** The draft of one. Throws VolumeError. */
  token(pod: StoredPod, audience: string | undefined, expirationSeconds: number): string;
}

const defaultMode = 0o644;

export function decodeBase64(text: string): Bytes {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index += 1) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

type Entries = ReadonlyMap<string, string | Bytes>;

function entriesOfConfigMap(object: Stored<ConfigMap>): Entries {
  const entries = new Map<string, string | Bytes>(Object.entries(object.data ?? {}));
  for (const [key, value] of Object.entries(object.binaryData ?? {})) entries.set(key, decodeBase64(value));
  return entries;
}

function entriesOfSecret(object: Stored<Secret>): Entries {
  return new Map(Object.entries(object.data ?? {}).map(([key, value]) => [key, decodeBase64(value)]));
}

interface Selection {
  readonly items: readonly KeyToPath[] | undefined;
  readonly optional: boolean;
  readonly mode: number;
  /** As messages name it. */
  readonly kind: string;
}

function addEntries(payload: Map<string, PayloadFile>, entries: Entries, selection: Selection): void {
  const { items, optional, mode, kind } = selection;
  if (items === undefined) {
    for (const [key, content] of entries) payload.set(key, { content, permissions: mode });
    return;
  }
  for (const item of items) {
    const content = entries.get(item.key);
    if (content !== undefined) payload.set(item.path, { content, permissions: item.mode ?? mode });
    else if (!optional) throw new VolumeError(`references non-existent ${kind} key: ${item.key}`);
  }
}

interface Reference {
  readonly kind: "configmap" | "secret";
  readonly name: string | undefined;
  readonly items?: readonly KeyToPath[] | undefined;
  readonly optional?: boolean | undefined;
  readonly mode: number;
}

function addReference(payload: Map<string, PayloadFile>, pod: StoredPod, reference: Reference, sources: PayloadSources): void {
  const { kind, name = "", items, mode } = reference;
  const namespace = pod.metadata.namespace ?? "";
  const optional = reference.optional === true;
  let entries: Entries | undefined;
  if (kind === "configmap") {
    const object = sources.configMap(namespace, name);
    entries = object === undefined ? undefined : entriesOfConfigMap(object);
  } else {
    const object = sources.secret(namespace, name);
    entries = object === undefined ? undefined : entriesOfSecret(object);
  }
  if (entries === undefined) {
    if (optional) return;
    throw new VolumeError(`${kind} "${name}" not found`);
  }
  addEntries(payload, entries, { items, optional, mode, kind: kind.replace("map", "") });
}

function addDownward(
  payload: Map<string, PayloadFile>,
  items: readonly DownwardAPIVolumeFile[],
  context: DownwardContext,
  mode: number,
): void {
  for (const item of items) {
    const permissions = item.mode ?? mode;
    if (item.fieldRef !== undefined) {
      payload.set(item.path, { content: fieldValue(context, item.fieldRef.fieldPath), permissions });
    } else if (item.resourceFieldRef !== undefined) {
      const all = [...containersOf(context.pod), ...initContainersOf(context.pod)];
      const own = all.find((each) => each.name === item.resourceFieldRef?.containerName);
      if (own === undefined) throw new VolumeError(`container ${item.resourceFieldRef.containerName ?? ""} not found`);
      payload.set(item.path, { content: resourceValue(item.resourceFieldRef, own, context), permissions });
    }
  }
}

/** Each source that is wrong is told. */
function addProjected(
  payload: Map<string, PayloadFile>,
  source: ProjectedVolumeSource,
  context: DownwardContext,
  sources: PayloadSources,
): void {
  const faults: string[] = [];
  for (const projection of source.sources ?? []) {
    try {
      addProjection(payload, projection, source.defaultMode ?? defaultMode, context, sources);
    } catch (error) {
      if (!(error instanceof VolumeError || error instanceof ApiError)) throw error;
      faults.push(error.message);
    }
  }
  if (faults.length > 0) throw new VolumeError(aggregateText(faults));
}

function addProjection(
  payload: Map<string, PayloadFile>,
  { configMap, secret, downwardAPI, serviceAccountToken, ...others }: VolumeProjection,
  mode: number,
  context: DownwardContext,
  sources: PayloadSources,
): void {
  const { pod } = context;
  if (configMap !== undefined) addReference(payload, pod, { kind: "configmap", name: configMap.name, ...configMap, mode }, sources);
  else if (secret !== undefined) addReference(payload, pod, { kind: "secret", name: secret.name, ...secret, mode }, sources);
  else if (downwardAPI !== undefined) addDownward(payload, downwardAPI.items ?? [], context, mode);
  else if (serviceAccountToken !== undefined) {
    const { path, audience, expirationSeconds = 3600 } = serviceAccountToken;
    const uid = userOf(pod);
    const isNarrow = uid !== undefined || pod.spec?.securityContext?.fsGroup !== undefined;
    const permissions = isNarrow ? 0o600 : mode;
    payload.set(path, {
      content: sources.token(pod, audience, Number(expirationSeconds)),
      permissions,
      uid,
      finish: finishedToken,
    });
  } else throw new VolumeError(`projected source ${Object.keys(others)[0] ?? "(empty)"} is not simulated`);
}

/** The user that all containers of a pod run as, where each of them says so and they agree (FsUserFrom): tokens are its own. */
function userOf(pod: StoredPod): number | undefined {
  const users = new Set(
    [...initContainersOf(pod), ...containersOf(pod)].map(
      ({ securityContext }) => securityContext?.runAsUser ?? pod.spec?.securityContext?.runAsUser,
    ),
  );
  const [user] = users;
  return users.size === 1 && user !== undefined ? Number(user) : undefined;
}

/** Undefined for volumes that are not made of files from the API. Throws VolumeError. */
export function payloadOf(volume: Volume, context: DownwardContext, sources: PayloadSources): Payload | undefined {
  const payload = new Map<string, PayloadFile>();
  const { configMap, secret, downwardAPI, projected } = volume;
  if (configMap !== undefined) {
    const { name, items, optional, defaultMode: mode = defaultMode } = configMap;
    addReference(payload, context.pod, { kind: "configmap", name, items, optional, mode }, sources);
  } else if (secret !== undefined) {
    const { secretName: name, items, optional, defaultMode: mode = defaultMode } = secret;
    addReference(payload, context.pod, { kind: "secret", name, items, optional, mode }, sources);
  } else if (downwardAPI !== undefined) {
    addDownward(payload, downwardAPI.items ?? [], context, downwardAPI.defaultMode ?? defaultMode);
  } else if (projected !== undefined) {
    addProjected(payload, projected, context, sources);
  } else return undefined;
  return payload;
}

/** Whether two payloads would write the same files. */
export function isSamePayload(a: Payload, b: Payload): boolean {
  if (a.size !== b.size) return false;
  for (const [path, file] of a) {
    const other = b.get(path);
    if (other === undefined || other.permissions !== file.permissions || !isSameContent(file.content, other.content)) return false;
  }
  return true;
}

function isSameContent(a: string | Bytes, b: string | Bytes): boolean {
  if (typeof a === "string" && typeof b === "string") return a === b;
  const left = typeof a === "string" ? encodeUtf8(a) : a;
  const right = typeof b === "string" ? encodeUtf8(b) : b;
  return left.length === right.length && left.every((byte, index) => byte === right[index]);
}
