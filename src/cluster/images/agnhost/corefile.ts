// The Corefile, as far as our CoreDNS acts on it: server blocks of zones, with directives that may have blocks of lines.

import { asciiLowerCase } from "#sim/ascii.ts";

/** What CoreDNS says and ends with. */
export class CorefileError extends Error {
  constructor(path: string, line: number, message: string) {
    super(`${path}:${line} - Error during parsing: ${message}`);
  }
}

export interface Directive {
  readonly name: string;
  readonly words: readonly string[];
  readonly line: number;
  readonly lines: readonly { readonly words: readonly string[]; readonly line: number }[];
}

export interface ServerBlock {
  /** Lower case, without the last dot: "" is all names. */
  readonly zone: string;
  readonly directives: readonly Directive[];
}

const supported: readonly string[] = ["hosts", "log"];

/** Directives of CoreDNS that are not ours. */
const others: readonly string[] = [
  ...["acl", "any", "auto", "autopath", "bind", "bufsize", "cache", "cancel", "chaos", "debug", "dnssec", "dnstap", "erratic"],
  ...["errors", "etcd", "federation", "file", "forward", "grpc", "health", "import", "k8s_external", "kubernetes", "loadbalance"],
  ...["loop", "metadata", "nsid", "pprof", "prometheus", "ready", "reload", "rewrite", "root", "route53", "secondary", "sign"],
  ...["template", "tls", "trace", "transfer", "whoami"],
];

/** Throws CorefileError. */
export function readCorefile(path: string, text: string): readonly ServerBlock[] {
  const rows = text.split("\n").map((row) =>
    row
      .replace(/(?:^|\s)#.*/u, "")
      .split(/\s+/u)
      .filter(Boolean),
  );
  const blocks: ServerBlock[] = [];
  let zones: readonly string[] | undefined;
  let directives: Directive[] = [];
  let open: { readonly words: readonly string[]; readonly line: number }[] | undefined;
  for (const [index, words] of rows.entries()) {
    const line = index + 1;
    const [first] = words;
    if (first === undefined) continue;
    if (zones === undefined) {
      if (words.at(-1) !== "{")
        throw new CorefileError(path, line, `a block that begins on a line of its own is not supported here`);
      zones = words.slice(0, -1).map((word) => zoneOf(path, line, word));
    } else if (open !== undefined) {
      if (first === "}") open = undefined;
      else open.push({ words, line });
    } else if (first === "}") {
      for (const zone of zones) blocks.push({ zone, directives });
      zones = undefined;
      directives = [];
    } else {
      const isBlock = words.at(-1) === "{";
      const lines: { readonly words: readonly string[]; readonly line: number }[] = [];
      if (isBlock) open = lines;
      directives.push({ ...directiveOf(path, line, words.slice(0, isBlock ? -1 : undefined)), lines });
    }
  }
  if (zones !== undefined) throw new CorefileError(path, rows.length, "Unexpected EOF");
  return blocks;
}

function zoneOf(path: string, line: number, word: string): string {
  const match = /^(?:dns:\/\/)?([^:/]+?)\.?(?::53)?$/u.exec(word === "." ? ".." : word);
  if (match === null) throw new CorefileError(path, line, `the address ${word} is not supported here`);
  return match[1] === "." ? "" : asciiLowerCase(match[1] ?? "");
}

function directiveOf(path: string, line: number, [name = "", ...words]: readonly string[]): Omit<Directive, "lines"> {
  if (supported.includes(name)) return { name, words, line };
  const isKnown = others.includes(name);
  throw new CorefileError(path, line, isKnown ? `the directive '${name}' is not supported here` : `Unknown directive '${name}'`);
}
