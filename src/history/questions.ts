// What may be asked of a world about its past and present objects, and what is told. Asking changes nothing in the world.

/** Names an object: `pods` or `deployments.apps`, with namespace "" for objects of the cluster. */
export interface ObjectRef {
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

export interface EntryFilter {
  /** Names of components; empty: all. */
  readonly components: readonly string[];
  /** A part of `kind/namespace/name` or of a message; "": all. */
  readonly text: string;
  /** Everything that concerns this object alone. */
  readonly object?: ObjectRef | undefined;
  /** Also the renewals of Leases. */
  readonly beats: boolean;
}

export const everything: EntryFilter = { components: [], text: "", beats: false };

/** Part of the cluster that a component is. */
export type ComponentGroup = "client" | "apiserver" | "controller" | "scheduler" | "node" | "addon";

export interface Component {
  /** As the cluster calls it: `kubectl`, `deployment-controller`, `kubelet node-1`. */
  readonly name: string;
  readonly group: ComponentGroup;
}

/** One change of a field, as texts: `spec.replicas`, `1`, `3`. */
export interface Change {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

export interface EntryView {
  readonly sequence: number;
  readonly timeMs: number;
  readonly component: Component;
  readonly kind: "write" | "event" | "refusal" | "decision" | "runtime";
  /** create, update, patch, delete, expire; of an event Normal or Warning; of a decision its outcome; of a runtime the act. */
  readonly verb: string;
  readonly subresource: string;
  readonly object: ObjectRef;
  readonly objectKind: string;
  /** What Kubernetes itself says: an event's message, a refusal, the chosen node. */
  readonly text: string;
  /** Of an event. */
  readonly reason: string;
  /** The first few fields that a write changed. */
  readonly changes: readonly Change[];
  readonly moreChanges: number;
}

export interface EntriesView {
  /** All that pass the filter. */
  readonly total: number;
  /** Index of the first of `entries` among them. */
  readonly first: number;
  readonly entries: readonly EntryView[];
  /** Where an entry that was asked for stands; -1 when it does not pass. */
  readonly found: number;
}

export interface OverviewView {
  /** Of the oldest entry that is kept. */
  readonly oldestMs: number;
  readonly nowMs: number;
  readonly components: readonly (Component & { readonly entries: number })[];
  /** Entries in equal parts of the time from `oldestMs` to `nowMs`. */
  readonly density: readonly number[];
}

export interface RequestView {
  readonly user: string;
  readonly groups: readonly string[];
  readonly userAgent: string;
  readonly code: number;
}

export interface EntryDetail {
  readonly entry: EntryView;
  readonly request: RequestView | undefined;
  /** YAML as `kubectl get -o yaml` prints it; "" where there was no object. */
  readonly before: string;
  readonly after: string;
}

export interface VersionView {
  readonly sequence: number;
  readonly timeMs: number;
  readonly resourceVersion: string;
  readonly component: Component;
  readonly verb: string;
  readonly subresource: string;
  readonly changes: readonly Change[];
  readonly moreChanges: number;
}

export interface EventView {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
  readonly source: string;
  readonly count: number;
  readonly lastMs: number;
}

export interface ObjectView {
  readonly ref: ObjectRef;
  readonly kind: string;
  readonly uid: string;
  /** The YAML of the state that was asked for. */
  readonly yaml: string;
  /** Columns and cells as `kubectl get -o wide` shows them. */
  readonly columns: readonly { readonly name: string; readonly value: string }[];
  readonly labels: readonly (readonly [string, string])[];
  readonly createdMs: number;
  /** Deleted since, or at the time asked for. */
  readonly gone: boolean;
  /** Topmost owner first, the object itself last. */
  readonly owners: readonly (ObjectRef & { readonly kind: string; readonly gone: boolean })[];
  /** What it owns. */
  readonly owned: readonly (ObjectRef & { readonly kind: string })[];
  /** Newest first. */
  readonly events: readonly EventView[];
  /** Recorded states, newest first. */
  readonly versions: readonly VersionView[];
}

export interface FoundObject extends ObjectRef {
  readonly kind: string;
}

export type FollowStepKind =
  | "request"
  | "authentication"
  | "authorization"
  | "admission"
  | "storage"
  | "controller"
  | "deploymentController"
  | "replicaSetController"
  | "refusedPlace"
  | "decision"
  | "binding"
  | "sandbox"
  | "pulling"
  | "pulled"
  | "created"
  | "started"
  | "status"
  | "warning";

export interface FollowStep {
  readonly step: FollowStepKind;
  readonly timeMs: number;
  readonly component: Component;
  /** The entry it was read from; 0 when it is part of the one before. */
  readonly sequence: number;
  readonly object: ObjectRef;
  /** For the step's sentence. */
  readonly values: { readonly [name: string]: string };
}

export interface FollowView {
  readonly steps: readonly FollowStep[];
  /** The Pod that is followed; undefined when none has been made. */
  readonly pod: ObjectRef | undefined;
  /** Pods that may be followed instead. */
  readonly pods: readonly ObjectRef[];
}

export interface DecisionView {
  /** Place in the order of decisions; the newest is the highest. */
  readonly sequence: number;
  readonly timeMs: number;
  readonly pod: ObjectRef;
  readonly attempt: number;
  readonly outcome: "scheduled" | "unschedulable" | "preempting" | "error";
  readonly nodeName: string;
  readonly message: string;
  readonly totalNodes: number;
}

export interface DecisionDetail extends DecisionView {
  /** Weights of the plugins that scored, in their order. */
  readonly plugins: readonly { readonly plugin: string; readonly weight: number }[];
  readonly nodes: readonly {
    readonly nodeName: string;
    readonly refusedBy: string;
    readonly reasons: readonly string[];
    /** In the order of `plugins`: before and after normalising. */
    readonly scores: readonly { readonly raw: number; readonly normalized: number }[];
    readonly total: number;
  }[];
}

/** Every question with its answer. */
export interface HistoryQuestions {
  readonly overview: {
    readonly asked: { readonly parts: number };
    readonly answer: OverviewView;
  };
  /** A window of the entries that pass a filter: from `first` on, or around the entry `around`, or (first -1) the latest. */
  readonly entries: {
    readonly asked: {
      readonly filter: EntryFilter;
      readonly first: number;
      readonly count: number;
      readonly around?: number | undefined;
    };
    readonly answer: EntriesView;
  };
  readonly entry: { readonly asked: { readonly sequence: number }; readonly answer: EntryDetail | undefined };
  /** The time of the write before or after a time. */
  readonly neighbour: {
    readonly asked: { readonly ofMs: number; readonly later: boolean };
    readonly answer: number | undefined;
  };
  readonly follow: {
    readonly asked: { readonly object: ObjectRef; readonly pod?: ObjectRef | undefined };
    readonly answer: FollowView;
  };
  /** An object as it is now, at a time, or as the entry `version` wrote it; null when nothing is known of it. */
  readonly object: {
    readonly asked: { readonly object: ObjectRef; readonly atMs?: number | undefined; readonly version?: number | undefined };
    readonly answer: ObjectView | null;
  };
  readonly yaml: { readonly asked: { readonly object: ObjectRef; readonly version: number }; readonly answer: string };
  /** Objects whose `kind/namespace/name` holds the text, at most `limit`. */
  readonly find: {
    readonly asked: { readonly text: string; readonly limit: number; readonly atMs?: number | undefined };
    readonly answer: readonly FoundObject[];
  };
  /** What a client, kubectl say, has written last; undefined when none has. */
  readonly touched: { readonly asked: Record<string, never>; readonly answer: ObjectRef | undefined };
  readonly decisions: {
    readonly asked: { readonly text: string; readonly limit: number };
    readonly answer: readonly DecisionView[];
  };
  readonly decision: { readonly asked: { readonly sequence: number }; readonly answer: DecisionDetail | undefined };
}

export type HistoryAsked<Name extends keyof HistoryQuestions> = HistoryQuestions[Name]["asked"];

export type HistoryAnswerers = {
  readonly [Name in keyof HistoryQuestions]: (asked: HistoryAsked<Name>) => HistoryQuestions[Name]["answer"];
};
