// The page's side of a lab: turns the worker's messages into state to read, and verbs into messages. Keeps the journal.

import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { WorldInput } from "#world/input.ts";
import { Calls } from "./calls.ts";
import type { LabDefinition, StepDefinition } from "./definition.ts";
import { afterLook, type ExamCount, type ExamRules, type ExamView, examView, type SavedExam, usualRules } from "./exam.ts";
import { LabJournal } from "./lab-journal.ts";
import { LabReview } from "./lab-review.ts";
import type { StepState } from "./lab-run.ts";
import { readChange } from "./picture-changes.ts";
import { type ClusterView, emptyCluster } from "./picture-view.ts";
import type { ClockReport, FaultReport, LabJournalEntry, SavedLab, WorkerMessage } from "./protocol.ts";
import type { Answer, Asked, QuestionName } from "./questions.ts";
import { ReferencePlayer } from "./reference-player.ts";
import type { ReferenceRun } from "./reference-run.ts";
import type { LoadedLab } from "./saved-labs.ts";
import { mostOf, type ScoreView, scoreOf } from "./score.ts";
import type {
  BrowsedPage,
  ClockView,
  Flow,
  Keeping,
  LabSession,
  LostReason,
  SessionState,
  Speed,
  StepView,
  TerminalPort,
} from "./session.ts";
import { stepViewsOf } from "./step-views.ts";
import { TerminalLine } from "./terminal-line.ts";
import type { LabBundle } from "./texts.ts";
import { TypedAhead } from "./typed-ahead.ts";
import type { WorkerPort } from "./worker-port.ts";
import { worldMark } from "./world-mark.ts";

export interface SessionStore {
  load(): LoadedLab;
  /** False when it could not be kept. */
  save(saved: SavedLab): boolean;
  forget(): void;
  /** Whether this page may keep the lab: false while another tab has it. Asked again, it answers again. */
  claim(): Promise<boolean>;
  release(): void;
}

export interface SessionOptions {
  readonly labId: string;
  readonly locale: string;
  readonly loadBundle: () => Promise<LabBundle>;
  readonly startWorker: () => WorkerPort;
  readonly store: SessionStore;
  /** A lab never opened before: its seed and the time its world begins at. */
  readonly newLab: () => SavedLab;
  /** The clock on the wall, milliseconds since the epoch. */
  readonly wallMs: () => number;
}

/** Virtual time between saves while nothing is typed: what a reload may lose of an idle lab. */
const saveEveryMs = 5000;

const passedIn = (steps: readonly StepState[]): number => steps.filter((step) => step.passed).length;

export class SessionClient implements LabSession {
  readonly labId: string;
  readonly locale: string;
  readonly state: ReadonlySignal<SessionState>;
  readonly clock: ReadonlySignal<ClockView>;
  readonly steps: ReadonlySignal<readonly StepView[]>;
  readonly cluster: ReadonlySignal<ClusterView>;
  readonly traffic: ReadonlySignal<readonly Flow[]>;
  readonly keeping: ReadonlySignal<Keeping>;
  readonly fault: ReadonlySignal<FaultReport | undefined>;

  readonly #options: SessionOptions;
  readonly #state: Signal<SessionState> = signal({ kind: "starting", phase: "loading" });
  readonly #report: Signal<ClockReport>;
  readonly #speed: Signal<Speed> = signal(1);
  readonly #paused = signal(false);
  readonly #stepStates: Signal<readonly StepState[]> = signal([]);
  readonly #bundle: Signal<LabBundle | undefined> = signal(undefined);
  readonly #hints: Signal<ReadonlyMap<string, number>> = signal(new Map());
  readonly #solutions: Signal<ReadonlySet<string>> = signal(new Set());
  readonly #cluster: Signal<ClusterView> = signal(emptyCluster);
  readonly #traffic: Signal<readonly Flow[]> = signal([]);
  readonly #keeping: Signal<Keeping> = signal("kept");
  readonly #fault: Signal<FaultReport | undefined> = signal(undefined);
  readonly #terminals = new Map<string, TerminalLine>();
  /** Terminals that a screen shows or has shown; others exist in the world alone, as after a replay. */
  readonly #onScreen = new Set<string>();
  /** Terminals of the last visit that no screen has taken yet. */
  readonly #detached: Signal<readonly string[]> = signal([]);
  readonly leftTerminals: ReadonlySignal<number> = computed(() => this.#detached.value.length);
  readonly #exam: Signal<SavedExam | undefined> = signal(undefined);
  readonly exam: ReadonlySignal<ExamView | undefined>;
  readonly examOn = computed(() => this.#exam.value !== undefined && this.#exam.value.passedSteps === undefined);
  readonly examRules: ReadonlySignal<ExamRules | undefined>;
  readonly capstone = computed(() => this.#bundle.value?.definition.capstone === true);
  readonly score: ReadonlySignal<ScoreView>;
  readonly journal: LabJournal;
  readonly review: LabReview;
  readonly #reference: ReferencePlayer;
  readonly #calls = new Calls((message) => {
    if (this.#state.value.kind === "ready") this.#worker?.post(message);
    return this.#state.value.kind === "ready";
  });
  #nextTerminal = 1;
  #lastTerminal: string | undefined;
  #worker: WorkerPort | undefined;
  #saved: SavedLab;
  #lost: LostReason | undefined;
  /** The run is of an earlier visit, not one that the learner has just put in place. */
  #isResumed = true;
  #entries: LabJournalEntry[] = [];
  readonly #typedAhead = new TypedAhead();
  readonly typedAhead: ReadonlySignal<boolean> = this.#typedAhead.any;
  #savedEntries = 0;
  #savedAtMs = 0;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#reference = new ReferencePlayer(options.startWorker);
    this.labId = options.labId;
    this.locale = options.locale;
    const { saved, lost } = options.store.load();
    this.#saved = saved ?? options.newLab();
    this.#lost = lost;
    this.#hints.value = new Map(Object.entries(this.#saved.hints));
    this.#solutions.value = new Set(this.#saved.solutions);
    this.#report = signal({ nowMs: this.#saved.nowMs, eventsPerSecond: 0, context: "", namespace: "" });
    this.state = this.#state;
    this.cluster = this.#cluster;
    this.traffic = this.#traffic;
    this.keeping = this.#keeping;
    this.fault = this.#fault;
    this.clock = computed(() => ({ ...this.#report.value, speed: this.#speed.value, paused: this.#paused.value }));
    this.steps = computed(() => this.#stepViews());
    this.#exam.value = this.#saved.exam;
    this.exam = computed(() => this.#exam.value && examView(this.#exam.value, this.#all));
    this.examRules = computed(() => this.#rules());
    this.score = computed(() => scoreOf(this.steps.value));
    this.journal = new LabJournal({
      labId: options.labId,
      current: () => this.#current(),
      replace: (saved) => this.#replace(saved),
      lines: () => this.ask("lines", {}),
      states: () => this.#stepStates.value,
      bundle: () => this.#bundle.value,
      reference: () => this.#playReference(),
      mayGoBack: () => !this.examOn.value,
    });
    this.review = new LabReview({
      ask: (name, asked) => this.ask(name, asked),
      steps: this.steps,
      examOn: this.examOn,
      examOver: computed(() => this.#exam.value?.passedSteps !== undefined),
      bundle: () => this.#bundle.value,
      states: () => this.#stepStates.value,
      entries: () => this.#entries,
      reference: () => this.#playReference(),
    });
    this.#start();
  }

  openTerminal(size: { readonly columns: number; readonly rows: number }): TerminalPort {
    const [left, ...others] = this.#detached.value;
    this.#detached.value = others;
    const line = (left === undefined ? undefined : this.#terminals.get(left)) ?? this.#newTerminal(size);
    this.#lastTerminal = line.id;
    this.#onScreen.add(line.id);
    if (left !== undefined) line.resize(size);
    return line;
  }

  runInTerminal(command: string): void {
    const line = this.#lastTerminal === undefined ? undefined : this.#terminals.get(this.#lastTerminal);
    line?.write(`${command.trimEnd().replaceAll("\n", "\r")}\r`);
  }

  saveFile(path: string, text: string): Promise<string | undefined> {
    return this.#calls.saveFile(path, text);
  }

  browse(url: string): Promise<BrowsedPage> {
    return this.#calls.browse(url);
  }

  setSpeed(speed: Speed): void {
    this.#speed.value = speed;
    this.#worker?.post({ kind: "speed", speed });
  }

  setPaused(paused: boolean): void {
    this.#paused.value = paused;
    this.#worker?.post({ kind: "pause", paused });
  }

  skip(durationMs: number): void {
    this.#worker?.post({ kind: "skip", durationMs });
  }

  step(to: "instant" | "write"): void {
    this.setPaused(true);
    this.#worker?.post({ kind: "step", to });
  }

  ask<Name extends QuestionName>(name: Name, asked: Asked<Name>): Promise<Answer<Name>> {
    return this.#calls.ask(name, asked);
  }

  startExam(rules: ExamRules): void {
    this.journal.forget();
    this.#replace({ ...this.#options.newLab(), exam: { ...rules, startedMs: this.#options.wallMs() } });
  }

  lookAtExam(): void {
    const exam = this.#exam.value;
    // Before a replay is done nothing can be said of steps.
    if (exam === undefined || this.#state.value.kind === "starting") return;
    const passedIds = new Set(this.#stepStates.value.filter(({ passed }) => passed).map(({ id }) => id));
    const passed = this.#count(({ id }) => passedIds.has(id));
    const after = afterLook(exam, this.#options.wallMs(), passed, this.#all);
    if (after === exam) return;
    this.#exam.value = after;
    this.#save();
  }

  showHint(stepId: string): void {
    if (this.examOn.value) return;
    const hints = new Map(this.#hints.value);
    hints.set(stepId, (hints.get(stepId) ?? 0) + 1);
    this.#hints.value = hints;
    this.#save();
  }

  showSolution(stepId: string): void {
    if (this.examOn.value || this.capstone.value) return;
    this.#solutions.value = new Set(this.#solutions.value).add(stepId);
    this.#save();
  }

  reset(): void {
    if (this.#keeping.value !== "elsewhere") this.#options.store.forget();
    this.journal.forget();
    this.#replace(this.#options.newLab());
  }

  #replace(saved: SavedLab): void {
    this.#saved = saved;
    this.#lost = undefined;
    this.#isResumed = false;
    this.#typedAhead.drop();
    this.#hints.value = new Map(Object.entries(saved.hints));
    this.#solutions.value = new Set(saved.solutions);
    this.#exam.value = saved.exam;
    this.#report.value = { ...this.#report.value, nowMs: saved.nowMs };
    this.#restart();
  }

  retry(): void {
    this.keep();
    this.#restart();
  }

  close(): void {
    this.keep();
    this.#calls.drop();
    this.#reference.close();
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#options.store.release();
  }

  /** Keeps the lab as it is now. It keeps itself as it goes; this is for the moment before the page goes away. */
  keep(): void {
    this.#save();
  }

  /** A new worker with what `#saved` holds; screens that are there stay and begin empty. */
  #restart(): void {
    this.#calls.drop();
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#entries = [];
    this.#savedEntries = 0;
    this.#stepStates.value = [];
    this.#cluster.value = emptyCluster;
    this.#traffic.value = [];
    this.#speed.value = 1;
    this.#paused.value = false;
    for (const line of this.#terminals.values()) line.clear();
    this.#state.value = { kind: "starting", phase: "loading" };
    this.#start();
  }

  #start(): void {
    this.#fault.value = undefined;
    const worker = this.#options.startWorker();
    this.#worker = worker;
    worker.listen((message) => {
      if (this.#worker === worker) this.#receive(message);
    });
    worker.onFailure((detail) => {
      if (this.#worker === worker) this.#fail(this.#state.value.kind === "ready" ? "world" : "worker", detail);
    });
    Promise.all([this.#options.loadBundle(), this.#options.store.claim()]).then(
      ([bundle, mine]) => {
        if (this.#worker !== worker) return;
        if (!mine) this.#keeping.value = "elsewhere";
        this.#bundle.value = bundle;
        this.#fit(bundle.definition);
        worker.post({ kind: "open", lab: bundle.definition, saved: this.#saved });
      },
      (error: unknown) => {
        if (this.#worker === worker) this.#fail("load", error instanceof Error ? error.message : String(error));
      },
    );
  }

  /** A journal is replayed in the world that it was made in: where the lab has another one now, it starts afresh. */
  #fit(lab: LabDefinition): void {
    const world = worldMark(lab);
    if (this.#saved.world !== undefined && this.#saved.world !== world) {
      this.#saved = this.#options.newLab();
      this.#lost = "outdated";
      this.#hints.value = new Map();
      this.#solutions.value = new Set();
      this.#exam.value = undefined;
    }
    this.#saved = { ...this.#saved, world };
  }

  #fail(key: string, detail: string): void {
    this.keep();
    this.#calls.drop();
    this.#worker?.terminate();
    this.#worker = undefined;
    // Nobody reads: the notice of the failure stands over the screens.
    for (const line of this.#terminals.values()) line.canonical.value = true;
    this.#state.value = { kind: "failed", key, detail };
  }

  #receive(message: WorkerMessage): void {
    switch (message.kind) {
      case "phase":
        this.#state.value = { kind: "starting", phase: message.phase };
        break;
      case "ready":
        this.#becomeReady(message.terminals);
        break;
      case "failed":
        this.#fail("world", message.detail);
        break;
      case "output":
        this.#lineFor(message.terminal).receive(message.bytes);
        break;
      case "canonical":
        this.#lineFor(message.terminal).canonical.value = message.canonical;
        break;
      case "closed":
        this.#terminals.get(message.terminal)?.end();
        this.#terminals.delete(message.terminal);
        this.#onScreen.delete(message.terminal);
        break;
      case "clock":
        this.#report.value = message.clock;
        this.lookAtExam();
        if (this.#entries.length !== this.#savedEntries || message.clock.nowMs - this.#savedAtMs >= saveEveryMs) this.#save();
        break;
      case "steps":
        // What passes after the end of an exam does not count.
        this.lookAtExam();
        // Who has gone on in the run that took its place does not want back what was left.
        if (this.#state.value.kind === "ready" && passedIn(message.steps) > passedIn(this.#stepStates.value)) this.journal.forget();
        this.#stepStates.value = message.steps;
        break;
      case "cluster":
        this.#cluster.value = readChange(message.cluster, this.#cluster.peek());
        break;
      case "traffic":
        this.#traffic.value = message.flows;
        break;
      case "fault":
        this.#fault.value ??= message.fault;
        break;
      case "journal":
        this.#entries.push(message.entry);
        break;
      case "answer":
      case "unanswered":
      case "outcome":
        this.#calls.receive(message);
        break;
    }
  }

  #becomeReady(terminals: readonly string[]): void {
    const screens = new Set(this.#onScreen);
    this.#entries = [...this.#saved.entries, ...this.#entries];
    for (const id of terminals) this.#nextTerminal = Math.max(this.#nextTerminal, Number(id) + 1);
    for (const id of terminals) this.#lineFor(id);
    this.#detached.value = terminals.filter((id) => !screens.has(id));
    this.#state.value = { kind: "ready", resumed: this.#isResumed && this.#saved.entries.length > 0, lost: this.#lost };
    this.#lost = undefined;
    // Screens that were there first: terminals of a new world, or asked for while it was starting.
    for (const id of screens) {
      const line = this.#terminals.get(id) as TerminalLine;
      this.#give(terminals.includes(id) ? line.resizeInput() : line.openInput());
    }
    for (const input of this.#typedAhead.take((id) => this.#terminals.has(id), terminals[0])) this.#give(input);
  }

  #newTerminal(size: { readonly columns: number; readonly rows: number }): TerminalLine {
    const line = this.#lineFor(String(this.#nextTerminal++));
    line.size = size;
    if (this.#state.value.kind === "ready") this.#give(line.openInput());
    return line;
  }

  #lineFor(id: string): TerminalLine {
    const known = this.#terminals.get(id);
    if (known !== undefined) return known;
    const line = new TerminalLine(id, {
      input: (input) => this.#give(input),
      used: () => {
        this.#lastTerminal = id;
      },
    });
    this.#terminals.set(id, line);
    return line;
  }

  /** An input of the learner's: to the world, or kept until there is one. */
  #give(input: WorldInput): void {
    const { kind } = this.#state.value;
    if (kind === "ready") this.#worker?.post({ kind: "input", input });
    else if (kind === "starting") this.#typedAhead.keep(input);
  }

  #save(): void {
    if (this.#state.value.kind !== "ready") return;
    this.#savedEntries = this.#entries.length;
    this.#savedAtMs = this.#report.value.nowMs;
    this.#saved = this.#current();
    if (this.#keeping.value !== "elsewhere") this.#keeping.value = this.#options.store.save(this.#saved) ? "kept" : "refused";
  }

  /** The run as it is now; while no world is ready, as it was. */
  #current(): SavedLab {
    if (this.#state.value.kind !== "ready") return this.#saved;
    return {
      ...this.#saved,
      nowMs: this.#report.value.nowMs,
      entries: [...this.#entries],
      hints: Object.fromEntries(this.#hints.value),
      solutions: [...this.#solutions.value],
      ...(this.#exam.value === undefined ? {} : { exam: this.#exam.value }),
    };
  }

  get #stepCount(): number {
    return this.#bundle.value?.definition.steps.length ?? 0;
  }

  get #all(): ExamCount {
    return this.#count(() => true);
  }

  /** Steps of the lab and the points that they are worth without help. */
  #count(counts: (step: StepDefinition) => boolean): ExamCount {
    const steps = (this.#bundle.value?.definition.steps ?? []).filter(counts);
    return { steps: steps.length, points: steps.reduce((sum, step) => sum + mostOf(step), 0) };
  }

  #rules(): ExamRules | undefined {
    return this.#stepCount === 0 ? undefined : (this.#bundle.value?.definition.exam ?? usualRules(this.#stepCount));
  }

  #stepViews(): readonly StepView[] {
    const bundle = this.#bundle.value;
    if (bundle === undefined) return [];
    return stepViewsOf({
      bundle,
      states: this.#stepStates.value,
      hints: this.#hints.value,
      solutions: this.#solutions.value,
      isExamOn: this.examOn.value,
    });
  }

  async #playReference(): Promise<ReferenceRun> {
    const { definition } = this.#bundle.value ?? (await this.#options.loadBundle());
    return this.#reference.play(definition, this.#saved);
  }
}
