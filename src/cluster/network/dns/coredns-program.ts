// CoreDNS as its container's program runs it: reads its Corefile, listens once it knows the cluster, and looks whether the file has
// changed. What a fresh cluster's CoreDNS does not do at once comes late (`coredns-acts.ts`).

import type { Client } from "#cluster/client/client.ts";
import { fingerprint } from "#cluster/images/fingerprint.ts";
import { logLater } from "#cluster/images/log-line.ts";
import type { Exit, Part } from "#cluster/images/system-images.ts";
import type { Process } from "#sim/program.ts";
import type { Simulation, Timer } from "#sim/simulation.ts";
import { type CoreDnsOptions, makeCoreDns, type RunningCoreDns } from "./coredns.ts";
import { type CorefileSettings, kubeadmCorefile, usualReload } from "./corefile.ts";
import { lateCoreDns } from "./late-coredns.ts";

export interface CoreDnsProgramOptions {
  readonly simulation: Simulation;
  readonly client: Client;
  readonly self: Process;
  readonly exit: Exit;
  /** Of the image: `v1.13.1`. */
  readonly tag: string;
  readonly stack: CoreDnsOptions["stack"];
  readonly upstream: NonNullable<CoreDnsOptions["upstream"]>;
  /** Told of every answer. */
  readonly onAnswer: NonNullable<CoreDnsOptions["onAnswer"]>;
}

/** plugin/kubernetes: how often it looks whether it has all objects. */
export const lookMs = 100;

export class CoreDnsProgram implements Part {
  readonly options: CoreDnsProgramOptions;
  readonly path: string;
  readonly server: RunningCoreDns;
  /** Of the Corefile as it was read last. */
  text: string;
  /** Undefined: those of kubeadm's file. */
  settings: CorefileSettings | undefined;
  #timer: Timer | undefined;

  /** Throws StartFailure. */
  constructor(options: CoreDnsProgramOptions) {
    const { self, onAnswer } = options;
    this.options = options;
    // Where kubeadm has it: `-conf /etc/coredns/Corefile`.
    this.path = self.argv.at(-1) as string;
    const read = (path: string) => (self.exists(path) ? self.readText(path) : "");
    this.text = read(this.path);
    const [cpuinfo, cpuMax, asked] = [read("/proc/cpuinfo"), cpuMaxOf(read), self.env.get("GOMAXPROCS")];
    logLater(self, 1, () => lateCoreDns.code.processorLine(cpuinfo, cpuMax, asked));
    if (this.text !== kubeadmCorefile) {
      const { path, text } = lateCoreDns.code.findCorefile(self);
      this.path = path;
      this.text = text;
      this.settings = lateCoreDns.code.corefileSettings(path, text);
    }
    this.server = makeCoreDns({
      ...options,
      onAnswer: (given) => {
        onAnswer(given);
        if (this.settings !== undefined) lateCoreDns.code.logAnswer(self, this.settings.log, given);
      },
    });
    this.wait(lookMs, () => (this.server.ready ? this.listen() : lateCoreDns.code.awaitCluster(this)));
  }

  unready(path: string): string | undefined {
    return this.server.ready ? undefined : lateCoreDns.code.unready(this, path);
  }

  terminate(done: () => void): void {
    lateCoreDns.code.terminate(this, done);
  }

  stop(): void {
    this.options.simulation.cancel(this.#timer);
    this.server.stop();
  }

  /** One act waits at a time. */
  wait(ms: number, act: () => void): void {
    const { simulation } = this.options;
    simulation.cancel(this.#timer);
    this.#timer = simulation.after(ms, act, { background: true });
  }

  listen(): void {
    const { path, text, options } = this;
    try {
      this.server.listen();
    } catch (error) {
      lateCoreDns.code.cannotListen(options.exit, error);
      return;
    }
    logLater(options.self, 1, () => lateCoreDns.code.startLines(path, text, options.tag));
    this.#lookLater();
  }

  /** How long until the next look at the file differs from Pod to Pod (plugin/reload). */
  #lookLater(): void {
    const { reloadMs, jitterMs } = this.settings ?? usualReload;
    const part = Number.parseInt(fingerprint(this.options.self.hostname).slice(0, 8), 16) / 2 ** 32;
    if (reloadMs < Number.POSITIVE_INFINITY) this.wait(reloadMs + jitterMs * (part - 0.5), () => this.#look());
  }

  #look(): void {
    const { self } = this.options;
    if (self.exists(this.path) && self.readText(this.path) !== this.text) lateCoreDns.code.reload(this);
    this.#lookLater();
  }
}

/** What the control group lets it use in a period, in microseconds, as cpu.max of version 2 has it: `50000 100000`. */
function cpuMaxOf(read: (path: string) => string): string {
  const unified = read("/sys/fs/cgroup/cpu.max");
  if (unified !== "") return unified;
  const [quota = "", period = ""] = ["cpu.cfs_quota_us", "cpu.cfs_period_us"].map((name) =>
    read(`/sys/fs/cgroup/cpu/${name}`).trim(),
  );
  return quota === "" || quota === "-1" ? "max" : `${quota} ${period}`;
}
