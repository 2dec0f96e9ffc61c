// VolumeBinding: bound volumes must be reached from the node, and claims that waited for a Pod get their volume with it
// (pkg/scheduler/framework/plugins/volumebinding).

import type { PersistentVolume, PersistentVolumeClaim, Pod, StorageClass } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { keyOf, type Stored, splitKey } from "#cluster/api/objects.ts";
import { compareQuantities, parseQuantity } from "#cluster/api/quantity.ts";
import type { Client } from "#cluster/client/client.ts";
import type { Informer } from "#cluster/client/informer.ts";
import type { InformerFactory } from "#cluster/client/informer-factory.ts";
import { isReason } from "#cluster/client/retry.ts";
import { classOfClaim, noProvisioner, waitsForConsumer } from "#cluster/volumes/classes.ts";
import { annotations, type Claim, findMatchingVolume, hasAnnotation, referenceTo, type Volume } from "#cluster/volumes/matching.ts";
import { claimsOf } from "#cluster/volumes/pod-claims.ts";
import {
  type ClusterEvent,
  type FilterPreparation,
  type Plugin,
  type PreBinding,
  PreBindingError,
  type Rejection,
  skip,
} from "../framework.ts";
import { lateHints } from "../late-hints.ts";
import type { NodeInfo } from "../node-info.ts";
import { matchesNodeSelector } from "../node-selector.ts";
import type { PodInfo } from "../pod-info.ts";
import { knownClaims } from "./pod-claims.ts";
import { matchesTopologies } from "./topologies.ts";

const name = "VolumeBinding";
const reasons = {
  affinity: "node(s) didn't match PersistentVolume's node affinity",
  noVolume: "node(s) didn't find available persistent volumes to bind",
  missing: "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)",
} as const;

type StoredNode = NonNullable<NodeInfo["node"]>;

/** What a node would give to the claims of a Pod that are not bound. */
interface NodeVolumes {
  readonly bindings: readonly { readonly claim: Claim; readonly volume: Volume }[];
  /** To be made by the class's provisioner for this node. */
  readonly provisions: readonly Claim[];
}

interface SortedClaims {
  readonly bound: readonly Claim[];
  readonly waiting: readonly Claim[];
  readonly immediate: readonly Claim[];
}

export class VolumeBinding implements Plugin {
  readonly name = name;
  readonly #client: Client;
  readonly #claims: Informer<PersistentVolumeClaim>;
  readonly #volumes: Informer<PersistentVolume>;
  readonly #classes: Informer<StorageClass>;
  /** Volumes promised to claims of Pods that are being bound: the watch has not told of them yet. */
  readonly #promised = new Set<string>();

  constructor(client: Client, informers: InformerFactory) {
    this.#client = client;
    this.#claims = informers.informer(kinds.persistentVolumeClaims);
    this.#volumes = informers.informer(kinds.persistentVolumes);
    this.#classes = informers.informer(kinds.storageClasses);
  }

  prepareFilter({ pod }: PodInfo): FilterPreparation {
    if (claimsOf(pod).length === 0) return skip;
    const problem = this.#illegalClaim(pod);
    if (problem !== undefined) return reject(problem);
    const sorted = this.#sortClaims(pod);
    if (sorted.immediate.length > 0) return reject("pod has unbound immediate PersistentVolumeClaims");
    return { kind: "filter", filter: (node) => this.#filter(sorted, node) };
  }

  mayHelp(event: ClusterEvent, pod: Stored<Pod>): boolean {
    return lateHints.code.bindingMayHelp(event, pod);
  }

  preBind({ pod }: PodInfo, node: NodeInfo): PreBinding | undefined {
    const { waiting } = this.#sortClaims(pod);
    if (waiting.length === 0 || node.node === undefined) return undefined;
    const found = this.#findVolumes(waiting, node.node);
    if (found === undefined) return undefined;
    const promised = found.bindings.map(({ volume }) => volume.metadata.name);
    for (const volume of promised) this.#promised.add(volume);
    return {
      begin: () => this.#writeBindings(found, node.name),
      isDone: () => this.#isBound(found, node.name),
      end: () => {
        for (const volume of promised) this.#promised.delete(volume);
      },
    };
  }

  /** Why a claim keeps its Pod from being scheduled at all. */
  #illegalClaim(pod: Stored<Pod>): string | undefined {
    for (const { name: claimName, isEphemeral } of claimsOf(pod)) {
      const claim = this.#claims.get(`${pod.metadata.namespace ?? ""}/${claimName}`);
      const quoted = `persistentvolumeclaim "${claimName}"`;
      if (claim === undefined && isEphemeral) return `waiting for ephemeral volume controller to create the ${quoted}`;
      if (claim === undefined) return `${quoted} not found`;
      if (claim.status?.phase === "Lost")
        return `${quoted} bound to non-existent persistentvolume "${claim.spec?.volumeName ?? ""}"`;
      if (claim.metadata.deletionTimestamp !== undefined) return `${quoted} is being deleted`;
      const isOwn = claim.metadata.ownerReferences?.some(({ uid }) => uid === pod.metadata.uid) === true;
      if (isEphemeral && !isOwn) return `PVC ${keyOf(claim)} was not created for pod ${keyOf(pod)} (pod is not owner)`;
    }
    return undefined;
  }

  #sortClaims(pod: Stored<Pod>): SortedClaims {
    const sorted = { bound: [] as Claim[], waiting: [] as Claim[], immediate: [] as Claim[] };
    for (const claim of knownClaims(pod, this.#claims)) {
      const isNamed = (claim.spec?.volumeName ?? "") !== "";
      if (isNamed && hasAnnotation(claim, annotations.bindCompleted)) sorted.bound.push(claim);
      else if (!isNamed && waitsForConsumer(this.#classes.get(classOfClaim(claim)))) sorted.waiting.push(claim);
      else sorted.immediate.push(claim);
    }
    return sorted;
  }

  #filter({ bound, waiting }: SortedClaims, { node }: NodeInfo): Rejection | undefined {
    if (node === undefined) return undefined;
    const volumes = bound.map((claim) => this.#volumes.get(claim.spec?.volumeName ?? ""));
    const found: string[] = [];
    if (volumes.some((volume) => volume !== undefined && !reaches(volume, node))) found.push(reasons.affinity);
    if (waiting.length > 0 && this.#findVolumes(waiting, node) === undefined) found.push(reasons.noVolume);
    if (volumes.includes(undefined)) found.push(reasons.missing);
    return found.length === 0 ? undefined : { plugin: name, reasons: found, unresolvable: true };
  }

  /** Undefined when the node has neither a volume nor a provisioner for one of the claims. */
  #findVolumes(waiting: readonly Claim[], node: StoredNode): NodeVolumes | undefined {
    const bindings: { claim: Claim; volume: Volume }[] = [];
    const provisions: Claim[] = [];
    const excluded = new Set(this.#promised);
    for (const claim of [...waiting].sort(bySize)) {
      const selected = claim.metadata.annotations?.[annotations.selectedNode];
      if (selected !== undefined && selected !== node.metadata.name) return undefined;
      const options = { delaysBinding: true, excluded, node: { node, reaches } };
      const volume = selected === undefined ? findMatchingVolume(this.#volumes.list(), claim, options) : undefined;
      if (volume !== undefined) {
        excluded.add(volume.metadata.name);
        bindings.push({ claim, volume });
      } else if (this.#canProvision(claim, node)) provisions.push(claim);
      else return undefined;
    }
    return { bindings, provisions };
  }

  #canProvision(claim: Claim, node: StoredNode): boolean {
    const storageClass = this.#classes.get(classOfClaim(claim));
    if (storageClass === undefined || storageClass.provisioner === noProvisioner) return false;
    return matchesTopologies(storageClass.allowedTopologies, node.metadata.labels ?? {});
  }

  #writeBindings({ bindings, provisions }: NodeVolumes, nodeName: string): void {
    for (const { claim, volume } of bindings) {
      const isPrebound = volume.spec?.claimRef !== undefined;
      const marks = isPrebound ? {} : { [annotations.boundByController]: "yes" };
      this.#client.update(kinds.persistentVolumes, {
        ...volume,
        metadata: { ...volume.metadata, annotations: { ...volume.metadata.annotations, ...marks } },
        spec: { ...volume.spec, claimRef: referenceTo(claim) },
      });
    }
    for (const claim of provisions) {
      const marks = { [annotations.selectedNode]: nodeName };
      this.#client.update(kinds.persistentVolumeClaims, {
        ...claim,
        metadata: { ...claim.metadata, annotations: { ...claim.metadata.annotations, ...marks } },
      });
    }
  }

  /** Asks the API, as the cache may be ahead of it or behind. */
  #isBound({ bindings, provisions }: NodeVolumes, nodeName: string): boolean {
    const now = (claim: Claim): Claim => {
      try {
        return this.#client.get(kinds.persistentVolumeClaims, splitKey(keyOf(claim)));
      } catch (error) {
        if (!isReason(error, "NotFound")) throw error;
        const text = `persistentvolumeclaim "${claim.metadata.name}" not found`;
        throw new PreBindingError(`binding volumes: failed to check provisioning pvc: ${text}`);
      }
    };
    for (const claim of provisions) {
      const selected = now(claim).metadata.annotations?.[annotations.selectedNode];
      if (selected !== nodeName) throw new PreBindingError(`binding volumes: provisioning failed for PVC "${claim.metadata.name}"`);
    }
    return [...bindings.map(({ claim }) => claim), ...provisions].every((claim) => {
      const current = now(claim);
      return (current.spec?.volumeName ?? "") !== "" && hasAnnotation(current, annotations.bindCompleted);
    });
  }
}

function reject(reason: string): FilterPreparation {
  return { kind: "reject", rejection: { plugin: name, reasons: [reason], unresolvable: true } };
}

function reaches(volume: Volume, node: StoredNode): boolean {
  const required = volume.spec?.nodeAffinity?.required;
  return required === undefined || matchesNodeSelector(required, node);
}

function bySize(a: Claim, b: Claim): number {
  const size = ({ spec }: Claim) => parseQuantity(spec?.resources?.requests?.["storage"] ?? "0");
  return compareQuantities(size(a), size(b));
}
