// simcloud on the workstation: the command line of the simulated cloud that the nodes are machines of.

import { type Cloud, CloudError, type CloudMachine } from "#cluster/cloud/cloud.ts";
import type { LoadBalancer } from "#cluster/cloud/load-balancer.ts";
import type { Process, Program, Sys } from "#sim/program.ts";
import type { MachinePower } from "./machine-power.ts";

export interface SimcloudOptions {
  readonly cloud: Cloud;
  readonly powerOf: (name: string) => MachinePower | undefined;
}

const usage = `Usage: simcloud COMMAND

The simulated cloud that this cluster's machines are of. It knows nothing of
Kubernetes.

Commands:
  machines           list the machines
  stop MACHINE       shut a machine down, and keep it
  start MACHINE      start a machine that is stopped
  rm MACHINE         remove a machine for ever, without shutting it down
  lb                 list the load balancers and the health of their targets
  routes             list the routes

MACHINE is a name or an instance ID.
`;

/** What the command line is wrong in. */
class WrongUsage extends Error {}

const lists: { readonly [command: string]: (cloud: Cloud) => string } = {
  machines: (cloud) =>
    table(
      ["NAME", "INSTANCE-ID", "TYPE", "REGION", "ZONE", "ADDRESS", "STATE"],
      cloud.machines.map((each) => [
        each.name,
        each.instanceId,
        each.instanceType,
        each.region,
        each.zone,
        each.address,
        each.state,
      ]),
      "No machines.\n",
    ),
  lb: (cloud) =>
    table(["NAME", "FOR", "ADDRESS", "PORTS", "STATE", "TARGETS"], cloud.loadBalancers.map(balancerRow), "No load balancers.\n"),
  routes: (cloud) =>
    table(
      ["NAME", "DESTINATION", "MACHINE"],
      cloud.routes.map(({ name, destination, target }) => [name, destination, target]),
      "No routes.\n",
    ),
};

interface Act {
  readonly done: string;
  run(machine: CloudMachine, cloud: Cloud, power: MachinePower | undefined): void;
}

const acts: { readonly [command: string]: Act } = {
  stop: {
    done: "stopping",
    run: ({ name, state }, _cloud, power) => {
      if (state === "stopped" || state === "stopping") throw new CloudError(`machine ${name} is ${state}`);
      power?.shutDown("off");
    },
  },
  start: {
    done: "starting",
    run: ({ name, state }, _cloud, power) => {
      if (state !== "stopped") throw new CloudError(`machine ${name} is ${state}`);
      power?.on();
    },
  },
  rm: {
    done: "removed",
    run: ({ name }, cloud, power) => {
      power?.off();
      cloud.removeMachine(name);
    },
  },
};

export function simcloud(options: SimcloudOptions): Program {
  return function* (self) {
    try {
      yield* self.write(1, answer(options, self.argv.slice(1)));
      return 0;
    } catch (error) {
      if (error instanceof CloudError) return yield* fail(self, `${error.message}\n`, 1);
      if (error instanceof WrongUsage) return yield* fail(self, `${error.message}\nRun "simcloud --help" for usage.\n`, 2);
      throw error;
    }
  };
}

/** Throws CloudError, WrongUsage. */
function answer({ cloud, powerOf }: SimcloudOptions, [command, ...args]: readonly string[]): string {
  if (command === undefined) throw new WrongUsage("a command is missing");
  if (command === "--help" || command === "-h" || command === "help") return usage;
  const list = Object.hasOwn(lists, command) ? lists[command] : undefined;
  const act = Object.hasOwn(acts, command) ? acts[command] : undefined;
  const option = args.find((word) => word.startsWith("-"));
  if (list === undefined && act === undefined) throw new WrongUsage(`unknown command ${JSON.stringify(command)}`);
  if (option !== undefined) throw new WrongUsage(`unknown option ${JSON.stringify(option)}`);
  const wanted = list === undefined ? 1 : 0;
  if (args.length > wanted) throw new WrongUsage(`unexpected argument ${JSON.stringify(args[wanted])}`);
  if (list !== undefined) return list(cloud);
  const [name] = args;
  if (name === undefined) throw new WrongUsage(`${command} needs a machine`);
  const machine = cloud.machine(name);
  if (machine === undefined || act === undefined) throw new CloudError(`no machine ${JSON.stringify(name)}`);
  act.run(machine, cloud, powerOf(machine.name));
  return `machine ${machine.name} (${machine.instanceId}): ${act.done}\n`;
}

function balancerRow({ name, wish, address, isReady, targets }: LoadBalancer): readonly string[] {
  const ports = wish.ports.map(({ port, targetPort }) => `${port}:${targetPort}`).join(",");
  const health = targets.map((target) => `${target.machine}=${target.health}`).join(",");
  return [name, wish.label, address, ports, isReady ? "active" : "provisioning", health || "<none>"];
}

/** `none`: what stands there without rows. */
function table(head: readonly string[], rows: readonly (readonly string[])[], none: string): string {
  if (rows.length === 0) return none;
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? "").length)));
  return all
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join("   ")
          .trimEnd()}\n`,
    )
    .join("");
}

function* fail(self: Process, message: string, code: number): Sys<number> {
  yield* self.write(2, `simcloud: ${message}`);
  return code;
}
