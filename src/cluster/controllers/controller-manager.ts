// kube-controller-manager: one process that takes a Lease and then runs all built-in controllers.

import { ApiError, ApiUnreachable } from "#cluster/api/errors.ts";
import { serviceAccounts } from "#cluster/api/kinds.ts";
import type { Client, ClientFactory, UserInfo } from "#cluster/client/client.ts";
import { EventRecorder } from "#cluster/client/event-recorder.ts";
import { InformerFactory } from "#cluster/client/informer-factory.ts";
import { type LeaderElectionOptions, LeaderElector } from "#cluster/client/leader-election.ts";
import { isReason } from "#cluster/client/retry.ts";
import type { WatchDelays } from "#cluster/client/watch-delays.ts";
import type { Simulation } from "#sim/simulation.ts";
import { lateFlagNames } from "../late-flag-names.ts";
import { builtInControllers, type ControllerSettings } from "./built-in-controllers.ts";
import type { ControllerDefinition } from "./context.ts";
import { ControllerRunner } from "./controller-runner.ts";
import { NodeLifecycleController } from "./nodes/node-lifecycle-controller.ts";
import type { ZoneReport } from "./nodes/zone-states.ts";
import { type Tuning, usualTuning } from "./tuning.ts";

export interface ControllerManagerOptions extends ControllerSettings {
  readonly simulation: Simulation;
  readonly clients: ClientFactory;
  /** The control-plane node: first part of the holder identity. */
  readonly hostname: string;
  /** As `--controllers`: `*`, `-name`, `name`. Default `*`. */
  readonly controllers?: readonly string[];
  /** As `--use-service-account-credentials`, default true: each controller acts as an account of its own, which is made where it is missing. */
  readonly useServiceAccountCredentials?: boolean;
  /** Default: what the flags say when none is given. */
  readonly tuning?: Tuning;
  /** How far its copies of resources lag behind. */
  readonly watchDelays?: WatchDelays;
  /** Tests only: other controllers than the built-in ones. */
  readonly definitions?: readonly ControllerDefinition[];
  /** The lease was lost: upstream's process ends, and its kubelet starts another. */
  onExit?(): void;
}

export const managerUser: UserInfo = { name: "system:kube-controller-manager", groups: ["system:authenticated"] };
const userAgent = "kube-controller-manager";
const namespace = "kube-system";
const verbosityOfPasses = 4;

export class ControllerManager {
  readonly #options: ControllerManagerOptions;
  #elector: LeaderElector | undefined;
  #log: LeaderElectionOptions["log"];
  #informers: InformerFactory | undefined;
  #runners: readonly ControllerRunner[] = [];

  constructor(options: ControllerManagerOptions) {
    this.#options = options;
  }

  /** `<hostname>_<uuid>` while running. */
  get identity(): string | undefined {
    return this.#elector?.identity;
  }

  get isLeader(): boolean {
    return this.#elector?.isLeader === true;
  }

  /** Controllers that run, in the order of their start; none while another process holds the Lease. */
  get runners(): readonly ControllerRunner[] {
    return this.#runners;
  }

  /** What the node lifecycle controller knows of zones; nothing while another process holds the Lease. */
  get zones(): readonly ZoneReport[] {
    return this.#runners.flatMap(({ controller }) => (controller instanceof NodeLifecycleController ? controller.zones : []));
  }

  /** `log`: see LeaderElectionOptions. */
  start(log?: LeaderElectionOptions["log"]): void {
    if (this.#elector !== undefined) return;
    this.#log = log;
    const { simulation, clients, hostname } = this.#options;
    this.#elector = new LeaderElector({
      simulation,
      clients,
      user: managerUser,
      name: userAgent,
      hostname,
      log,
      onStarted: () => this.#run(),
      onLost: () => {
        this.stop();
        this.#options.onExit?.();
      },
    });
    this.#elector.start();
  }

  /** As a killed process: nothing is handed over, the Lease runs out. */
  stop(): void {
    this.#elector?.stop();
    this.#elector = undefined;
    for (const runner of this.#runners) runner.stop();
    this.#runners = [];
    this.#informers?.stop();
    this.#informers = undefined;
  }

  #run(): void {
    const { simulation, clients, watchDelays } = this.#options;
    const informers = new InformerFactory(simulation, clients.clientFor(managerUser, `${userAgent}/shared-informers`), watchDelays);
    this.#informers = informers;
    // Upstream's loops wait for what each reads itself.
    informers.whenDelayedHaveCome(() => this.#runWith(informers));
  }

  #runWith(informers: InformerFactory): void {
    const { simulation, clients, tuning = usualTuning } = this.#options;
    const log = this.#log;
    const definitions = (this.#options.definitions ?? builtInControllers(this.#options)).filter((definition) =>
      this.#isEnabled(definition),
    );
    const accounts = new Set(definitions.flatMap((definition) => this.#accountOf(definition) ?? []));
    if (!this.#haveAccounts(accounts)) {
      this.stop();
      this.#options.onExit?.();
      return;
    }
    this.#runners = definitions.map((definition) => {
      const serviceAccount = this.#accountOf(definition);
      const client = clients.clientFor(
        serviceAccount === undefined ? managerUser : serviceAccountUser(serviceAccount),
        `${userAgent}/${serviceAccount ?? definition.name}`,
      );
      const events = new EventRecorder(simulation, client, { component: definition.eventSource ?? definition.name });
      const { name } = definition;
      const told = log !== undefined && tuning.verbosity >= verbosityOfPasses;
      return new ControllerRunner(
        simulation,
        informers,
        definition.create({ simulation, client, informers, events, log, tuning }),
        {
          workers: tuning.workers.get(name.replace(/-controller$/, "")),
          ...(told ? { onPass: (...pass) => lateFlagNames.code.logPass(log, name, ...pass) } : {}),
        },
      );
    });
    for (const runner of this.#runners) runner.start();
    informers.start();
  }

  #accountOf({ serviceAccount }: ControllerDefinition): string | undefined {
    return this.#options.useServiceAccountCredentials === false ? undefined : serviceAccount;
  }

  /** Whether all the accounts are there now; each is made where it is missing (k8s.io/controller-manager, clientbuilder). */
  #haveAccounts(names: Iterable<string>): boolean {
    const client = this.#options.clients.clientFor(managerUser, userAgent);
    try {
      for (const name of names) makeWhereMissing(client, name);
      return true;
    } catch (error) {
      if (!(error instanceof ApiError || error instanceof ApiUnreachable)) throw error;
      this.#log?.("controllermanager.go:255", `"Error starting controllers" err=${JSON.stringify(error.message)}`);
      return false;
    }
  }

  /** `name` turns on, `-name` off, `*` all others. */
  #isEnabled({ name, isOffByDefault }: ControllerDefinition): boolean {
    const flags = this.#options.controllers ?? ["*"];
    if (flags.includes(name)) return true;
    return isOffByDefault !== true && !flags.includes(`-${name}`) && flags.includes("*");
  }
}

function makeWhereMissing(client: Client, name: string): void {
  try {
    client.get(serviceAccounts, { namespace, name });
  } catch (error) {
    if (!isReason(error, "NotFound")) throw error;
    client.create(serviceAccounts, { metadata: { namespace, name } });
  }
}

/** The user of a service account in kube-system. */
export function serviceAccountUser(name: string): UserInfo {
  return {
    name: `system:serviceaccount:${namespace}:${name}`,
    groups: ["system:serviceaccounts", `system:serviceaccounts:${namespace}`, "system:authenticated"],
  };
}
