// CoreDNS as its container's program runs it: reads its Corefile, listens once it knows the cluster, and looks whether the file has
// changed. What a fresh cluster's CoreDNS does not do at once comes late (`coredns-acts.ts`).

import type { Client } from "#cluster/client/client.ts";
import { fingerprint } from "#cluster/images/fingerprint.ts";
import { logLater } from "#cluster/images/log-line.ts";
import type { Exit, Part } from "#cluster/images/system-images.ts";
import type { Process } from "#sim/program.ts";
import type { Simulation, Timer } from "#sim/simulation.ts";
import { type CoreDnsOptions, makeCoreDns, type RunningCoreDns } from "./coredns.ts";
import { type CorefileSettings, kubeadmCorefile, kubeadmSettings } from "./corefile.ts";
import { lateCoreDns } from "./late-coredns.ts";

export interface CoreDnsProgramOptions {
  readonly simulation: Simulation;
  readonly client: Client;
  readonly self: Process;
  readonly exit: Exit;
  /** Of the image: `v1.13.1`. */
  readonly tag: string;
  readonly stack: CoreDnsOptions["stack"];
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
  settings: CorefileSettings = kubeadmSettings;
  #timer: Timer | undefined;

  /** Throws StartFailure. */
  constructor(options: CoreDnsProgramOptions) {
    const { self, onAnswer } = options;
    this.options = options;
    // Where kubeadm has it: `-conf /etc/coredns/Corefile`.
    this.path = self.argv.at(-1) as string;
    this.text = self.exists(this.path) ? self.readText(this.path) : "";
    logLater(self, 1, () => lateCoreDns.code.processorLine(self));
    if (this.text !== kubeadmCorefile) {
      const { path, text } = lateCoreDns.code.findCorefile(self);
      this.path = path;
      this.text = text;
      this.settings = lateCoreDns.code.corefileSettings(path, text);
    }
    this.server = makeCoreDns({
      ...options,
      plugins: () => this.settings,
      onAnswer: (given) => {
        onAnswer(given);
        if (this.settings.log.length > 0) lateCoreDns.code.logAnswer(self, this.settings.log, given);
      },
    });
    this.wait(lookMs, () => (this.isReady ? this.listen() : lateCoreDns.code.awaitCluster(this)));
  }

  /** The plugin kubernetes knows the cluster, or is not there. */
  get isReady(): boolean {
    return this.server.ready || !this.settings.kubernetes;
  }

  unready(path: string): string | undefined {
    return this.isReady ? undefined : lateCoreDns.code.unready(this, path);
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
    const { path, text, settings, options } = this;
    try {
      this.server.listen();
    } catch (error) {
      lateCoreDns.code.cannotListen(options.exit, error);
      return;
    }
    logLater(options.self, 1, () => lateCoreDns.code.startLines(path, text, settings, options.tag));
    this.#lookLater();
  }

  /** How long until the next look at the file differs from Pod to Pod (plugin/reload). */
  #lookLater(): void {
    const { reload } = this.settings;
    if (reload === undefined) return;
    const part = Number.parseInt(fingerprint(this.options.self.hostname).slice(0, 8), 16) / 2 ** 32;
    this.wait(reload.intervalMs + reload.jitterMs * (part - 0.5), () => this.#look());
  }

  #look(): void {
    const { self } = this.options;
    if (self.exists(this.path) && self.readText(this.path) !== this.text) lateCoreDns.code.reload(this);
    this.#lookLater();
  }
}
