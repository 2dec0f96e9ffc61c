// --encryption-provider-config-automatic-reload: the file is looked at every minute, and what is wrong with it leaves everything as it was
// (apiserver, pkg/server/options/encryptionconfig/controller/controller.go).

import { klogLine } from "#cluster/api/klog.ts";
import { writeWithoutWaiting } from "#cluster/images/log-line.ts";
import type { Process } from "#sim/program.ts";
import type { Simulation, TimerOptions } from "#sim/simulation.ts";
import { type EncryptionAtRest, type EncryptionConfiguration, kmsFault } from "./encryption.ts";
import { encryptionFileHash } from "./encryption-configuration.ts";
import type { Outcome, Reloads } from "./reload-metrics.ts";

const lookMs = 60_000;
/** After failures: twice as long each time. */
const firstRetryMs = 5;
const longestRetryMs = 1_000_000;
const healthMs = 100;
const leastHealthMs = 10_000;

const background: TimerOptions = { background: true };

export interface ReloadOptions {
  /** The API server's process; nothing happens any more when it has ended. */
  readonly self: Process;
  readonly simulation: Simulation;
  readonly path: string;
  readonly encryption: EncryptionAtRest;
  /** Reads the file; its plugins are asked from then on. */
  readonly load: () => EncryptionConfiguration | { readonly fault: string };
}

export class AutomaticReload {
  readonly reloads: Reloads = { success: { count: 0, lastMs: 0 }, failure: { count: 0, lastMs: 0 } };
  readonly #options: ReloadOptions;
  #isBusy = false;

  constructor(options: ReloadOptions) {
    this.#options = options;
  }

  start(): void {
    this.#log("I", "controller.go:97", '"Starting controller" name="encryption-provider-config-automatic-reload-controller"');
    this.#lookAgain();
  }

  #lookAgain(): void {
    this.#after(lookMs, () => {
      this.#look();
      this.#lookAgain();
    });
  }

  #look(): void {
    if (this.#isBusy) return;
    const { self, path, encryption, load } = this.#options;
    const found = encryptionFileHash(self, path);
    if ("hash" in found && found.hash === encryption.hash) return;
    const next = "fault" in found ? found : load();
    if ("fault" in next) this.#failed(next.fault);
    else this.#awaitHealth(next);
  }

  /** New plugins must answer before anything depends on them. */
  #awaitHealth(next: EncryptionConfiguration): void {
    const { simulation } = this.#options;
    const patienceMs = Math.max(leastHealthMs, 2 * next.kms.reduce((sum, { timeoutMs }) => sum + timeoutMs, 0));
    const deadlineMs = simulation.nowMs + patienceMs;
    this.#isBusy = true;
    const attempt = (): void => {
      const fault = kmsFault(next);
      if (fault !== undefined && simulation.nowMs < deadlineMs) {
        this.#after(healthMs, attempt);
        return;
      }
      this.#isBusy = false;
      if (fault === undefined) this.#take(next);
      else {
        for (const provider of next.kms) provider.stop();
        this.#failed(`health check for new transformers failed, polling error timed out waiting for the condition: ${fault}`);
      }
    };
    attempt();
  }

  #take(next: EncryptionConfiguration): void {
    const { encryption, simulation } = this.#options;
    encryption.use(next);
    count(this.reloads.success, simulation.nowMs);
  }

  #failed(fault: string): void {
    const { failure } = this.reloads;
    const error = `error processing encryption config file ${this.#options.path}: ${fault}`;
    this.#log("E", "controller.go:182", `"Unhandled Error" err=${JSON.stringify(error)} logger="UnhandledError"`);
    this.#after(Math.min(firstRetryMs * 2 ** failure.count, longestRetryMs), () => this.#look());
    count(failure, this.#options.simulation.nowMs);
  }

  #log(severity: "I" | "E", place: string, message: string): void {
    const { self } = this.#options;
    writeWithoutWaiting(self, 2, klogLine(self, severity, place, message));
  }

  #after(ms: number, act: () => void): void {
    const { self, simulation } = this.#options;
    simulation.after(
      ms,
      () => {
        if (self.exit === undefined) act();
      },
      background,
    );
  }
}

function count(outcome: Outcome, nowMs: number): void {
  outcome.count += 1;
  outcome.lastMs = nowMs;
}
