// The provisioner's log: logrus' text lines, and klog's of the library that runs it.

import { klogText } from "#cluster/api/klog.ts";
import { formatTime } from "#cluster/api/time.ts";
import type { LogMoment } from "#cluster/images/log-line.ts";

export type LogLevel = "debug" | "info";

export function logrusLine({ nowMs }: LogMoment, level: LogLevel, message: string): string {
  return `time="${formatTime(nowMs)}" level=${level} msg=${JSON.stringify(message)}\n`;
}

/** `component`: the name under which it writes events. */
export function startLines(at: LogMoment, paths: readonly object[], component: string): string {
  const config = JSON.stringify({ nodePathMap: paths, storageClassConfigs: null });
  const controller = (place: string, what: string) =>
    `${klogText(at, "I", place, `"${what} provisioner controller" component="${component}"`)}\n`;
  return [
    logrusLine(at, "debug", `Applied config: ${config}`),
    logrusLine(at, "debug", "Provisioner started"),
    controller("controller.go:824", "Starting"),
    controller("controller.go:873", "Started"),
  ].join("");
}
