// The kubelet's CSI plugin: takes registrations of drivers, keeps the node's CSINode, says which volumes are in use, and mounts those that
// are attached (pkg/volume/csi, pluginmanager, volumemanager/reconciler). One for a machine: what it has mounted outlives a kubelet.

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { ApiError, ApiUnreachable } from "#cluster/api/errors.ts";
import type { CSINode, Node, NodeStatus, PersistentVolume } from "#cluster/api/generated/types.ts";
import { readJson } from "#cluster/api/json-text.ts";
import { csiDrivers, csiNodes, nodes } from "#cluster/api/kinds.ts";
import type { Stored } from "#cluster/api/objects.ts";
import type { Client } from "#cluster/client/client.ts";
import type { EventRecorder } from "#cluster/client/event-recorder.ts";
import { isReason, unlessRefused } from "#cluster/client/retry.ts";
import {
  type DriverService,
  pluginsDirectory,
  type RegistrarService,
  RpcError,
  registryDirectory,
} from "#cluster/csi/driver-api.ts";
import { uniqueName } from "#cluster/csi/driver-names.ts";
import { encodeUtf8 } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { Mount } from "#sim/filesystem/mounts.ts";
import type { Simulation, Timer } from "#sim/simulation.ts";
import type { Machine } from "../../host/machine.ts";
import type { StoredPod } from "../pod-spec.ts";
import { CsiGrowth, type CsiUse } from "./csi-growth.ts";
import { ownTree } from "./ownership.ts";
import { NotYet, VolumeError } from "./payload.ts";
import type { VolumeRoot } from "./volume-root.ts";

const podsDirectory = "/var/lib/kubelet/pods";
const nodeIdAnnotation = "csi.volume.kubernetes.io/nodeid";
/** Plugins whose work CSI drivers do, as every kubelet says. */
const migrated = ["aws-ebs", "azure-disk", "azure-file", "cinder", "gce-pd", "portworx-volume", "vsphere-volume"];
/** The plugin manager's loop. */
const lookMs = 1_000;
/** Of the node's status, which names the volumes in use. */
const statusMs = 10_000;

/** Of the kubelet that runs. */
interface Host {
  readonly simulation: Simulation;
  readonly machine: Machine;
  readonly client: Client;
}

interface Registered {
  readonly registrar: RegistrarService;
  readonly endpoint: string;
  readonly nodeId: string;
}

/** At a path of a Pod's. */
interface Published extends CsiUse {
  readonly path: string;
}

interface Staged {
  readonly driver: string;
  readonly handle: string;
  readonly path: string;
  readonly files: Mount["fileSystem"];
  /** By the UIDs of Pods. */
  readonly published: Map<string, Published>;
}

export class CsiVolumes {
  #host: Host | undefined;
  #growth: CsiGrowth | undefined;
  #timer: Timer | undefined;
  #nextStatusMs = 0;
  /** Of the machine when this was looked at last. */
  #bootId = "";
  /** By the name of their sockets in the directory of registrations. */
  readonly #drivers = new Map<string, Registered & { readonly name: string }>();
  /** By their unique names, as those below. */
  readonly #staged = new Map<string, Staged>();
  /** Attachable ones that Pods want, or have. */
  readonly #inUse = new Map<string, Set<string>>();
  /** As the node's status says. */
  #reported: ReadonlySet<string> = new Set();
  /** Of Pods that have ended; a driver that is away keeps their volumes mounted. */
  readonly #ended = new Set<string>();

  start(host: Host): void {
    this.#host = host;
    const { files, bootId, name: nodeName } = host.machine;
    this.#growth = new CsiGrowth({ ...host, nodeName, serviceOf: (driver) => this.#serviceOf(driver) });
    for (const directory of [registryDirectory, pluginsDirectory]) files.makeDirectories(directory, 0o750);
    this.#drivers.clear();
    this.#reported = new Set();
    if (bootId !== this.#bootId) this.#forgetMounts();
    this.#bootId = bootId;
    this.#nextStatusMs = host.simulation.nowMs + statusMs;
    this.#lookLater();
  }

  stop(): void {
    this.#host?.simulation.cancel(this.#timer);
    this.#host = undefined;
  }

  /** Throws NotYet while it is not attached, VolumeError. */
  mount(pod: StoredPod, volume: Stored<PersistentVolume>, readOnly: boolean, recorder: EventRecorder): VolumeRoot | undefined {
    const { csi, accessModes = [] } = volume.spec ?? {};
    if (csi === undefined) return undefined;
    const { machine } = this.#running;
    const { uid } = pod.metadata;
    const name = uniqueName(csi.driver, csi.volumeHandle);
    this.#ended.delete(uid);
    if (this.#needsAttaching(csi.driver)) this.#checkAttached(name, uid);
    const staged = this.#staged.get(name) ?? this.#stage(name, csi.driver, csi.volumeHandle);
    const use: CsiUse = { pod, volume, isReadOnly: readOnly, recorder };
    this.#growth?.atMount(use);
    const path = `${podsDirectory}/${uid}/volumes/kubernetes.io~csi/${volume.metadata.name}/mount`;
    const isFirst = staged.published.size === 0;
    const isReadOnly = readOnly || csi.readOnly === true;
    if (machine.files.mountNamespace.mountAt(path) === undefined) {
      this.#serviceOf(csi.driver)?.nodePublish(csi.volumeHandle, path);
      machine.files.makeDirectories(path, 0o750);
      machine.files.mountNamespace.add({ path, fileSystem: staged.files, readOnly: isReadOnly });
    }
    staged.published.set(uid, { ...use, path });
    // ReadWriteOnceWithFSType.
    const { securityContext } = pod.spec ?? {};
    const isOwned = (csi.fsType ?? "") !== "" && accessModes.includes("ReadWriteOnce") && !isReadOnly;
    if (isFirst && isOwned && securityContext?.fsGroup !== undefined) ownTree(machine.files, path, securityContext);
    return { fileSystem: staged.files, root: staged.files.root, readOnly: isReadOnly, source: path };
  }

  /** Nothing of the Pod runs any more. */
  unmount(podUid: string): void {
    this.#ended.add(podUid);
    if (this.#host !== undefined) this.#unpublish(podUid);
  }

  /** After a boot nothing is mounted. */
  #forgetMounts(): void {
    for (const { path, published } of this.#staged.values())
      for (const each of [path, ...[...published.values()].map((one) => one.path)]) this.#unmountAt(each);
    this.#staged.clear();
    this.#inUse.clear();
    this.#ended.clear();
  }

  #unmountAt(path: string): void {
    const { mountNamespace } = this.#running.machine.files;
    if (mountNamespace.mountAt(path) !== undefined) mountNamespace.remove(path);
  }

  get #running(): Host {
    if (this.#host === undefined) throw new Error("the kubelet does not run");
    return this.#host;
  }

  #needsAttaching(driver: string): boolean {
    try {
      return this.#running.client.get(csiDrivers, { namespace: "", name: driver }).spec.attachRequired !== false;
    } catch (error) {
      if (isReason(error, "NotFound")) return true;
      if (error instanceof ApiError || error instanceof ApiUnreachable) throw new NotYet();
      throw error;
    }
  }

  /** Says that it is used, and looks whether the controller has attached it (VerifyControllerAttachedVolume). */
  #checkAttached(name: string, podUid: string): void {
    const users = this.#inUse.get(name) ?? new Set();
    this.#inUse.set(name, users.add(podUid));
    if (!this.#reported.has(name)) throw new NotYet();
    if (this.#staged.has(name)) return;
    const node = unlessRefused(() => this.#node());
    if (node?.status?.volumesAttached?.some((attached) => attached.name === name) !== true) throw new NotYet();
  }

  #stage(name: string, driver: string, handle: string): Staged {
    const { machine } = this.#running;
    const failed = (words: string) => new VolumeError(words, "MountVolume.MountDevice failed");
    const service = this.#serviceOf(driver);
    if (service === undefined) {
      const unregistered = `driver name ${driver} not found in the list of registered CSI drivers`;
      throw failed(`kubernetes.io/csi: attacher.MountDevice failed to create newCsiDriverClient: ${unregistered}`);
    }
    try {
      const fileSystem = service.nodeStage(handle);
      const path = `${pluginsDirectory}/kubernetes.io/csi/${driver}/${bytesToHex(sha256(encodeUtf8(handle)))}/globalmount`;
      machine.files.makeDirectories(path, 0o750);
      machine.files.mountNamespace.add({ path, fileSystem });
      const staged: Staged = { driver, handle, path, files: fileSystem, published: new Map() };
      this.#staged.set(name, staged);
      return staged;
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      throw failed(error.message);
    }
  }

  #serviceOf(driver: string): DriverService | undefined {
    for (const { name, endpoint } of this.#drivers.values()) if (name === driver) return this.#connect<DriverService>(endpoint);
    return undefined;
  }

  #connect<Service>(path: string): Service | undefined {
    try {
      return this.#running.machine.files.connectSocket(path) as Service;
    } catch (error) {
      if (error instanceof SysError) return undefined;
      throw error;
    }
  }

  #unpublish(podUid: string): void {
    const { files } = this.#running.machine;
    let isLeft = false;
    for (const [name, staged] of this.#staged) {
      const published = staged.published.get(podUid);
      if (published === undefined) continue;
      const service = this.#serviceOf(staged.driver);
      if (service === undefined) {
        isLeft = true;
        continue;
      }
      staged.published.delete(podUid);
      service.nodeUnpublish(staged.handle, published.path);
      this.#unmountAt(published.path);
      if (staged.published.size > 0) continue;
      this.#growth?.forget(published.volume.metadata.name);
      service.nodeUnstage(staged.handle);
      this.#unmountAt(staged.path);
      files.removeAll(staged.path.slice(0, staged.path.lastIndexOf("/")));
      this.#staged.delete(name);
    }
    if (isLeft) return;
    this.#ended.delete(podUid);
    for (const [name, users] of this.#inUse) {
      users.delete(podUid);
      if (users.size === 0) this.#inUse.delete(name);
    }
  }

  #lookLater(): void {
    const { simulation } = this.#running;
    this.#timer = simulation.after(lookMs, () => this.#look(), { background: true });
  }

  #look(): void {
    this.#lookLater();
    this.#takeRegistrations();
    for (const uid of [...this.#ended]) this.#unpublish(uid);
    for (const { published } of this.#staged.values())
      for (const [uid, use] of published) if (!this.#ended.has(uid)) this.#growth?.look(use);
    const { nowMs } = this.#running.simulation;
    if (nowMs < this.#nextStatusMs) return;
    this.#nextStatusMs = nowMs + statusMs;
    this.#reportInUse();
  }

  #takeRegistrations(): void {
    const { files } = this.#running.machine;
    const sockets = new Set(files.readdir(registryDirectory).filter((name) => name.endsWith(".sock")));
    for (const [socket, { name, registrar }] of [...this.#drivers]) {
      // Another one's socket of the same name: the driver may say something else now.
      if (sockets.has(socket) && this.#connect(`${registryDirectory}/${socket}`) === registrar) continue;
      this.#drivers.delete(socket);
      unlessRefused(() => this.#leave(name));
    }
    for (const socket of sockets) if (!this.#drivers.has(socket)) this.#register(socket);
  }

  #register(socket: string): void {
    const registrar = this.#connect<RegistrarService>(`${registryDirectory}/${socket}`);
    const driver = registrar === undefined ? undefined : this.#connect<DriverService>(registrar.endpoint);
    if (registrar === undefined || driver === undefined) return;
    const info = driver.nodeInfo();
    const { driver: name, endpoint } = registrar;
    const isDone = unlessRefused(() => {
      this.#join(name, info.nodeId, info.topology);
      this.#writeDrivers((drivers) => [
        ...drivers.filter((each) => each.name !== name),
        {
          name,
          nodeID: info.nodeId,
          topologyKeys: Object.keys(info.topology).sort(),
          ...(info.maxVolumes === 0 ? {} : { allocatable: { count: info.maxVolumes } }),
        },
      ]);
      return true;
    });
    if (isDone !== true) return;
    this.#drivers.set(socket, { name, registrar, endpoint, nodeId: info.nodeId });
    registrar.registered();
  }

  /** The Node says how the driver calls it, and what is near it. */
  #join(driver: string, nodeId: string, topology: { readonly [key: string]: string }): void {
    const ids = { ...this.#nodeIds(), [driver]: nodeId };
    this.#patchNode({ labels: topology, annotations: { [nodeIdAnnotation]: JSON.stringify(ids) } });
  }

  #leave(driver: string): void {
    this.#writeDrivers((drivers) => drivers.filter(({ name }) => name !== driver));
    const { [driver]: _gone, ...left } = this.#nodeIds();
    const text = Object.keys(left).length === 0 ? null : JSON.stringify(left);
    this.#patchNode({ annotations: { [nodeIdAnnotation]: text } });
  }

  #nodeIds(): { readonly [driver: string]: string } {
    return readJson(this.#node().metadata.annotations?.[nodeIdAnnotation] ?? "{}") as { readonly [driver: string]: string };
  }

  #node(): Stored<Node> {
    const { client, machine } = this.#running;
    return client.get(nodes, { namespace: "", name: machine.name });
  }

  #patchNode(metadata: { readonly [field: string]: { readonly [key: string]: string | null } }): void {
    const { client, machine } = this.#running;
    client.patch(nodes, { namespace: "", name: machine.name }, "merge", { metadata });
  }

  #writeDrivers(change: (drivers: NonNullable<CSINode["spec"]>["drivers"]) => NonNullable<CSINode["spec"]>["drivers"]): void {
    const { client, machine } = this.#running;
    try {
      const found = client.get(csiNodes, { namespace: "", name: machine.name });
      client.update(csiNodes, { ...found, spec: { ...found.spec, drivers: change(found.spec.drivers) } });
    } catch (error) {
      if (!isReason(error, "NotFound")) throw error;
      const { name, uid } = this.#node().metadata;
      client.create(csiNodes, {
        metadata: {
          name,
          annotations: {
            "storage.alpha.kubernetes.io/migrated-plugins": migrated.map((each) => `kubernetes.io/${each}`).join(","),
          },
          ownerReferences: [{ apiVersion: "v1", kind: "Node", name, uid }],
        },
        spec: { drivers: change([]) },
      });
    }
  }

  #reportInUse(): void {
    const wanted = [...this.#inUse.keys()].sort();
    const { client } = this.#running;
    unlessRefused(() => {
      const node = this.#node();
      const before = node.status?.volumesInUse ?? [];
      if (before.join() !== wanted.join()) client.patchStatus(nodes, { ...node, status: withInUse(node.status, wanted) });
      this.#reported = new Set(wanted);
    });
  }
}

function withInUse({ volumesInUse: _before, ...status }: NodeStatus = {}, volumesInUse: readonly string[]): NodeStatus {
  return volumesInUse.length === 0 ? status : { ...status, volumesInUse };
}
