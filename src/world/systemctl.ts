// systemctl on the cluster's machines: the one unit that it starts and stops is the kubelet. Words and exit codes as
// systemd 252 has them; what `status` says of processes and memory is left out, since the kubelet is no process here.

import { civilDate } from "#sim/calendar.ts";
import type { Process, Program, Sys } from "#sim/program.ts";

/** What systemctl needs of a machine. */
export interface ServiceMachine {
  readonly machine: { readonly startedMs: number };
  readonly kubelet: { readonly isRunning: boolean; start(): void; stop(): void };
}

const unit = "kubelet.service";
/** They ask for what is so here anyway: no pager, whole lines. */
const idleOptions = new Set(["--no-pager", "--full", "-l"]);
const verbs = ["start", "stop", "restart", "status", "is-active"];

/** The program; `find` gives the machine of a host name. */
export function systemctl(find: (hostname: string) => ServiceMachine | undefined): Program {
  /** When a machine's kubelet was last started or stopped by hand. */
  const changedMs = new Map<string, number>();
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
    const unknown = names.map(unitName).find((name) => name !== unit);
    if (unknown !== undefined) return yield* noSuchUnit(self, verb, unknown);
    const { kubelet, machine } = found;
    if (verb === "is-active" || verb === "status") {
      const sinceMs = changedMs.get(self.hostname) ?? machine.startedMs;
      yield* self.write(
        1,
        verb === "status" ? statusText(kubelet.isRunning, sinceMs, self.nowMs) : `${stateOf(kubelet.isRunning)}\n`,
      );
      return kubelet.isRunning ? 0 : 3;
    }
    const was = kubelet.isRunning;
    if (verb !== "start") kubelet.stop();
    if (verb !== "stop") kubelet.start();
    if (verb === "restart" || was !== kubelet.isRunning) changedMs.set(self.hostname, self.nowMs);
    return 0;
  };
}

function unitName(word: string): string {
  return word.includes(".") ? word : `${word}.service`;
}

function stateOf(isRunning: boolean): string {
  return isRunning ? "active" : "inactive";
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

function statusText(isRunning: boolean, sinceMs: number, nowMs: number): string {
  return [
    `${isRunning ? "●" : "○"} ${unit} - kubelet: The Kubernetes Node Agent`,
    `     Loaded: loaded (/lib/systemd/system/${unit}; enabled; preset: enabled)`,
    `    Drop-In: /usr/lib/systemd/system/${unit}.d`,
    "             └─10-kubeadm.conf",
    `     Active: ${stateOf(isRunning)} (${isRunning ? "running" : "dead"}) since ${timestamp(sinceMs)}; ${span(nowMs - sinceMs)} ago`,
    "       Docs: https://kubernetes.io/docs/",
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
