// What -v tells of requests, as client-go's debugging round tripper (transport/round_trippers.go) logs them: 6 and above what
// was asked and answered, 7 the request's headers, 8 the response's headers and the beginning of bodies, 9 a curl command.

import { ApiError } from "#cluster/api/errors.ts";
import { klogLine } from "#cluster/api/klog.ts";
import type { JsonValue } from "#cluster/api/wire.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import { type Bytes, decodeUtf8 } from "#sim/bytes.ts";
import type { HttpHeaders, HttpReply } from "#sim/http.ts";
import { reasonPhrase } from "#sim/network/http-status.ts";
import { canonicalHeaderName } from "#sim/network/http-text.ts";
import type { Process, Sys } from "#sim/program.ts";
import { writeOrderedJson } from "../documents.ts";
import { AggregateFailure } from "../errors.ts";

/** What of a request is logged. */
export interface LoggedRequest {
  readonly verb: string;
  readonly url: string;
  /** As they are sent; their names in lower case. */
  readonly headers: HttpHeaders;
}

/** The address that was dialed. */
export interface LoggedDial {
  /** The name that was looked up; "" for an address. */
  readonly host: string;
  readonly address: string;
  readonly port: number;
}

/** Features of client-go and whether they are on; upstream says them in the chance order of a Go map. */
const features = [
  ["AtomicFIFO", true],
  ["ClientsAllowCARotation", true],
  ["ClientsAllowCBOR", false],
  ["ClientsAllowTLSCacheGC", true],
  ["ClientsPreferCBOR", false],
  ["InOrderInformers", true],
  ["InOrderInformersBatchProcess", true],
  ["InformerResourceVersion", true],
  ["UnlockWhileProcessingFIFO", true],
  ["WatchListClient", true],
] as const;

const places = {
  configuration: "loader.go:407",
  feature: "envvar.go:195",
  request: "round_trippers.go:527",
  response: "round_trippers.go:632",
} as const;
const traces = { lookUp: "round_trippers.go:547", failed: "round_trippers.go:560", succeeded: "round_trippers.go:562" } as const;

/** A string as klog writes it behind `name=`: quoted, or as a block when it has several lines. */
function textValue(text: string): string {
  if (!text.includes("\n")) return JSON.stringify(text);
  const lines = text.split("\n");
  const ends = lines.at(-1) === "";
  const block = (ends ? lines.slice(0, -1) : lines).map((line) => `\t${line}\n`).join("");
  return `<\n${block} >`;
}

type Value = string | number | { readonly raw: string };

/** `"Response" verb="GET" milliseconds=5` */
function structured(message: string, values: readonly (readonly [name: string, value: Value])[]): string {
  const written = (value: Value): string => {
    if (typeof value === "string") return textValue(value);
    return typeof value === "number" ? String(value) : value.raw;
  };
  return [JSON.stringify(message), ...values.map(([name, value]) => `${name}=${written(value)}`)].join(" ");
}

const shownSchemes = ["bearer", "basic", "negotiate"];

/** Credentials do not stand in logs. */
function masked(name: string, value: string): string {
  if (name !== "authorization" || value === "") return value;
  const scheme = value.split(" ", 1)[0] as string;
  if (!shownSchemes.includes(asciiLowerCase(scheme))) return "<masked>";
  return value.length > scheme.length + 1 ? `${scheme} <masked>` : scheme;
}

/** Every header with each of its values, by name; Go keeps the host apart. */
function headerPairs(headers: HttpHeaders): readonly (readonly [name: string, value: string])[] {
  return Object.entries(headers)
    .filter(([name]) => name !== "host")
    .flatMap(([name, value]) => value.split("\n").map((one) => [canonicalHeaderName(name), masked(name, one)] as const))
    .sort(([a], [b]) => (a < b ? -1 : Number(a > b)));
}

function headerText(headers: HttpHeaders): string {
  return headerPairs(headers)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join("");
}

function curlCommand({ verb, url, headers }: LoggedRequest): string {
  const options = headerPairs(headers).map(([name, value]) => ` -H ${JSON.stringify(`${name}: ${value}`)}`);
  return `curl -v -X${verb} ${options.join("")} '${url}'\n`;
}

/** As Go's hex.Dump: 16 bytes a line, with what can be read of them. */
function hexDump(bytes: Bytes): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 16) {
    const row = [...bytes.subarray(at, at + 16)];
    const hex = (from: number): string =>
      Array.from({ length: 8 }, (_, index) => row[from + index]?.toString(16).padStart(2, "0") ?? "  ").join(" ");
    const readable = row.map((byte) => (byte < 32 || byte > 126 ? "." : String.fromCharCode(byte))).join("");
    text += `${at.toString(16).padStart(8, "0")}  ${hex(0)}  ${hex(8)}  |${readable}|\n`;
  }
  return text;
}

/** From -v=6 on. */
export function* logConfiguration(self: Process, level: number, file: string): Sys<void> {
  if (level >= 6) yield* self.write(2, klogLine(self, "I", places.configuration, `Config loaded from file:  ${file}`));
}

/** From -v=4 on: the whole answer behind a failure, as cmd/util/helpers.go words it. */
export function* logFailure(self: Process, level: number, error: unknown): Sys<void> {
  if (level < 4) return;
  if (error instanceof AggregateFailure) for (const one of error.errors) yield* logFailure(self, level, one);
  if (error instanceof ApiError && error.reason !== "Invalid") {
    const text = `server response object: %s[${writeOrderedJson(error.status as unknown as JsonValue, 2).trimEnd()}]`;
    yield* self.write(2, klogLine(self, "I", "helpers.go:246", text));
  }
}

export class RequestLog {
  readonly #self: Process;
  readonly #level: number;
  readonly #files: readonly string[];
  #hasStarted = false;
  /** Later requests go over the connection of the first one. */
  #isConnected = false;

  /** `files`: where the configuration was read from. */
  constructor(self: Process, level: number, files: readonly string[]) {
    this.#self = self;
    this.#level = level;
    this.#files = files;
  }

  *#log(place: string, message: string, values: readonly (readonly [string, Value])[]): Sys<void> {
    yield* this.#self.write(2, klogLine(this.#self, "I", place, structured(message, values)));
  }

  /** What is said once, before the first request. */
  *#start(): Sys<void> {
    if (this.#hasStarted) return;
    this.#hasStarted = true;
    for (const file of this.#files) yield* logConfiguration(this.#self, this.#level, file);
    if (this.#level < 1) return;
    for (const [feature, enabled] of features) {
      const text = `"Feature gate default state" feature="${feature}" enabled=${enabled}`;
      yield* this.#self.write(2, klogLine(this.#self, "I", places.feature, text));
    }
  }

  *request(request: LoggedRequest): Sys<void> {
    yield* this.#start();
    if (this.#level < 7) return;
    if (this.#level >= 9) return yield* this.#log(places.request, "Request", [["curlCommand", curlCommand(request)]]);
    const { verb, url, headers } = request;
    yield* this.#log(places.request, "Request", [
      ["verb", verb],
      ["url", url],
      ["headers", headerText(headers)],
    ]);
  }

  /** How the server was reached; `failure`: why not. */
  *dialed({ host, address, port }: LoggedDial, failure?: string): Sys<void> {
    if (this.#level < 9 || this.#isConnected) return;
    if (host !== "") {
      const found = JSON.stringify([{ IP: address, Zone: "" }]);
      yield* this.#log(traces.lookUp, "HTTP Trace: DNS Lookup resolved", [
        ["host", host],
        ["address", { raw: found }],
      ]);
    }
    const target = [
      ["network", "tcp"],
      ["address", `${address}:${port}`],
    ] as const;
    if (failure === undefined) yield* this.#log(traces.succeeded, "HTTP Trace: Dial succeed", target);
    else yield* this.#log(traces.failed, "HTTP Trace: Dial failed", [...target, ["err", failure]]);
  }

  /** `reply` is undefined when no answer came. */
  *response({ verb, url }: LoggedRequest, reply: HttpReply | undefined, milliseconds: number): Sys<void> {
    const level = this.#level;
    if (level < 6) return;
    const values: (readonly [string, Value])[] = [];
    if (level === 6 || level >= 9) values.push(["verb", verb], ["url", url]);
    values.push(["status", reply === undefined ? "" : `${reply.status} ${reasonPhrase(reply.status) ?? ""}`]);
    if (level >= 8) values.push(["headers", headerText(reply?.headers ?? {})]);
    values.push(["milliseconds", milliseconds]);
    if (level >= 9) values.push(...this.#timing(reply, milliseconds));
    this.#isConnected = reply !== undefined;
    yield* this.#log(places.response, "Response", values);
  }

  #timing(reply: HttpReply | undefined, milliseconds: number): readonly (readonly [string, Value])[] {
    const connection: readonly (readonly [string, Value])[] = this.#isConnected
      ? [["getConnectionMilliseconds", 0]]
      : [
          ["dnsLookupMilliseconds", 0],
          ["dialMilliseconds", 0],
          ["tlsHandshakeMilliseconds", 0],
        ];
    if (reply === undefined || milliseconds === 0) return connection;
    return [...connection, ["serverProcessingMilliseconds", milliseconds]];
  }

  /** A body, cut to 1024 bytes, from level 9 on to 10240, from 10 on whole. */
  *body(place: string, message: "Request Body" | "Response Body", body: Bytes): Sys<void> {
    if (this.#level < 8) return;
    yield* this.#start();
    const text = body.some((byte) => byte < 10) ? hexDump(body) : decodeUtf8(body);
    yield* this.#log(place, message, [["body", this.#truncated(text)]]);
  }

  #truncated(text: string): string {
    if (this.#level >= 10) return text;
    const limit = this.#level === 9 ? 10_240 : 1024;
    return text.length <= limit ? text : `${text.slice(0, limit)} [truncated ${text.length - limit} chars]`;
  }
}
