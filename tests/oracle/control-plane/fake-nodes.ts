// Nodes without machines, the same ones on both sides: they are Ready, renew their Leases, say of the Pods bound to them that these run
// (or have ended, where an annotation says so), and let them go when they are deleted. It is what kwok does, in requests that both
// sides are sent alike. Nodes that a scenario creates live in the same way, until one of their annotations silences them.

import type { JsonObject, JsonValue } from "#cluster/api/wire.ts";
import type { Side } from "./side.ts";

const names = ["node-1", "node-2"];
const leaseMs = 2_000;
/** As `--node-monitor-grace-period`: less than usual, so that a scenario need not wait long for a lost node. */
export const nodeGraceSeconds = 16;
const patchType = "application/strategic-merge-patch+json";

/** On a Pod: `Succeeded` or `Failed`, what becomes of it once it has run. */
const outcomeAnnotation = "oracle/outcome";
/** On a Pod: with what its containers end, where it is `Failed`; 3 unless stated. */
const exitCodeAnnotation = "oracle/exit-code";
/** On a Pod of an indexed Job: `0,2`, those that fail whatever else is said. */
const failedIndexesAnnotation = "oracle/failed-indexes";
const indexAnnotation = "batch.kubernetes.io/job-completion-index";
/** On a Node: it is lost, and nothing more comes from it. */
const silentAnnotation = "oracle/silent";
/** On a Pod: it runs and does not become ready. */
const unreadyAnnotation = "oracle/unready";

interface Pod {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    readonly deletionTimestamp?: string;
    readonly annotations?: { readonly [name: string]: string };
  };
  readonly spec: {
    readonly nodeName?: string;
    readonly containers: readonly { readonly name: string; readonly image: string }[];
  };
  readonly status?: { readonly phase?: string };
}

interface Node {
  readonly metadata: { readonly name: string; readonly annotations?: { readonly [name: string]: string } };
}

export class FakeNodes {
  readonly #side: Side;
  /** Those that have a Lease. */
  readonly #registered = new Set<string>();
  readonly #silent = new Set<string>();
  #renewedMs = Number.NEGATIVE_INFINITY;
  #addresses = 1;

  constructor(side: Side) {
    this.#side = side;
  }

  async register(): Promise<void> {
    for (const [index, name] of names.entries()) {
      const zone = `zone-${"ab"[index]}`;
      const labels = { "kubernetes.io/hostname": name, "kubernetes.io/os": "linux", "topology.kubernetes.io/zone": zone };
      const room = { cpu: "4", memory: "8Gi", pods: "110", "ephemeral-storage": "20Gi" };
      const node = {
        apiVersion: "v1",
        kind: "Node",
        metadata: { name, labels },
        status: { capacity: room, allocatable: room, conditions: this.#conditions() },
      };
      await this.#side.ask({ method: "POST", path: "/api/v1/nodes", body: node });
    }
  }

  /** False while the controllers still hold Pods away from them, as from every new node. */
  async arePlaces(): Promise<boolean> {
    const { body } = await this.#side.ask({ method: "GET", path: "/api/v1/nodes" });
    const { items = [] } = body as unknown as { readonly items?: readonly { readonly spec?: { readonly taints?: unknown } }[] };
    return items.length >= names.length && items.every(({ spec }) => spec?.taints === undefined);
  }

  /** Does what is to be done now. */
  async pass(): Promise<void> {
    const { body } = await this.#side.ask({ method: "GET", path: "/api/v1/nodes" });
    const nodes = (body as unknown as { readonly items?: readonly Node[] }).items ?? [];
    const isDue = this.#side.nowMs - this.#renewedMs >= leaseMs;
    if (isDue) this.#renewedMs = this.#side.nowMs;
    for (const node of nodes) await this.#live(node, isDue);
    const speaking = new Set(nodes.map(({ metadata }) => metadata.name).filter((name) => !this.#silent.has(name)));
    const found = await this.#side.ask({ method: "GET", path: "/api/v1/pods?fieldSelector=spec.nodeName!=" });
    for (const pod of (found.body as unknown as { readonly items?: readonly Pod[] }).items ?? [])
      if (speaking.has(pod.spec.nodeName ?? "")) await this.#see(pod);
  }

  async #live({ metadata }: Node, isDue: boolean): Promise<void> {
    const { name } = metadata;
    if (metadata.annotations?.[silentAnnotation] !== undefined) {
      this.#silent.add(name);
      return;
    }
    if (!this.#registered.has(name)) {
      this.#registered.add(name);
      const lease = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name }, spec: this.#leaseSpec(name) };
      await this.#side.ask({ method: "POST", path: leases, body: lease });
    } else if (isDue || this.#silent.has(name)) await this.#patch(`${leases}/${name}`, { spec: this.#leaseSpec(name) });
    if (!this.#silent.delete(name)) return;
    await this.#patch(`/api/v1/nodes/${name}/status`, { status: { conditions: this.#conditions() } });
  }

  async #see(pod: Pod): Promise<void> {
    const { metadata, status } = pod;
    const path = `/api/v1/namespaces/${metadata.namespace}/pods/${metadata.name}`;
    if (metadata.deletionTimestamp !== undefined) {
      const options = { apiVersion: "v1", kind: "DeleteOptions", gracePeriodSeconds: 0, preconditions: { uid: metadata.uid } };
      await this.#side.ask({ method: "DELETE", path, body: options });
      return;
    }
    if (status?.phase === "Pending") await this.#patch(`${path}/status`, { status: this.#running(pod) });
    const outcome = outcomeOf(metadata.annotations ?? {});
    if (status?.phase === "Running" && outcome !== undefined)
      await this.#patch(`${path}/status`, { status: this.#ended(pod, outcome) });
  }

  #running({ spec, metadata }: Pod): JsonObject {
    const podIP = `10.244.0.${this.#addresses}`;
    this.#addresses = (this.#addresses % 250) + 1;
    const ready = metadata.annotations?.[unreadyAnnotation] === undefined;
    return {
      phase: "Running",
      podIP,
      podIPs: [{ ip: podIP }],
      hostIP: "10.0.0.1",
      startTime: this.#time(),
      conditions: ["Initialized", "Ready", "ContainersReady"].map((type) => ({
        type,
        status: ready || type === "Initialized" ? "True" : "False",
        lastTransitionTime: this.#time(),
      })),
      containerStatuses: spec.containers.map(({ name, image }) => ({
        name,
        image,
        imageID: "",
        ready,
        restartCount: 0,
        state: { running: { startedAt: this.#time() } },
      })),
    };
  }

  #ended({ spec, metadata }: Pod, phase: string): JsonObject {
    const exitCode = phase === "Succeeded" ? 0 : Number(metadata.annotations?.[exitCodeAnnotation] ?? 3);
    return {
      phase,
      conditions: ["Ready", "ContainersReady"].map((type) => ({ type, status: "False", lastTransitionTime: this.#time() })),
      containerStatuses: spec.containers.map(({ name, image }) => ({
        name,
        image,
        imageID: "",
        ready: false,
        restartCount: 0,
        state: { terminated: { exitCode, startedAt: this.#time(), finishedAt: this.#time() } },
      })),
    };
  }

  #conditions(): readonly JsonObject[] {
    const times = { lastHeartbeatTime: this.#time(), lastTransitionTime: this.#time() };
    return [
      { type: "MemoryPressure", status: "False", reason: "KubeletHasSufficientMemory", message: "", ...times },
      { type: "DiskPressure", status: "False", reason: "KubeletHasNoDiskPressure", message: "", ...times },
      { type: "PIDPressure", status: "False", reason: "KubeletHasSufficientPID", message: "", ...times },
      { type: "Ready", status: "True", reason: "KubeletReady", message: "", ...times },
    ];
  }

  #leaseSpec(holderIdentity: string): JsonObject {
    return { holderIdentity, leaseDurationSeconds: 40, renewTime: new Date(this.#side.nowMs).toISOString().replace("Z", "000Z") };
  }

  #time(): string {
    return new Date(this.#side.nowMs).toISOString().replace(/\.\d+Z$/, "Z");
  }

  #patch(path: string, body: JsonValue) {
    return this.#side.ask({ method: "PATCH", path, type: patchType, body });
  }
}

function outcomeOf(annotations: { readonly [name: string]: string }): string | undefined {
  const failed = annotations[failedIndexesAnnotation]?.split(",") ?? [];
  return failed.includes(annotations[indexAnnotation] ?? "") ? "Failed" : annotations[outcomeAnnotation];
}

const leases = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";
