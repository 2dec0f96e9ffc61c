// docker.io/traefik/whoami: tells who was asked what by whom (github.com/traefik/whoami, app.go). Its image has no shell.

import { parseGoDuration } from "#cluster/api/duration.ts";
import { sortedKeys, writeCompactJson } from "#cluster/api/json-write.ts";
import type { JsonValue } from "#cluster/api/wire.ts";
import { asciiUpperCase } from "#sim/ascii.ts";
import { decodeUtf8, noBytes } from "#sim/bytes.ts";
import type { HttpPeer, HttpRequest, HttpResponder } from "#sim/http.ts";
import type { Process, Program, Sys } from "#sim/program.ts";
import { httpDate } from "../http-dates.ts";
import { writeWithoutWaiting } from "../log-line.ts";
import { answerText, logLine, parametersOf, serve } from "./go-server.ts";

interface Settings {
  readonly port: string;
  readonly name: string;
}

class Misuse extends Error {}

export const whoami: Program = function* (self) {
  self.declareUse({ memoryBytes: 4_194_304 });
  let settings: Settings;
  try {
    settings = settingsOf(self);
  } catch (error) {
    if (!(error instanceof Misuse)) throw error;
    yield* self.write(2, `${error.message}\n${usage}`);
    return 2;
  }
  logLine(self, `Starting up on port ${settings.port}`);
  if (!/^\d+$/u.test(settings.port)) {
    logLine(self, `listen tcp: lookup tcp/${settings.port}: unknown port`);
    return 1;
  }
  return yield* serving(self, settings);
};

const usage = `Usage of /whoami:
  -cacert string
    \tgive me a CA chain, enforces mutual TLS
  -cert string
    \tgive me a certificate
  -key string
    \tgive me a key
  -name string
    \tgive me a name
  -port string
    \tgive me a port number (default "80")
  -verbose
    \tEnable verbose logging
`;

const absent = ["cacert", "cert", "key", "verbose"];

/** As Go's flag package reads: one dash or two. */
function settingsOf(self: Process): Settings {
  const given = new Map([
    ["port", self.env.get("WHOAMI_PORT_NUMBER") || "80"],
    ["name", self.env.get("WHOAMI_NAME") ?? ""],
  ]);
  const words = self.argv.slice(1);
  while (words[0]?.startsWith("-") === true && words[0] !== "-") {
    const word = words.shift() as string;
    if (word === "--") break;
    const [, name = "", own] = /^--?([^=]*)(?:=(.*))?$/s.exec(word) ?? [];
    if (absent.includes(name)) throw new Misuse(`-${name} is not supported here`);
    if (!given.has(name)) throw new Misuse(`flag provided but not defined: -${name}`);
    const value = own ?? words.shift();
    if (value === undefined) throw new Misuse(`flag needs an argument: -${name}`);
    given.set(name, value);
  }
  return { port: given.get("port") ?? "", name: given.get("name") ?? "" };
}

function serving(self: Process, { port, name }: Settings): Sys<number> {
  let health = 200;
  return serve(self, Number(port), (request, peer, responder) => {
    const values = parametersOf(request.target);
    const text = (body: string, status = 200) => answerText(self, responder, status, body);
    switch (request.target.split("?")[0]) {
      case "/api":
        return answerText(self, responder, 200, `${apiAnswer(self, name, request, peer)}\n`, {
          "content-type": "application/json",
        });
      case "/bench":
        return answerText(self, responder, 200, "1", { "content-type": "text/plain" });
      case "/health":
        if (request.method !== "POST") return empty(self, responder, health);
        health = toldHealth(self, request, responder) ?? health;
        return undefined;
      case "/data":
      case "/echo":
      case "/openapi.yaml":
        return text(`${request.target.split("?")[0]} is not supported here\n`, 501);
      default:
        return after(self, values.get("wait") ?? "", () => text(whoamiAnswer(self, name, request, peer)));
    }
  });
}

/** At once, or when the time has passed that the request asks for. */
function after(self: Process, wait: string, answer: () => void): void {
  const parsed = parseGoDuration(wait);
  if (!("ms" in parsed) || parsed.ms <= 0) {
    answer();
    return;
  }
  self.startThread(function* () {
    yield* self.sleep(parsed.ms);
    answer();
  });
}

/** net/http gives an answer without a body no type. */
function empty(self: Process, responder: HttpResponder, status: number): void {
  responder.reply(status, { date: httpDate(self.nowMs), "content-length": "0" }, noBytes);
}

/** The status that /health answers with from now on; undefined, and refused, for what is no number. */
function toldHealth(self: Process, { body }: HttpRequest, responder: HttpResponder): number | undefined {
  const told = decodeUtf8(body).trim();
  if (!/^[1-9]\d{2}$/u.test(told)) {
    const reason = told === "" ? "EOF" : `${told} is not supported here as a status`;
    answerText(self, responder, 400, `${reason}\n`, { "x-content-type-options": "nosniff" });
    return undefined;
  }
  writeWithoutWaiting(self, 1, `Update health check status code [${told}]\n`);
  empty(self, responder, 200);
  return Number(told);
}

function whoamiAnswer(self: Process, name: string, request: HttpRequest, peer: HttpPeer): string {
  const lines = [
    ...(name === "" ? [] : [`Name: ${name}`]),
    `Hostname: ${self.hostname}`,
    ...self.addresses().map((address) => `IP: ${address}`),
    `RemoteAddr: ${remoteAddress(peer)}`,
  ];
  const environment = asksForEnvironment(request) ? [...self.env].map(([key, value]) => `${key}=${value}\n`).join("") : "";
  return `${lines.join("\n")}\n${requestText(request)}${environment}`;
}

/** What net/http's Request.Write makes of a request: Host and User-Agent, the length, then the others in order. */
function requestText({ method, target, headers, body }: HttpRequest): string {
  const { host = "", "user-agent": agent = "Go-http-client/1.1", ...others } = headers;
  const length = body.length > 0 || ["POST", "PUT", "PATCH"].includes(method) ? [`Content-Length: ${body.length}`] : [];
  const names = sortedKeys(others).filter((each) => !["content-length", "transfer-encoding", "trailer"].includes(each));
  const lines = [
    `${method} ${target} HTTP/1.1`,
    `Host: ${host}`,
    ...(agent === "" ? [] : [`User-Agent: ${agent}`]),
    ...length,
    ...names.map((each) => `${canonical(each)}: ${others[each]}`),
  ];
  return `${lines.join("\r\n")}\r\n\r\n${decodeUtf8(body)}`;
}

/** In the order of the fields of app.go's Data; empty ones are left out. */
function apiAnswer(self: Process, name: string, request: HttpRequest, peer: HttpPeer): string {
  const { host = "", ...headers } = request.headers;
  const fields: readonly (readonly [string, JsonValue])[] = [
    ["hostname", self.hostname],
    ["ip", [...self.addresses()]],
    ["headers", Object.fromEntries(Object.entries(headers).map(([each, value]) => [canonical(each), [value]]))],
    ["url", request.target],
    ["host", host],
    ["method", request.method],
    ["name", name],
    ["remoteAddr", remoteAddress(peer)],
    ["environ", asksForEnvironment(request) ? Object.fromEntries(self.env) : ""],
  ];
  return `{${fields.flatMap(([key, value]) => (value === "" ? [] : [`"${key}":${writeCompactJson(value)}`])).join(",")}}`;
}

const remoteAddress = ({ address: { address, port } }: HttpPeer): string => `${address}:${port}`;

/** What strconv.ParseBool takes for true. */
const asksForEnvironment = ({ target }: HttpRequest): boolean =>
  ["1", "t", "T", "TRUE", "true", "True"].includes(parametersOf(target).get("env") ?? "");

/** A header's name as net/http writes it. */
const canonical = (name: string): string =>
  name
    .split("-")
    .map((word) => `${asciiUpperCase(word.slice(0, 1))}${word.slice(1)}`)
    .join("-");
