// external-attacher (github.com/kubernetes-csi/external-attacher): attaches and detaches what VolumeAttachments of its driver say.

import type { CSINode, PersistentVolume, VolumeAttachment } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { formatTime } from "#cluster/api/time.ts";
import type { Informer } from "#cluster/client/informer.ts";
import { isReason } from "#cluster/client/retry.ts";
import { attacherFinalizer, driverName } from "./driver-names.ts";
import { callFault, driverOf, Sidecar, type SidecarOptions } from "./sidecar.ts";

/** --retry-interval-start and --retry-interval-max. */
const retry = { firstMs: 1_000, longestMs: 300_000 };

type Attachment = Stored<VolumeAttachment>;

/** Why a VolumeAttachment cannot be followed. */
class Unattachable extends Error {}

/** Keys: `attachment/NAME` and `volume/NAME`. */
export class Attacher extends Sidecar {
  readonly #attachments: Informer<VolumeAttachment>;
  readonly #volumes: Informer<PersistentVolume>;
  readonly #csiNodes: Informer<CSINode>;

  constructor(options: SidecarOptions) {
    super(options, retry);
    this.#attachments = this.informers.informer(kinds.volumeAttachments);
    this.#volumes = this.informers.informer(kinds.persistentVolumes);
    this.#csiNodes = this.informers.informer(kinds.csiNodes);
    this.#attachments.addHandler((attachment, _previous, deleted) => {
      if (attachment.spec.attacher !== driverName) return;
      if (deleted) this.queue.add(`volume/${volumeOf(attachment)}`);
      else this.queue.add(`attachment/${attachment.metadata.name}`);
    });
    this.#volumes.addHandler((volume, _previous, deleted) => {
      if (!deleted && volume.spec?.csi?.driver === driverName) this.queue.add(`volume/${volume.metadata.name}`);
    });
  }

  override start(): void {
    this.say("I", "main.go:154", '"Version" version="v4.9.0"');
    this.say("I", "main.go:259", `"CSI driver name" driver=${JSON.stringify(driverName)}`);
    this.say("I", "controller.go:129", '"Starting CSI attacher"');
    super.start();
  }

  protected pass(key: string): boolean {
    const name = key.slice(key.indexOf("/") + 1);
    if (key.startsWith("volume/")) {
      this.#release(name);
      return true;
    }
    const attachment = this.#attachments.get(name);
    if (attachment === undefined) return true;
    return attachment.metadata.deletionTimestamp === undefined ? this.#attach(attachment) : this.#detach(attachment);
  }

  #attach(attachment: Attachment): boolean {
    if (attachment.status?.attached === true) return true;
    try {
      const volume = this.#volumeOf(attachment);
      const nodeId = this.#nodeId(attachment.spec.nodeName);
      const marked = this.#mark(attachment, volume, nodeId);
      driverOf(this.options.self).controllerPublish(volume.spec?.csi?.volumeHandle ?? "", nodeId);
      this.#write(marked, { attached: true });
      this.say("I", "csi_handler.go:261", `"Attached" VolumeAttachment=${JSON.stringify(attachment.metadata.name)}`);
      return true;
    } catch (error) {
      return this.#failed(attachment, "attachError", error);
    }
  }

  #detach(attachment: Attachment): boolean {
    if (attachment.metadata.finalizers?.includes(attacherFinalizer) !== true) return true;
    try {
      const volume = this.#volumes.get(volumeOf(attachment));
      const handle = volume?.spec?.csi?.volumeHandle;
      // Of a volume that is gone nothing is left to detach.
      if (handle !== undefined) driverOf(this.options.self).controllerUnpublish(handle, this.#nodeIdAtLast(attachment));
      const finalizers = attachment.metadata.finalizers.filter((each) => each !== attacherFinalizer);
      const patch = { metadata: { finalizers, resourceVersion: attachment.metadata.resourceVersion } };
      this.options.client.patch(kinds.volumeAttachments, { namespace: "", name: attachment.metadata.name }, "merge", patch);
      this.say("I", "csi_handler.go:287", `"Detached" VolumeAttachment=${JSON.stringify(attachment.metadata.name)}`);
      return true;
    } catch (error) {
      if (isReason(error, "NotFound")) return true;
      return this.#failed(attachment, "detachError", error);
    }
  }

  #failed(attachment: Attachment, field: "attachError" | "detachError", error: unknown): false {
    const message = error instanceof Unattachable ? error.message : callFault(error);
    if (message === undefined) throw error;
    const time = formatTime(this.options.simulation.nowMs);
    this.#write(attachment, { attached: attachment.status?.attached === true, [field]: { message, time } });
    const words = `"Failed to ${field === "attachError" ? "attach" : "detach"}"`;
    this.say("E", "csi_handler.go:240", `${words} VolumeAttachment="${attachment.metadata.name}" err=${JSON.stringify(message)}`);
    return false;
  }

  #write(attachment: Attachment, status: NonNullable<VolumeAttachment["status"]>): void {
    this.options.client.updateStatus(kinds.volumeAttachments, { ...attachment, status });
  }

  #volumeOf(attachment: Attachment): Stored<PersistentVolume> {
    const name = volumeOf(attachment);
    const volume = this.#volumes.get(name);
    if (volume === undefined) throw new Unattachable(`persistentvolume ${JSON.stringify(name)} not found`);
    if (volume.metadata.deletionTimestamp !== undefined)
      throw new Unattachable(`PersistentVolume ${JSON.stringify(name)} is marked for deletion`);
    return volume;
  }

  #nodeId(nodeName: string): string {
    const csiNode = this.#csiNodes.get(nodeName);
    if (csiNode === undefined) throw new Unattachable(`csinode.storage.k8s.io ${JSON.stringify(nodeName)} not found`);
    const driver = csiNode.spec?.drivers?.find(({ name }) => name === driverName);
    if (driver === undefined) throw new Unattachable(`CSINode ${nodeName} does not contain driver ${driverName}`);
    return driver.nodeID;
  }

  /** Of a node that has gone, what it was. */
  #nodeIdAtLast({ metadata, spec }: Attachment): string {
    return metadata.annotations?.["csi.alpha.kubernetes.io/node-id"] ?? spec.nodeName;
  }

  /** Neither goes before it is detached. */
  #mark(attachment: Attachment, volume: Stored<PersistentVolume>, nodeId: string): Attachment {
    const { client } = this.options;
    if (volume.metadata.finalizers?.includes(attacherFinalizer) !== true) {
      const finalizers = [...(volume.metadata.finalizers ?? []), attacherFinalizer];
      client.update(kinds.persistentVolumes, { ...volume, metadata: { ...volume.metadata, finalizers } });
    }
    if (attachment.metadata.finalizers?.includes(attacherFinalizer) === true) return attachment;
    const finalizers = [...(attachment.metadata.finalizers ?? []), attacherFinalizer];
    const annotations = { ...attachment.metadata.annotations, "csi.alpha.kubernetes.io/node-id": nodeId };
    return client.update(kinds.volumeAttachments, { ...attachment, metadata: { ...attachment.metadata, finalizers, annotations } });
  }

  /** Lets a volume go that is to be deleted, once nothing has it attached. */
  #release(name: string): void {
    const volume = this.#volumes.get(name);
    if (volume?.metadata.deletionTimestamp === undefined) return;
    const finalizers = volume.metadata.finalizers ?? [];
    if (!finalizers.includes(attacherFinalizer)) return;
    for (const attachment of this.#attachments.list()) if (volumeOf(attachment) === name) return;
    const left = finalizers.filter((each) => each !== attacherFinalizer);
    this.options.client.update(kinds.persistentVolumes, { ...volume, metadata: { ...volume.metadata, finalizers: left } });
  }
}

function volumeOf({ spec }: VolumeAttachment): string {
  return spec?.source.persistentVolumeName ?? "";
}
