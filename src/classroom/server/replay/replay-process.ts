// One process of its own that replays one run at a time, within bounds of time and memory. One that breaks is replaced with the next
// run. A thread would not do: V8 may end the whole process when a thread's heap is full.

import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type Replay, refuse } from "./replay-result.ts";
import type { SubmittedRun } from "./submitted-run.ts";

export interface ReplayProcessOptions {
  /** It takes a `ReplayOrder` at a time, and answers with `ReplayMessage`s. Its one argument is `labs`. */
  readonly program: URL;
  /** Folder that holds `labs/`. */
  readonly labs: string;
  readonly wallLimitMs: number;
  /** Of the JavaScript heap. */
  readonly memoryMib: number;
}

export interface ReplayOrder {
  readonly labId: string;
  readonly run: SubmittedRun;
}

/** `begun`: the code is loaded, the time of this run counts. */
export type ReplayMessage = { readonly kind: "begun" } | { readonly kind: "done"; readonly replay: Replay };

interface Current {
  readonly end: (replay: Replay) => void;
  timer?: NodeJS.Timeout;
}

/** Of what a process wrote before it broke this much is kept: V8's last words, or an error's. */
const lastWords = 4000;

export class ReplayProcess {
  readonly #options: ReplayProcessOptions;
  #child: ChildProcess | undefined;
  #current: Current | undefined;

  constructor(options: ReplayProcessOptions) {
    this.#options = options;
  }

  get isFree(): boolean {
    return this.#current === undefined;
  }

  /** Only while it is free. Never rejects. */
  replay(order: ReplayOrder): Promise<Replay> {
    return new Promise((resolve) => {
      this.#current = { end: resolve };
      this.#child ??= this.#start();
      // A process that has just ended is told of by `close`.
      this.#child.send(order, () => {});
    });
  }

  /** A run under way is refused. Resolves when the process has ended. */
  close(): Promise<void> {
    const child = this.#child;
    this.#kill();
    this.#end(refuse("busy", "the server is being closed"));
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
    return new Promise((resolve) => void child.once("exit", () => resolve()));
  }

  #start(): ChildProcess {
    const { program, labs, memoryMib } = this.#options;
    const child = fork(fileURLToPath(program), [labs], {
      execArgv: [`--max-old-space-size=${memoryMib}`],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "pipe", "ipc"],
    });
    let words = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      words = (words + text).slice(-lastWords);
    });
    child.on("message", (message: ReplayMessage) => {
      if (this.#child === child) this.#receive(message);
    });
    child.on("error", (error) => this.#break(child, error.stack ?? error.message));
    child.on("close", (code, signal) => this.#break(child, `the process ended with ${signal ?? `exit code ${code}`}\n${words}`));
    return child;
  }

  #receive(message: ReplayMessage): void {
    const current = this.#current;
    if (current === undefined) return;
    if (message.kind === "done") {
      this.#end(message.replay);
      return;
    }
    const { wallLimitMs } = this.#options;
    current.timer = setTimeout(() => {
      this.#kill();
      this.#end(refuse("tookTooLong", `it was not replayed in ${wallLimitMs} ms`));
    }, wallLimitMs);
  }

  #break(child: ChildProcess, detail: string): void {
    if (this.#child !== child) return;
    this.#kill();
    const { memoryMib } = this.#options;
    const isMemory = detail.includes("JavaScript heap out of memory");
    this.#end(isMemory ? refuse("tooMuchMemory", `it took more than ${memoryMib} MiB`) : refuse("failed", detail));
  }

  /** What it still says is not heard. */
  #kill(): void {
    this.#child?.kill("SIGKILL");
    this.#child = undefined;
  }

  #end(replay: Replay): void {
    const current = this.#current;
    this.#current = undefined;
    clearTimeout(current?.timer);
    current?.end(replay);
  }
}
