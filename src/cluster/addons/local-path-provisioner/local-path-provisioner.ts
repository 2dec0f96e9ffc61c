// local-path-provisioner (github.com/rancher/local-path-provisioner) as its container's program runs it: for a claim with a chosen node
// a helper Pod makes a directory there, and a hostPath volume leads to it; for a released volume another one removes the directory.

import { ApiError, ApiUnreachable } from "#cluster/api/errors.ts";
import type { PersistentVolume, PersistentVolumeClaim, Pod, StorageClass } from "#cluster/api/generated/types.ts";
import { JsonSyntaxError, readJson } from "#cluster/api/json-text.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { keyOf, type Stored } from "#cluster/api/objects.ts";
import { parseQuantity, quantityValue } from "#cluster/api/quantity.ts";
import type { Client } from "#cluster/client/client.ts";
import { EventRecorder } from "#cluster/client/event-recorder.ts";
import type { Informer } from "#cluster/client/informer.ts";
import { InformerFactory } from "#cluster/client/informer-factory.ts";
import { isReason } from "#cluster/client/retry.ts";
import { WorkQueue } from "#cluster/client/work-queue.ts";
import { StartFailure } from "#cluster/images/system-images.ts";
import { classOfClaim, waitsForConsumer } from "#cluster/volumes/classes.ts";
import { annotations, referenceTo } from "#cluster/volumes/matching.ts";
import { SysError } from "#sim/errors.ts";
import type { Process } from "#sim/program.ts";
import type { Simulation } from "#sim/simulation.ts";
import { type HelperAct, helperName, helperPod } from "./helper-pod.ts";

export interface LocalPathOptions {
  readonly simulation: Simulation;
  /** As the service account of its Pod. */
  readonly client: Client;
  readonly self: Process;
}

export const provisionerName = "rancher.io/local-path";
const configurationFile = "/etc/config/config.json";
const hostnameLabel = "kubernetes.io/hostname";
const everyNode = "DEFAULT_PATH_FOR_NON_LISTED_NODES";

/** A helper that has not ended after so long (cmdTimeoutSeconds) is given up … */
const patienceMs = 120_000;
/** … and tried again after this time, then after twice as long (sig-storage-lib-external-provisioner). */
const firstRetryMs = 15_000;
const maxRetryMs = 1_000_000;

interface NodePath {
  readonly node: string;
  readonly paths: readonly string[];
}

/** Throws StartFailure. */
export function startLocalPathProvisioner(options: LocalPathOptions): { stop(): void } {
  const provisioner = new LocalPathProvisioner(options, readPaths(options.self));
  provisioner.start();
  return { stop: () => provisioner.stop() };
}

function readPaths(self: Process): readonly NodePath[] {
  try {
    const { nodePathMap } = readJson(self.readText(configurationFile)) as { readonly nodePathMap?: readonly NodePath[] };
    return nodePathMap ?? [];
  } catch (error) {
    if (!(error instanceof SysError) && !(error instanceof JsonSyntaxError)) throw error;
    throw new StartFailure(
      `Error starting daemon: Cannot start Provisioner: invalid config file ${configurationFile}: ${error.message}`,
    );
  }
}

/** A claim that it cannot serve: the text goes into an event, and nothing is tried again until the claim changes. */
class Unservable extends Error {}

/** A helper was given up. */
class GivenUp extends Error {}

interface Helper {
  /** What its end wakes. */
  readonly waits: string;
  readonly sinceMs: number;
  /** How often it was given up before. */
  readonly failures: number;
}

class LocalPathProvisioner {
  readonly #simulation: Simulation;
  readonly #client: Client;
  readonly #paths: readonly NodePath[];
  readonly #namespace: string;
  readonly #informers: InformerFactory;
  readonly #claims: Informer<PersistentVolumeClaim>;
  readonly #volumes: Informer<PersistentVolume>;
  readonly #classes: Informer<StorageClass>;
  readonly #pods: Informer<Pod>;
  readonly #events: EventRecorder;
  readonly #queue: WorkQueue;
  /** By the names of their Pods. */
  readonly #helpers = new Map<string, Helper>();

  constructor({ simulation, client, self }: LocalPathOptions, paths: readonly NodePath[]) {
    this.#simulation = simulation;
    this.#client = client;
    this.#paths = paths;
    this.#namespace = self.env.get("POD_NAMESPACE") ?? "local-path-storage";
    this.#informers = new InformerFactory(simulation, client);
    this.#claims = this.#informers.informer(kinds.persistentVolumeClaims);
    this.#volumes = this.#informers.informer(kinds.persistentVolumes);
    this.#classes = this.#informers.informer(kinds.storageClasses);
    this.#pods = this.#informers.informer(kinds.pods);
    const component = `${provisionerName}_${self.hostname}_${simulation.random.uuid()}`;
    this.#events = new EventRecorder(simulation, client, { component });
    this.#queue = new WorkQueue(simulation, (key) => this.#pass(key));
  }

  start(): void {
    this.#claims.addHandler((claim, _previous, deleted) => {
      if (!deleted) this.#queue.add(`claim/${keyOf(claim)}`);
    });
    this.#volumes.addHandler((volume, _previous, deleted) => {
      if (!deleted) this.#queue.add(`volume/${volume.metadata.name}`);
    });
    this.#pods.addHandler((pod) => {
      const waits = this.#helpers.get(pod.metadata.name)?.waits;
      if (waits !== undefined && pod.metadata.namespace === this.#namespace) this.#queue.add(waits);
    });
    this.#informers.start();
  }

  stop(): void {
    this.#queue.stop();
    this.#informers.stop();
  }

  #pass(key: string): void {
    const slash = key.indexOf("/");
    const name = key.slice(slash + 1);
    try {
      if (key.startsWith("claim/")) this.#provision(key, name);
      else this.#remove(key, name);
      this.#queue.forget(key);
    } catch (error) {
      if (!(error instanceof ApiError) && !(error instanceof ApiUnreachable)) throw error;
      this.#queue.addRateLimited(key);
    }
  }

  // Making volumes.

  #provision(key: string, claimKey: string): void {
    const claim = this.#claims.get(claimKey);
    if (claim === undefined || !this.#isOurs(claim)) return;
    const name = `pvc-${claim.metadata.uid}`;
    if (this.#volumes.get(name) !== undefined) return;
    try {
      this.#provisionAs(key, claim, name);
    } catch (error) {
      if (!(error instanceof Unservable || error instanceof GivenUp)) throw error;
      const message = `failed to provision volume with StorageClass "${classOfClaim(claim)}": ${error.message}`;
      this.#events.warning(claim, "ProvisioningFailed", message);
    }
  }

  #isOurs(claim: Stored<PersistentVolumeClaim>): boolean {
    if ((claim.spec?.volumeName ?? "") !== "" || claim.metadata.deletionTimestamp !== undefined) return false;
    const storageClass = this.#classes.get(classOfClaim(claim));
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
    this.#events.normal(claim, "Provisioning", `External provisioner is provisioning volume for claim "${keyOf(claim)}"`);
  }

  #baseOf(node: string): string {
    const listed = this.#paths.find((one) => one.node === node) ?? this.#paths.find((one) => one.node === everyNode);
    const [path] = listed?.paths ?? [];
    if (path === undefined) throw new Unservable(`config doesn't contain node ${node}, and no ${everyNode} available`);
    return path;
  }

  #createVolume(claim: Stored<PersistentVolumeClaim>, name: string, node: string, path: string, storage: string): void {
    const storageClass = this.#classes.get(classOfClaim(claim));
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
      this.#client.create(kinds.persistentVolumes, volume);
    } catch (error) {
      if (isReason(error, "AlreadyExists")) return;
      throw error;
    }
    this.#events.normal(claim, "ProvisioningSucceeded", `Successfully provisioned volume ${name}`);
  }

  // Removing them.

  #remove(key: string, name: string): void {
    const volume = this.#volumes.get(name);
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
      if (this.#helperHasEnded(key, act, () => {})) this.#client.delete(kinds.persistentVolumes, { namespace: "", name });
    } catch (error) {
      if (!(error instanceof GivenUp)) throw error;
      this.#events.warning(volume, "VolumeFailedDelete", `failed to delete volume ${name}: ${error.message}`);
    }
  }

  /** Makes the helper Pod if there is none; true once it has done its work, and it is gone then. Throws GivenUp. */
  #helperHasEnded(waits: string, act: HelperAct, begun: () => void): boolean {
    const key = { namespace: this.#namespace, name: helperName(act) };
    const { nowMs } = this.#simulation;
    const known = this.#helpers.get(key.name) ?? { waits, sinceMs: nowMs, failures: 0 };
    this.#helpers.set(key.name, known);
    if (known.sinceMs > nowMs) return this.#lookLater(waits, known.sinceMs - nowMs);
    const helper = this.#pods.get(`${key.namespace}/${key.name}`);
    if (helper?.status?.phase === "Succeeded" && helper.metadata.deletionTimestamp === undefined) {
      this.#client.delete(kinds.pods, key);
      this.#helpers.delete(key.name);
      return true;
    }
    const leftMs = known.sinceMs + patienceMs - nowMs;
    if (leftMs <= 0) return this.#giveUp(key.name, known, act);
    if (helper === undefined) {
      try {
        this.#client.create(kinds.pods, helperPod(act, this.#namespace));
        begun();
      } catch (error) {
        if (!isReason(error, "AlreadyExists")) throw error;
      }
    }
    return this.#lookLater(waits, leftMs);
  }

  #lookLater(waits: string, delayMs: number): false {
    this.#queue.addAfter(waits, delayMs, { background: true });
    return false;
  }

  #giveUp(name: string, { waits, failures }: Helper, { kind, volume }: HelperAct): never {
    const delayMs = Math.min(maxRetryMs, firstRetryMs * 2 ** failures);
    this.#helpers.set(name, { waits, sinceMs: this.#simulation.nowMs + delayMs, failures: failures + 1 });
    this.#lookLater(waits, delayMs);
    try {
      this.#client.delete(kinds.pods, { namespace: this.#namespace, name });
    } catch (error) {
      if (!isReason(error, "NotFound")) throw error;
    }
    throw new GivenUp(`failed to ${kind} volume ${volume}: create process timeout after ${patienceMs / 1000} seconds`);
  }
}
