// The worker's side of a lab: the world, the learner's run through the lab, and the clock that drives both. Knows no
// worker: messages come in through `receive` and leave through `post`.

import type { Docs } from "#cluster/api/openapi/dialect.ts";
import { FlowLog } from "#history/flow-log.ts";
import { Recorder } from "#history/recorder.ts";
import type { Fault } from "#sim/faults.ts";
import { Journal } from "#sim/journal.ts";
import { RealTimeDriver, type Wall } from "#sim/real-time.ts";
import { usualAddons } from "#world/cluster-shape.ts";
import type { WorldInput } from "#world/input.ts";
import type { World } from "#world/world.ts";
import type { Answers } from "./answers.ts";
import { ClusterViewer } from "./cluster-view.ts";
import { isFollowed } from "./compiled-step.ts";
import type { LabDefinition } from "./definition.ts";
import { unseenSteps } from "./lab-run.ts";
import { LabWatch } from "./lab-watch.ts";
import { makeWorld, prepareWorld } from "./lab-world.ts";
import { ChangeWriter } from "./picture-changes.ts";
import type { FaultReport, PageMessage, SavedLab, WorkerMessage } from "./protocol.ts";

export interface LabHostOptions {
  readonly wall: Wall;
  /** The tools (`#world/tools.ts`) are still on their way; `toolsAreThere` says when they are. */
  readonly awaitsTools?: boolean;
  /** Mistakes of the simulator are told, and the world goes on; otherwise they are thrown. */
  readonly survivesFaults?: boolean;
  readonly post: (message: WorkerMessage) => void;
}

/** How far a step to the next write looks. */
const stepLimitMs = 600_000;
/** Wall time between two reports of the clock, and between two pictures of the cluster. */
const clockEveryMs = 250;
const pictureEveryMs = 50;
/** Wall time between two tellings of what went over the wire: a packet's way through the picture takes about as long. */
const trafficEveryMs = 250;
/** With more pods than this in the last picture a picture is more work, and twice the time passes between two. */
const manyPods = 200;

export class LabHost {
  readonly #options: LabHostOptions;
  #running: RunningLab | undefined;
  #docs: Docs | undefined;
  #awaitsTools: boolean;
  /** What has to wait for the tools, and whatever came after it. */
  readonly #held: PageMessage[] = [];

  constructor(options: LabHostOptions) {
    this.#options = options;
    this.#awaitsTools = options.awaitsTools === true;
  }

  /** Whether something that was received is held until the tools are there. */
  get waitsForTools(): boolean {
    return this.#held.length > 0;
  }

  /** Programs can run and checks be made from now on: what waited for them goes on. */
  toolsAreThere(): void {
    this.#awaitsTools = false;
    this.#safely(() => this.#running?.beginChecks());
    for (const message of this.#held.splice(0)) this.receive(message);
  }

  /** The field documentation that `kubectl explain` shows; large, so it comes when the lab is already up. */
  provideDocs(docs: Docs): void {
    this.#docs = docs;
    this.#running?.provideDocs(docs);
  }

  receive(message: PageMessage): void {
    if (this.#awaitsTools && (this.#held.length > 0 || mayNeedTools(message))) {
      this.#held.push(message);
      return;
    }
    if (message.kind === "open") {
      this.#safely(() => {
        this.#running = new RunningLab(message.lab, message.saved, this.#options, !this.#awaitsTools);
        if (this.#docs !== undefined) this.#running.provideDocs(this.#docs);
      });
      return;
    }
    if (message.kind === "reference") void this.#playReference(message);
    else this.#running?.receive(message);
  }

  #safely(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#options.post({ kind: "failed", detail: detailOf(error) });
    }
  }

  /** What plays it is fetched when it is asked for. */
  async #playReference({ lab, startMs, seed }: Extract<PageMessage, { readonly kind: "reference" }>): Promise<void> {
    try {
      const { playReference } = await import("./reference-run.ts");
      this.#options.post({ kind: "reference", run: playReference(lab, { startMs, seed }) });
    } catch (error) {
      this.#options.post({ kind: "failed", detail: detailOf(error) });
    }
  }
}

function detailOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** A fresh cluster that is in no cloud, has no machines beside it and no Ingress controller starts, a terminal shows its prompt, and words are typed at it, without any tool; what checks look at does not change. */
function mayNeedTools(message: PageMessage): boolean {
  switch (message.kind) {
    case "open": {
      const { lab, saved } = message;
      const [first] = lab.steps;
      const isPlain =
        lab.cluster.cloud === undefined &&
        (lab.cluster.hosts ?? []).length === 0 &&
        lab.cluster.addons?.some((name) => !usualAddons.includes(name)) !== true &&
        lab.setup === "" &&
        !Object.keys(lab.files).some(isReadByShell) &&
        (first === undefined || !isFollowed(first));
      return !isPlain || saved.entries.length > 0 || saved.nowMs > saved.startMs;
    }
    case "input":
      return !isHarmless(message.input);
    default:
      // Time that passes at once brings whatever comes with time.
      return message.kind !== "speed" && message.kind !== "pause";
  }
}

/** Files of the learner that a terminal reads as it opens. */
function isReadByShell(path: string): boolean {
  return /(^|\/)\./.test(path);
}

/**
 * Without Enter, Tab and other keys that do more than write, what is typed only stands on the line. How wide characters from U+0300 on are,
 * the tools know.
 */
function isHarmless(input: WorldInput): boolean {
  if (input.kind === "terminal-input") return /^[\x20-\x7e\xa0-\u02ff]*$/.test(input.text);
  return input.kind === "terminal-open" || input.kind === "terminal-resize" || input.kind === "terminal-close";
}

function reportOf({ room, subject, timeMs, error }: Fault): FaultReport {
  const cause = error.cause instanceof Error ? `\n${detailOf(error.cause)}` : "";
  return { room, detail: `${new Date(timeMs).toISOString()} ${room}: ${subject}\n${detailOf(error)}${cause}` };
}

class RunningLab {
  readonly #post: (message: WorkerMessage) => void;
  readonly #wall: Wall;
  readonly #lab: LabDefinition;
  readonly #world: World;
  readonly #watch: LabWatch;
  readonly #driver: RealTimeDriver;
  readonly #journal: Journal<WorldInput>;
  readonly #recorder: Recorder;
  readonly #viewer = new ClusterViewer();
  readonly #changes = new ChangeWriter();
  /** From when the lab is up: how it came to be is not traffic. */
  readonly #flows: FlowLog;
  #answers: Answers | undefined;
  readonly #openTerminals = new Set<string>();
  #pictureWanted = true;
  #picturedPods = 0;
  #lastPictureMs = Number.NEGATIVE_INFINITY;
  #lastTrafficMs = Number.NEGATIVE_INFINITY;
  #lastClockMs = Number.NEGATIVE_INFINITY;
  #lastEvents = 0;
  #reportedMs = Number.NaN;
  #reportQueued = false;
  #docs: Docs = {};

  constructor(lab: LabDefinition, saved: SavedLab, { wall, post, survivesFaults }: LabHostOptions, hasTools: boolean) {
    this.#post = post;
    this.#wall = wall;
    this.#lab = lab;
    post({ kind: "phase", phase: "booting" });
    this.#world = makeWorld(lab, saved);
    if (survivesFaults === true) this.#world.simulation.faults.contain((fault) => post({ kind: "fault", fault: reportOf(fault) }));
    this.#recorder = new Recorder(this.#world);
    prepareWorld(this.#world, lab);
    this.#world.onTerminalOutput.add((terminal, bytes) => post({ kind: "output", terminal, bytes }));
    this.#world.onTerminalCanonical.add((terminal, canonical) => post({ kind: "canonical", terminal, canonical }));
    this.#world.onTerminalClosed.add((terminal) => {
      this.#openTerminals.delete(terminal);
      post({ kind: "closed", terminal });
    });
    this.#world.onFileSaved.add((path, refused) => post({ kind: "outcome", outcome: { kind: "saved", path, refused } }));
    this.#world.onPage.add((page, result) => post({ kind: "outcome", outcome: { kind: "page", page, result } }));
    this.#world.onChange.add(() => {
      this.#pictureWanted = true;
    });
    this.#watch = new LabWatch(this.#world, lab, (steps) => post({ kind: "steps", steps }));
    this.#journal = new Journal<WorldInput>(this.#world.simulation, (input) => this.#apply(input));
    if (hasTools) this.beginChecks();
    if (saved.entries.length > 0 || saved.nowMs > saved.startMs) {
      post({ kind: "phase", phase: "replaying" });
      this.#journal.replay(saved.entries, saved.nowMs);
    }
    this.#flows = new FlowLog(this.#world);
    this.#journal.onRecord.add((entry) => post({ kind: "journal", entry }));
    this.#driver = new RealTimeDriver(this.#world.simulation, wall);
    this.#driver.onSlice.add(() => this.#report());
    this.#driver.setPaused(false);
    post({ kind: "steps", steps: this.#watch.run?.steps ?? unseenSteps(lab, this.#watch.openedMs) });
    post({ kind: "ready", terminals: [...this.#openTerminals] });
    this.#report();
  }

  /** Looks at the checks from now on. Throws when an expression of the lab is not CEL. */
  beginChecks(): void {
    this.#watch.begin();
  }

  provideDocs(docs: Docs): void {
    this.#docs = docs;
    for (const server of this.#world.cluster.apiServers) server.docs = docs;
  }

  receive(message: Exclude<PageMessage, { readonly kind: "open" | "reference" }>): void {
    switch (message.kind) {
      case "input":
        this.#safely("an input", () => this.#driver.input(() => this.#journal.record(message.input)));
        break;
      case "speed":
        this.#driver.setSpeed(message.speed);
        break;
      case "pause":
        this.#driver.setPaused(message.paused);
        break;
      case "skip":
        this.#driver.skip(message.durationMs);
        break;
      case "step":
        this.#step(message.to);
        break;
      case "ask":
        void this.#answer(message);
        break;
    }
    this.#report();
  }

  #step(to: "instant" | "write"): void {
    const { writes } = this.#recorder;
    if (to === "instant") this.#driver.step();
    else this.#driver.skipUntil(() => this.#recorder.writes > writes, stepLimitMs);
  }

  /** What makes the answers is fetched with the first question. */
  async #answer({ id, name, asked }: Extract<PageMessage, { readonly kind: "ask" }>): Promise<void> {
    try {
      const { Answers } = await import("./answers.ts");
      const options = { docs: () => this.#docs, wishes: this.#lab.picture, labText: JSON.stringify(this.#lab) };
      this.#answers ??= new Answers(this.#world, this.#recorder, options);
      this.#post({ kind: "answer", id, answer: this.#answers.answer(name, asked) });
    } catch (error) {
      this.#post({ kind: "unanswered", id, detail: detailOf(error) });
    }
  }

  #apply(input: WorldInput): void {
    if (input.kind === "terminal-open") this.#openTerminals.add(input.terminal);
    if (input.kind === "terminal-close") this.#openTerminals.delete(input.terminal);
    this.#world.apply(input);
  }

  #safely(subject: string, act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#world.simulation.faults.note("lab", subject, error);
    }
  }

  #report(): void {
    this.#safely("the picture", () => this.#reportPicture());
    this.#reportTraffic();
    this.#reportClock();
    this.#reportLater();
  }

  #reportPicture(): void {
    const nowMs = this.#wall.now();
    const everyMs = this.#picturedPods > manyPods ? 2 * pictureEveryMs : pictureEveryMs;
    if (!this.#pictureWanted || nowMs - this.#lastPictureMs < everyMs) return;
    this.#pictureWanted = false;
    this.#lastPictureMs = nowMs;
    const cluster = this.#viewer.viewOf(this.#world, this.#lab.picture);
    this.#picturedPods = cluster.pods.length;
    this.#post({ kind: "cluster", cluster: this.#changes.write(cluster) });
  }

  #reportTraffic(): void {
    const nowMs = this.#wall.now();
    if (this.#flows.isEmpty || nowMs - this.#lastTrafficMs < trafficEveryMs) return;
    this.#lastTrafficMs = nowMs;
    this.#post({ kind: "traffic", flows: this.#flows.take() });
  }

  #reportClock(): void {
    const nowMs = this.#wall.now();
    const elapsedMs = nowMs - this.#lastClockMs;
    if (elapsedMs < clockEveryMs) return;
    const { simulation } = this.#world;
    const events = simulation.processedEvents - this.#lastEvents;
    this.#lastEvents = simulation.processedEvents;
    this.#lastClockMs = nowMs;
    this.#reportedMs = simulation.nowMs;
    const eventsPerSecond = Number.isFinite(elapsedMs) ? Math.round((events * 1000) / elapsedMs) : 0;
    this.#post({ kind: "clock", clock: { nowMs: simulation.nowMs, eventsPerSecond, ...this.#world.currentContext() } });
  }

  /** A paused world takes no further turns: what came too soon after the last report is told once that is long enough ago. */
  #reportLater(): void {
    const heldBack = this.#pictureWanted || !this.#flows.isEmpty || this.#reportedMs !== this.#world.simulation.nowMs;
    if (this.#reportQueued || !heldBack) return;
    this.#reportQueued = true;
    this.#wall.schedule(() => {
      this.#reportQueued = false;
      this.#report();
    }, clockEveryMs);
  }
}
