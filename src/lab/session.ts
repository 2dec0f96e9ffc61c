// All that pages and the workbench know of a running lab: state to read, verbs to call. Behind it are the worker, the
// world and the journal; nothing of them shows here.

import type { ReadonlySignal } from "@preact/signals";
import type { BrowsedPage } from "#world/browser.ts";
import type { Checkpoint } from "./checkpoints.ts";
import type { ExamRules, ExamView } from "./exam.ts";
import type { Answer, Asked, QuestionName } from "./feed/questions.ts";
import type { LabFileRefusal } from "./lab-file.ts";
import type { ScoreView } from "./score.ts";

export type { BrowsedPage } from "#world/browser.ts";
export type { Checkpoint } from "./checkpoints.ts";
export type { ExamView } from "./exam.ts";
export { parseRef, refText } from "./feed/object-ref.ts";
export type * from "./feed/questions.ts";
export type { FieldHelp, FieldPath, KindName, ManifestProblem } from "./manifest-help.ts";

export interface LabSession {
  readonly labId: string;
  readonly locale: string;
  readonly state: ReadonlySignal<SessionState>;
  readonly clock: ReadonlySignal<ClockView>;
  readonly steps: ReadonlySignal<readonly StepView[]>;
  /** The cluster picture's data; changes at most every animation frame. */
  readonly cluster: ReadonlySignal<ClusterView>;
  /** Connections since the last change of this list; it is a new one for every moment in which there were any. */
  readonly traffic: ReadonlySignal<readonly Flow[]>;

  /** Whether what is done here will be there after a reload. */
  readonly keeping: ReadonlySignal<Keeping>;

  /** Terminals of the last visit that no screen shows yet; `openTerminal` takes them up first. */
  readonly leftTerminals: ReadonlySignal<number>;

  /** A new terminal on the learner's workstation. */
  openTerminal(size: { readonly columns: number; readonly rows: number }): TerminalPort;
  /** Types a command into the terminal that was used last, with Enter. */
  runInTerminal(command: string): void;
  /** Saves a file as the learner; why it was refused, in the words of the learner's machine. Rejects as `ask` does. */
  saveFile(path: string, text: string): Promise<string | undefined>;
  /** Fetches a page as a browser on the learner's machine does. Rejects as `ask` does. */
  browse(url: string): Promise<BrowsedPage>;
  setSpeed(speed: Speed): void;
  setPaused(paused: boolean): void;
  /** Lets virtual time pass at once. */
  skip(durationMs: number): void;
  /** Stops the clock and goes on by one instant at which anything happens, or to the next write to the cluster. */
  step(to: "instant" | "write"): void;
  /** Asks about the world's past and present (`feed/questions.ts`); changes nothing. Rejects when there is no world, or it stops before it has answered. */
  ask<Name extends QuestionName>(name: Name, asked: Asked<Name>): Promise<Answer<Name>>;
  /** Going back in the run, taking it away, bringing one in. */
  readonly journal: JournalVerbs;
  readonly score: ReadonlySignal<ScoreView>;
  /** Undefined while the lab is no exam. */
  readonly exam: ReadonlySignal<ExamView | undefined>;
  /** An exam runs: no help, no way back. */
  readonly examOn: ReadonlySignal<boolean>;
  /** How an exam of this lab is held; undefined where there is nothing to examine, or while it is not loaded. */
  readonly examRules: ReadonlySignal<ExamRules | undefined>;
  /** A new cluster, and the clock runs. */
  startExam(rules: ExamRules): void;
  /** To be called now and then while an exam is on: it ends when its time is up. */
  lookAtExam(): void;
  /** The next hint of a step; hints shown are remembered. */
  showHint(stepId: string): void;
  showSolution(stepId: string): void;
  /** The whole lab from its start. */
  reset(): void;
  /** After a failure: the lab as it was, in a new worker. */
  retry(): void;
  /** Frees the worker; progress is kept. */
  close(): void;
}

export interface JournalVerbs {
  /** Moments to go back to, oldest first. Rejects when the lab stops before it has answered. */
  checkpoints(): Promise<readonly Checkpoint[]>;
  goBack(to: Checkpoint): void;
  /** Back to when the current step was opened. */
  resetStep(): void;
  /** What was left by going back or by bringing a run in, and can still be returned to. */
  readonly left: ReadonlySignal<Left | undefined>;
  comeBack(): void;
  /** What was left is not wanted any more. */
  forget(): void;
  /** The run as a file's text. */
  file(): string;
  /** Puts a file's run in place of this one; why not. */
  takeFile(text: string): { readonly refusal: LabFileRefusal; readonly lab: string } | undefined;
  /** The fragment of a link to this run; undefined when it is too long for one. */
  link(): Promise<string | undefined>;
  /** What the link that led here holds; until it is answered. */
  readonly offer: ReadonlySignal<Offer | undefined>;
  answerOffer(take: boolean): void;
}

/** `before`: the command or file that was gone back before. */
export interface Left {
  readonly kind: "back" | "step" | "brought";
  readonly before: string;
}

export type Offer = { readonly kind: "run" } | { readonly kind: "refused"; readonly refusal: LabFileRefusal; readonly lab: string };

export type SessionState =
  | { readonly kind: "starting"; readonly phase: "loading" | "booting" | "replaying" }
  /** `lost`: something was kept of the last visit and cannot be taken up. */
  | { readonly kind: "ready"; readonly resumed: boolean; readonly lost: LostReason | undefined }
  /** `key` is a UI string's key under `session.errors`: load, worker or world. */
  | { readonly kind: "failed"; readonly key: string; readonly detail: string };

/** Why a kept lab cannot be taken up: garbage, or made by a simulator that has changed since. */
export type LostReason = "unreadable" | "outdated";

/** `refused`: the browser keeps nothing, or has no room; `elsewhere`: another tab has the lab open and keeps its own. */
export type Keeping = "kept" | "refused" | "elsewhere";

export type Speed = 1 | 10 | 60;

export interface ClockView {
  readonly nowMs: number;
  readonly speed: Speed;
  readonly paused: boolean;
  readonly eventsPerSecond: number;
  readonly context: string;
  readonly namespace: string;
}

export interface StepView {
  readonly id: string;
  readonly title: string;
  /** HTML made from the step's Markdown at build time. */
  readonly taskHtml: string;
  readonly status: "open" | "passed";
  /** The first open step is the current one. */
  readonly current: boolean;
  /** What is still missing, in the learner's language; empty when passed. */
  readonly missing: readonly string[];
  /** HTML */
  readonly hintsShown: readonly string[];
  readonly hintsLeft: number;
  /** Points that the step is worth, and that the next hint takes. */
  readonly worth: number;
  readonly hintCost: number;
  /** Present once asked for. */
  readonly solution: { readonly commands: string; readonly explanationHtml: string } | undefined;
}

/** A terminal as xterm needs it: seven members; buffers output until someone listens. */
export interface TerminalPort {
  readonly id: string;
  readonly title: ReadonlySignal<string>;
  /** Its shell has ended (`exit`, Ctrl-D): nothing comes or goes any more. */
  readonly ended: ReadonlySignal<boolean>;
  write(data: string | Uint8Array): void;
  resize(size: { readonly columns: number; readonly rows: number }): void;
  onOutput(listener: (data: Uint8Array) => void): void;
  close(): void;
}

export type PodShape =
  | "pending"
  | "creating"
  | "running"
  | "notReady"
  | "crashLooping"
  | "succeeded"
  | "failed"
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
  /** Name of the topmost owner: the Deployment, not its ReplicaSet. */
  readonly ownerKind: string;
  readonly ownerName: string;
  /** Distinguishes generations of one owner (pod-template-hash); "" without. */
  readonly revision: string;
  readonly ip: string;
}

export interface ClusterView {
  readonly nodes: readonly {
    readonly name: string;
    readonly address: string;
    readonly ready: boolean;
    readonly unschedulable: boolean;
    readonly zone: string;
    readonly controlPlane: boolean;
  }[];
  readonly pods: readonly PodView[];
  readonly deployments: readonly {
    readonly namespace: string;
    readonly name: string;
    readonly ready: number;
    readonly desired: number;
  }[];
  readonly replicaSets: readonly {
    readonly namespace: string;
    readonly name: string;
    readonly ready: number;
    readonly desired: number;
    readonly deployment: string;
  }[];
  readonly services: readonly ServiceView[];
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

/** Connections that took the same way. */
export interface Flow {
  /** Address of the client: a Pod's, a node's, the learner's machine's. */
  readonly from: string;
  /** What the client asked for: a Service's address, a node's, a Pod's. */
  readonly asked: string;
  readonly port: number;
  /** Address where they ended; "" when they were led nowhere. */
  readonly to: string;
  readonly count: number;
  /** How many of them nobody took. */
  readonly failed: number;
}
