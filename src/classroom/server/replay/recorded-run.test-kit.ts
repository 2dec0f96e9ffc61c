// Runs of labs as a learner's browser makes them: solutions typed key by key into a host, and its journal.

import type { LabSources } from "#lab/catalog.ts";
import type { LabDefinition } from "#lab/definition.ts";
import { LabHost } from "#lab/lab-host.ts";
import type { StepState } from "#lab/lab-run.ts";
import { type LabJournalEntry, type SavedLab, savedFormat, type WorkerMessage } from "#lab/protocol.ts";
import { splitCommands } from "#lab/typist.ts";
import { FakeWall } from "#lab/wall.test-kit.ts";
import { worldMark } from "#lab/world-mark.ts";
import { readLabSources } from "#server/lab-files.ts";

const startMs = Date.UTC(2026, 0, 15, 9);
/** Between two keys. */
const keyMs = 40;
const promptLimitMs = 600_000;
const stepLimitMs = 600_000;

/** The files of some labs of the course. */
export function labFiles(ids: readonly string[]): LabSources {
  return Object.fromEntries(Object.entries(readLabSources()).filter(([path]) => ids.includes(path.split("/")[1] ?? "")));
}

export interface RecordedRun {
  readonly saved: SavedLab;
  /** As the host told them last. */
  readonly steps: readonly StepState[];
}

/** A host under a wall clock moved by hand. */
function openHost(lab: LabDefinition, saved: SavedLab) {
  const wall = new FakeWall();
  const entries: LabJournalEntry[] = [];
  const decoder = new TextDecoder();
  let steps: readonly StepState[] = [];
  let screen = "";
  let nowMs = saved.nowMs;
  const post = (message: WorkerMessage): void => {
    if (message.kind === "journal") entries.push(message.entry);
    if (message.kind === "steps") steps = message.steps;
    if (message.kind === "output") screen += decoder.decode(message.bytes, { stream: true });
    if (message.kind === "clock") nowMs = message.clock.nowMs;
    if (message.kind === "failed") throw new Error(message.detail);
  };
  const host = new LabHost({ wall, survivesFaults: true, post });
  host.receive({ kind: "open", lab, saved });
  return {
    wall,
    host,
    steps: () => steps,
    saved: (): SavedLab => ({ ...saved, nowMs, entries: [...saved.entries, ...entries] }),
    type(text: string): void {
      for (const key of text) {
        host.receive({ kind: "input", input: { kind: "terminal-input", terminal: "1", text: key } });
        wall.pass(keyMs);
      }
    },
    /** Types a line and waits for the prompt behind what it printed. */
    run(command: string): void {
      for (const line of command.replace(/\n$/, "").split("\n")) {
        this.type(line);
        screen = "";
        this.type("\r");
        if (!wall.passUntil(() => /(\$|\n>) $/.test(plain(screen)), promptLimitMs))
          throw new Error(`no prompt after ${line}:\n${screen}`);
      }
    },
  };
}

/** The solutions of a lab's first steps, all of them unless stated, each until its step passes. */
export function recordRun(lab: LabDefinition, count = lab.steps.length, seed = 7): RecordedRun {
  const fresh = {
    format: savedFormat,
    seed,
    startMs,
    nowMs: startMs,
    entries: [],
    hints: {},
    solutions: [],
    world: worldMark(lab),
  };
  const host = openHost(lab, fresh);
  host.host.receive({ kind: "input", input: { kind: "terminal-open", terminal: "1", columns: 120, rows: 40 } });
  host.wall.pass(2000);
  for (const step of lab.steps.slice(0, count)) {
    for (const command of splitCommands(step.solution)) host.run(command);
    const hasPassed = (): boolean => host.steps().find(({ id }) => id === step.id)?.passed === true;
    if (!host.wall.passUntil(hasPassed, stepLimitMs)) throw new Error(`${lab.id}: ${step.id} does not pass`);
  }
  host.wall.pass(1000);
  return { saved: host.saved(), steps: host.steps() };
}

/** The steps of a run as a browser finds them that takes it up again. */
export function stepsInBrowser(lab: LabDefinition, saved: SavedLab): readonly StepState[] {
  return openHost(lab, saved).steps();
}

/** Without escape sequences and carriage returns. */
function plain(text: string): string {
  return text.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, "").replaceAll("\r", "");
}
