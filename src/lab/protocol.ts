// The messages between the page and the worker that holds the world. Bytes for terminals, plain data for the rest; all
// of it survives structured cloning.

import type { Flow } from "#history/flow-log.ts";
import type { JournalEntry } from "#sim/journal.ts";
import type { BrowsedPage } from "#world/browser.ts";
import type { WorldInput } from "#world/input.ts";
import type { LabDefinition } from "./definition.ts";
import type { SavedExam } from "./exam.ts";
import type { StepState } from "./lab-run.ts";
import type { ClusterChange } from "./picture-changes.ts";
import type { Answer, Asked, QuestionName } from "./questions.ts";
import type { ReferenceRun } from "./reference-run.ts";
import type { Speed } from "./session.ts";

/** One input as it was given; a lab is resumed by giving all of them again. */
export type LabJournalEntry = JournalEntry<WorldInput>;

/** What is kept of a lab between visits. */
export interface SavedLab {
  /** Raised when worlds made by an older version would replay differently; such journals are not resumed. */
  readonly format: number;
  readonly seed: number;
  readonly startMs: number;
  /** Virtual time when it was last saved. */
  readonly nowMs: number;
  readonly entries: readonly LabJournalEntry[];
  /** Hints shown so far, by step. */
  readonly hints: { readonly [stepId: string]: number };
  /** Steps whose solution was asked for. */
  readonly solutions: readonly string[];
  /** Of the lab that it is a run of (`world-mark.ts`); journals of another one are not resumed. */
  readonly world?: string | undefined;
  /** While the lab is held as an exam, and after it. */
  readonly exam?: SavedExam | undefined;
}

export const savedFormat = 1;

export type PageMessage =
  | { readonly kind: "open"; readonly lab: LabDefinition; readonly saved: SavedLab }
  /** To a worker that does nothing else: play the reference solutions from the start of the lab. */
  | { readonly kind: "reference"; readonly lab: LabDefinition; readonly startMs: number; readonly seed: number }
  | { readonly kind: "input"; readonly input: WorldInput }
  | { readonly kind: "speed"; readonly speed: Speed }
  | { readonly kind: "pause"; readonly paused: boolean }
  | { readonly kind: "skip"; readonly durationMs: number }
  /** The next instant at which anything happens, or the next write to the cluster; for a paused world. */
  | { readonly kind: "step"; readonly to: "instant" | "write" }
  /** About the world's past and present; changes nothing. */
  | { readonly kind: "ask"; readonly id: number; readonly name: QuestionName; readonly asked: Asked<QuestionName> };

/** What came of something that was put into the world. */
export type Outcome =
  | { readonly kind: "saved"; readonly path: string; readonly refused: string | undefined }
  | { readonly kind: "page"; readonly page: string; readonly result: BrowsedPage };

export interface ClockReport {
  readonly nowMs: number;
  readonly eventsPerSecond: number;
  readonly context: string;
  readonly namespace: string;
}

export interface FaultReport {
  /** The part of the simulator: `kube-apiserver`, `kubelet node-1`. */
  readonly room: string;
  /** Virtual time, subject and stack, for a report. */
  readonly detail: string;
}

/** The worker's first word: its code runs. */
export interface WorkerStarted {
  readonly kind: "started";
}

export type WorkerMessage =
  | { readonly kind: "phase"; readonly phase: "booting" | "replaying" }
  /** `terminals`: those that were open when the lab was left. */
  | { readonly kind: "ready"; readonly terminals: readonly string[] }
  | { readonly kind: "failed"; readonly detail: string }
  | { readonly kind: "output"; readonly terminal: string; readonly bytes: Uint8Array }
  | { readonly kind: "reference"; readonly run: ReferenceRun }
  | { readonly kind: "closed"; readonly terminal: string }
  | { readonly kind: "canonical"; readonly terminal: string; readonly canonical: boolean }
  | { readonly kind: "clock"; readonly clock: ClockReport }
  | { readonly kind: "steps"; readonly steps: readonly StepState[] }
  | { readonly kind: "cluster"; readonly cluster: ClusterChange }
  | { readonly kind: "traffic"; readonly flows: readonly Flow[] }
  | { readonly kind: "answer"; readonly id: number; readonly answer: Answer<QuestionName> }
  | { readonly kind: "unanswered"; readonly id: number; readonly detail: string }
  | { readonly kind: "outcome"; readonly outcome: Outcome }
  /** A mistake of the simulator that it survived. */
  | { readonly kind: "fault"; readonly fault: FaultReport }
  /** An input that was applied, to be saved. */
  | { readonly kind: "journal"; readonly entry: LabJournalEntry };
