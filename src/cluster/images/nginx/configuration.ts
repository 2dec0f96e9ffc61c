// nginx's configuration language, as far as a web server in a lesson needs it: what is understood acts, what is known and
// changes nothing here is read over, everything else is refused in nginx's words.

import { asciiLowerCase } from "#sim/ascii.ts";
import { unknownVariable } from "./variables.ts";

export interface Directive {
  readonly name: string;
  readonly args: readonly string[];
  readonly block: readonly Directive[] | undefined;
  readonly file: string;
  readonly line: number;
}

/** Refused configuration: the text behind `nginx: [emerg] `. */
export class ConfigurationError extends Error {
  constructor(message: string) {
    super(message.replace(/ in command line:\d+$/u, " in command line"));
  }
}

interface Token {
  readonly text: string;
  readonly quoted: boolean;
  readonly line: number;
}

const escapes: Readonly<Record<string, string>> = { t: "\t", r: "\r", n: "\n" };

/** A word as nginx keeps it, with quotes around it or without: `\n`, `\r` and `\t` become what they name, `\.` of a pattern stays. */
const unescaped = (word: string): string => word.replace(/\\(["'\\trn])/g, (_, letter: string) => escapes[letter] ?? letter);

function* tokens(text: string): Iterable<Token> {
  const pattern = /#[^\n]*|"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|[{};]|\n|(?:\\.|[^\s;{}"'#\\]|(?<=\S)["'#]|\$\{[^}]*\})+/g;
  let line = 1;
  for (const match of text.matchAll(pattern)) {
    const whole = match[0];
    if (whole === "\n") line += 1;
    else if (!whole.startsWith("#")) {
      const inner = match[1] ?? match[2];
      yield { text: unescaped(inner ?? whole), quoted: inner !== undefined, line };
      line += whole.split("\n").length - 1;
    }
  }
}

export function parseConfiguration(text: string, file: string): readonly Directive[] {
  const stack: Directive[][] = [[]];
  const open: { readonly name: string; readonly args: readonly string[]; readonly line: number }[] = [];
  let words: Token[] = [];
  let lastLine = 1;
  for (const token of tokens(text)) {
    lastLine = token.line;
    if (token.quoted || !/^[{};]$/.test(token.text)) {
      words.push(token);
      continue;
    }
    const [name, ...args] = words.map((word) => word.text);
    const line = words[0]?.line ?? token.line;
    words = [];
    if (token.text === "}") {
      if (name !== undefined || open.length === 0) throw new ConfigurationError(`unexpected "}" in ${file}:${token.line}`);
      const block = stack.pop() as Directive[];
      stack.at(-1)?.push({ ...(open.pop() as (typeof open)[number]), block, file });
    } else if (name === undefined) throw new ConfigurationError(`unexpected "${token.text}" in ${file}:${token.line}`);
    else if (token.text === "{") {
      open.push({ name, args, line });
      stack.push([]);
    } else stack.at(-1)?.push({ name, args, block: undefined, file, line });
  }
  if (words.length > 0) throw new ConfigurationError(`unexpected end of file, expecting ";" or "}" in ${file}:${lastLine}`);
  if (open.length > 0) throw new ConfigurationError(`unexpected end of file, expecting "}" in ${file}:${lastLine}`);
  return stack[0] as Directive[];
}

export interface Location {
  readonly exact: boolean;
  readonly prefix: string;
  readonly pattern: RegExp | undefined;
  readonly root: string;
  readonly alias: string | undefined;
  readonly indexes: readonly string[];
  readonly returns: { readonly status: number; readonly text: string } | undefined;
  readonly proxyPass: string | undefined;
  readonly tryFiles: readonly string[] | undefined;
  readonly headers: readonly (readonly [string, string])[];
  readonly defaultType: string;
  /** Paths of a server's certificate and its key. */
  readonly certificate: string | undefined;
  readonly certificateKey: string | undefined;
  readonly autoindex: boolean;
  readonly stubStatus: boolean;
  /** Bytes of an answer's body a second; 0: as fast as can be. */
  readonly bytesPerSecond: number;
  /** Form of a line of the access log, with variables; undefined: the usual one. `false`: no line. */
  readonly log: string | false | undefined;
}

export interface ServerBlock {
  readonly ports: readonly number[];
  /** Of these, those with TLS: `listen 443 ssl`. */
  readonly securePorts: readonly number[];
  /** Of these, those where a proxy says who calls: `listen 80 proxy_protocol`. */
  readonly proxiedPorts: readonly number[];
  /** Where it is who answers when no name fits: `default_server`. */
  readonly defaultPorts: readonly number[];
  /** `in FILE:LINE` */
  readonly place: string;
  readonly names: readonly string[];
  /** Exact ones first, then patterns in order, then prefixes from the longest. */
  readonly locations: readonly Location[];
  readonly fallback: Location;
}

const withoutEffect: ReadonlySet<string> = new Set(
  `accept_mutex client_body_buffer_size client_body_timeout client_header_timeout client_max_body_size charset daemon
   error_log error_page etag events expires gzip gzip_types gzip_vary gzip_min_length http2 keepalive_requests keepalive_timeout
   large_client_header_buffers limit_except log_not_found map multi_accept pid proxy_buffer_size proxy_buffering
   proxy_buffers proxy_connect_timeout proxy_http_version proxy_read_timeout proxy_redirect proxy_send_timeout proxy_set_header
   reset_timedout_connection resolver send_timeout sendfile server_names_hash_bucket_size server_tokens
   ssl_ciphers ssl_prefer_server_ciphers ssl_protocols ssl_session_cache ssl_session_timeout tcp_nodelay
   tcp_nopush types types_hash_max_size use user worker_connections worker_processes worker_rlimit_nofile`.split(/\s+/),
);

const locationDirectives: ReadonlySet<string> = new Set([
  "root",
  "alias",
  "index",
  "return",
  "proxy_pass",
  "try_files",
  "add_header",
  "default_type",
  "autoindex",
  "stub_status",
  "access_log",
  "limit_rate",
  "ssl_certificate",
  "ssl_certificate_key",
]);

const baseLocation: Location = {
  exact: false,
  prefix: "/",
  pattern: undefined,
  root: "/etc/nginx/html",
  alias: undefined,
  indexes: ["index.html"],
  returns: undefined,
  proxyPass: undefined,
  tryFiles: undefined,
  headers: [],
  defaultType: "text/plain",
  certificate: undefined,
  certificateKey: undefined,
  autoindex: false,
  stubStatus: false,
  bytesPerSecond: 0,
  log: undefined,
};

function unknown(directive: Directive): ConfigurationError {
  return new ConfigurationError(`unknown directive "${directive.name}" in ${directive.file}:${directive.line}`);
}

/** Throws ConfigurationError for a variable that nginx does not know. */
function checked(text: string): string {
  const unknownName = unknownVariable(text);
  if (unknownName !== undefined) throw new ConfigurationError(`unknown "${unknownName}" variable`);
  return text;
}

/** Its name in front of the first text: forms that the configuration has named so far. */
type LogFormats = Map<string, string>;

function formatOf({ args, file, line }: Directive): string {
  const [, first = ""] = args;
  const escaping = first.startsWith("escape=") ? first.slice("escape=".length) : undefined;
  if (escaping !== undefined && escaping !== "default")
    throw new ConfigurationError(`unknown log format escaping "${escaping}" in ${file}:${line}`);
  return checked(args.slice(escaping === undefined ? 1 : 2).join(""));
}

function logOf({ args, file, line }: Directive, formats: LogFormats): string | false | undefined {
  const [path, name = "combined"] = args;
  if (path === "off") return false;
  if (name === "combined") return combinedFormat;
  const format = formats.get(name);
  if (format === undefined) throw new ConfigurationError(`unknown log format "${name}" in ${file}:${line}`);
  return format;
}

const combinedFormat =
  '$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"';
/** What nginx.conf of the image names `main`: it is what is logged without variables being looked at. */
const usualFormat = `${combinedFormat} "$http_x_forwarded_for"`;

const sizeFactors: { readonly [unit: string]: number } = { "": 1, k: 1024, m: 1_048_576 };

/** `10`, `4k`, `1m` */
function sizeOf({ name, args, file, line }: Directive): number {
  const match = /^(\d+)([km]?)$/iu.exec(args[0] ?? "");
  if (match === null) throw new ConfigurationError(`"${name}" directive invalid value in ${file}:${line}`);
  return Number(match[1]) * (sizeFactors[asciiLowerCase(match[2] as string)] as number);
}

/** Of a file that is named without a slash in front. */
function absolute(path: string): string {
  return path.startsWith("/") ? path : `/etc/nginx/${path}`;
}

function applied(location: Location, directive: Directive, formats: LogFormats): Location {
  const [first = "", second = ""] = directive.args;
  switch (directive.name) {
    case "root":
      return { ...location, root: first.replace(/\/$/, "") };
    case "alias":
      return { ...location, alias: first };
    case "index":
      return { ...location, indexes: directive.args };
    case "return": {
      const status = Number(first);
      return {
        ...location,
        returns: Number.isNaN(status) ? { status: 302, text: checked(first) } : { status, text: checked(second) },
      };
    }
    case "proxy_pass":
      return { ...location, proxyPass: first };
    case "try_files":
      return { ...location, tryFiles: directive.args };
    case "add_header":
      return { ...location, headers: [...location.headers, [first, checked(second)]] };
    case "default_type":
      return { ...location, defaultType: first };
    case "access_log": {
      const log = logOf(directive, formats);
      return { ...location, log: log === usualFormat ? undefined : log };
    }
    case "autoindex":
      return { ...location, autoindex: first === "on" };
    case "limit_rate":
      return { ...location, bytesPerSecond: sizeOf(directive) };
    case "ssl_certificate":
      return { ...location, certificate: absolute(first) };
    case "ssl_certificate_key":
      return { ...location, certificateKey: absolute(first) };
    default:
      return { ...location, stubStatus: true };
  }
}

function locationOf(directive: Directive, outer: Location, formats: LogFormats): Location {
  const [modifier = "", path = modifier] = directive.args;
  const isPattern = modifier === "~" || modifier === "~*";
  let location: Location = {
    ...outer,
    exact: modifier === "=",
    prefix: path,
    pattern: isPattern ? new RegExp(path, modifier === "~*" ? "i" : "") : undefined,
    returns: undefined,
    proxyPass: undefined,
    tryFiles: undefined,
  };
  for (const inner of directive.block ?? []) {
    if (locationDirectives.has(inner.name)) location = applied(location, inner, formats);
    else if (!withoutEffect.has(inner.name)) throw unknown(inner);
  }
  return location;
}

function serverOf(directive: Directive, http: Location, formats: LogFormats): ServerBlock {
  const ports: number[] = [];
  const securePorts: number[] = [];
  const proxiedPorts: number[] = [];
  const defaultPorts: number[] = [];
  let names: readonly string[] = [""];
  let base = http;
  const locations: Directive[] = [];
  for (const inner of directive.block ?? []) {
    if (inner.name === "listen") {
      const port = Number(/(\d+)$/.exec(inner.args[0] ?? "")?.[1] ?? "80");
      if (!ports.includes(port)) ports.push(port);
      if (inner.args.includes("ssl") && !securePorts.includes(port)) securePorts.push(port);
      if (inner.args.includes("proxy_protocol")) {
        if (inner.args.includes("ssl"))
          throw new ConfigurationError(`"proxy_protocol" with "ssl" is not supported here in ${inner.file}:${inner.line}`);
        proxiedPorts.push(port);
      }
      if (inner.args.includes("default_server")) defaultPorts.push(port);
    } else if (inner.name === "server_name") names = inner.args;
    else if (inner.name === "location") locations.push(inner);
    else if (locationDirectives.has(inner.name)) base = applied(base, inner, formats);
    else if (!withoutEffect.has(inner.name)) throw unknown(inner);
  }
  const rank = ({ exact, pattern }: Location): number => {
    if (exact) return 0;
    return pattern !== undefined ? 1 : 2;
  };
  return {
    ports: ports.length === 0 ? [80] : ports,
    securePorts,
    proxiedPorts,
    defaultPorts,
    place: `in ${directive.file}:${directive.line}`,
    names,
    locations: locations
      .map((location) => locationOf(location, base, formats))
      .sort((a, b) => rank(a) - rank(b) || (rank(a) === 2 ? b.prefix.length - a.prefix.length : 0)),
    fallback: base,
  };
}

/** Who may answer on a port, first of all who does when no name fits. */
export function serversAt(servers: readonly ServerBlock[], port: number): readonly ServerBlock[] {
  const there = servers.filter(({ ports }) => ports.includes(port));
  const first = there.find(({ defaultPorts }) => defaultPorts.includes(port));
  return first === undefined ? there : [first, ...there.filter((server) => server !== first)];
}

/** The servers of a configuration. Throws ConfigurationError. */
export function serversOf(main: readonly Directive[], include: (pattern: string) => readonly Directive[]): readonly ServerBlock[] {
  const servers: Directive[] = [];
  let base = baseLocation;
  const formats: LogFormats = new Map();
  const visitHttp = (directives: readonly Directive[], base: Location): Location => {
    let location = base;
    for (const directive of directives) {
      if (directive.name === "include") location = visitHttp(include(directive.args[0] ?? ""), location);
      else if (directive.name === "server") servers.push(directive);
      else if (directive.name === "log_format") formats.set(directive.args[0] ?? "", formatOf(directive));
      else if (locationDirectives.has(directive.name)) location = applied(location, directive, formats);
      else if (!withoutEffect.has(directive.name)) throw unknown(directive);
    }
    return location;
  };
  for (const directive of main) {
    if (directive.name === "http") base = visitHttp(directive.block ?? [], base);
    else if (directive.name === "include") include(directive.args[0] ?? "");
    else if (!withoutEffect.has(directive.name)) throw unknown(directive);
  }
  // What stands beside the servers holds for all of them, also for those above it.
  return servers.map((directive) => serverOf(directive, base, formats));
}
