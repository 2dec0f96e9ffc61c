// A world: one simulation with a cluster and the learner's workstation. Inputs go in through `apply`, terminals' output
// is told to listeners; everything in between is deterministic.

import type { Client } from "#cluster/client/client.ts";
import type { Machine } from "#cluster/node/host/machine.ts";
import type { RuntimeAct } from "#cluster/node/runtime/cri.ts";
import { encodeUtf8 } from "#sim/bytes.ts";
import { Kernel } from "#sim/kernel.ts";
import { lateProgram } from "#sim/late-programs.ts";
import { Listeners } from "#sim/listeners.ts";
import type { Certificate } from "#sim/net.ts";
import type { Program } from "#sim/program.ts";
import { Simulation } from "#sim/simulation.ts";
import type { TerminalDevice } from "#sim/terminal/device.ts";
import type { BrowsedPage } from "./browser.ts";
import { Cluster } from "./cluster.ts";
import { type ClusterWish, clusterShape } from "./cluster-shape.ts";
import type { Happenings, RecordedRequest, RecordedWrite } from "./happenings.ts";
import type { WorldInput } from "./input.ts";
import { adminKubeconfig, currentContext } from "./kubeconfig.ts";
import { lateMachineTools } from "./late-machine-tools.ts";
import { WorldObservable } from "./observable.ts";
import { Traffic, type TrafficClient } from "./traffic.ts";
import { UnseenClients } from "./unseen-clients.ts";
import { Workstation } from "./workstation.ts";

export interface WorldOptions extends ClusterWish {
  /** Virtual time at which the learner arrives; the cluster is a few minutes older. */
  readonly startMs: number;
  readonly seed: number;
  /** Files in the learner's home directory by name. */
  readonly files: { readonly [name: string]: string };
}

/** How long before the learner the cluster was made. */
const clusterAgeMs = 300_000;
const setupLimitMs = 600_000;

export class World implements Happenings {
  readonly simulation: Simulation;
  readonly kernel: Kernel;
  readonly cluster: Cluster;
  readonly workstation: Workstation;
  /** As the administrator. */
  readonly client: Client;
  readonly onTerminalOutput = new Listeners<string, Uint8Array>();
  readonly onTerminalClosed = new Listeners<string>();
  /** Programs take a terminal's keys one by one from now on, or by lines again. */
  readonly onTerminalCanonical = new Listeners<string, boolean>();
  /** Told before `onChange`. */
  readonly onWrite = new Listeners<RecordedWrite, string>();
  readonly onRuntimeAct = new Listeners<string, RuntimeAct>();
  /** What an address entered in a page of the browser came to. */
  readonly onPage = new Listeners<string, BrowsedPage>();
  /** A file of the editor was saved, or refused for a reason: its path, and the reason. */
  readonly onFileSaved = new Listeners<string, string | undefined>();
  /** An object was written, a command ended or a file was saved: what checks see may be different. */
  readonly onChange = new Listeners();
  /** What lab checks may look at. */
  readonly observable: WorldObservable;
  readonly #traffic: Traffic;
  readonly #startMs: number;
  readonly #terminals = new Map<string, TerminalDevice>();
  readonly #powerOf = (name: string) => this.cluster.powerOf(name);

  constructor(options: WorldOptions) {
    this.#startMs = options.startMs;
    this.simulation = new Simulation({ startMs: options.startMs - clusterAgeMs, seed: options.seed });
    this.kernel = new Kernel(this.simulation);
    const shape = clusterShape(options);
    this.cluster = new Cluster({ simulation: this.simulation, kernel: this.kernel, shape });
    this.client = this.cluster.adminClient;
    this.workstation = new Workstation({
      kernel: this.kernel,
      network: this.cluster.network.addHost("workstation", "172.18.255.1"),
      kubeconfig: () => adminKubeconfig(this.cluster.apiAddress, this.cluster.pki.administrator()),
      files: options.files,
      hosts: this.cluster.hostNames,
      programs: new Map<string, Program>([
        [
          "/usr/bin/ssh",
          (self) =>
            lateMachineTools.code.ssh({
              machine: (name) => this.#machine(name),
              powerOf: this.#powerOf,
              isClosed: (name) => shape.balancer?.name === name || shape.balancer?.address === name,
            })(self),
        ],
        [
          "/usr/bin/virsh",
          (self) =>
            lateMachineTools.code.virsh({
              machines: (this.cluster.cloud?.machines ?? shape.nodes).map(({ name }) => name),
              powerOf: this.#powerOf,
              networkOf: (name) => this.cluster.node(name)?.network,
            })(self),
        ],
        ...(this.cluster.cloud?.programs ?? []),
        ["/usr/local/bin/watch-delay", (self) => lateMachineTools.code.watchDelay(this.cluster.watchDelays)(self)],
        ["/usr/local/bin/hey", lateProgram("sample/hey")],
        ["/usr/local/bin/cfssl", lateProgram("cfssl")],
        ["/usr/local/bin/cfssljson", lateProgram("cfssljson")],
        ["/usr/local/bin/crane", (self) => lateMachineTools.code.crane(this.cluster.registry)(self)],
      ]),
    });
    this.cluster.apiServer.store.onWrite.add((event, table) => {
      this.onWrite.tell(event, table.resource);
      this.onChange.tell();
    });
    for (const { shape, runtime } of this.cluster.nodes) runtime.onAct.add((act) => this.onRuntimeAct.tell(shape.name, act));
    const changed = (): void => this.onChange.tell();
    const clients = new UnseenClients(this.kernel, this.cluster, this.workstation);
    this.#traffic = new Traffic(this.simulation, clients);
    this.#traffic.onFailure.add(changed);
    const { simulation, cluster, workstation } = this;
    this.observable = new WorldObservable({ simulation, cluster, workstation, clients, traffic: this.#traffic, onAnswer: changed });
    this.workstation.onCommand.add(() => {
      this.observable.stir();
      changed();
    });
  }

  /** The certificate of the kubeconfig's user. */
  get adminCertificate(): Certificate {
    return this.cluster.pki.administrator().certificate;
  }

  get servedRequest(): RecordedRequest | undefined {
    return this.cluster.apiServer.audit.current;
  }

  get onRefused(): Happenings["onRefused"] {
    return this.cluster.apiServer.audit.onRefused;
  }

  get onDecision(): Happenings["onDecision"] {
    return this.cluster.decisions.onDecision;
  }

  get onConnection(): Happenings["onConnection"] {
    return this.cluster.network.onConnection;
  }

  isPodAddress(address: string): boolean {
    return this.cluster.network.isPodAddress(address);
  }

  get nodeAddresses(): readonly string[] {
    return this.cluster.nodes.map(({ network }) => network.address);
  }

  get apiAvailable(): boolean {
    return this.cluster.apiServer.running;
  }

  /** Runs until the cluster is up and the learner's time has come. Throws when it does not come up. */
  boot(): void {
    this.cluster.boot();
    this.simulation.run({ untilMs: this.#startMs });
  }

  /** Runs a lab's set-up commands to their end. Throws with their output when they fail. */
  runSetup(script: string): void {
    if (script === "") return;
    let result: { readonly code: number; readonly output: string } | undefined;
    this.workstation.runScript(`set -e\n${script}`, (ended) => {
      result = ended;
    });
    this.simulation.runUntil(() => result !== undefined, { limitMs: setupLimitMs });
    this.workstation.history.length = 0;
    if (result === undefined) throw new Error("the lab's set-up did not end");
    if (result.code !== 0) throw new Error(`the lab's set-up failed with exit code ${result.code}:\n${result.output}`);
  }

  /** Steady clients, until `stopTraffic`. */
  startTraffic(clients: readonly TrafficClient[]): void {
    for (const client of clients) this.#traffic.start(client);
  }

  stopTraffic(): void {
    this.#traffic.stop();
  }

  /** One input from outside, at the present virtual time. Unknown terminals are ignored: they have just closed. */
  apply(input: WorldInput): void {
    switch (input.kind) {
      case "terminal-open":
        this.#openTerminal(input.terminal, input.columns, input.rows);
        break;
      case "terminal-input":
        this.#terminals.get(input.terminal)?.input(encodeUtf8(input.text));
        break;
      case "terminal-resize":
        this.#terminals.get(input.terminal)?.resize(input.columns, input.rows);
        break;
      case "terminal-close":
        this.#terminals.get(input.terminal)?.hangUp();
        break;
      case "file-write":
        this.workstation.saveFile(input.path, input.text, (refused) => {
          this.onFileSaved.tell(input.path, refused);
          this.observable.stir();
          this.onChange.tell();
        });
        break;
      case "page-open":
        this.workstation.browse(input.url, (page) => this.onPage.tell(input.page, page));
        break;
    }
  }

  /** The kubectl context and namespace that the workstation's kubeconfig names now. */
  currentContext(): { readonly context: string; readonly namespace: string } {
    return currentContext(this.workstation.readFile(".kube/config") ?? "");
  }

  /** By name or address. */
  #machine(name: string): Machine | undefined {
    return this.cluster.nodes.find(({ shape }) => shape.name === name || shape.address === name)?.machine;
  }

  #openTerminal(id: string, columns: number, rows: number): void {
    const terminal = this.kernel.createTerminal({ columns, rows });
    this.#terminals.set(id, terminal);
    terminal.onOutput = (bytes) => this.onTerminalOutput.tell(id, bytes);
    let { canonical } = terminal.modes;
    terminal.onModes.add((modes) => {
      if (modes.canonical === canonical) return;
      canonical = modes.canonical;
      this.onTerminalCanonical.tell(id, canonical);
    });
    this.workstation.startShell(terminal, () => {
      this.#terminals.delete(id);
      this.onTerminalClosed.tell(id);
    });
  }
}
