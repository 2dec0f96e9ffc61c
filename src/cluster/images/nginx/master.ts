// The master process: it starts workers, starts others for those that die, and does what signals ask for (ngx_process_cycle.c).

import { SysError } from "#sim/errors.ts";
import type { Process, SignalInfo, Sys, WaitStatus } from "#sim/program.ts";
import { type Signal, signalNumbers } from "#sim/signals.ts";
import { writeWithoutWaiting } from "../log-line.ts";
import { ConfigurationError } from "./configuration.ts";
import { type ErrorLog, numbered } from "./error-log.ts";
import { type Opened, OpeningError, openAll, sleepThrough } from "./opening.ts";
import type { Configuration } from "./reading.ts";
import type { NginxRelease } from "./releases.ts";
import { reopenLogs } from "./reopening.ts";
import type { SharedCounts } from "./server.ts";
import { type Command, workerProgram } from "./worker.ts";

const residentBytes = 3_145_728;
/** New workers answer before old ones are told to go. */
const overlapMs = 100;
/** Workers that do not obey are told again after twice the time each, and killed when it is more than the last. */
const firstPatienceMs = 50;
const lastPatienceMs = 1000;
const actions: ReadonlyMap<Signal, string> = new Map([
  ["CHLD", ""],
  ["TERM", ", exiting"],
  ["INT", ", exiting"],
  ["QUIT", ", shutting down"],
  ["HUP", ", reconfiguring"],
  ["USR1", ", reopening logs"],
  ["WINCH", ""],
]);

interface Worker {
  pid: number;
  /** Where commands to it are written. */
  channel: number;
  isExiting: boolean;
  hasExited: boolean;
  /** Another one takes its place when it dies. */
  isReplaced: boolean;
}

export interface MasterStart {
  readonly release: NginxRelease;
  readonly configuration: Configuration;
  readonly opened: Opened;
  /** Reads the configuration anew. Throws ConfigurationError. */
  readonly reread: () => Configuration;
}

export class Master {
  readonly #self: Process;
  readonly #start: MasterStart;
  /** In memory that all workers share. */
  readonly #counts: SharedCounts = { requests: 0 };
  #configuration: Configuration;
  #opened: Opened;
  #log: ErrorLog;
  #workers: Worker[] = [];
  #asked: Set<Signal> | undefined;
  #isTerminating = false;
  #isQuitting = false;
  /** The other end of a channel has gone. */
  #hungUp = false;

  constructor(self: Process, start: MasterStart) {
    this.#self = self;
    this.#start = start;
    this.#configuration = start.configuration;
    this.#opened = start.opened;
    this.#log = start.opened.log.of(self);
  }

  *run(): Sys<number> {
    const self = this.#self;
    for (const signal of actions.keys()) self.setSignal(signal, "catch");
    self.setSignal("PIPE", "ignore");
    self.declareUse({ memoryBytes: residentBytes });
    this.#startWorkers();
    let patienceMs = 0;
    for (;;) {
      const arrived = yield* this.#next(patienceMs);
      yield* this.#note(arrived);
      const isLive = this.#reap();
      if (!isLive && (this.#isTerminating || this.#isQuitting)) return this.#exit();
      if (this.#isTerminating) {
        if (patienceMs > 0 && arrived.length > 0) continue;
        patienceMs = patienceMs === 0 ? firstPatienceMs : patienceMs * 2;
        if (patienceMs > lastPatienceMs) for (const { pid } of this.#workers) self.kill(pid, "KILL");
        else this.#command("terminate", this.#workers);
      } else if (this.#isQuitting) {
        this.#command("quit", this.#workers);
        for (const fd of this.#opened.sockets.values()) self.close(fd);
        this.#opened = { ...this.#opened, sockets: new Map() };
      } else yield* this.#doAsked();
    }
  }

  /** What has come, or nothing when that took too long. */
  *#next(patienceMs: number): Sys<readonly SignalInfo[]> {
    if (this.#hungUp) this.#log.write("notice", "signal 29 (SIGIO) received");
    this.#hungUp = false;
    for (;;) {
      const arrived = this.#self.takeSignalInfos();
      if (arrived.length > 0) return arrived;
      try {
        if (patienceMs === 0) yield* this.#self.pause();
        yield* this.#self.sleep(patienceMs);
        return [];
      } catch (error) {
        if (!(error instanceof SysError) || error.code !== "EINTR") throw error;
      }
    }
  }

  /** What the signal handlers do: they log, remember what is asked for, and hear who has ended. */
  *#note(arrived: readonly SignalInfo[]): Sys<void> {
    const ended = new Set<number>();
    for (const info of arrived) {
      const { signal, from } = info;
      // It was pending still when the one before was dealt with.
      if (signal === "CHLD" && ended.has(from)) continue;
      this.#log.signal(info, actions.get(signal) as string);
      if (signal === "CHLD") yield* this.#hearWhoEnded(ended);
      else if (signal === "TERM" || signal === "INT") this.#isTerminating = true;
      else if (signal === "QUIT") this.#isQuitting = true;
      else this.#asked = (this.#asked ?? new Set()).add(signal);
    }
  }

  *#hearWhoEnded(ended: Set<number>): Sys<void> {
    for (;;) {
      const status = yield* this.#ended();
      if (status === undefined) return;
      const { pid, code, signal } = status;
      ended.add(pid);
      const worker = this.#workers.find((each) => each.pid === pid);
      const name = worker === undefined ? "unknown process" : "worker process";
      if (worker !== undefined) worker.hasExited = true;
      if (signal !== undefined) this.#log.write("alert", `${name} ${pid} exited on signal ${signalNumbers[signal]}`);
      else this.#log.write("notice", `${name} ${pid} exited with code ${code}`);
      if (worker === undefined || signal !== undefined || code !== 2) continue;
      this.#log.write("alert", `${name} ${pid} exited with fatal code 2 and cannot be respawned`);
      worker.isReplaced = false;
    }
  }

  *#ended(): Sys<WaitStatus | undefined> {
    try {
      return yield* this.#self.wait(-1, { noHang: true });
    } catch (error) {
      if (!(error instanceof SysError) || error.code !== "ECHILD") throw error;
      return undefined;
    }
  }

  /** Whether there are workers yet. */
  #reap(): boolean {
    for (const worker of this.#workers.filter(({ hasExited }) => hasExited)) {
      this.#self.close(worker.channel);
      if (this.#workers.some(({ hasExited }) => !hasExited)) this.#hungUp = true;
      const isOver = worker.isExiting || this.#isTerminating || this.#isQuitting;
      const next = worker.isReplaced && !isOver ? this.#spawn() : undefined;
      this.#workers = this.#workers.flatMap((other) => {
        if (other !== worker) return [other];
        return next === undefined ? [] : [next];
      });
    }
    return this.#workers.length > 0;
  }

  #startWorkers(): void {
    this.#log.write("notice", "start worker processes");
    for (let count = this.#configuration.settings.workers; count > 0; count -= 1) {
      const worker = this.#spawn();
      if (worker !== undefined) this.#workers = this.#workers.concat(worker);
    }
  }

  #spawn(): Worker | undefined {
    const self = this.#self;
    const opened = this.#opened;
    const { settings, servers } = this.#configuration;
    const [channel, end] = self.pipe();
    const run = workerProgram({ release: this.#start.release, settings, servers, opened, channel, counts: this.#counts });
    const open = self.descriptors();
    const fds = new Map<number, number>();
    for (const fd of [0, 1, 2, channel, opened.log.fd, opened.accessLog, ...opened.sockets.values()])
      if (open.includes(fd)) fds.set(fd, fd);
    try {
      const pid = self.spawn({ run, argv: ["nginx: worker process"], fds });
      this.#log.write("notice", `start worker process ${pid}`);
      return { pid, channel: end, isExiting: false, hasExited: false, isReplaced: true };
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
      self.close(end);
      this.#log.write("alert", `fork() failed while spawning "worker process" ${numbered(error)}`);
      return undefined;
    } finally {
      self.close(channel);
    }
  }

  #command(command: Command, workers: readonly Worker[]): void {
    for (const worker of workers) {
      if (worker.isExiting && command === "quit") continue;
      try {
        writeWithoutWaiting(this.#self, worker.channel, `${command}\n`);
      } catch (error) {
        // It has just ended: its parent will hear of it.
        if (!(error instanceof SysError) || error.code !== "EPIPE") throw error;
      }
      if (command !== "reopen") worker.isExiting = true;
    }
  }

  *#doAsked(): Sys<void> {
    const asked = this.#asked;
    if (asked === undefined) return;
    this.#asked = undefined;
    if (asked.has("HUP")) yield* this.#reconfigure();
    if (asked.has("USR1")) {
      reopenLogs(this.#self, this.#log, this.#opened, this.#configuration.settings, true);
      this.#command("reopen", this.#workers);
    }
    if (asked.has("WINCH") && this.#configuration.settings.isDaemon) this.#command("quit", this.#workers);
  }

  *#reconfigure(): Sys<void> {
    this.#log.write("notice", "reconfiguring");
    try {
      const configuration = this.#start.reread();
      this.#log.write("warn", ...configuration.settings.warnings);
      this.#opened = yield* openAll(this.#self, configuration, this.#opened);
      this.#configuration = configuration;
    } catch (error) {
      if (!(error instanceof ConfigurationError || error instanceof OpeningError)) throw error;
      this.#log.write("emerg", error.message);
      return;
    }
    this.#log = this.#opened.log.of(this.#self);
    this.#log.write("notice", 'using the "epoll" event method');
    const old = this.#workers;
    this.#workers = [...old];
    this.#startWorkers();
    yield* sleepThrough(this.#self, overlapMs);
    this.#command("quit", old);
  }

  #exit(): number {
    const { pidFile } = this.#configuration.settings;
    if (this.#self.exists(pidFile)) this.#self.unlink(pidFile);
    this.#log.write("notice", "exit");
    return 0;
  }
}
