// For a claim with a chosen node a helper Pod makes a directory there, and a hostPath volume leads to it; for a released volume another
// one removes the directory.

import type { PersistentVolume, PersistentVolumeClaim, Pod, StorageClass } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { keyOf, type Stored } from "#cluster/api/objects.ts";
import { parseQuantity, quantityValue } from "#cluster/api/quantity.ts";
import type { Client } from "#cluster/client/client.ts";
import type { EventRecorder } from "#cluster/client/event-recorder.ts";
import type { Informer } from "#cluster/client/informer.ts";
import { isReason } from "#cluster/client/retry.ts";
import { classOfClaim, waitsForConsumer } from "#cluster/volumes/classes.ts";
import { annotations, referenceTo } from "#cluster/volumes/matching.ts";
import type { Simulation } from "#sim/simulation.ts";
import { type HelperAct, helperName, helperPod } from "./helper-pod.ts";
import type { LogLevel } from "./log.ts";
import { provisionerName } from "./provisioner-name.ts";

const hostnameLabel = "kubernetes.io/hostname";
const everyNode = "DEFAULT_PATH_FOR_NON_LISTED_NODES";

export { logrusLine, startLines } from "./log.ts";

/** A helper that has not ended after so long (cmdTimeoutSeconds) is given up … */
const patienceMs = 120_000;
/** … and tried again after this time, then after twice as long (sig-storage-lib-external-provisioner). */
const firstRetryMs = 15_000;
const maxRetryMs = 1_000_000;

/** Of the configuration file. */
export interface NodePath {
  readonly node: string;
  readonly paths: readonly string[];
}

/** A claim that it cannot serve: the text goes into an event, and nothing is tried again until the claim changes. */
class Unservable extends Error {}

/** A helper was given up. */
class GivenUp extends Error {}

export interface Helper {
  /** What its end wakes. */
  readonly waits: string;
  readonly sinceMs: number;
  /** How often it was given up before. */
  readonly failures: number;
}

export interface VolumeWorkParts {
  readonly simulation: Simulation;
  readonly client: Client;
  readonly paths: readonly NodePath[];
  /** Where helpers run. */
  readonly namespace: string;
  readonly claims: Informer<PersistentVolumeClaim>;
  readonly volumes: Informer<PersistentVolume>;
  readonly classes: Informer<StorageClass>;
  readonly pods: Informer<Pod>;
  readonly events: EventRecorder;
  /** By the names of their Pods. */
  readonly helpers: Map<string, Helper>;
  lookAgain(key: string, delayMs: number): void;
  log(level: LogLevel, message: string): void;
}

export class VolumeWork {
  readonly #parts: VolumeWorkParts;

  constructor(parts: VolumeWorkParts) {
    this.#parts = parts;
  }

  provision(key: string, claimKey: string): void {
    const claim = this.#parts.claims.get(claimKey);
    if (claim === undefined || !this.#isOurs(claim)) return;
    const name = `pvc-${claim.metadata.uid}`;
    if (this.#parts.volumes.get(name) !== undefined) return;
    try {
      this.#provisionAs(key, claim, name);
    } catch (error) {
      if (!(error instanceof Unservable || error instanceof GivenUp)) throw error;
      const message = `failed to provision volume with StorageClass "${classOfClaim(claim)}": ${error.message}`;
      this.#parts.events.warning(claim, "ProvisioningFailed", message);
    }
  }

  #isOurs(claim: Stored<PersistentVolumeClaim>): boolean {
    if ((claim.spec?.volumeName ?? "") !== "" || claim.metadata.deletionTimestamp !== undefined) return false;
    const storageClass = this.#parts.classes.get(classOfClaim(claim));
    if (storageClass?.provisioner !== provisionerName) return false;
    const { [annotations.storageProvisioner]: provisioner, [annotations.selectedNode]: node } = claim.metadata.annotations ?? {};
    return provisioner === provisionerName && (node !== undefined || !waitsForConsumer(storageClass));
  }

  #provisionAs(key: string, claim: Stored<PersistentVolumeClaim>, name: string): void {
    const node = claim.metadata.annotations?.[annotations.selectedNode];
    if (claim.spec?.selector !== undefined) throw new Unservable("claim.Spec.Selector is not supported");
    const modes = claim.spec?.accessModes ?? [];
    if (modes.some((mode) => mode !== "ReadWriteOnce" && mode !== "ReadWriteOncePod"))
      throw new Unservable("NodePath only supports ReadWriteOnce and ReadWriteOncePod (1.22+) access modes");
    if (node === undefined) throw new Unservable("configuration error, no node was specified");
    const { namespace = "", name: claimName } = claim.metadata;
    const path = `${this.#baseOf(node)}/${name}_${namespace}_${claimName}`;
    const size = claim.spec?.resources?.requests?.["storage"] ?? "0";
    const mode = claim.spec?.volumeMode ?? "Filesystem";
    const act: HelperAct = { kind: "create", volume: name, node, path, mode, sizeBytes: quantityValue(parseQuantity(size)) };
    if (this.#helperHasEnded(key, act, () => this.#tellBegin(claim))) this.#createVolume(claim, name, node, path, size);
  }

  #tellBegin(claim: Stored<PersistentVolumeClaim>): void {
    this.#parts.events.normal(claim, "Provisioning", `External provisioner is provisioning volume for claim "${keyOf(claim)}"`);
  }

  #baseOf(node: string): string {
    const listed = this.#parts.paths.find((one) => one.node === node) ?? this.#parts.paths.find((one) => one.node === everyNode);
    const [path] = listed?.paths ?? [];
    if (path === undefined) throw new Unservable(`config doesn't contain node ${node}, and no ${everyNode} available`);
    return path;
  }

  #createVolume(claim: Stored<PersistentVolumeClaim>, name: string, node: string, path: string, storage: string): void {
    const storageClass = this.#parts.classes.get(classOfClaim(claim));
    const volume = {
      metadata: {
        name,
        annotations: { "local.path.provisioner/selected-node": node, [annotations.provisionedBy]: provisionerName },
      },
      spec: {
        capacity: { storage },
        accessModes: claim.spec?.accessModes ?? [],
        persistentVolumeReclaimPolicy: storageClass?.reclaimPolicy ?? "Delete",
        storageClassName: classOfClaim(claim),
        volumeMode: claim.spec?.volumeMode ?? "Filesystem",
        hostPath: { path, type: "DirectoryOrCreate" },
        claimRef: referenceTo(claim),
        nodeAffinity: {
          required: { nodeSelectorTerms: [{ matchExpressions: [{ key: hostnameLabel, operator: "In", values: [node] }] }] },
        },
      },
    };
    try {
      this.#parts.client.create(kinds.persistentVolumes, volume);
    } catch (error) {
      if (isReason(error, "AlreadyExists")) return;
      throw error;
    }
    this.#parts.events.normal(claim, "ProvisioningSucceeded", `Successfully provisioned volume ${name}`);
  }

  remove(key: string, name: string): void {
    const volume = this.#parts.volumes.get(name);
    const { persistentVolumeReclaimPolicy: policy, hostPath } = volume?.spec ?? {};
    if (volume === undefined || volume.status?.phase !== "Released" || policy !== "Delete" || hostPath === undefined) return;
    if (volume.metadata.annotations?.[annotations.provisionedBy] !== provisionerName) return;
    if (volume.metadata.deletionTimestamp !== undefined) return;
    const node = volume.metadata.annotations["local.path.provisioner/selected-node"];
    if (node === undefined) return;
    const sizeBytes = quantityValue(parseQuantity(volume.spec?.capacity?.["storage"] ?? "0"));
    const mode = volume.spec?.volumeMode ?? "Filesystem";
    const act: HelperAct = { kind: "delete", volume: name, node, path: hostPath.path, mode, sizeBytes };
    try {
      if (this.#helperHasEnded(key, act, () => {})) this.#parts.client.delete(kinds.persistentVolumes, { namespace: "", name });
    } catch (error) {
      if (!(error instanceof GivenUp)) throw error;
      this.#parts.events.warning(volume, "VolumeFailedDelete", `failed to delete volume ${name}: ${error.message}`);
    }
  }

  /** Makes the helper Pod if there is none; true once it has done its work, and it is gone then. Throws GivenUp. */
  #helperHasEnded(waits: string, act: HelperAct, begun: () => void): boolean {
    const key = { namespace: this.#parts.namespace, name: helperName(act) };
    const { nowMs } = this.#parts.simulation;
    const known = this.#parts.helpers.get(key.name) ?? { waits, sinceMs: nowMs, failures: 0 };
    this.#parts.helpers.set(key.name, known);
    if (known.sinceMs > nowMs) return this.#lookLater(waits, known.sinceMs - nowMs);
    const helper = this.#parts.pods.get(`${key.namespace}/${key.name}`);
    if (helper?.status?.phase === "Succeeded" && helper.metadata.deletionTimestamp === undefined) {
      this.#parts.log("info", `Volume ${act.volume} has been ${act.kind}d on ${act.node}:${act.path}`);
      for (const edge of ["Start", "End"]) this.#parts.log("info", `${edge} of ${key.name} logs`);
      this.#parts.client.delete(kinds.pods, key);
      this.#parts.helpers.delete(key.name);
      return true;
    }
    const leftMs = known.sinceMs + patienceMs - nowMs;
    if (leftMs <= 0) return this.#giveUp(key.name, known, act);
    if (helper === undefined) {
      try {
        this.#parts.client.create(kinds.pods, helperPod(act, this.#parts.namespace));
        this.#parts.log(
          "info",
          `${act.kind === "create" ? "Creating" : "Deleting"} volume ${act.volume} at ${act.node}:${act.path}`,
        );
        this.#parts.log("info", `create the helper pod ${key.name} into ${key.namespace}`);
        begun();
      } catch (error) {
        if (!isReason(error, "AlreadyExists")) throw error;
      }
    }
    return this.#lookLater(waits, leftMs);
  }

  #lookLater(waits: string, delayMs: number): false {
    this.#parts.lookAgain(waits, delayMs);
    return false;
  }

  #giveUp(name: string, { waits, failures }: Helper, { kind, volume }: HelperAct): never {
    const delayMs = Math.min(maxRetryMs, firstRetryMs * 2 ** failures);
    this.#parts.helpers.set(name, { waits, sinceMs: this.#parts.simulation.nowMs + delayMs, failures: failures + 1 });
    this.#lookLater(waits, delayMs);
    try {
      this.#parts.client.delete(kinds.pods, { namespace: this.#parts.namespace, name });
    } catch (error) {
      if (!isReason(error, "NotFound")) throw error;
    }
    throw new GivenUp(`failed to ${kind} volume ${volume}: create process timeout after ${patienceMs / 1000} seconds`);
  }
}
