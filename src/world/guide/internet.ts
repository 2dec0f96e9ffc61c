// The world ends at the cluster: whoever asks for a host of the internet is told so, after the real error of the program that asked.

import { asciiLowerCase } from "#sim/ascii.ts";
import type { Process, Program, Sys } from "#sim/program.ts";

/** What follows the last dot of names on the internet, beside the two letters of countries. */
const domains = new Set("com org net io dev edu gov info app cloud sh ai biz xyz tech online".split(" "));

/** Exit codes by which a program says that it did not reach a host, not that the host answered something. */
const unreached: { readonly [program: string]: readonly number[] } = {
  curl: [6, 7, 28],
  wget: [4],
  ping: [1, 2],
  nslookup: [1],
  dig: [9],
  host: [1],
  nc: [1],
  kubectl: [1],
};

/** The same program; where it is one that asks hosts, and has not reached a host of the internet that its arguments name, a person at the terminal is told why. `known`: names and addresses of the machines that there are. */
export function withoutInternet(name: string, program: Program, known: ReadonlySet<string>): Program {
  const codes = unreached[name];
  if (codes === undefined) return program;
  return function* (self: Process): Sys<number> {
    const code = yield* program(self);
    if (!codes.includes(code) || !self.isTty(2)) return code;
    const host = internetHost(name, self.argv.slice(1));
    if (host !== undefined && !known.has(host)) yield* self.write(2, `${host} is on the internet. ${advice(name)}\n`);
    return code;
  };
}

function advice(name: string): string {
  if (name === "kubectl") return "This machine is not: write the manifest into a file, with nano pod.yaml, and apply that.";
  return "This machine and its cluster are not: what the cluster runs can be reached, and nothing else.";
}

/** The first host of the internet among the arguments. kubectl has many names with dots: of its arguments only addresses count. */
export function internetHost(name: string, args: readonly string[]): string | undefined {
  // Whom curl is told the address of is wherever that is.
  const placed = args.flatMap((argument) => /^(?:--resolve=)?\+?([\w.-]+):\d+:/.exec(argument)?.[1] ?? []);
  return args
    .map((argument) => hostOf(argument, name === "kubectl"))
    .find((host) => host !== undefined && isOnInternet(host) && !placed.includes(host));
}

function hostOf(argument: string, onlyAddress: boolean): string | undefined {
  const [, scheme, host] = /^(?:-{1,2}[\w-]+=)?(https?:\/\/)?(?:[^@/\s]*@)?([\w.-]+)(?::\d+)?(?:[/?#]|$)/i.exec(argument) ?? [];
  return onlyAddress && scheme === undefined ? undefined : host;
}

function isOnInternet(host: string): boolean {
  if (/^\d{1,3}(?:\.\d{1,3}){3}$/.test(host)) return !isPrivate(host);
  const labels = asciiLowerCase(host).replace(/\.$/, "").split(".");
  const last = labels.at(-1) as string;
  return labels.length > 1 && labels.every((label) => label !== "") && (domains.has(last) || /^[a-z]{2}$/.test(last));
}

/** Addresses of this machine, of clusters, and of the load balancers of a cloud (RFC 1918, 6890). */
function isPrivate(address: string): boolean {
  return /^(?:0|10|127|169\.254|172\.(?:1[6-9]|2\d|3[01])|192\.168|203\.0\.113)\./.test(address);
}
