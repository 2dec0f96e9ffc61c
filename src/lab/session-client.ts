// The page's side of a lab: joins its parts to the worker. What the worker tells becomes state to read, verbs become messages.

import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { Flow } from "#history/flow-log.ts";
import type { BrowsedPage } from "#world/browser.ts";
import { Calls } from "./calls.ts";
import type { HeldExam, SavedExam } from "./exam.ts";
import { LabClock } from "./lab-clock.ts";
import { LabExam } from "./lab-exam.ts";
import { LabHelp } from "./lab-help.ts";
import { LabJournal } from "./lab-journal.ts";
import { LabKeeping, type SessionStore } from "./lab-keeping.ts";
import { LabReview } from "./lab-review.ts";
import type { StepState } from "./lab-run.ts";
import { LabTerminals } from "./lab-terminals.ts";
import { readChange } from "./picture-changes.ts";
import { type ClusterView, emptyCluster } from "./picture-view.ts";
import type { ClockReport, FaultReport, PageMessage, SavedLab, WorkerMessage } from "./protocol.ts";
import type { Answer, Asked, QuestionName } from "./questions.ts";
import { ReferencePlayer } from "./reference-player.ts";
import type { ReferenceRun } from "./reference-run.ts";
import type { Keeping, LabSession, SessionState, StepView, TerminalPort } from "./session.ts";
import { stepViewsOf } from "./step-views.ts";
import type { LabBundle } from "./texts.ts";
import type { WorkerPort } from "./worker-port.ts";

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
  /** The exam of a class that the lab belongs to; its clock is `wallMs`. */
  readonly held?: HeldExam | undefined;
}

const passedIn = (steps: readonly StepState[]): number => steps.filter((step) => step.passed).length;

export class SessionClient implements LabSession {
  readonly labId: string;
  readonly locale: string;
  readonly #options: SessionOptions;
  readonly #state: Signal<SessionState> = signal({ kind: "starting", phase: "loading" });
  readonly state: ReadonlySignal<SessionState> = this.#state;
  readonly #bundle: Signal<LabBundle | undefined> = signal(undefined);
  readonly #stepStates: Signal<readonly StepState[]> = signal([]);
  readonly #cluster: Signal<ClusterView> = signal(emptyCluster);
  readonly cluster: ReadonlySignal<ClusterView> = this.#cluster;
  readonly #traffic: Signal<readonly Flow[]> = signal([]);
  readonly traffic: ReadonlySignal<readonly Flow[]> = this.#traffic;
  readonly #fault: Signal<FaultReport | undefined> = signal(undefined);
  readonly fault: ReadonlySignal<FaultReport | undefined> = this.#fault;
  readonly capstone = computed(() => this.#bundle.value?.definition.capstone === true);
  readonly steps: ReadonlySignal<readonly StepView[]> = computed(() => this.#stepViews());
  readonly clock: LabClock;
  readonly exam: LabExam;
  readonly help: LabHelp;
  readonly journal: LabJournal;
  readonly review: LabReview;
  readonly #keeping: LabKeeping;
  readonly keeping: ReadonlySignal<Keeping>;
  readonly #terminals = new LabTerminals({
    state: () => this.#state.value.kind,
    input: (input) => this.#post({ kind: "input", input }),
  });
  readonly leftTerminals: ReadonlySignal<number> = this.#terminals.left;
  readonly typedAhead: ReadonlySignal<boolean> = this.#terminals.typedAhead;
  readonly #reference: ReferencePlayer;
  readonly #calls = new Calls((message) => {
    const isHeard = this.#state.value.kind === "ready" && (message.kind === "ask" || !this.#isClosed());
    if (isHeard) this.#post(message);
    return isHeard;
  });
  #worker: WorkerPort | undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.labId = options.labId;
    this.locale = options.locale;
    this.#reference = new ReferencePlayer(options.startWorker);
    this.#keeping = new LabKeeping(options.store, options.newLab);
    this.keeping = this.#keeping.state;
    this.clock = new LabClock(this.#keeping.run.nowMs, (message) => this.#post(message));
    this.exam = new LabExam({
      bundle: this.#bundle,
      states: this.#stepStates,
      wallMs: options.wallMs,
      isStarting: () => this.#state.value.kind === "starting",
      begin: (exam) => this.#beginExam(exam),
      keep: () => this.keep(),
      held: options.held,
      stop: () => this.#stopWorld(),
    });
    const examOn = this.exam.on;
    this.help = new LabHelp({ steps: this.steps, examOn, capstone: this.capstone, keep: () => this.keep() });
    this.#takeHelpAndExam();
    const bundle = () => this.#bundle.value;
    const states = () => this.#stepStates.value;
    const reference = () => this.#playReference();
    this.journal = new LabJournal({
      labId: options.labId,
      current: () => this.#current(),
      replace: (saved) => this.#replace(saved),
      lines: () => this.ask("lines", {}),
      states,
      bundle,
      reference,
      mayGoBack: () => !examOn.value,
      isHeldExam: () => options.held !== undefined,
    });
    this.review = new LabReview({
      ask: (name, asked) => this.ask(name, asked),
      steps: this.steps,
      examOn,
      examOver: this.exam.over,
      bundle,
      states,
      entries: () => this.#keeping.entries,
      reference,
    });
    this.#start();
  }

  openTerminal(size: { readonly columns: number; readonly rows: number }): TerminalPort {
    return this.#terminals.open(size);
  }

  runInTerminal(command: string): void {
    this.#terminals.run(command);
  }

  saveFile(path: string, text: string): Promise<string | undefined> {
    return this.#calls.saveFile(path, text);
  }

  browse(url: string): Promise<BrowsedPage> {
    return this.#calls.browse(url);
  }

  ask<Name extends QuestionName>(name: Name, asked: Asked<Name>): Promise<Answer<Name>> {
    return this.#calls.ask(name, asked);
  }

  reset(): void {
    if (this.#isClosed()) return;
    this.#keeping.forget();
    this.journal.forget();
    this.#replace(this.#options.newLab());
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
    this.#keeping.release();
  }

  /** Keeps the lab as it is now. It keeps itself as it goes; this is for the moment before the page goes away. */
  keep(): void {
    if (this.#state.value.kind === "ready") this.#keeping.save(this.#current());
  }

  /** The run as it is now; while no world is ready, as it was. */
  #current(): SavedLab {
    const { run, entries } = this.#keeping;
    if (this.#state.value.kind !== "ready") return run;
    // A step may have passed since the clock was last told.
    const nowMs = Math.max(this.clock.nowMs, ...this.#stepStates.value.map(({ passedMs }) => passedMs ?? 0));
    return { ...run, nowMs, entries: [...entries], ...this.help.kept(), ...this.exam.kept() };
  }

  #replace(run: SavedLab): void {
    this.#keeping.replace(run);
    this.#terminals.dropTyped();
    this.#takeHelpAndExam();
    this.clock.moveTo(run.nowMs);
    this.#restart();
  }

  #takeHelpAndExam(): void {
    this.help.take(this.#keeping.run);
    this.exam.take(this.#keeping.run.exam);
  }

  #beginExam(exam: SavedExam): void {
    this.journal.forget();
    this.#replace({ ...this.#options.newLab(), exam });
  }

  /** A new worker with the run that is kept; screens that are there stay and begin empty. */
  #restart(): void {
    this.#calls.drop();
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#keeping.beginAgain();
    this.#stepStates.value = [];
    this.#cluster.value = emptyCluster;
    this.#traffic.value = [];
    this.clock.beginAgain();
    this.#terminals.clear();
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
    Promise.all([this.#options.loadBundle(), this.#keeping.claim()]).then(
      ([bundle, mine]) => {
        if (this.#worker !== worker) return;
        if (!mine) this.#keeping.leaveToOther();
        this.#bundle.value = bundle;
        if (!this.#keeping.fit(bundle.definition)) this.#takeHelpAndExam();
        worker.post({ kind: "open", lab: bundle.definition, saved: this.#keeping.run });
      },
      (error: unknown) => {
        if (this.#worker === worker) this.#fail("load", error instanceof Error ? error.message : String(error));
      },
    );
  }

  /** What would change a world that is closed does not come to it. */
  #post(message: PageMessage): void {
    if (message.kind === "ask" || !this.#isClosed()) this.#worker?.post(message);
  }

  #isClosed(): boolean {
    this.exam.look();
    return this.exam.closed.peek();
  }

  #stopWorld(): void {
    this.keep();
    this.clock.setPaused(true);
    if (this.#state.value.kind === "ready") this.#worker?.post({ kind: "pause", paused: true });
  }

  #fail(key: string, detail: string): void {
    this.keep();
    this.#calls.drop();
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#terminals.release();
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
      case "canonical":
      case "closed":
        this.#terminals.receive(message);
        break;
      case "clock":
        this.#receiveClock(message.clock);
        break;
      case "steps":
        this.#receiveSteps(message.steps);
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
        this.#keeping.add(message.entry);
        break;
      case "answer":
      case "unanswered":
      case "outcome":
        this.#calls.receive(message);
        break;
    }
  }

  #becomeReady(terminals: readonly string[]): void {
    this.#terminals.know(terminals);
    this.#state.value = { kind: "ready", ...this.#keeping.begin() };
    this.#terminals.begin(terminals);
    // The time was up before there was a world.
    if (this.exam.closed.peek()) this.#stopWorld();
  }

  #receiveClock(report: ClockReport): void {
    this.clock.receive(report);
    this.exam.look();
    if (this.#keeping.isDue(report.nowMs)) this.keep();
  }

  #receiveSteps(steps: readonly StepState[]): void {
    // What passes after the end of an exam does not count.
    this.exam.look();
    // Who has gone on in the run that took its place does not want back what was left.
    if (this.#state.value.kind === "ready" && passedIn(steps) > passedIn(this.#stepStates.value)) this.journal.forget();
    this.#stepStates.value = steps;
  }

  #stepViews(): readonly StepView[] {
    const bundle = this.#bundle.value;
    if (bundle === undefined) return [];
    return stepViewsOf({
      bundle,
      states: this.#stepStates.value,
      hints: this.help.hints.value,
      solutions: this.help.solutions.value,
      isExamOn: this.exam.on.value,
    });
  }

  async #playReference(): Promise<ReferenceRun> {
    const { definition } = this.#bundle.value ?? (await this.#options.loadBundle());
    return this.#reference.play(definition, this.#keeping.run);
  }
}
