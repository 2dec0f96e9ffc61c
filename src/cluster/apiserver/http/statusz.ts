// /statusz: how the server is, for people; as an object for whoever asks for one (apiserver, pkg/server/statusz).

import type { JsonValue } from "#cluster/api/objects.ts";
import { formatTime } from "#cluster/api/time.ts";
import { civilDate } from "#sim/calendar.ts";
import type { HttpCall } from "./call.ts";
import { notAcceptable, parseAccept } from "./negotiation.ts";
import { rootPaths } from "./root-paths.ts";
import { versionInfo } from "./version.ts";
import { replyText, replyValue } from "./writing.ts";

const component = "kube-apiserver";
const group = "config.k8s.io";
const versions: ReadonlySet<string> = new Set(["v1alpha1", "v1beta1"]);
const delimiters = [":", ": ", "=", " "];
/** Not for debugging. */
const otherPaths: ReadonlySet<string> = new Set(["/apis", "/api", "/openid", "/openapi", "/.well-known"]);

/** Throws NotAcceptable. */
export function serveStatusz(call: HttpCall): true {
  const paths = rootPaths(call);
  const wanted = formatOf(call.request.headers["accept"] ?? "");
  if (wanted === "text") {
    const headers = { ...call.headers, "content-type": "text/plain; charset=utf-8" };
    replyText(call.responder, 200, statusText(call, folders(paths)), headers);
    return true;
  }
  const { mediaType, version } = wanted;
  const headers =
    version === "v1alpha1"
      ? { ...call.headers, warning: '299 - "This version of the statusz endpoint is deprecated. Please use a newer version."' }
      : call.headers;
  const apiVersion = `${group}/${version}`;
  replyValue(call.responder, 200, statusObject(call, apiVersion, folders(paths)), { mediaType, pretty: true }, headers);
  return true;
}

function formatOf(
  accept: string,
): "text" | { readonly mediaType: "application/json" | "application/yaml"; readonly version: string } {
  if (accept.trim() === "") return "text";
  for (const { type, parameters } of parseAccept(accept)) {
    const as = parameters.get("as");
    if (as === undefined && (type === "text/plain" || type === "text/*" || type === "*/*")) return "text";
    const version = parameters.get("v") ?? "";
    if (as !== "Statusz" || parameters.get("g") !== group || !versions.has(version)) continue;
    if (type === "application/yaml") return { mediaType: "application/yaml", version };
    if (["application/json", "application/*", "*/*"].includes(type)) return { mediaType: "application/json", version };
  }
  throw notAcceptable("application/json, application/yaml, text/plain");
}

/** The first part of each path. */
function folders(paths: readonly string[]): readonly string[] {
  const first = paths.map((path) => `/${path.split("/")[1] ?? ""}`);
  return [...new Set(first)].filter((folder) => folder !== "/" && !otherPaths.has(folder)).sort();
}

function statusText({ server }: HttpCall, paths: readonly string[]): string {
  const { nowMs } = server.simulation;
  // Upstream chooses by chance, so that nobody reads it by machine.
  const between = delimiters[Math.floor(nowMs / 1000) % delimiters.length] as string;
  const seconds = Math.floor((nowMs - server.startedMs) / 1000);
  const twoDigits = (value: number): string => String(value).padStart(2, "0");
  return [
    "",
    `${component} statusz`,
    "Warning: This endpoint is not meant to be machine parseable, has no formatting compatibility guarantees and is for debugging purposes only.",
    "",
    `Started${between} ${unixDate(server.startedMs)}`,
    `Up${between} ${Math.floor(seconds / 3600)} hr ${twoDigits(Math.floor(seconds / 60) % 60)} min ${twoDigits(seconds % 60)} sec`,
    `Go version${between} ${versionInfo.goVersion}`,
    `Binary version${between} ${binaryVersion}`,
    `Emulation version${between} ${versionInfo.emulationMajor}.${versionInfo.emulationMinor}`,
    `Paths${between} ${paths.join(" ")}`,
    "",
  ].join("\n");
}

const binaryVersion = versionInfo.gitVersion.replace(/^v/, "");

function statusObject({ server }: HttpCall, apiVersion: string, paths: readonly string[]): JsonValue {
  return {
    kind: "Statusz",
    apiVersion,
    metadata: { name: component },
    startTime: formatTime(server.startedMs),
    uptimeSeconds: Math.floor((server.simulation.nowMs - server.startedMs) / 1000),
    goVersion: versionInfo.goVersion,
    binaryVersion,
    emulationVersion: `${versionInfo.emulationMajor}.${versionInfo.emulationMinor}`,
    paths,
  };
}

const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** `Mon Jan  2 15:04:05 UTC 2006` */
function unixDate(ms: number): string {
  const { weekday, month, day, year } = civilDate(ms);
  const time = formatTime(ms).slice(11, 19);
  return `${weekdays[weekday]} ${months[month - 1]} ${String(day).padStart(2)} ${time} UTC ${year}`;
}
