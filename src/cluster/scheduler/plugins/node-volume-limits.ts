// NodeVolumeLimits: no more volumes of a CSI driver on a node than the node's CSINode says (plugins/nodevolumelimits).

import type {
  CSINode,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  StorageClass,
  VolumeAttachment,
} from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { keyOf, type Stored } from "#cluster/api/objects.ts";
import type { Informer } from "#cluster/client/informer.ts";
import type { InformerFactory } from "#cluster/client/informer-factory.ts";
import { classOfClaim, noProvisioner } from "#cluster/volumes/classes.ts";
import { claimsOf } from "#cluster/volumes/pod-claims.ts";
import { type ClusterEvent, type FilterPreparation, type Plugin, type Rejection, rejection, skip } from "../framework.ts";
import { lateHints } from "../late-hints.ts";
import type { NodeInfo } from "../node-info.ts";
import type { PodInfo } from "../pod-info.ts";
import { knownClaims } from "./pod-claims.ts";

const full = rejection("NodeVolumeLimits", "node(s) exceed max volume count");

/** Drivers by what tells one volume from another. */
type Volumes = Map<string, string>;

export class NodeVolumeLimits implements Plugin {
  readonly name = "NodeVolumeLimits";
  readonly #csiNodes: Informer<CSINode>;
  readonly #claims: Informer<PersistentVolumeClaim>;
  readonly #volumes: Informer<PersistentVolume>;
  readonly #classes: Informer<StorageClass>;
  readonly #attachments: Informer<VolumeAttachment>;

  constructor(informers: InformerFactory) {
    this.#csiNodes = informers.informer(kinds.csiNodes);
    this.#claims = informers.informer(kinds.persistentVolumeClaims);
    this.#volumes = informers.informer(kinds.persistentVolumes);
    this.#classes = informers.informer(kinds.storageClasses);
    this.#attachments = informers.informer(kinds.volumeAttachments);
  }

  prepareFilter({ pod }: PodInfo): FilterPreparation {
    const wanted = claimsOf(pod).length === 0 ? new Map<string, string>() : this.#volumesOf(pod);
    return wanted.size === 0 ? skip : { kind: "filter", filter: (node) => this.#filter(wanted, node) };
  }

  mayHelp(event: ClusterEvent, pod: Stored<Pod>): boolean {
    return lateHints.code.limitsMayHelp(event, pod);
  }

  #filter(wanted: Volumes, node: NodeInfo): Rejection | undefined {
    const limits = this.#limitsOf(node.name);
    if (limits.size === 0) return undefined;
    const attached = this.#attachedTo(node);
    const counts = new Map<string, number>();
    for (const driver of attached.values()) counts.set(driver, (counts.get(driver) ?? 0) + 1);
    for (const [volume, driver] of wanted) if (!attached.has(volume)) counts.set(driver, (counts.get(driver) ?? 0) + 1);
    const isOver = (driver: string): boolean => (counts.get(driver) ?? 0) > (limits.get(driver) ?? Number.POSITIVE_INFINITY);
    const added = [...wanted].filter(([volume]) => !attached.has(volume)).map(([, driver]) => driver);
    return added.some(isOver) ? full : undefined;
  }

  /** By driver; those that say nothing have none. */
  #limitsOf(nodeName: string): ReadonlyMap<string, number> {
    const drivers = this.#csiNodes.get(nodeName)?.spec?.drivers ?? [];
    return new Map(
      drivers.flatMap(({ name, allocatable }) => (allocatable?.count === undefined ? [] : [[name, allocatable.count]])),
    );
  }

  /** Those of the node's Pods, and those that are attached without one. */
  #attachedTo(node: NodeInfo): Volumes {
    const attached: Volumes = new Map();
    for (const { pod } of node.pods.values()) for (const [volume, driver] of this.#volumesOf(pod)) attached.set(volume, driver);
    for (const { spec } of this.#attachments.list()) {
      const csi = this.#volumes.get(spec?.source.persistentVolumeName ?? "")?.spec?.csi;
      if (spec?.nodeName === node.name && csi !== undefined) attached.set(`${spec.attacher}/${csi.volumeHandle}`, spec.attacher);
    }
    return attached;
  }

  #volumesOf(pod: Stored<Pod>): Volumes {
    const found: Volumes = new Map();
    for (const claim of knownClaims(pod, this.#claims)) {
      const [volume, driver] = this.#volumeOf(claim) ?? [];
      if (volume !== undefined && driver !== undefined) found.set(volume, driver);
    }
    return found;
  }

  /** A claim without a volume counts as one of its class's provisioner, which makes it. */
  #volumeOf(claim: Stored<PersistentVolumeClaim>): readonly [string, string] | undefined {
    const volume = this.#volumes.get(claim.spec?.volumeName ?? "");
    if (volume !== undefined) {
      const { csi } = volume.spec ?? {};
      return csi === undefined ? undefined : [`${csi.driver}/${csi.volumeHandle}`, csi.driver];
    }
    const provisioner = this.#classes.get(classOfClaim(claim))?.provisioner ?? "";
    return provisioner === "" || provisioner === noProvisioner ? undefined : [`${provisioner}/${keyOf(claim)}`, provisioner];
  }
}
