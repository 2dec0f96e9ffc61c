// What ps and top show of a process.

import type { Process, ProcessInfo } from "#sim/program.ts";
import { userName } from "./accounts.ts";

export const pad2 = (value: number) => String(value).padStart(2, "0");

/** `HH:MM:SS`. */
export function clockText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return `${pad2(Math.floor(seconds / 3600))}:${pad2(Math.floor(seconds / 60) % 60)}:${pad2(seconds % 60)}`;
}

/** As STAT has it. */
export function stateLetter(info: ProcessInfo): string {
  return { running: "R", sleeping: "S", "waiting for the disk": "D", stopped: "T", zombie: "Z" }[info.state];
}

/** On one line, whatever a script between the quotes of `sh -c` has (procps' and busybox's reading of /proc/PID/cmdline). */
export function commandOf(info: ProcessInfo): string {
  return info.state === "zombie"
    ? `[${shortName(info)}] <defunct>`
    : info.argv
        .join(" ")
        .replaceAll(/[\n\t]/gu, " ")
        .trimEnd();
}

export function shortName(info: ProcessInfo): string {
  return info.name;
}

/** What is longer than the column is cut (procps: do_one_name). */
export function fittingName(self: Process, { uid }: ProcessInfo): string {
  return userName(self, uid).replace(/^(.{7}).{2,}$/u, "$1+");
}
