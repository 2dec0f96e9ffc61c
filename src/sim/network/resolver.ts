// Name resolution as the C library does it: /etc/hosts, then DNS by /etc/resolv.conf (resolv.conf(5)).

import { asciiLowerCase } from "../ascii.ts";
import { SysError } from "../errors.ts";
import type { DnsAnswer, DnsFailure, DnsQuestion } from "../net.ts";
import type { KernelProcess } from "../process/process.ts";
import { proceed } from "../process/thread.ts";
import type { Sys } from "../program.ts";

export interface ResolverConfiguration {
  readonly servers: readonly string[];
  readonly search: readonly string[];
  readonly ndots: number;
  /** How often all servers are asked, and how long each is waited for. */
  readonly attempts: number;
  readonly timeoutSeconds: number;
}

/** resolv.conf allows three servers and, since glibc 2.26, any number of search domains. */
const maximumServers = 3;

export function parseResolvConf(text: string): ResolverConfiguration {
  const servers: string[] = [];
  let search: readonly string[] = [];
  for (const line of text.split("\n")) {
    const [keyword, ...words] = line
      .replace(/[#;].*$/, "")
      .trim()
      .split(/\s+/);
    if (keyword === "nameserver" && words[0] !== undefined && servers.length < maximumServers) servers.push(words[0]);
    else if (keyword === "search" || keyword === "domain") search = words;
  }
  const option = (name: string, usual: number, most: number): number => {
    const given = [...text.matchAll(new RegExp(`^options.*\\b${name}:(\\d+)`, "gm"))].at(-1)?.[1];
    return Math.min(most, Number(given ?? usual));
  };
  return {
    servers,
    search,
    ndots: option("ndots", 1, 15),
    attempts: option("attempts", 2, 5),
    timeoutSeconds: option("timeout", 5, 30),
  };
}

/** Names asked for, in order: the search list comes first for names with fewer dots than `ndots`. */
export function candidateNames(name: string, configuration: ResolverConfiguration): readonly string[] {
  if (name.endsWith(".")) return [name.slice(0, -1)];
  const searched = configuration.search.map((domain) => (domain === "." ? name : `${name}.${domain.replace(/\.$/, "")}`));
  const dots = name.split(".").length - 1;
  return dots >= configuration.ndots ? [name, ...searched] : [...searched, name];
}

export function isIpAddress(text: string): boolean {
  return /^\d{1,3}(\.\d{1,3}){3}$/.test(text) || (text.includes(":") && /^[0-9a-fA-F:.]+$/.test(text));
}

/** Addresses that /etc/hosts gives a name. */
export function lookUpHosts(text: string, name: string): readonly string[] {
  const wanted = asciiLowerCase(name.replace(/\.$/, ""));
  const addresses: string[] = [];
  for (const line of text.split("\n")) {
    const [address, ...names] = line.replace(/#.*$/, "").trim().split(/\s+/);
    if (address !== undefined && names.some((other) => asciiLowerCase(other) === wanted)) addresses.push(address);
  }
  // IPv4 only: the simulated networks have one family.
  const ipv4 = addresses.filter((address) => !address.includes(":"));
  return ipv4.length > 0 ? ipv4 : addresses;
}

export function* resolve(process: KernelProcess, name: string): Sys<readonly string[]> {
  yield proceed;
  if (isIpAddress(name)) return [name];
  const known = lookUpHosts(readOptional(process, "/etc/hosts"), name);
  if (known.length > 0) return known;
  if (name === "localhost") return ["127.0.0.1"];
  const configuration = parseResolvConf(readOptional(process, "/etc/resolv.conf"));
  const servers = configuration.servers.length > 0 ? configuration.servers : ["127.0.0.1"];
  let unanswered = false;
  for (const candidate of candidateNames(name, configuration)) {
    const answers = yield* ask(process, { ...configuration, servers }, candidate);
    if (answers === undefined) {
      unanswered = true;
      break;
    }
    const addresses = answers.flatMap(({ records }) => records.filter(({ type }) => type === "A").map(({ data }) => data));
    if (addresses.length > 0) return addresses;
    if (answers.some(({ code }) => code === "SERVFAIL" || code === "REFUSED")) unanswered = true;
  }
  if (unanswered) throw new SysError("EAGAIN");
  return [];
}

/**
 * For addresses of both families at once, as getaddrinfo(3) does; undefined: no server answered. All servers are asked in turn, and once
 * more; later ones get more time of their own than the first, of which they have a part (glibc's resolv/res_send.c).
 */
function* ask(
  process: KernelProcess,
  { servers, attempts, timeoutSeconds }: ResolverConfiguration,
  name: string,
): Sys<readonly DnsAnswer[] | undefined> {
  const questions = [
    { name, type: "A" },
    { name, type: "AAAA" },
  ] as const;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    for (const [place, server] of servers.entries()) {
      const share = place === 0 ? 1 : 2 ** place / servers.length;
      const seconds = Math.max(1, Math.floor(timeoutSeconds * share));
      const answers = yield* query(process, server, questions, seconds * 1000);
      if (typeof answers !== "string") return answers;
    }
  }
  return undefined;
}

/** One query to one server. Throws SysError ECONNREFUSED or ETIMEDOUT. */
export function* queryDns(process: KernelProcess, server: string, question: DnsQuestion): Sys<DnsAnswer> {
  yield proceed;
  const answers = yield* query(process, server, [question]);
  if (typeof answers === "string") throw new SysError(answers);
  return answers[0] as DnsAnswer;
}

function* query(
  process: KernelProcess,
  server: string,
  questions: readonly DnsQuestion[],
  limitMs?: number,
): Sys<readonly DnsAnswer[] | DnsFailure> {
  return (yield (thread) => {
    let abandoned = false;
    thread.onInterrupt = () => {
      abandoned = true;
    };
    process.network.query(
      server,
      questions,
      (result) => {
        if (!abandoned) thread.resume(result);
      },
      limitMs,
    );
  }) as readonly DnsAnswer[] | DnsFailure;
}

function readOptional(process: KernelProcess, path: string): string {
  try {
    return process.readText(path);
  } catch (error) {
    if (error instanceof SysError) return "";
    throw error;
  }
}
