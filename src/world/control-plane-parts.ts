// What the containers of etcd, the API server and the controller manager start: their command lines, and when they give up.

import { klogLine } from "#cluster/api/klog.ts";
import { type RuntimeConfig, runtimeConfigOf } from "#cluster/apiserver/runtime-config.ts";
import type { ApiServer } from "#cluster/apiserver/server.ts";
import { type ManagerFlags, managerFlags, WrongCommandLine } from "#cluster/controllers/command-line.ts";
import { ControllerManager, type ControllerManagerOptions } from "#cluster/controllers/controller-manager.ts";
import type { Exit, StartPart } from "#cluster/images/system-images.ts";
import type { Process } from "#sim/program.ts";
import type { Simulation, Timer } from "#sim/simulation.ts";

/** How often, and how long, an API server that starts asks etcd before it gives up. */
const etcdAskMs = 1_000;
const etcdPatienceMs = 20_000;

const nothing = { stop: (): void => {} };

/** The last line of a component that fails after it has read its command line (component-base, cli.Run). */
function commandFailed(self: Process, message: string): string {
  return klogLine(self, "E", "run.go:72", `"command failed" err=${JSON.stringify(message)}`);
}

/** The data stay when the process ends: they are in /var/lib/etcd. */
export function etcdPart({ store }: ApiServer): StartPart {
  return () => {
    store.isReachable = true;
    return {
      stop: () => {
        store.isReachable = false;
      },
    };
  };
}

/** `listen` opens the port once etcd answers. */
export function apiServerPart(simulation: Simulation, apiServer: ApiServer, listen: (self: Process) => void): StartPart {
  return (self, exit) => {
    const config = runtimeConfigFor(self, exit);
    if (config === undefined) return nothing;
    apiServer.runtimeConfig = config;
    const startMs = simulation.nowMs;
    let timer: Timer | undefined;
    const tryToStart = (): void => {
      if (apiServer.store.isReachable) {
        listen(self);
        apiServer.start();
      } else if (simulation.nowMs - startMs < etcdPatienceMs) {
        timer = simulation.after(etcdAskMs, tryToStart, { background: true });
      } else exit(1, commandFailed(self, "context deadline exceeded"));
    };
    tryToStart();
    return {
      stop: () => {
        simulation.cancel(timer);
        apiServer.stop();
      },
    };
  };
}

function runtimeConfigFor(self: Process, exit: Exit): RuntimeConfig | undefined {
  try {
    return runtimeConfigOf(self.argv);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    exit(1, commandFailed(self, error.message));
    return undefined;
  }
}

type ManagerSettings = Omit<ControllerManagerOptions, "controllers" | "terminatedPodThreshold" | "onExit">;

export function controllerManagerPart(settings: ManagerSettings): StartPart {
  return (self, exit) => {
    const flags = managerFlagsFor(self, exit);
    if (flags === undefined) return nothing;
    const { controllers, clusterCidr, terminatedPodThreshold } = flags;
    const manager = new ControllerManager({
      ...settings,
      ...(clusterCidr === undefined ? {} : { clusterCidr }),
      controllers,
      terminatedPodThreshold,
      onExit: () => exit(1),
    });
    manager.start();
    return { stop: () => manager.stop() };
  };
}

function managerFlagsFor(self: Process, exit: Exit): ManagerFlags | undefined {
  try {
    return managerFlags(self.argv);
  } catch (error) {
    if (!(error instanceof WrongCommandLine)) throw error;
    exit(1, error.logged ? commandFailed(self, error.message) : `Error: ${error.message}\n`);
    return undefined;
  }
}
