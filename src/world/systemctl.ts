// systemctl on the cluster's machines: the units that it starts and stops are the kubelet and containerd. Words and exit codes as
// systemd 257 has them; what `status` says of processes and memory is left out, since neither is a process here.

import { type ServiceUnit, unitDescriptions } from "#cluster/node/host/journal.ts";
import { civilDate } from "#sim/calendar.ts";
import { SysError } from "#sim/errors.ts";
import type { Process, Program, Sys } from "#sim/program.ts";
import { shortText } from "./journalctl.ts";
import type { MachinePower } from "./machine-power.ts";
import type { Service } from "./node-services.ts";

/** They ask for what is so here anyway: no pager, whole lines. */
const idleOptions = new Set(["--no-pager", "--full", "-l"]);
const verbs = ["start", "stop", "restart", "status", "is-active", "is-enabled", "cat"];

/** What ends the work of a whole machine. */
const powerVerbs: { readonly [verb: string]: "off" | "reset" } = { poweroff: "off", reboot: "reset" };

/** The program; `powerOf` gives the machine of a host name. */
export function systemctl(powerOf: (hostname: string) => MachinePower | undefined): Program {
  return function* (self) {
    const words = self.argv.slice(1).filter((word) => !idleOptions.has(word));
    const [verb = "", ...names] = words;
    const power = powerOf(self.hostname);
    if (power === undefined) return yield* fail(self, 1, "systemctl: this machine is not a node of the cluster");
    const option = words.find((word) => word.startsWith("-"));
    if (option !== undefined) return yield* fail(self, 1, `systemctl: option ${option}: not simulated`);
    const then = Object.hasOwn(powerVerbs, verb) ? powerVerbs[verb] : undefined;
    if (then !== undefined) {
      if (names.length > 0) return yield* fail(self, 1, "Too many arguments.");
      power.shutDown(then);
      return 0;
    }
    if (verb === "daemon-reload") return yield* names.length === 0 ? reload(self) : fail(self, 1, "Too many arguments.");
    if (!verbs.includes(verb))
      return yield* fail(
        self,
        1,
        `systemctl ${verb}: not simulated; there are ${[...verbs, "daemon-reload", ...Object.keys(powerVerbs)].join(", ")}`,
      );
    if (names.length === 0) {
      const isWhole = verb === "status";
      return yield* fail(self, 1, isWhole ? "systemctl status: of the whole machine: not simulated" : "Too few arguments.");
    }
    let code = 0;
    for (const name of names.map(unitName)) {
      const unit = serviceUnits.find((each) => `${each}.service` === name);
      code = Math.max(code, unit === undefined ? yield* noSuchUnit(self, verb, name) : yield* act(self, verb, unit, power));
    }
    return code;
  };
}

/** Debian's `service UNIT COMMAND`, which hands over to systemctl. */
export function service(run: Program): Program {
  return function* (self) {
    const [unit, verb, ...rest] = self.argv.slice(1);
    if (unit === undefined || verb === undefined || rest.length > 0) {
      const usage = "Usage: service < option > | --status-all | [ service_name [ command | --full-restart ] ]";
      return yield* fail(self, 1, unit?.startsWith("-") === true ? `service ${unit}: not simulated` : usage);
    }
    const pid = self.spawn({ run, argv: ["systemctl", verb === "--full-restart" ? "restart" : verb, unitName(unit)] });
    return (yield* self.wait(pid))?.code ?? 0;
  };
}

function* act(self: Process, verb: string, unit: ServiceUnit, power: MachinePower): Sys<number> {
  if (verb === "is-enabled" || verb === "cat") {
    yield* self.write(1, verb === "cat" ? unitTexts[unit] : "enabled\n");
    return 0;
  }
  const service = power.services[unit];
  const was = stateOf(service);
  if (verb === "is-active" || verb === "status") {
    yield* self.write(1, verb === "status" ? statusText(self, unit, power) : `${was}\n`);
    return was === "active" ? 0 : 3;
  }
  if (verb !== "start") service.stop();
  const notes = verb === "stop" || service.isRunning ? [] : service.start();
  if (verb === "restart" || was !== stateOf(service)) service.sinceMs = self.nowMs;
  if (notes === undefined) return yield* fail(self, 1, failedText(unit));
  for (const note of notes) yield* self.write(2, `systemctl: ${note}\n`);
  return 0;
}

const serviceUnits = Object.keys(unitDescriptions) as readonly ServiceUnit[];

type State = "active" | "inactive" | "activating";

function stateOf({ isRunning, isFailing }: Service): State {
  if (isFailing) return "activating";
  return isRunning ? "active" : "inactive";
}

/** What is said of a unit that could not be started. */
export function failedText(unit: ServiceUnit): string {
  return `Job for ${unit}.service failed because the control process exited with error code.\nSee "systemctl status ${unit}.service" and "journalctl -xeu ${unit}.service" for details.`;
}

/** The units here are always the same: what somebody wrote to change them is named. */
function* reload(self: Process): Sys<number> {
  const folder = "/etc/systemd/system";
  let names: readonly string[] = [];
  try {
    names = self.readdir(folder);
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
  }
  for (const name of names) yield* self.write(2, `systemctl: ${folder}/${name}: not simulated, has no effect\n`);
  return 0;
}

/** As the packages kubelet and containerd.io bring them, as far as they act here. */
const unitTexts: { readonly [unit in ServiceUnit]: string } = {
  kubelet: `# /lib/systemd/system/kubelet.service
[Unit]
Description=${unitDescriptions.kubelet}
Documentation=https://kubernetes.io/docs/
Wants=network-online.target
After=network-online.target

[Service]
ExecStart=/usr/bin/kubelet
Restart=always
StartLimitInterval=0
RestartSec=10

[Install]
WantedBy=multi-user.target

# /usr/lib/systemd/system/kubelet.service.d/10-kubeadm.conf
[Service]
Environment="KUBELET_KUBECONFIG_ARGS=--kubeconfig=/etc/kubernetes/kubelet.conf"
Environment="KUBELET_CONFIG_ARGS=--config=/var/lib/kubelet/config.yaml"
EnvironmentFile=-/var/lib/kubelet/kubeadm-flags.env
EnvironmentFile=-/etc/default/kubelet
ExecStart=
ExecStart=/usr/bin/kubelet $KUBELET_KUBECONFIG_ARGS $KUBELET_CONFIG_ARGS $KUBELET_KUBEADM_ARGS $KUBELET_EXTRA_ARGS
`,
  containerd: `# /lib/systemd/system/containerd.service
[Unit]
Description=${unitDescriptions.containerd}
Documentation=https://containerd.io
After=network.target

[Service]
ExecStart=/usr/bin/containerd
Restart=always
RestartSec=5

[Install]
WantedBy=multi-user.target
`,
};

function unitName(word: string): string {
  return word.includes(".") ? word : `${word}.service`;
}

function* noSuchUnit(self: Process, verb: string, name: string): Sys<number> {
  if (verb === "status") return yield* fail(self, 4, `Unit ${name} could not be found.`);
  if (verb === "cat") return yield* fail(self, 1, `No files found for ${name}.`);
  if (verb !== "is-active" && verb !== "is-enabled")
    return yield* fail(self, 5, `Failed to ${verb} ${name}: Unit ${name} not found.`);
  yield* self.write(1, verb === "is-enabled" ? "not-found\n" : "inactive\n");
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

/** Lines of the journal under what is said of a unit. */
const shownEntries = 10;

function statusText({ hostname, nowMs }: Process, unit: ServiceUnit, power: MachinePower): string {
  const service = power.services[unit];
  const state = stateOf(service);
  const entries = power.lastEntries(unit, shownEntries);
  // One that is started again and again has been so since its last end.
  const sinceMs = state === "activating" ? (entries.at(-1)?.timeMs ?? service.sinceMs) : service.sinceMs;
  const dropIn = [`    Drop-In: /usr/lib/systemd/system/${unit}.service.d`, "             └─10-kubeadm.conf"];
  return [
    `${state === "inactive" ? "○" : "●"} ${unit}.service - ${unitDescriptions[unit]}`,
    `     Loaded: loaded (/lib/systemd/system/${unit}.service; enabled; preset: enabled)`,
    ...(unit === "kubelet" ? dropIn : []),
    `     Active: ${details[state]} since ${timestamp(sinceMs)}; ${span(nowMs - sinceMs)} ago`,
    `       Docs: ${unit === "kubelet" ? "https://kubernetes.io/docs/" : "https://containerd.io"}`,
    ...(entries.length === 0 ? [] : ["", ...entries.map((entry) => shortText(entry, hostname))]),
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
