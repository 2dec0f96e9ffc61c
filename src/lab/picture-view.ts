// What the cluster picture is drawn from: plain data that the worker sends.

/** What a Pod's state comes to; each has a sign of its own (`src/workbench/picture/glyphs.tsx`). */
export type PodShape =
  | "pending"
  | "creating"
  | "initializing"
  | "running"
  | "notReady"
  | "stopped"
  | "crashLooping"
  | "imageFailed"
  | "configFailed"
  | "succeeded"
  | "failed"
  | "evicted"
  | "oomKilled"
  | "terminating"
  | "unknown";

export interface PodView {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  /** "" while not placed. */
  readonly nodeName: string;
  readonly shape: PodShape;
  /** What `kubectl get pods` shows under STATUS. */
  readonly statusText: string;
  readonly ready: string;
  /** The topmost owner: the Deployment, not its ReplicaSet; the CronJob, not its Job. "" for a bare Pod. */
  readonly ownerKind: string;
  readonly ownerName: string;
  /** Distinguishes generations of one owner: the hash of its ReplicaSet or ControllerRevision; "" without. */
  readonly revision: string;
  readonly ip: string;
  /** What still holds it, of a Pod that is being deleted. */
  readonly heldBy: readonly string[];
}

export interface NodeView {
  readonly name: string;
  readonly address: string;
  readonly ready: boolean;
  readonly unschedulable: boolean;
  readonly zone: string;
  readonly controlPlane: boolean;
}

/** What makes Pods and is itself made by nothing else. */
export interface WorkloadView {
  /** `deployments.apps` */
  readonly resource: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** As the columns of `kubectl get` count: `2/3` of Pods that are wanted, `0/1` of a Job's completions; "" for a CronJob. */
  readonly count: string;
  /** Fewer Pods are ready than are wanted. */
  readonly short: boolean;
  /** What Kubernetes says of it in a word: a Job's status, a CronJob's schedule. */
  readonly text: string;
  readonly deleting: boolean;
}

export interface ServiceView {
  readonly namespace: string;
  readonly name: string;
  readonly type: string;
  readonly clusterIp: string;
  /** Ports that every node answers on for it. */
  readonly nodePorts: readonly number[];
  /** uids of the ready pods behind it */
  readonly endpoints: readonly string[];
}

/** An object that the lab has in its picture (`picture:` in `lab.yaml`). */
export interface ShownObject {
  readonly uid: string;
  /** `persistentvolumeclaims`, `deployments.apps` */
  readonly resource: string;
  readonly kind: string;
  /** "" for objects of the cluster. */
  readonly namespace: string;
  readonly name: string;
  /** What Kubernetes says of its state in a word: `Bound`, `Terminating`; "" for kinds without one. */
  readonly text: string;
  readonly deleting: boolean;
  readonly finalizers: readonly string[];
  readonly owners: readonly { readonly uid: string; readonly kind: string; readonly name: string }[];
}

/** Between two things of the picture, by their uids: `owner` as an owner reference says, `bond` by what one uses of the other. */
export interface Tie {
  readonly kind: "owner" | "bond";
  /** Whose fields say so: the dependent, the claim, the Pod that mounts it. */
  readonly from: string;
  readonly to: string;
}

export interface ClusterView {
  readonly nodes: readonly NodeView[];
  readonly pods: readonly PodView[];
  readonly workloads: readonly WorkloadView[];
  readonly services: readonly ServiceView[];
  readonly objects: readonly ShownObject[];
  readonly ties: readonly Tie[];
}

export const emptyCluster: ClusterView = { nodes: [], pods: [], workloads: [], services: [], objects: [], ties: [] };
