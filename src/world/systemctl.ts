// systemctl on the cluster's machines: the units that it starts and stops are the kubelet and containerd. Words and exit codes as
// systemd 257 has them; what `status` says of processes and memory is left out, since neither is a process here.

import { plain, type ServiceUnit, unitDescriptions } from "#cluster/node/host/journal.ts";
import type { Machine } from "#cluster/node/host/machine.ts";
import type { Kubelet } from "#cluster/node/kubelet/kubelet.ts";
import { containerdConfigurationPath } from "#cluster/node/runtime/configuration-file.ts";
import type { Containerd } from "#cluster/node/runtime/containerd.ts";
import { plainRuntimes } from "#cluster/node/runtime/handlers.ts";
import { civilDate } from "#sim/calendar.ts";
import type { Process, Program, Sys } from "#sim/program.ts";
import type { Timer } from "#sim/simulation.ts";
import { ContainerdConfigurationError, readContainerdConfiguration } from "./containerd-configuration.ts";

/** What systemctl needs of a machine. */
export interface ServiceMachine {
  readonly machine: Pick<Machine, "name" | "startedMs" | "files" | "journal" | "simulation">;
  readonly kubelet: Pick<Kubelet, "state" | "start" | "stop">;
  readonly runtime: Pick<Containerd, "stoppedMs" | "start" | "stop">;
}

/** A unit of a machine. */
interface Service {
  readonly isRunning: boolean;
  /** Its program ended with an error and is started again and again. */
  readonly isFailing: boolean;
  /** What is to be told about it; undefined: it could not be started. */
  start(): readonly string[] | undefined;
  stop(): void;
}

/** Between two starts of containerd, as its unit says (Restart=always). */
const containerdRetryMs = 5000;

/** They ask for what is so here anyway: no pager, whole lines. */
const idleOptions = new Set(["--no-pager", "--full", "-l"]);
const verbs = ["start", "stop", "restart", "status", "is-active"];

/** The program; `find` gives the machine of a host name. */
export function systemctl(find: (hostname: string) => ServiceMachine | undefined): Program {
  /** When a unit was last started or stopped by hand, by machine and unit. */
  const changedMs = new Map<string, number>();
  /** Machines whose containerd ends as soon as it is started. */
  const retries = new Map<string, Timer>();
  return function* (self) {
    const words = self.argv.slice(1).filter((word) => !idleOptions.has(word));
    const [verb = "", ...names] = words;
    const found = find(self.hostname);
    if (found === undefined) return yield* fail(self, 1, "systemctl: this machine is not a node of the cluster");
    const option = words.find((word) => word.startsWith("-"));
    if (option !== undefined) return yield* fail(self, 1, `systemctl: option ${option}: not simulated`);
    if (!verbs.includes(verb)) return yield* fail(self, 1, `systemctl ${verb}: not simulated; there are ${verbs.join(", ")}`);
    if (names.length === 0) {
      const isWhole = verb === "status";
      return yield* fail(self, 1, isWhole ? "systemctl status: of the whole machine: not simulated" : "Too few arguments.");
    }
    let code = 0;
    for (const name of names.map(unitName)) {
      const unit = serviceUnits.find((each) => `${each}.service` === name);
      code = Math.max(code, unit === undefined ? yield* noSuchUnit(self, verb, name) : yield* act(self, verb, unit, found));
    }
    return code;
  };

  function* act(self: Process, verb: string, unit: ServiceUnit, found: ServiceMachine): Sys<number> {
    const service = unit === "kubelet" ? kubeletService(found) : containerdService(found, retries);
    const key = `${self.hostname} ${unit}`;
    const was = stateOf(service);
    if (verb === "is-active" || verb === "status") {
      const sinceMs = changedMs.get(key) ?? found.machine.startedMs;
      yield* self.write(1, verb === "status" ? statusText(unit, was, sinceMs, self.nowMs) : `${was}\n`);
      return was === "active" ? 0 : 3;
    }
    if (verb !== "start") service.stop();
    const notes = verb === "stop" || service.isRunning ? [] : service.start();
    if (verb === "restart" || was !== stateOf(service)) changedMs.set(key, self.nowMs);
    if (notes === undefined) return yield* fail(self, 1, failedText(unit));
    for (const note of notes) yield* self.write(2, `systemctl: ${note}\n`);
    return 0;
  }
}

const serviceUnits = Object.keys(unitDescriptions) as readonly ServiceUnit[];

function kubeletService({ kubelet }: ServiceMachine): Service {
  return {
    get isRunning() {
      return kubelet.state === "running";
    },
    get isFailing() {
      return kubelet.state === "restarting";
    },
    start: () => {
      kubelet.start();
      return [];
    },
    stop: () => kubelet.stop(),
  };
}

function containerdService({ runtime, machine }: ServiceMachine, retries: Map<string, Timer>): Service {
  const { simulation, journal, files, name } = machine;
  const endRetries = (): void => {
    simulation.cancel(retries.get(name));
    retries.delete(name);
  };
  const start = (): readonly string[] | undefined => {
    endRetries();
    try {
      const { runtimes, withoutEffect } = files.exists(containerdConfigurationPath)
        ? readContainerdConfiguration(files.readText(containerdConfigurationPath))
        : { runtimes: plainRuntimes, withoutEffect: [] };
      runtime.start(runtimes);
      return withoutEffect.map((path) => `${containerdConfigurationPath}: ${path}: not simulated, has no effect`);
    } catch (error) {
      if (!(error instanceof ContainerdConfigurationError)) throw error;
      journal.write("containerd", plain, error.message);
      journal.unitFailed("containerd", 1);
      retries.set(name, simulation.after(containerdRetryMs, start, { background: true }));
      return undefined;
    }
  };
  return {
    get isRunning() {
      return runtime.stoppedMs === undefined;
    },
    get isFailing() {
      return retries.has(name);
    },
    start,
    stop: () => {
      endRetries();
      runtime.stop();
    },
  };
}

type State = "active" | "inactive" | "activating";

function stateOf({ isRunning, isFailing }: Service): State {
  if (isFailing) return "activating";
  return isRunning ? "active" : "inactive";
}

function failedText(unit: ServiceUnit): string {
  return `Job for ${unit}.service failed because the control process exited with error code.\nSee "systemctl status ${unit}.service" and "journalctl -xeu ${unit}.service" for details.`;
}

function unitName(word: string): string {
  return word.includes(".") ? word : `${word}.service`;
}

function* noSuchUnit(self: Process, verb: string, name: string): Sys<number> {
  if (verb === "status") return yield* fail(self, 4, `Unit ${name} could not be found.`);
  if (verb !== "is-active") return yield* fail(self, 5, `Failed to ${verb} ${name}: Unit ${name} not found.`);
  yield* self.write(1, "inactive\n");
  return 4;
}

function* fail(self: Process, code: number, message: string): Sys<number> {
  yield* self.write(2, `${message}\n`);
  return code;
}

const details: { readonly [state in State]: string } = {
  active: "active (running)",
  inactive: "inactive (dead)",
  activating: "activating (auto-restart) (Result: exit-code)",
};

function statusText(unit: ServiceUnit, state: State, sinceMs: number, nowMs: number): string {
  const dropIn = [`    Drop-In: /usr/lib/systemd/system/${unit}.service.d`, "             └─10-kubeadm.conf"];
  return [
    `${state === "inactive" ? "○" : "●"} ${unit}.service - ${unitDescriptions[unit]}`,
    `     Loaded: loaded (/lib/systemd/system/${unit}.service; enabled; preset: enabled)`,
    ...(unit === "kubelet" ? dropIn : []),
    `     Active: ${details[state]} since ${timestamp(sinceMs)}; ${span(nowMs - sinceMs)} ago`,
    `       Docs: ${unit === "kubelet" ? "https://kubernetes.io/docs/" : "https://containerd.io"}`,
    "",
  ].join("\n");
}

const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/** `Thu 2026-01-15 09:00:00 UTC` */
function timestamp(epochMs: number): string {
  const { weekday, year, month, day, hour, minute, second } = civilDate(epochMs);
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${weekdays[weekday]} ${year}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}:${two(second)} UTC`;
}

/** The steps of systemd's relative timestamps, up to days. */
function span(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (hours >= 48) return `${Math.floor(hours / 24)} days`;
  if (hours >= 25) return `1 day ${hours - 24}h`;
  if (hours >= 6) return `${hours}h`;
  if (hours >= 1) return `${hours}h ${minutes % 60}min`;
  if (minutes >= 5) return `${minutes}min`;
  return minutes >= 1 ? `${minutes}min ${seconds % 60}s` : `${seconds}s`;
}
