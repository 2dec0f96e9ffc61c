// All that pages and the workbench know of a running lab: state to read, verbs to call. Behind it are the worker, the
// world and the journal; nothing of them shows here.

import type { ReadonlySignal } from "@preact/signals";
import type { Flow } from "#history/flow-log.ts";
import type { ObjectRef } from "#history/questions.ts";
import type { BrowsedPage } from "#world/browser.ts";
import type { Checkpoint } from "./checkpoints.ts";
import type { ExamRules, ExamView, HeldExam } from "./exam.ts";
import type { LabFileRefusal, ReadLabFile } from "./lab-file.ts";
import type { ClusterView } from "./picture-view.ts";
import type { FaultReport, SavedLab } from "./protocol.ts";
import type { Answer, Asked, QuestionName } from "./questions.ts";
import type { ScoreView } from "./score.ts";

export interface LabSession {
  readonly labId: string;
  readonly locale: string;
  readonly state: ReadonlySignal<SessionState>;
  /** The end of a part: tasks in any order, no hints, no solutions before it is over. */
  readonly capstone: ReadonlySignal<boolean>;
  /** The world's time. */
  readonly clock: ClockVerbs;
  readonly steps: ReadonlySignal<readonly StepView[]>;
  /** The cluster picture's data; changes at most every animation frame. */
  readonly cluster: ReadonlySignal<ClusterView>;
  /** Connections since the last change of this list; it is a new one for every moment in which there were any. */
  readonly traffic: ReadonlySignal<readonly Flow[]>;

  /** Whether what is done here will be there after a reload. */
  readonly keeping: ReadonlySignal<Keeping>;

  /** The first mistake of the simulator in this world, which goes on. */
  readonly fault: ReadonlySignal<FaultReport | undefined>;
  /** Something was typed before the lab was ready, and is kept until it is. */
  readonly typedAhead: ReadonlySignal<boolean>;

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
  /** Asks about the world's past and present (`questions.ts`); changes nothing. Rejects when there is no world, or it stops before it has answered. */
  ask<Name extends QuestionName>(name: Name, asked: Asked<Name>): Promise<Answer<Name>>;
  /** Going back in the run, taking it away, bringing one in. */
  readonly journal: JournalVerbs;
  /** Hints and solutions, and what they cost. */
  readonly help: HelpVerbs;
  /** What was done beside the reference solution; to be asked once the lab is over. */
  readonly review: ReviewVerbs;
  /** The lab against the clock on the wall. */
  readonly exam: ExamVerbs;
  /** The whole lab from its start. */
  reset(): void;
  /** After a failure: the lab as it was, in a new worker. */
  retry(): void;
  /** Frees the worker; progress is kept. */
  close(): void;
}

export interface ClockVerbs {
  readonly view: ReadonlySignal<ClockView>;
  setSpeed(speed: Speed): void;
  setPaused(paused: boolean): void;
  /** Lets virtual time pass at once. */
  skip(durationMs: number): void;
  /** Stops the clock and goes on by one instant at which anything happens, or to the next write to the cluster. */
  step(to: "instant" | "write"): void;
}

export interface HelpVerbs {
  readonly score: ReadonlySignal<ScoreView>;
  /** The next hint of a step; hints shown are remembered. */
  showHint(stepId: string): void;
  showSolution(stepId: string): void;
}

export interface ExamVerbs {
  /** Undefined while the lab is no exam. */
  readonly view: ReadonlySignal<ExamView | undefined>;
  /** An exam runs: no help, no way back. */
  readonly on: ReadonlySignal<boolean>;
  /** How an exam of this lab is held; undefined where there is nothing to examine, or while it is not loaded. */
  readonly rules: ReadonlySignal<ExamRules | undefined>;
  /** Of a class: there is no help even after its end. Undefined elsewhere. */
  readonly held: HeldExam | undefined;
  /** A class's exam is over: nothing that is typed or saved comes into the world any more. */
  readonly closed: ReadonlySignal<boolean>;
  /** By the clock that the exam goes by. */
  nowMs(): number;
  /** A new cluster, and the clock runs. */
  start(rules: ExamRules): void;
  /** To be called now and then while an exam is on: it ends when its time is up. */
  look(): void;
}

export interface JournalVerbs {
  /** Moments to go back to, oldest first. Rejects when the lab stops before it has answered. */
  checkpoints(): Promise<readonly Checkpoint[]>;
  goBack(to: Checkpoint): void;
  /** Back to when a step was opened; without one, the current step. What was undone before it came is told by `undone`. */
  resetStep(stepId?: string): void;
  /** After a step was begun again: what of earlier steps was no longer there even at its opening, and where to begin to have it back. */
  readonly undone: ReadonlySignal<Undone | undefined>;
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
  /** The run as it is now. */
  current(): SavedLab;
  /** Lets the learner choose between this run and one that was read elsewhere. */
  offerRun(read: ReadLabFile, from: OfferedFrom): void;
}

/** `before`: the command or file that was gone back before. */
export interface Left {
  readonly kind: "back" | "step" | "brought";
  readonly before: string;
}

export interface Undone {
  /** Sentences that say what is missing. */
  readonly missing: readonly MissingCheck[];
  /** The last step that began with everything in place. */
  readonly step: { readonly id: string; readonly title: string };
}

/** `link`: the address of the page; `class`: what the classroom has of another browser. */
export type OfferedFrom = "link" | "class";

export type Offer =
  | { readonly kind: "run"; readonly from: OfferedFrom }
  | { readonly kind: "refused"; readonly refusal: LabFileRefusal; readonly lab: string };

export interface ReviewVerbs {
  /** All steps have passed, or an exam is over: solutions may be told. */
  readonly open: ReadonlySignal<boolean>;
  /** Rejects when the lab is not over, or stops before it has answered. */
  steps(): Promise<readonly ReviewStep[]>;
  /** How the cluster differs from what the reference solutions would have made of it. Rejects as `steps` does, and when the reference could not be played. */
  differences(): Promise<readonly ObjectDifference[]>;
}

export interface ReviewStep {
  readonly id: string;
  readonly title: string;
  readonly passed: boolean;
  /** Its turn came. */
  readonly reached: boolean;
  readonly points: number;
  /** What the learner typed and saved while it was open, in order. */
  readonly commands: readonly ReviewCommand[];
  readonly solution: string;
  readonly whyHtml: string;
  /** Of a capstone's task: what to read again. */
  readonly lesson: LessonLink | undefined;
  readonly missing: readonly MissingCheck[];
}

export interface LessonLink {
  readonly title: string;
  readonly href: string;
}

export interface ReviewCommand {
  readonly kind: "command" | "file";
  /** The line, or the file's path. */
  readonly text: string;
  /** Exit code; 0 for a file. */
  readonly code: number;
}

/** An object that differs; YAML without what changes by itself, "" where there is no such object. */
export interface ObjectDifference {
  readonly ref: ObjectRef;
  readonly kind: string;
  readonly mine: string;
  readonly reference: string;
}

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
  /** The first step that has not passed is the current one. */
  readonly current: boolean;
  /** Its turn has come and it has not passed: the current step, or any task of a capstone. */
  readonly open: boolean;
  /** Virtual time at which its turn came; undefined before. */
  readonly openedMs: number | undefined;
  /** What is still missing; empty when passed, and while an exam runs. */
  readonly missing: readonly MissingCheck[];
  /** All that is asked for holds, and has to go on as long, in all; undefined while something is missing, and while an exam runs. */
  readonly lastsMs: number | undefined;
  /** A mistake of ours keeps the open step from being judged: what a report of it needs. It is told during an exam too. */
  readonly fault: string | undefined;
  /** Ids of the checks that hold; of an open step, or all when it has passed. Empty while an exam runs. */
  readonly met: readonly string[];
  /** Why the solution does it, once the step has passed and no exam is on: HTML, its first sentence and the rest ("" when that was all). */
  readonly why: { readonly firstHtml: string; readonly restHtml: string } | undefined;
  /** HTML */
  readonly hintsShown: readonly string[];
  readonly hintsLeft: number;
  /** Points that the step is worth, and that the next hint takes. */
  readonly worth: number;
  /** Points without any help. */
  readonly most: number;
  readonly hintCost: number;
  /** Present once asked for. */
  readonly solution: { readonly commands: string; readonly explanationHtml: string } | undefined;
}

export interface MissingCheck {
  readonly check: string;
  /** A sentence in the learner's language, `code` in backticks. */
  readonly text: string;
}

/** A terminal as xterm needs it; buffers output until someone listens. */
export interface TerminalPort {
  readonly id: string;
  readonly title: ReadonlySignal<string>;
  /** Its shell has ended (`exit`, Ctrl-D): nothing comes or goes any more. */
  readonly ended: ReadonlySignal<boolean>;
  /** The terminal line gathers lines (termios' ICANON): no program takes its keys one by one. False while that is not known. */
  readonly canonical: ReadonlySignal<boolean>;
  /** While the lab starts or is replayed, it is kept and delivered in order once the lab is ready. */
  write(data: string | Uint8Array): void;
  resize(size: { readonly columns: number; readonly rows: number }): void;
  onOutput(listener: (data: Uint8Array) => void): void;
  close(): void;
}
