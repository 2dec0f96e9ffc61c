// Corefiles as CoreDNS reads them (github.com/coredns/caddy, caddyfile): server blocks of keys, with the tokens of each directive.

import { sha512 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { parseGoDuration } from "#cluster/api/duration.ts";
import { compareBytes } from "#cluster/api/json-write.ts";
import { StartFailure } from "#cluster/images/system-images.ts";
import { encodeUtf8 } from "#sim/bytes.ts";
import { type AnswerClass, type CorefileSettings, kubeadmCorefile, type LogRule, usualReload } from "./corefile.ts";

/** The message is what CoreDNS says. */
export class CorefileError extends StartFailure {}

/** In the order of the fields in CoreDNS's JSON form. The file is never named there. */
interface Token {
  readonly File: "";
  readonly Line: number;
  readonly Text: string;
}

interface ServerBlock {
  readonly Keys: readonly string[];
  /** By directive; one that occurs twice has the tokens of both. */
  readonly Tokens: { readonly [directive: string]: readonly Token[] };
}

/** Those of CoreDNS 1.13 (core/dnsserver/zdirectives.go). */
const directives: ReadonlySet<string> = new Set(
  `root metadata geoip cancel tls quic timeouts multisocket reload nsid bufsize bind debug trace ready health pprof prometheus
  errors log dnstap local dns64 acl any chaos loadbalance tsig cache rewrite header dnssec autopath minimal template transfer
  hosts route53 azure clouddns k8s_external kubernetes file auto secondary etcd loop forward grpc erratic whoami on sign view
  nomad`.split(/\s+/u),
);

/** The sum that the plugin reload tells and compares: of the blocks as JSON. Throws CorefileError. */
export function configurationSum(path: string, text: string): string {
  // Go's JSON has these three as escapes.
  const json = JSON.stringify(serverBlocks(path, text, false)).replace(
    /[<>&]/gu,
    (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`,
  );
  return bytesToHex(sha512(encodeUtf8(json)));
}

/** What CoreDNS writes when it has started, a server for each key: `.:53`. Throws CorefileError. */
export function serverKeys(path: string, text: string): readonly string[] {
  const keys = serverBlocks(path, text, false).flatMap(({ Keys }) => Keys.map(shownKey));
  return [...new Set(keys)].sort();
}

function shownKey(key: string): string {
  const [, zone = "", port = "53"] = /^(?:[a-z0-9]+:\/\/)?(.*?)(?::(\d+))?$/u.exec(key) ?? [];
  return `${zone.endsWith(".") ? zone : `${zone}.`}:${port}`;
}

/** Throws CorefileError. */
export function corefileSettings(path: string, text: string): CorefileSettings {
  const [main, ...others] = [...serverBlocks(path, text, true)].sort((one, other) => Number(isMain(other)) - Number(isMain(one)));
  const tokens = main?.Tokens ?? {};
  const usual = serverBlocks(path, kubeadmCorefile, true)[0]?.Tokens ?? {};
  const idle: string[] = [];
  const say = (line: number, what: string) => idle.push(`${path}:${line} - ${what}`);
  for (const [name, own] of Object.entries(tokens))
    if (!acting.has(name) && textOf(own) !== textOf(usual[name] ?? [])) say(own[0]?.Line ?? 1, name);
  for (const name of ["health", "ready", "kubernetes", "prometheus", "forward", "cache", "loadbalance"])
    if (tokens[name] === undefined) say(1, `without ${name}`);
  for (const { Keys, Tokens } of others) say(Object.values(Tokens)[0]?.[0]?.Line ?? 1, `the servers of ${Keys.join(", ")}`);
  return {
    lameduckMs: lameduckOf(path, tokens["health"] ?? []),
    ...reloadOf(tokens["reload"]),
    log: logRules(path, tokens["log"] ?? []),
    idle,
  };
}

/** Directives that need not be as kubeadm has them. */
const acting: ReadonlySet<string> = new Set(["errors", "health", "log", "loop", "reload"]);

function isMain({ Keys }: ServerBlock): boolean {
  return Keys.some((key) => shownKey(key) === ".:53");
}

function textOf(tokens: readonly Token[]): string {
  return tokens.map(({ Text }) => Text).join(" ");
}

function lameduckOf(path: string, tokens: readonly Token[]): number {
  const at = tokens.findIndex(({ Text }) => Text === "lameduck");
  if (at < 0) return 0;
  const value = tokens[at + 1];
  if (value === undefined || value.Line !== tokens[at]?.Line) {
    const cause = `Wrong argument count or unexpected line ending after 'lameduck'`;
    throw new CorefileError(`plugin/health: ${path}:${tokens[at]?.Line} - Error during parsing: ${cause}`);
  }
  return durationOf(value.Text, `plugin/health: unable to parse lameduck duration value: '${value.Text}' : `);
}

/** `reload [INTERVAL] [JITTER]` (plugin/reload/setup.go). */
function reloadOf(tokens: readonly Token[] | undefined): Pick<CorefileSettings, "reloadMs" | "jitterMs"> {
  if (tokens === undefined) return { reloadMs: Number.POSITIVE_INFINITY, jitterMs: 0 };
  const [reloadMs = usualReload.reloadMs, jitterMs = usualReload.jitterMs] = tokens
    .slice(1)
    .map(({ Text }) => durationOf(Text, "plugin/reload: "));
  if (reloadMs < 2_000) throw new CorefileError("plugin/reload: interval value must be greater or equal to 2s");
  if (jitterMs < 1_000) throw new CorefileError("plugin/reload: jitter value must be greater or equal to 1s");
  return { reloadMs, jitterMs: Math.min(jitterMs, reloadMs / 2) };
}

/** Throws CorefileError that begins with `prefix`. */
function durationOf(text: string, prefix: string): number {
  const parsed = parseGoDuration(text);
  if ("error" in parsed) throw new CorefileError(`${prefix}${parsed.error}`);
  return parsed.ms;
}

/** `log [NAMES...] [FORMAT] { class CLASSES... }` (plugin/log/setup.go). */
function logRules(path: string, tokens: readonly Token[]): readonly LogRule[] {
  const rules: LogRule[] = [];
  const starts = tokens.flatMap(({ Text, Line }, at) => (Text === "log" && Line !== tokens[at - 1]?.Line ? [at] : []));
  for (const [index, start] of starts.entries()) {
    const own = tokens.slice(start + 1, starts[index + 1]);
    const line = tokens[start]?.Line;
    const names = own.filter(({ Line, Text }) => Line === line && Text !== "{").map(({ Text }) => Text);
    const format = names.length > 1 && names.at(-1)?.includes("{") === true ? names.pop() : undefined;
    if (format !== undefined && format !== "{common}")
      throw new CorefileError(`plugin/log: ${path}:${line} - the format ${JSON.stringify(format)} is not supported here`);
    const inBlock = own.filter(({ Line, Text }) => Line !== line && Text !== "}");
    const [property, ...given] = inBlock.map(({ Text }) => Text);
    if (property !== undefined && property !== "class")
      throw new CorefileError(`plugin/log: ${path}:${inBlock[0]?.Line} - Error during parsing: unknown property '${property}'`);
    const classes = given.map(classOf);
    for (const name of names.length === 0 ? ["."] : names)
      rules.push({ scope: name.endsWith(".") ? name : `${name}.`, classes: classes.length === 0 ? ["all"] : classes });
  }
  return rules;
}

function classOf(text: string): AnswerClass {
  if (text === "all" || text === "success" || text === "denial" || text === "error") return text;
  throw new CorefileError(`plugin/log: invalid Class: ${text}`);
}

/** `isChecked`: directives that CoreDNS does not have are refused. Throws CorefileError. */
function serverBlocks(path: string, text: string, isChecked: boolean): readonly ServerBlock[] {
  const tokens = tokensOf(text);
  const failAt = (line: number | undefined, message: string) =>
    new CorefileError(`${path}:${line ?? tokens.at(-1)?.Line ?? 1} - Error during parsing: ${message}`);
  const blocks: ServerBlock[] = [];
  let at = 0;
  while (at < tokens.length) {
    const keys: string[] = [];
    for (; at < tokens.length && tokens[at]?.Text !== "{"; at += 1) {
      const { Text, Line } = tokens[at] as Token;
      if (keys.length > 0 && tokens[at - 1]?.Line !== Line && tokens[at - 1]?.Text.endsWith(",") !== true) break;
      keys.push(Text.replace(/,$/u, ""));
    }
    const isBraced = tokens[at]?.Text === "{";
    if (isBraced) at += 1;
    const found = new Map<string, Token[]>();
    let isClosed = false;
    while (at < tokens.length && !isClosed) {
      const first = tokens[at] as Token;
      if (first.Text === "}") {
        isClosed = true;
        at += 1;
        continue;
      }
      if (first.Text === "import") throw failAt(first.Line, "the directive 'import' is not supported here");
      if (isChecked && !directives.has(first.Text)) throw failAt(first.Line, `Unknown directive '${first.Text}'`);
      const end = endOfDirective(tokens, at, failAt);
      found.set(first.Text, [...(found.get(first.Text) ?? []), ...tokens.slice(at, end)]);
      at = end;
    }
    if (isBraced && !isClosed) throw failAt(undefined, "Unexpected EOF");
    const Tokens = Object.fromEntries([...found].sort(([one], [other]) => compareBytes(one, other)));
    blocks.push({ Keys: keys, Tokens });
  }
  return blocks;
}

function endOfDirective(
  tokens: readonly Token[],
  start: number,
  failAt: (line: number | undefined, message: string) => CorefileError,
): number {
  let depth = 0;
  for (let at = start + 1; at < tokens.length; at += 1) {
    const { Text, Line } = tokens[at] as Token;
    if (Text === "{") depth += 1;
    else if (Line !== tokens[at - 1]?.Line && depth === 0) return at;
    else if (Text === "}" && depth > 0) depth -= 1;
    else if (Text === "}") throw failAt(Line, "Unexpected '}' because no matching opening brace");
  }
  if (depth > 0) throw failAt(undefined, "Unexpected EOF");
  return tokens.length;
}

/** Words between white space, or in quotes; `#` begins a comment. `{$NAME}` is not replaced. */
function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let line = 1;
  for (const [word] of text.matchAll(/\n|#[^\n]*|"(?:\\.|[^"\\])*"?|[^\s#"][^\s#]*/gu)) {
    if (word === "\n") line += 1;
    else if (!word.startsWith("#")) {
      const isQuoted = word.startsWith('"');
      tokens.push({ File: "", Line: line, Text: isQuoted ? word.replace(/^"|"$/gu, "").replaceAll('\\"', '"') : word });
      line += isQuoted ? word.split("\n").length - 1 : 0;
    }
  }
  return tokens;
}
