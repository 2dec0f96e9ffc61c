// /statusz: since when a component runs, in which version, and what else it serves (apiserver, pkg/server/statusz).

import { formatTime } from "#cluster/api/time.ts";
import { versionInfo } from "#cluster/apiserver/http/version.ts";
import { civilDate } from "#sim/calendar.ts";
import { formattedPage } from "./formats.ts";
import type { Component, Page } from "./page.ts";

/** Not for debugging. */
const otherPaths: ReadonlySet<string> = new Set(["/apis", "/api", "/openid", "/openapi", "/.well-known"]);
const binaryVersion = versionInfo.gitVersion.replace(/^v/, "");
const emulationVersion = `${versionInfo.emulationMajor}.${versionInfo.emulationMinor}`;

/** Throws ApiError 406. */
export function statuszPage({ name, startedMs, nowMs, paths }: Component, accept: string): Page {
  const uptimeSeconds = Math.floor((nowMs - startedMs) / 1000);
  const { goVersion } = versionInfo;
  const lines = (between: string): readonly string[] => [
    "",
    `Started${between} ${unixDate(startedMs)}`,
    `Up${between} ${uptimeText(uptimeSeconds)}`,
    `Go version${between} ${goVersion}`,
    `Binary version${between} ${binaryVersion}`,
    `Emulation version${between} ${emulationVersion}`,
    `Paths${between} ${folders(paths).join(" ")}`,
  ];
  const fields = () => ({
    startTime: formatTime(startedMs),
    uptimeSeconds,
    goVersion,
    binaryVersion,
    emulationVersion,
    paths: folders(paths),
  });
  return formattedPage({ kind: "Statusz", component: name, nowMs, lines, fields }, accept);
}

/** The first part of each path. */
function folders(paths: readonly string[]): string[] {
  const first = paths.map((path) => `/${path.split("/")[1] ?? ""}`);
  return [...new Set(first)].filter((folder) => folder !== "/" && !otherPaths.has(folder)).sort();
}

function uptimeText(seconds: number): string {
  const twoDigits = (value: number): string => String(value).padStart(2, "0");
  return `${Math.floor(seconds / 3600)} hr ${twoDigits(Math.floor(seconds / 60) % 60)} min ${twoDigits(seconds % 60)} sec`;
}

const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** `Mon Jan  2 15:04:05 UTC 2006` */
function unixDate(ms: number): string {
  const { weekday, month, day, year } = civilDate(ms);
  const time = formatTime(ms).slice(11, 19);
  return `${weekdays[weekday]} ${months[month - 1]} ${String(day).padStart(2)} ${time} UTC ${year}`;
}
