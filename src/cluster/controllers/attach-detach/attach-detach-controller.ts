// Attaches volumes to the nodes that Pods which use them are bound to, and detaches those that no Pod there uses any more
// (pkg/controller/volume/attachdetach). It attaches volumes of CSI drivers by VolumeAttachments, which the driver's attacher follows.

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import type {
  CSIDriver,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  VolumeAttachment,
} from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { Stored } from "#cluster/api/objects.ts";
import type { Informer } from "#cluster/client/informer.ts";
import { isReason } from "#cluster/client/retry.ts";
import { uniqueName } from "#cluster/csi/driver-names.ts";
import { migratedVolume, withCsiSource } from "#cluster/volumes/migrated.ts";
import { claimsOf } from "#cluster/volumes/pod-claims.ts";
import { encodeUtf8 } from "#sim/bytes.ts";
import type { ControllerContext, ControllerDefinition } from "../context.ts";
import { type Controller, type Requeue, TryAgain, watchRule } from "../controller.ts";
import { conditionStatus } from "../nodes/node-taints.ts";
import { isPodEnded } from "../pods.ts";
import { multiAttachError } from "./multi-attach-error.ts";

const name = "persistentvolume-attach-detach-controller";
/** Its only key: all volumes are looked at together. */
const everything = "volumes";
/** reconcilerLoopPeriod. */
const loopMs = 100;
/** How long a volume may stay mounted that nobody wants, before a node that is not healthy loses it (maxWaitForUnmountDuration). */
const unmountMs = 360_000;
/** How long an attachment may take until it is told as failed (csi: defaultCSITimeout). */
const attachMs = 120_000;
const outOfServiceTaint = "node.kubernetes.io/out-of-service";
const sharedModes: ReadonlySet<string> = new Set(["ReadWriteMany", "ReadOnlyMany"]);

export const attachDetachController: ControllerDefinition = {
  name,
  serviceAccount: "attachdetach-controller",
  eventSource: "attachdetach-controller",
  create: (context) => new AttachDetachController(context),
};

interface Wanted {
  readonly volume: Stored<PersistentVolume>;
  readonly node: string;
  readonly pods: Stored<Pod>[];
}

/** What this process has begun and not ended. */
interface Begun {
  readonly sinceMs: number;
  /** Of the error that was told last. */
  readonly toldTime: string | undefined;
}

type Attachment = Stored<VolumeAttachment>;

class AttachDetachController implements Controller {
  readonly name = name;
  readonly watches;
  readonly #context: ControllerContext;
  readonly #pods: Informer<Pod>;
  readonly #nodes: Informer<Node>;
  readonly #claims: Informer<PersistentVolumeClaim>;
  readonly #volumes: Informer<PersistentVolume>;
  readonly #drivers: Informer<CSIDriver>;
  readonly #attachments: Informer<VolumeAttachment>;
  /** By the names of VolumeAttachments, as those below. */
  readonly #begun = new Map<string, Begun>();
  readonly #detachSinceMs = new Map<string, number>();
  readonly #multiAttachTold = new Set<string>();

  constructor(context: ControllerContext) {
    const { informers } = context;
    this.#context = context;
    this.#pods = informers.informer(kinds.pods);
    this.#nodes = informers.informer(kinds.nodes);
    this.#claims = informers.informer(kinds.persistentVolumeClaims);
    this.#volumes = informers.informer(kinds.persistentVolumes);
    this.#drivers = informers.informer(kinds.csiDrivers);
    this.#attachments = informers.informer(kinds.volumeAttachments);
    const all = [everything];
    const none: readonly string[] = [];
    this.watches = [
      watchRule<Pod>({
        resource: kinds.pods,
        delayMs: loopMs,
        keys: (pod) => ((pod.spec?.nodeName ?? "") !== "" && mayAttach(pod) ? all : none),
      }),
      watchRule<Node>({
        resource: kinds.nodes,
        delayMs: loopMs,
        keys: (node, previous) => (isSameForVolumes(node, previous) ? none : all),
      }),
      watchRule<PersistentVolumeClaim>({ resource: kinds.persistentVolumeClaims, delayMs: loopMs, keys: () => all }),
      watchRule<PersistentVolume>({ resource: kinds.persistentVolumes, delayMs: loopMs, keys: () => all }),
      watchRule<VolumeAttachment>({ resource: kinds.volumeAttachments, delayMs: loopMs, keys: () => all }),
    ];
  }

  reconcile(): Requeue | undefined {
    const wanted = this.#wanted();
    let dueMs = Number.POSITIVE_INFINITY;
    for (const attachment of [...this.#attachments.list()])
      if (!wanted.has(attachment.metadata.name)) dueMs = Math.min(dueMs, this.#detach(attachment));
    for (const [key, one] of wanted) dueMs = Math.min(dueMs, this.#attach(key, one, wanted));
    for (const key of [...this.#begun.keys()]) if (!wanted.has(key)) this.#begun.delete(key);
    for (const key of [...this.#multiAttachTold]) if (!wanted.has(key)) this.#multiAttachTold.delete(key);
    for (const node of this.#nodes.list()) this.#report(node, this.#attachedTo(node.metadata.name));
    if (dueMs === Number.POSITIVE_INFINITY) return undefined;
    return { requeueAfterMs: Math.max(loopMs, dueMs - this.#context.simulation.nowMs), background: true };
  }

  /** What Pods that are bound and have not ended use, by the names of VolumeAttachments. */
  #wanted(): ReadonlyMap<string, Wanted> {
    const wanted = new Map<string, Wanted>();
    for (const pod of this.#pods.list()) {
      const node = pod.spec?.nodeName ?? "";
      if (node === "" || isPodEnded(pod) || this.#nodes.get(node) === undefined) continue;
      for (const volume of this.#volumesOf(pod)) {
        const { csi } = volume.spec ?? {};
        if (csi === undefined || this.#drivers.get(csi.driver)?.spec.attachRequired === false) continue;
        const key = attachmentName(csi.volumeHandle, csi.driver, node);
        const known = wanted.get(key);
        if (known === undefined) wanted.set(key, { volume, node, pods: [pod] });
        else known.pods.push(pod);
      }
    }
    return wanted;
  }

  /** Those behind claims, and what the Pod names itself: of a kind that a driver works for. */
  #volumesOf(pod: Stored<Pod>): readonly Stored<PersistentVolume>[] {
    const claimed = claimsOf(pod).map(({ name: claim }) => this.#volumeOf(`${pod.metadata.namespace ?? ""}/${claim}`));
    const inline = (pod.spec?.volumes ?? []).map(migratedVolume);
    return [...claimed, ...inline].filter((volume) => volume !== undefined);
  }

  #volumeOf(claimKey: string): Stored<PersistentVolume> | undefined {
    const claim = this.#claims.get(claimKey);
    const volume = this.#volumes.get(claim?.spec?.volumeName ?? "");
    return claim !== undefined && volume?.spec?.claimRef?.uid === claim.metadata.uid ? withCsiSource(volume) : undefined;
  }

  /** When it is to be looked at again; never without a Pod that uses it, unless it is still mounted. */
  #detach(attachment: Attachment): number {
    const { simulation, client } = this.#context;
    const { name: key, deletionTimestamp } = attachment.metadata;
    if (deletionTimestamp !== undefined) return Number.POSITIVE_INFINITY;
    const sinceMs = this.#detachSinceMs.get(key) ?? simulation.nowMs;
    this.#detachSinceMs.set(key, sinceMs);
    const node = this.#nodes.get(attachment.spec.nodeName);
    const unique = this.#uniqueNameOf(attachment);
    const isMounted = unique !== undefined && node?.status?.volumesInUse?.includes(unique) === true;
    const isHealthy = node !== undefined && conditionStatus(node, "Ready") === "True";
    const isForced = !isHealthy && simulation.nowMs - sinceMs > unmountMs;
    const isOutOfService = node?.spec?.taints?.some((taint) => taint.key === outOfServiceTaint) === true;
    if (isMounted && !isForced && !isOutOfService) {
      // After that, the node may still lose its health.
      const dueMs = sinceMs + unmountMs + 1;
      return dueMs > simulation.nowMs ? dueMs : Number.POSITIVE_INFINITY;
    }
    // First it is no longer safe to mount, then it goes.
    if (node !== undefined)
      this.#report(
        node,
        this.#attachedTo(node.metadata.name).filter((each) => each !== unique),
      );
    try {
      client.delete(kinds.volumeAttachments, { namespace: "", name: key });
    } catch (error) {
      if (!isReason(error, "NotFound")) throw error;
    }
    this.#detachSinceMs.delete(key);
    return Number.POSITIVE_INFINITY;
  }

  #attach(key: string, { volume, node, pods }: Wanted, wanted: ReadonlyMap<string, Wanted>): number {
    this.#detachSinceMs.delete(key);
    const attachment = this.#attachments.get(key);
    if (attachment === undefined) {
      if (!this.#isHeldElsewhere(key, { volume, node, pods }, wanted)) this.#begin(key, volume, node);
      return Number.POSITIVE_INFINITY;
    }
    const begun = this.#begun.get(key);
    if (attachment.metadata.deletionTimestamp !== undefined || begun === undefined) return Number.POSITIVE_INFINITY;
    const { attached = false, attachError } = attachment.status ?? {};
    const { events, simulation } = this.#context;
    const about = `for volume "${volume.metadata.name}"`;
    if (attached) {
      this.#begun.delete(key);
      this.#multiAttachTold.delete(key);
      for (const pod of pods) events.normal(pod, "SuccessfulAttachVolume", `AttachVolume.Attach succeeded ${about} `);
      return Number.POSITIVE_INFINITY;
    }
    const fail = (why: string): void => {
      for (const pod of pods) events.warning(pod, "FailedAttachVolume", `AttachVolume.Attach failed ${about} : ${why}`);
    };
    if (attachError?.time !== undefined && attachError.time !== begun.toldTime) {
      this.#begun.set(key, { sinceMs: simulation.nowMs, toldTime: attachError.time });
      fail(attachError.message ?? "");
    } else if (simulation.nowMs >= begun.sinceMs + attachMs) {
      this.#begun.set(key, { ...begun, sinceMs: simulation.nowMs });
      const { driver = "", volumeHandle = "" } = volume.spec?.csi ?? {};
      fail(`timed out waiting for external-attacher of ${driver} CSI driver to attach volume ${volumeHandle}`);
    }
    return (this.#begun.get(key)?.sinceMs ?? simulation.nowMs) + attachMs;
  }

  #begin(key: string, volume: Stored<PersistentVolume>, nodeName: string): void {
    const { client, simulation } = this.#context;
    const { metadata, spec = {} } = volume;
    // What the Pod names itself is no object.
    const source = metadata.uid === undefined ? { inlineVolumeSpec: spec } : { persistentVolumeName: metadata.name };
    try {
      client.create(kinds.volumeAttachments, {
        metadata: { name: key },
        spec: { attacher: spec.csi?.driver ?? "", nodeName, source },
      });
    } catch (error) {
      if (!isReason(error, "AlreadyExists")) throw error;
      throw new TryAgain(`the copy of ${key} lags`);
    }
    this.#begun.set(key, { sinceMs: simulation.nowMs, toldTime: undefined });
  }

  /** Told once, until the volume is attached. */
  #isHeldElsewhere(key: string, { volume, node, pods }: Wanted, wanted: ReadonlyMap<string, Wanted>): boolean {
    if (volume.spec?.accessModes?.some((mode) => sharedModes.has(mode)) === true) return false;
    const { name: volumeName } = volume.metadata;
    const { driver = "", volumeHandle = "" } = volume.spec?.csi ?? {};
    const unique = uniqueName(driver, volumeHandle);
    const isElsewhere = [...this.#attachments.list()].some(
      (attachment) => attachment.spec.nodeName !== node && this.#uniqueNameOf(attachment) === unique,
    );
    if (!isElsewhere) return false;
    if (this.#multiAttachTold.has(key)) return true;
    this.#multiAttachTold.add(key);
    const others = [...wanted.values()].flatMap((one) => (one.volume === volume && one.node !== node ? one.pods : []));
    for (const pod of pods) this.#context.events.warning(pod, "FailedAttachVolume", multiAttachError(volumeName, pod, others));
    return true;
  }

  /** Without those that are being detached. */
  #attachedTo(node: string): readonly string[] {
    return [...this.#attachments.list()]
      .filter(({ spec, status, metadata }) => {
        return spec.nodeName === node && status?.attached === true && metadata.deletionTimestamp === undefined;
      })
      .flatMap((attachment) => this.#uniqueNameOf(attachment) ?? [])
      .sort();
  }

  #uniqueNameOf({ spec }: Attachment): string | undefined {
    const { inlineVolumeSpec, persistentVolumeName = "" } = spec.source;
    const volume = this.#volumes.get(persistentVolumeName);
    const csi = inlineVolumeSpec?.csi ?? (volume === undefined ? undefined : withCsiSource(volume).spec?.csi);
    return csi === undefined ? undefined : uniqueName(csi.driver, csi.volumeHandle);
  }

  /** Writes what is attached into the node's status. */
  #report(node: Stored<Node>, attached: readonly string[]): void {
    const before = (node.status?.volumesAttached ?? []).map((each) => each.name);
    if (before.join() === attached.join()) return;
    const volumesAttached = attached.map((each) => ({ name: each, devicePath: "" }));
    const patch = { status: { volumesAttached: volumesAttached.length === 0 ? null : volumesAttached } };
    const key = { namespace: "", name: node.metadata.name };
    this.#context.client.patch(kinds.nodes, key, "merge", patch, { subresource: "status" });
  }
}

function mayAttach(pod: Pod): boolean {
  return claimsOf(pod).length > 0 || pod.spec?.volumes?.some((volume) => migratedVolume(volume) !== undefined) === true;
}

/** What the controller reads of nodes. */
function isSameForVolumes(node: Stored<Node>, previous: Stored<Node> | undefined): boolean {
  if (previous === undefined) return false;
  const read = ({ spec, status }: Stored<Node>): string =>
    [...(status?.volumesInUse ?? []), ...(spec?.taints ?? []).map(({ key }) => key), conditionOf(status?.conditions)].join();
  return read(node) === read(previous);
}

function conditionOf(conditions: NonNullable<Node["status"]>["conditions"]): string {
  return conditions?.find(({ type }) => type === "Ready")?.status ?? "";
}

function attachmentName(handle: string, driver: string, node: string): string {
  return `csi-${bytesToHex(sha256(encodeUtf8(`${handle}${driver}${node}`)))}`;
}
