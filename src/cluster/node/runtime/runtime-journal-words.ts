// The words of containerd's lines in its node's journal, in logrus' form.

import type { JournalForm } from "../host/journal.ts";
import { formatLogTimeOf } from "./log-time.ts";

/** `§` stands for the values in order. */
function line(level: "info" | "error", message: string): JournalForm {
  const pieces = message.split("§");
  return ({ timeMs, values }) => {
    const text = pieces.map((piece, index) => `${piece}${values[index] ?? ""}`).join("");
    return `time="${formatLogTimeOf(timeMs)}" level=${level} msg=${JSON.stringify(text)}`;
  };
}

/** The same with fields behind the message: a value each. */
function lineWith(level: "info" | "error", message: string, ...fields: readonly string[]): JournalForm {
  const form = line(level, message);
  return (entry) => `${form({ ...entry, values: [] })}${fields.map((field, index) => ` ${field}=${entry.values[index]}`).join("")}`;
}

/** Of `sandboxValues` and `containerValues`. */
const sandbox = "&PodSandboxMetadata{Name:§,Uid:§,Namespace:§,Attempt:§,}";
const container = "&ContainerMetadata{Name:§,Attempt:§,}";

export const runtimeForms = {
  starting: lineWith("info", "starting containerd", "revision", "version"),
  serving: line("info", "containerd successfully booted"),
  runSandbox: line("info", `RunPodSandbox for ${sandbox}`),
  sandboxRuns: line("info", `RunPodSandbox for ${sandbox} returns sandbox id "§"`),
  sandboxFailed: line("error", `RunPodSandbox for ${sandbox} failed, error: §`),
  create: line("info", `CreateContainer within sandbox "§" for container ${container}`),
  created: line("info", `CreateContainer within sandbox "§" for ${container} returns container id "§"`),
  createFailed: line("error", `CreateContainer within sandbox "§" for ${container} failed, error: §`),
  start: line("info", 'StartContainer for "§"'),
  started: line("info", 'StartContainer for "§" returns successfully'),
  startFailed: line("error", 'StartContainer for "§" failed: §'),
  stop: line("info", 'StopContainer for "§" with timeout § (s)'),
  signal: line("info", 'Stop container "§" with signal §'),
  stopped: line("info", 'StopContainer for "§" returns successfully'),
  stopSandbox: line("info", 'StopPodSandbox for "§"'),
  tornDown: line("info", 'TearDown network for sandbox "§" successfully'),
  sandboxStopped: line("info", 'StopPodSandbox for "§" returns successfully'),
  remove: line("info", 'RemoveContainer for "§"'),
  removed: line("info", 'RemoveContainer for "§" returns successfully'),
  removeSandbox: line("info", 'RemovePodSandbox "§" returns successfully'),
  pull: line("info", 'PullImage "§"'),
  pulled: line("info", 'PullImage "§" returns image reference "§"'),
  pullFailed: line("error", 'PullImage "§" failed, error: §'),
} as const;
