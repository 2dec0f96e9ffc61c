// What a replay comes to.

export interface ReplayedStep {
  readonly id: string;
  /** Virtual time when its turn came; undefined while it has not. */
  readonly openedMs: number | undefined;
  /** Virtual time when it passed; undefined while it has not. */
  readonly passedMs: number | undefined;
  /** What it was worth when it passed, less the help that the run says was asked for; 0 while it has not passed. */
  readonly points: number;
}

export interface ReplayResult {
  readonly ok: true;
  /** In the order of the lab. */
  readonly steps: readonly ReplayedStep[];
  /** Processor time that it took. */
  readonly cpuMs: number;
}

export type RefusalReason =
  /** No run of a lab, or one with values that no run has. */
  | "unreadable"
  /** There is no such lab, or the run was made in another one. */
  | "otherLab"
  /** Of an older or newer simulator, or of the lab as it was before. */
  | "outdated"
  /** Inputs out of order, or before the start. */
  | "unordered"
  /** More virtual time than is replayed. */
  | "tooLong"
  /** More inputs, or more text in them, than is replayed. */
  | "tooMany"
  | "tookTooLong"
  | "tooMuchMemory"
  /** A mistake of the simulator or of the lab. */
  | "failed"
  /** Too many runs wait already, or the pool is closed. */
  | "busy";

export interface ReplayRefusal {
  readonly ok: false;
  readonly reason: RefusalReason;
  /** In English, for the log. */
  readonly detail: string;
}

export type Replay = ReplayResult | ReplayRefusal;

export function refuse(reason: RefusalReason, detail: string): ReplayRefusal {
  return { ok: false, reason, detail };
}
