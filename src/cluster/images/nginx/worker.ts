// A worker process: it answers what comes to the sockets that the master opened.

import { decodeUtf8 } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { HttpHandler } from "#sim/http.ts";
import type { Process, Program, Sys } from "#sim/program.ts";
import type { Signal } from "#sim/signals.ts";
import { atTheCostOf, ProcessorTime } from "../processor-time.ts";
import { type ServerBlock, serversAt } from "./configuration.ts";
import { type ErrorLog, failed } from "./error-log.ts";
import type { Opened } from "./opening.ts";
import type { NginxRelease } from "./releases.ts";
import { reopenLogs } from "./reopening.ts";
import { NginxServer, type OpenWork, type SharedCounts } from "./server.ts";
import type { Settings } from "./settings.ts";

const residentBytes = 2_097_152;
/** Microseconds of a processor. */
const unitsPerAnswer = 60;
const title = "nginx: worker process";
/** How often a worker that is ending looks whether all answers are out. */
const drainLookMs = 100;
/** A worker that has taken so many connections lets the others have the next ones (ngx_reorder_accept_events). */
const acceptsInARow = 16;

/** What the master writes into a worker's channel, a line each. */
export type Command = "quit" | "terminate" | "reopen";

export interface WorkerStart {
  readonly release: NginxRelease;
  readonly settings: Settings;
  readonly servers: readonly ServerBlock[];
  readonly opened: Opened;
  readonly channel: number;
  readonly counts: SharedCounts;
}

interface Told {
  readonly command: Command | undefined;
  readonly action: string;
}

const signals: ReadonlyMap<Signal, Told> = new Map<Signal, Told>([
  ["TERM", { command: "terminate", action: ", exiting" }],
  ["INT", { command: "terminate", action: ", exiting" }],
  ["QUIT", { command: "quit", action: ", shutting down" }],
  ["USR1", { command: "reopen", action: ", reopening logs" }],
  ["HUP", { command: undefined, action: ", ignoring" }],
  ["WINCH", { command: undefined, action: "" }],
]);

class Worker {
  readonly #self: Process;
  readonly #start: WorkerStart;
  readonly #log: ErrorLog;
  readonly #work: OpenWork = { answers: 0 };
  #served: { readonly server: NginxServer; readonly time: ProcessorTime } | undefined;
  #hasMaster = true;
  #isShuttingDown = false;

  constructor(self: Process, start: WorkerStart) {
    this.#self = self;
    this.#start = start;
    this.#log = start.opened.log.of(self);
  }

  *run(): Sys<number> {
    this.#self.retitle(title, "nginx");
    this.#self.declareUse({ memoryBytes: residentBytes });
    for (const signal of signals.keys()) this.#self.setSignal(signal, "catch");
    if (!this.#becomeUser()) return 2;
    this.#answer();
    for (;;) {
      if (this.#isShuttingDown && this.#work.answers === 0) break;
      const commands = yield* this.#next();
      if (commands.includes("terminate")) break;
      if (commands.includes("quit")) this.#shutDown();
      if (commands.includes("reopen")) reopenLogs(this.#self, this.#log, this.#start.opened, this.#start.settings, false);
    }
    this.#log.write("notice", "exiting", "exit");
    return 0;
  }

  #becomeUser(): boolean {
    const { user } = this.#start.settings;
    if (user === undefined) return true;
    try {
      this.#self.setUser(user);
      return true;
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
      this.#log.write("emerg", failed(`setgid(${user.gid})`, error));
      return false;
    }
  }

  #answer(): void {
    for (const [port, fd] of this.#start.opened.sockets) {
      let accepts = 0;
      let answer: HttpHandler | undefined;
      const handler: HttpHandler = (request, peer, responder) => {
        if (this.#start.release.logsNotices && accepts % acceptsInARow === 0) this.#self.answerHttp(fd, handler);
        accepts += 1;
        answer ??= this.#answerFor(port);
        answer(request, peer, responder);
      };
      this.#self.answerHttp(fd, handler);
      const headers = this.#start.opened.proxied.get(port);
      if (headers !== undefined) headers.answerer = { log: this.#log, counts: this.#start.counts };
    }
  }

  /** Made when somebody first asks: many workers are never asked. */
  #answerFor(port: number): HttpHandler {
    const { release, servers, opened, counts } = this.#start;
    const parts = { version: release.version, log: this.#log, accessLog: opened.accessLog, counts, work: this.#work };
    // A worker has one thread.
    this.#served ??= { server: new NginxServer(this.#self, parts), time: new ProcessorTime(this.#self, 1) };
    const { server, time } = this.#served;
    const handler = server.handlerFor(serversAt(servers, port), opened.tls.has(port));
    return atTheCostOf(unitsPerAnswer, time, handler);
  }

  /** What the master, or a signal, tells it; a worker that is ending looks at its answers again and again. */
  *#next(): Sys<readonly Command[]> {
    const { channel } = this.#start;
    const earlier = this.#signalled();
    if (earlier.length > 0) return earlier;
    try {
      if (this.#isShuttingDown) {
        const ready = yield* this.#self.poll(this.#hasMaster ? [channel] : [], drainLookMs);
        if (ready.length === 0) return [];
      }
      if (!this.#hasMaster) yield* this.#self.pause();
      const bytes = yield* this.#self.read(channel);
      this.#hasMaster = bytes.length > 0;
      return decodeUtf8(bytes).trim().split("\n") as Command[];
    } catch (error) {
      if (!(error instanceof SysError) || error.code !== "EINTR") throw error;
      return this.#signalled();
    }
  }

  #signalled(): readonly Command[] {
    return this.#self.takeSignalInfos().flatMap((info) => {
      const { command, action } = signals.get(info.signal) as Told;
      this.#log.signal(info, action);
      return command === undefined ? [] : [command];
    });
  }

  #shutDown(): void {
    if (this.#isShuttingDown) return;
    this.#isShuttingDown = true;
    this.#log.write("notice", "gracefully shutting down");
    this.#self.retitle(`${title} is shutting down`, "nginx");
    for (const fd of this.#start.opened.sockets.values()) this.#self.close(fd);
  }
}

export function workerProgram(start: WorkerStart): Program {
  return (self) => new Worker(self, start).run();
}
