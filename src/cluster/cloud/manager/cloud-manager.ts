// cloud-controller-manager: one process that takes a Lease and then runs the cloud's controllers, all as its Pod's service account.

import type { Simulation } from "#sim/simulation.ts";
import type { ClientFactory, UserInfo } from "../../client/client.ts";
import { EventRecorder } from "../../client/event-recorder.ts";
import { InformerFactory } from "../../client/informer-factory.ts";
import { LeaderElector } from "../../client/leader-election.ts";
import { type Log, saidClients } from "../../client/said-client.ts";
import type { Controller } from "../../controllers/controller.ts";
import { ControllerRunner } from "../../controllers/controller-runner.ts";
import type { Cloud } from "../cloud.ts";
import type { CloudContext } from "./context.ts";
import { type CloudControllerName, type CloudManagerFlags, controllerNames, isEnabled } from "./flags.ts";
import { CloudNodeController } from "./node-controller.ts";
import { CloudNodeLifecycleController } from "./node-lifecycle-controller.ts";
import { RouteController } from "./route-controller.ts";
import { ServiceController } from "./service-controller.ts";

export interface CloudManagerOptions {
  readonly simulation: Simulation;
  readonly cloud: Cloud;
  readonly clients: ClientFactory;
  readonly user: UserInfo;
  readonly hostname: string;
  readonly flags: CloudManagerFlags;
  readonly say: Log;
  /** `fatal`: its last words, and where upstream says them. */
  onExit(code: number, fatal?: { readonly place: string; readonly message: string }): void;
}

const userAgent = "cloud-controller-manager";

/** Sources of events, where they are not the names. */
const eventSources: Partial<{ readonly [name in CloudControllerName]: string }> = {
  "node-route-controller": "route_controller",
  "service-lb-controller": "service-controller",
};

export class CloudManager {
  readonly #options: CloudManagerOptions;
  readonly #clients: ClientFactory;
  #elector: LeaderElector | undefined;
  #informers: InformerFactory | undefined;
  #runners: readonly ControllerRunner[] = [];

  constructor(options: CloudManagerOptions) {
    this.#options = options;
    const { clients, say, flags } = options;
    this.#clients = saidClients({ clients, say, lease: `${flags.lease.namespace}/${flags.lease.name}` });
  }

  start(): void {
    const { simulation, user, hostname, flags, say } = this.#options;
    if (!flags.leaderElect) {
      this.#run();
      return;
    }
    this.#elector = new LeaderElector({
      simulation,
      clients: this.#clients,
      user,
      ...flags.lease,
      hostname,
      timing: flags.timing,
      eventSource: userAgent,
      log: (place, message) => say("I", place, message),
      onStarted: () => this.#run(),
      onLost: () => {
        say("E", "controllermanager.go:321", '"leaderelection lost"');
        this.stop();
        this.#options.onExit(1);
      },
    });
    this.#elector.start();
  }

  /** As a killed process: the Lease runs out. */
  stop(): void {
    this.#elector?.stop();
    this.#elector = undefined;
    for (const runner of this.#runners) runner.stop();
    this.#runners = [];
    this.#informers?.stop();
    this.#informers = undefined;
  }

  #run(): void {
    const { simulation, user } = this.#options;
    const informers = new InformerFactory(simulation, this.#clients.clientFor(user, `${userAgent}/shared-informers`));
    this.#informers = informers;
    const made: Controller[] = [];
    for (const name of controllerNames) {
      const controller = this.#make(name, informers);
      if (controller === "failed") return;
      if (controller !== undefined) made.push(controller);
    }
    this.#runners = made.map((controller) => new ControllerRunner(simulation, informers, controller));
    for (const runner of this.#runners) runner.start();
    informers.start();
  }

  #make(name: CloudControllerName, informers: InformerFactory): Controller | "failed" | undefined {
    const { flags, say } = this.#options;
    if (!isEnabled(flags.controllers, name)) {
      say("W", "controllermanager.go:356", `${JSON.stringify(name)} is disabled`);
      return undefined;
    }
    say("I", "controllermanager.go:360", `Starting ${JSON.stringify(name)}`);
    if (name === "node-route-controller") {
      if (!flags.configureRoutes) {
        say("I", "core.go:106", "Will not configure cloud provider routes, --configure-cloud-routes: false");
        say("W", "controllermanager.go:367", `Skipping ${JSON.stringify(name)}`);
        return undefined;
      }
      const fault = cidrFault(flags.clusterCidr);
      if (fault !== undefined) {
        say("E", "controllermanager.go:363", `Error starting ${JSON.stringify(name)}`);
        this.stop();
        this.#options.onExit(255, { place: "controllermanager.go:242", message: `error running controllers: ${fault}` });
        return "failed";
      }
    }
    const controller = this.#controller(name, this.#context(name, informers));
    say("I", "controllermanager.go:380", `Started ${JSON.stringify(name)}`);
    return controller;
  }

  #context(name: CloudControllerName, informers: InformerFactory): CloudContext {
    const { simulation, user, cloud, say } = this.#options;
    const client = this.#clients.clientFor(user, userAgent);
    const events = new EventRecorder(simulation, client, { component: eventSources[name] ?? name });
    return { simulation, cloud, client, informers, events, say };
  }

  #controller(name: CloudControllerName, context: CloudContext): Controller {
    const { flags } = this.#options;
    const { clusterCidr, clusterName, routePeriodMs: periodMs } = flags;
    switch (name) {
      case "cloud-node-controller":
        return new CloudNodeController(context, flags.nodeStatusUpdateMs);
      case "cloud-node-lifecycle-controller":
        return new CloudNodeLifecycleController(context, flags.nodeMonitorMs);
      case "node-route-controller":
        return new RouteController(context, { clusterCidr, clusterName, periodMs });
      case "service-lb-controller":
        return new ServiceController(context);
    }
  }
}

function cidrFault(cidr: string): string | undefined {
  const [, address = "", prefix = ""] = /^(\d{1,3}(?:\.\d{1,3}){3})\/(\d{1,2})$/u.exec(cidr) ?? [];
  const isRange = address !== "" && address.split(".").every((part) => Number(part) <= 255) && Number(prefix) <= 32;
  return isRange ? undefined : `invalid CIDR[0]: <nil> (invalid CIDR address: ${cidr})`;
}
