// What the containers of etcd, the API server, the controller manager and schedulers start: their command lines, and when they give up.

import { release } from "#cluster/api/generated/schema.ts";
import { klogLine } from "#cluster/api/klog.ts";
import { authenticateToken } from "#cluster/apiserver/authentication.ts";
import { allowsPrivileged } from "#cluster/apiserver/privileged.ts";
import { runtimeConfigOf } from "#cluster/apiserver/runtime-config.ts";
import type { ApiServer } from "#cluster/apiserver/server.ts";
import { defaultAudience, InvalidToken } from "#cluster/apiserver/service-account-tokens.ts";
import type { Client, UserInfo } from "#cluster/client/client.ts";
import { WrongCommandLine } from "#cluster/component-flags.ts";
import { managerFlags } from "#cluster/controllers/command-line.ts";
import { ControllerManager, type ControllerManagerOptions } from "#cluster/controllers/controller-manager.ts";
import { writeWithoutWaiting } from "#cluster/images/log-line.ts";
import { type Exit, StartFailure, type StartPart } from "#cluster/images/system-images.ts";
import { schedulerSettings } from "#cluster/scheduler/configuration.ts";
import { Scheduler } from "#cluster/scheduler/scheduler.ts";
import { SysError } from "#sim/errors.ts";
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

/** Writes the first lines of a component's log; gives what writes further ones. */
function startLog(self: Process, file: string, line: number, greeting: string): (place: string, message: string) => void {
  const log = (place: string, message: string) => writeWithoutWaiting(self, 2, klogLine(self, "I", place, message));
  log(`${file}:${line}`, `${JSON.stringify(greeting)} version="v${release}.0"`);
  log(`${file}:${line + 2}`, '"Golang settings" GOGC="" GOMAXPROCS="" GOTRACEBACK=""');
  return log;
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
    try {
      apiServer.runtimeConfig = runtimeConfigOf(self.argv);
      apiServer.pipeline.machinery.allowsPrivileged = allowsPrivileged(self.argv);
      apiServer.usePlugins(listFlag(self.argv, "enable-admission-plugins"), listFlag(self.argv, "disable-admission-plugins"));
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      exit(1, commandFailed(self, error.message));
      return nothing;
    }
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

/** What a flag of names separated by commas lists; it may occur several times. */
function listFlag(argv: readonly string[], name: string): readonly string[] {
  return argv.flatMap((argument, index) => {
    const given =
      argument === `--${name}` ? argv[index + 1] : argument.startsWith(`--${name}=`) ? argument.slice(name.length + 3) : "";
    return (given ?? "").split(",").filter((word) => word !== "");
  });
}

export interface SchedulerPartOptions {
  readonly simulation: Simulation;
  readonly apiServer: ApiServer;
  /** The scheduler that kubeadm installs: a process with a kubeconfig is this one. */
  readonly installed: Scheduler;
  /** Hands over how to end the process of the installed one. */
  readonly onInstalled: (exit: Exit) => void;
}

/** With a kubeconfig the scheduler of the cluster, without one a further scheduler that acts as its Pod's service account. */
export function schedulerPart({ simulation, apiServer, installed, onInstalled }: SchedulerPartOptions): StartPart {
  return (self, exit) => {
    const settings = readCommandLine(self, exit, () => schedulerSettings(self.argv, (path) => self.readText(path)));
    if (settings === undefined) return nothing;
    const log = () => startLog(self, "server.go", 175, "Starting Kubernetes Scheduler");
    if (settings.kubeconfig !== "") {
      onInstalled(exit);
      installed.start(log());
      return { stop: () => installed.stop() };
    }
    const user = serviceAccountOf(self, apiServer);
    if (user === undefined) {
      const message =
        "invalid configuration: no configuration has been provided, try setting KUBERNETES_MASTER environment variable";
      exit(1, commandFailed(self, message));
      return nothing;
    }
    const { profiles, leaderElect, leaseName, leaseNamespace } = settings;
    const lease = { name: leaseName, namespace: leaseNamespace };
    const { hostname } = self;
    const scheduler = new Scheduler({
      simulation,
      clients: apiServer,
      hostname,
      profiles,
      user,
      leaderElect,
      lease,
      onExit: () => exit(1),
    });
    scheduler.start(log());
    return { stop: () => scheduler.stop() };
  };
}

/** What a command line says; undefined when it has ended the process. */
function readCommandLine<Settings>(self: Process, exit: Exit, read: () => Settings): Settings | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof WrongCommandLine)) throw error;
    exit(1, error.logged ? commandFailed(self, error.message) : `Error: ${error.message}\n`);
    return undefined;
  }
}

const tokenFile = "/var/run/secrets/kubernetes.io/serviceaccount/token";

/** Whom the token that is mounted into a container stands for; undefined without a token that counts. */
function serviceAccountOf(self: Process, apiServer: ApiServer): UserInfo | undefined {
  try {
    return authenticateToken(self.readText(tokenFile), [defaultAudience], apiServer.authenticator).user;
  } catch (error) {
    if (error instanceof SysError || error instanceof InvalidToken) return undefined;
    throw error;
  }
}

/** A client of the program in a Pod, as the account whose token is mounted there. Throws StartFailure without one. */
export function podClient(self: Process, apiServer: ApiServer, userAgent: string): Client {
  const user = serviceAccountOf(self, apiServer);
  if (user === undefined)
    throw new StartFailure(`unable to load in-cluster configuration: open ${tokenFile}: no such file or directory`);
  return apiServer.clientFor(user, userAgent);
}

type ManagerSettings = Omit<ControllerManagerOptions, "controllers" | "terminatedPodThreshold" | "onExit">;

export function controllerManagerPart(settings: ManagerSettings): StartPart {
  return (self, exit) => {
    const flags = readCommandLine(self, exit, () => managerFlags(self.argv));
    if (flags === undefined) return nothing;
    const { controllers, clusterCidr, terminatedPodThreshold } = flags;
    const manager = new ControllerManager({
      ...settings,
      ...(clusterCidr === undefined ? {} : { clusterCidr }),
      controllers,
      terminatedPodThreshold,
      onExit: () => exit(1),
    });
    manager.start(startLog(self, "controllermanager.go", 191, "Starting"));
    return { stop: () => manager.stop() };
  };
}
