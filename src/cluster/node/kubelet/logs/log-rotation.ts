// Rotation of container logs: looked at every 10 s, a file that has reached the limit gets a dated name and the log goes on in
// a new one; of the dated ones all but the newest are compressed, and the oldest removed (kubelet's logs/container_log_manager.go).

import { formatTime } from "#cluster/api/time.ts";
import { SysError } from "#sim/errors.ts";
import type { HostFiles } from "#sim/filesystem/host-files.ts";
import { FileInode } from "#sim/filesystem/inode.ts";
import type { Simulation, Timer } from "#sim/simulation.ts";
import type { ContainerRuntime, RuntimeContainer } from "../../runtime/cri.ts";
import { lateGzip } from "./late-gzip.ts";
import type { LogPolicy, PodLogs } from "./pod-logs.ts";

export const defaultLogPolicy: LogPolicy = { maximumBytes: 10 * 1024 ** 2, maximumFiles: 5 };

export interface LogRotationOptions {
  readonly simulation: Simulation;
  readonly files: HostFiles;
  readonly runtime: Pick<ContainerRuntime, "onLogFull">;
  readonly logs: PodLogs;
  readonly policy: LogPolicy;
}

/** containerLogMonitorInterval */
const intervalMs = 10_000;
/** Compressing goes on in such pieces, each of which takes so long. */
const pieceBytes = 128 * 1024;
const pieceMs = 3;
const compressed = ".gz";
const unfinished = ".tmp";

export class LogRotation {
  readonly #options: LogRotationOptions;
  readonly #startedMs: number;
  readonly #full = new Set<RuntimeContainer>();
  readonly #work = new Set<Timer>();
  #check: Timer | undefined;
  #stopHearing = (): void => {};

  constructor(options: LogRotationOptions) {
    this.#options = options;
    this.#startedMs = options.simulation.nowMs;
  }

  /** Nothing happens until a log is full: no timer runs for those that are not. */
  start(): void {
    this.#stopHearing = this.#options.runtime.onLogFull.add((container) => this.#onFull(container));
  }

  stop(): void {
    const { simulation } = this.#options;
    this.#stopHearing();
    simulation.cancel(this.#check);
    for (const timer of this.#work) simulation.cancel(timer);
  }

  #onFull(container: RuntimeContainer): void {
    const { simulation } = this.#options;
    this.#full.add(container);
    if (this.#check?.callback !== undefined) return;
    const checks = Math.floor((simulation.nowMs - this.#startedMs) / intervalMs) + 1;
    this.#check = simulation.at(this.#startedMs + checks * intervalMs, () => this.#rotateAll(), { background: true });
  }

  #rotateAll(): void {
    const containers = [...this.#full];
    this.#full.clear();
    for (const container of containers) {
      if (container.state !== "running" || container.log.file.links === 0) continue;
      try {
        this.#rotate(container);
      } catch (error) {
        // A full disk, or a directory that was removed by hand.
        if (!(error instanceof SysError)) throw error;
        this.#onFull(container);
      }
    }
  }

  #rotate(container: RuntimeContainer): void {
    const { simulation, files, logs, policy } = this.#options;
    const all = logs.rotated(container);
    const old = all.filter((path) => !path.endsWith(unfinished));
    // The current file and the one that it becomes are kept beside them.
    const kept = Math.max(0, policy.maximumFiles - 2);
    const excess = old.slice(0, Math.max(0, old.length - kept));
    for (const path of [...all.filter((each) => each.endsWith(unfinished)), ...excess]) files.unlink(path);
    for (const path of old.slice(excess.length)) if (!path.endsWith(compressed)) this.#compress(path);
    const date = formatTime(simulation.nowMs).replace(/[-:Z]/gu, "").replace("T", "-");
    logs.rotate(container, `${container.config.logFile.path}.${date}`);
  }

  /** Writes the compressed file beside the other one, a piece at a time, and then takes its place. */
  #compress(path: string): void {
    const { files } = this.#options;
    const { root } = files.bind(path);
    if (!(root instanceof FileInode)) return;
    const target = `${path}${unfinished}`;
    const gzip = new lateGzip.code.GzipWriter();
    files.writeFile(target, gzip.header(), { permissions: 0o640 });
    let offset = 0;
    const step = (): void => {
      if (!files.exists(path) || !files.exists(target)) return;
      const piece = root.read(offset, pieceBytes);
      offset += piece.length;
      const output = piece.length > 0 ? gzip.write(piece) : gzip.end();
      try {
        files.writeFile(target, output, { append: true });
        if (piece.length > 0) {
          this.#later(step);
          return;
        }
        files.rename(target, `${path}${compressed}`);
      } catch (error) {
        if (!(error instanceof SysError)) throw error;
        files.removeAll(target);
        return;
      }
      files.unlink(path);
    };
    this.#later(step);
  }

  #later(step: () => void): void {
    const timer = this.#options.simulation.after(
      pieceMs,
      () => {
        this.#work.delete(timer);
        step();
      },
      { background: true },
    );
    this.#work.add(timer);
  }
}
