// Which objects the pods of a node refer to: what its kubelet may read (plugin/pkg/auth/authorizer/node/graph.go). Follows
// the pods' table from where it last looked, when it is asked.

import type { Container, EnvFromSource, PersistentVolume, Pod, Volume } from "#cluster/api/generated/types.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import { keyOf } from "#cluster/api/objects.ts";
import { mirrorAnnotation } from "#cluster/resources/core/pods/pod-annotation-validation.ts";
import type { Store } from "#cluster/storage/store.ts";
import type { Table } from "#cluster/storage/table.ts";

type StoredPod = KubeObject & Pick<Pod, "spec">;
/** What a pod refers to is worked out when it is asked for; a status update leaves it as it is. */
interface NodePod {
  pod: StoredPod;
  references: ReadonlySet<string> | undefined;
}

type Reference = "secrets" | "configmaps" | "persistentvolumeclaims" | "serviceaccounts" | "resourceclaims";

export class NodeReferences {
  readonly #store: Store;
  readonly #pods: Table;
  readonly #byNode = new Map<string, Map<string, NodePod>>();
  #seenRevision = 0;

  constructor(store: Store) {
    this.#store = store;
    this.#pods = store.table("pods");
  }

  /** Whether a pod of `node` is this one. */
  hasPod(node: string, namespace: string, name: string): boolean {
    return (this.#pods.get(`${namespace}/${name}`) as StoredPod | undefined)?.spec?.nodeName === node;
  }

  /** Whether a pod of `node` refers to an object of its namespace. */
  refers(node: string, resource: Reference, namespace: string, name: string): boolean {
    const wanted = `${resource}/${name}`;
    this.#catchUp();
    for (const known of this.#byNode.get(node)?.values() ?? []) {
      if (known.pod.metadata.namespace !== namespace) continue;
      known.references ??= new Set(referencesOf(known.pod));
      if (known.references.has(wanted)) return true;
    }
    return false;
  }

  /** Whether a pod of `node` has a claim that is bound to this volume. */
  refersToVolume(node: string, name: string): boolean {
    const volume = this.#store.table("persistentvolumes").get(name) as (KubeObject & Pick<PersistentVolume, "spec">) | undefined;
    const claim = volume?.spec?.claimRef;
    return claim?.name !== undefined && this.refers(node, "persistentvolumeclaims", claim.namespace ?? "", claim.name);
  }

  #catchUp(): void {
    if (this.#pods.revision === this.#seenRevision) return;
    if (this.#seenRevision < this.#store.compactedRevision) {
      this.#byNode.clear();
      for (const pod of this.#pods.list("") as StoredPod[]) {
        const node = nodeOf(pod);
        if (node !== undefined) this.#add(node, keyOf(pod), pod);
      }
    } else {
      for (const { key, object, previous, deleted } of this.#pods.eventsAfter(this.#seenRevision)) {
        const nodeBefore = (previous as StoredPod | undefined)?.spec?.nodeName;
        const node = deleted ? undefined : nodeOf(object as StoredPod);
        if (nodeBefore !== undefined && nodeBefore !== node) this.#byNode.get(nodeBefore)?.delete(key);
        if (node !== undefined) this.#add(node, key, object as StoredPod);
      }
    }
    this.#seenRevision = this.#pods.revision;
  }

  #add(node: string, key: string, pod: StoredPod): void {
    let ofNode = this.#byNode.get(node);
    if (ofNode === undefined) {
      ofNode = new Map();
      this.#byNode.set(node, ofNode);
    }
    const known = ofNode.get(key);
    if (known === undefined) ofNode.set(key, { pod, references: undefined });
    else {
      if (known.pod.spec !== pod.spec) known.references = undefined;
      known.pod = pod;
    }
  }
}

/** The node that it opens objects to. */
function nodeOf({ spec, metadata }: StoredPod): string | undefined {
  // A mirror pod refers to nothing: it must not open anything to its node.
  if (spec?.nodeName === "" || metadata.annotations?.[mirrorAnnotation] !== undefined) return undefined;
  return spec?.nodeName;
}

/** `secrets/NAME`, `configmaps/NAME` … of everything that a pod names. */
export function* referencesOf(pod: {
  readonly metadata: { readonly name?: string };
  readonly spec?: Pod["spec"];
}): Iterable<string> {
  const { spec } = pod;
  if (spec === undefined) return;
  if (spec.serviceAccountName) yield `serviceaccounts/${spec.serviceAccountName}`;
  for (const { name } of spec.imagePullSecrets ?? []) if (name) yield `secrets/${name}`;
  for (const container of [...(spec.initContainers ?? []), ...(spec.containers ?? []), ...(spec.ephemeralContainers ?? [])]) {
    yield* containerReferences(container as Container);
  }
  for (const volume of spec.volumes ?? []) yield* volumeReferences(volume, pod.metadata.name ?? "");
  for (const { resourceClaimName } of spec.resourceClaims ?? []) if (resourceClaimName) yield `resourceclaims/${resourceClaimName}`;
}

function* containerReferences({ env, envFrom }: Container): Iterable<string> {
  for (const { valueFrom } of env ?? []) {
    if (valueFrom?.secretKeyRef?.name) yield `secrets/${valueFrom.secretKeyRef.name}`;
    if (valueFrom?.configMapKeyRef?.name) yield `configmaps/${valueFrom.configMapKeyRef.name}`;
  }
  for (const source of envFrom ?? []) yield* envFromReferences(source);
}

function* envFromReferences({ secretRef, configMapRef }: EnvFromSource): Iterable<string> {
  if (secretRef?.name) yield `secrets/${secretRef.name}`;
  if (configMapRef?.name) yield `configmaps/${configMapRef.name}`;
}

function* volumeReferences(volume: Volume, podName: string): Iterable<string> {
  const { secret, configMap, projected, persistentVolumeClaim, ephemeral, csi } = volume;
  if (secret?.secretName) yield `secrets/${secret.secretName}`;
  if (configMap?.name) yield `configmaps/${configMap.name}`;
  if (persistentVolumeClaim !== undefined) yield `persistentvolumeclaims/${persistentVolumeClaim.claimName}`;
  if (ephemeral !== undefined) yield `persistentvolumeclaims/${podName}-${volume.name}`;
  for (const source of projected?.sources ?? []) {
    if (source.secret?.name) yield `secrets/${source.secret.name}`;
    if (source.configMap?.name) yield `configmaps/${source.configMap.name}`;
  }
  for (const reference of [csi?.nodePublishSecretRef, volume.cephfs?.secretRef, volume.rbd?.secretRef, volume.iscsi?.secretRef]) {
    if (reference?.name) yield `secrets/${reference.name}`;
  }
  if (volume.azureFile?.secretName) yield `secrets/${volume.azureFile.secretName}`;
}
