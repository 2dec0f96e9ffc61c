// CoreDNS as its container's program runs it: reads its Corefile, waits for the cluster before it listens, logs what it does, reads
// the file again when that has changed, and goes on for a while when it is told to end.

import type { Client } from "#cluster/client/client.ts";
import { fingerprint } from "#cluster/images/fingerprint.ts";
import { logLater } from "#cluster/images/log-line.ts";
import { type Exit, type Part, StartFailure } from "#cluster/images/system-images.ts";
import { SysError } from "#sim/errors.ts";
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

/** plugin/kubernetes: how often it looks whether it has all objects, how often it says that it waits, and how long it does. */
const lookMs = 100;
const sayMs = 500;
const patienceMs = 5_000;
/** What CoreDNS does without a Corefile (coremain and dnsserver.DefaultPort). */
const noCorefile = ".:53 {\nwhoami\nlog\n}\n";

/** Throws StartFailure. */
export function startCoreDnsProgram(options: CoreDnsProgramOptions): Part {
  const path = corefilePath(options.self.argv);
  return new CoreDnsProgram(options, path, corefileOf(options.self, path));
}

function corefilePath(argv: readonly string[]): string {
  const at = argv.indexOf("-conf");
  return (at < 0 ? undefined : argv[at + 1]) ?? "Corefile";
}

function corefileOf(self: Process, path: string): string {
  try {
    return self.readText(path);
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    if (path === "Corefile") return noCorefile;
    throw new StartFailure(`loading Caddyfile via flag: open ${path}: ${error.message.toLowerCase()}`);
  }
}

/** How many processors the machine has, and what of them its control group may use. */
function machineOf(self: Process): { readonly cpuinfo: string; readonly cpuMax: string; readonly asked: string | undefined } {
  const read = (path: string) => (self.exists(path) ? self.readText(path) : "");
  return { cpuinfo: read("/proc/cpuinfo"), cpuMax: read("/sys/fs/cgroup/cpu.max"), asked: self.env.get("GOMAXPROCS") };
}

/** Throws StartFailure. */
function settingsOf(path: string, text: string): CorefileSettings {
  return text === kubeadmCorefile ? kubeadmSettings : lateCoreDns.code.corefileSettings(path, text);
}

class CoreDnsProgram implements Part {
  readonly #options: CoreDnsProgramOptions;
  readonly #path: string;
  readonly #server: RunningCoreDns;
  #text: string;
  #settings: CorefileSettings;
  #timer: Timer | undefined;
  #isEnding = false;

  constructor(options: CoreDnsProgramOptions, path: string, text: string) {
    const { simulation, client, self, stack, onAnswer } = options;
    this.#options = options;
    this.#path = path;
    this.#text = text;
    const machine = machineOf(self);
    logLater(self, 1, () => lateCoreDns.code.processorLine(machine));
    this.#settings = settingsOf(path, text);
    this.#server = makeCoreDns({
      simulation,
      client,
      stack,
      plugins: () => this.#settings,
      onAnswer: (given) => {
        onAnswer(given);
        if (this.#settings.log.length > 0) lateCoreDns.code.logAnswer(self, this.#settings.log, given);
      },
    });
    this.#await(simulation.nowMs);
  }

  unready(path: string): string | undefined {
    if (path !== "/ready" || !this.#settings.kubernetes || this.#server.ready) return undefined;
    this.#say('[INFO] plugin/ready: Plugins not ready: "kubernetes"');
    return "kubernetes";
  }

  /** Goes on answering for the plugin health's lameduck. */
  terminate(done: () => void): void {
    const { simulation } = this.#options;
    const { lameduckMs } = this.#settings;
    this.#isEnding = true;
    this.#say("[INFO] SIGTERM: Shutting down servers then terminating");
    if (lameduckMs > 0) logLater(this.#options.self, 1, () => lateCoreDns.code.lameduckLine(lameduckMs));
    simulation.cancel(this.#timer);
    this.#timer = simulation.after(lameduckMs, done, { background: true });
  }

  stop(): void {
    this.#options.simulation.cancel(this.#timer);
    this.#server.stop();
  }

  #say(line: string): void {
    logLater(this.#options.self, 1, () => `${line}\n`);
  }

  /** Listens when the plugin kubernetes knows the cluster, or has waited long enough. */
  #await(sinceMs: number): void {
    const { simulation } = this.#options;
    this.#timer = simulation.after(
      lookMs,
      () => {
        const waitedMs = simulation.nowMs - sinceMs;
        const waits = this.#settings.kubernetes && !this.#server.ready;
        if (waits && waitedMs >= patienceMs) this.#say("[WARNING] plugin/kubernetes: starting server with unsynced Kubernetes API");
        else if (waits) {
          if (waitedMs % sayMs === 0) this.#say("[INFO] plugin/kubernetes: waiting for Kubernetes API before starting server");
          return this.#await(sinceMs);
        }
        this.#listen();
      },
      { background: true },
    );
  }

  #listen(): void {
    try {
      this.#server.listen();
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
      this.#options.exit(1, "Listen: listen tcp :53: bind: address already in use\n");
      return;
    }
    const { self, tag } = this.#options;
    const start = { path: this.#path, text: this.#text, tag, reloads: this.#settings.reload !== undefined };
    this.#sayIdle();
    logLater(self, 1, () => lateCoreDns.code.startLines(start));
    this.#lookLater();
  }

  #sayIdle(): void {
    for (const what of this.#settings.idle) this.#say(`[WARNING] ${what}: not simulated, has no effect`);
  }

  /** How long until the next look at the file differs from Pod to Pod. */
  #lookLater(): void {
    const { simulation, self } = this.#options;
    const { reload } = this.#settings;
    if (reload === undefined) return;
    const { intervalMs, jitterMs } = reload;
    const part = Number.parseInt(fingerprint(self.hostname).slice(0, 8), 16) / 2 ** 32;
    this.#timer = simulation.after(intervalMs + jitterMs * (part - 0.5), () => this.#look(), { background: true });
  }

  #look(): void {
    const { self } = this.#options;
    const text = self.exists(this.#path) ? self.readText(this.#path) : this.#text;
    if (text !== this.#text) this.#reload(text);
    if (!this.#isEnding) this.#lookLater();
  }

  /** A file that is wrong is not tried again; its servers go on as they are (plugin/reload, caddy's Instance.Restart). */
  #reload(text: string): void {
    const before = this.#text;
    this.#text = text;
    const { code } = lateCoreDns;
    try {
      if (code.configurationSum(this.#path, text) === code.configurationSum(this.#path, before)) return;
    } catch (error) {
      if (!(error instanceof StartFailure)) throw error;
      this.#say(`[WARNING] plugin/reload: Corefile parse failed: ${error.message}`);
      return;
    }
    this.#say("[INFO] Reloading");
    try {
      this.#settings = settingsOf(this.#path, text);
    } catch (error) {
      if (!(error instanceof StartFailure)) throw error;
      this.#say(`[ERROR] Restart failed: ${error.message}`);
      const cause = `starting with listener file descriptors: ${error.message}`;
      this.#say(`[ERROR] plugin/reload: Corefile changed but reload failed: ${cause}`);
      return;
    }
    this.#sayIdle();
    if (this.#settings.reload !== undefined)
      this.#say(`[INFO] plugin/reload: Running configuration SHA512 = ${code.configurationSum(this.#path, text)}`);
    this.#say("[INFO] Reloading complete");
  }
}
