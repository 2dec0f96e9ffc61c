// nginx's variables, in texts that are made anew for each request.

import { asciiLowerCase, asciiUpperCase } from "#sim/ascii.ts";
import { civilDate } from "#sim/calendar.ts";
import type { HttpPeer, HttpRequest } from "#sim/http.ts";
import { commonLogDate } from "../http-dates.ts";
import type { Proxied, ProxiedPeer } from "./proxied-peer.ts";

/** What a request is answered with. */
export interface Reply {
  readonly status: number;
  readonly bodyBytes: number;
}

export interface Asked {
  readonly request: HttpRequest;
  readonly peer: HttpPeer;
  readonly hostname: string;
  readonly nowMs: number;
  /** `1.27.5` */
  readonly version: string;
  /** The first of the server's names. */
  readonly serverName: string;
  readonly documentRoot: string;
  /** Path of the request, decoded. */
  readonly path: string;
  /** Known when the line of the log is written. */
  readonly reply: Reply | undefined;
}

const value: { readonly [name: string]: (asked: Asked) => string } = {
  args: ({ request }) => queryOf(request),
  body_bytes_sent: ({ reply }) => String(reply?.bodyBytes ?? 0),
  content_length: ({ request }) => request.headers["content-length"] ?? "",
  content_type: ({ request }) => request.headers["content-type"] ?? "",
  document_root: ({ documentRoot }) => documentRoot,
  document_uri: ({ path }) => path,
  host: ({ request, serverName }) => asciiLowerCase((request.headers["host"] ?? serverName).replace(/:\d+$/, "")),
  hostname: ({ hostname }) => hostname,
  is_args: ({ request }) => (queryOf(request) === "" ? "" : "?"),
  msec: ({ nowMs }) => (nowMs / 1000).toFixed(3),
  nginx_version: ({ version }) => version,
  proxy_protocol_addr: ({ peer }) => proxiedOf(peer)?.source.address ?? "",
  proxy_protocol_port: ({ peer }) => String(proxiedOf(peer)?.source.port ?? ""),
  proxy_protocol_server_addr: ({ peer }) => proxiedOf(peer)?.target.address ?? "",
  proxy_protocol_server_port: ({ peer }) => String(proxiedOf(peer)?.target.port ?? ""),
  query_string: ({ request }) => queryOf(request),
  remote_addr: ({ peer }) => peer.address.address,
  remote_port: ({ peer }) => String(peer.address.port),
  remote_user: ({ request }) => userOf(request),
  request: ({ request }) => `${request.method} ${request.target} HTTP/1.1`,
  request_method: ({ request }) => request.method,
  request_uri: ({ request }) => request.target,
  scheme: ({ peer }) => (peer.secure ? "https" : "http"),
  server_addr: ({ peer }) => peer.local.address,
  server_name: ({ serverName }) => serverName,
  server_port: ({ peer }) => String(peer.local.port),
  server_protocol: () => "HTTP/1.1",
  status: ({ reply }) => String(reply?.status ?? 0).padStart(3, "0"),
  time_iso8601: ({ nowMs }) => {
    const { year, month, day, hour, minute, second } = civilDate(nowMs);
    const two = (part: number) => String(part).padStart(2, "0");
    return `${year}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:${two(second)}+00:00`;
  },
  time_local: ({ nowMs }) => commonLogDate(nowMs),
  uri: ({ path }) => path,
};

function proxiedOf(peer: HttpPeer | ProxiedPeer): Proxied | undefined {
  return "proxied" in peer ? peer.proxied : undefined;
}

function queryOf({ target }: HttpRequest): string {
  const at = target.indexOf("?");
  return at < 0 ? "" : target.slice(at + 1);
}

/** Of basic authentication, whether or not anybody asked for it. */
function userOf({ headers }: HttpRequest): string {
  const match = /^Basic ([A-Za-z0-9+/=]+)$/.exec(headers["authorization"] ?? "");
  return match === null ? "" : (atob(match[1] as string).split(":")[0] as string);
}

function shownValue(name: string, asked: Asked): string {
  const known = Object.hasOwn(value, name) ? value[name] : undefined;
  if (known !== undefined) return known(asked);
  const { headers } = asked.request;
  if (name.startsWith("http_")) return headers[name.slice(5).replaceAll("_", "-")] ?? "";
  if (name.startsWith("arg_")) return new RegExp(`(?:^|&)${name.slice(4)}=([^&]*)`, "i").exec(queryOf(asked.request))?.[1] ?? "";
  return new RegExp(`(?:^|;\\s*)${name.slice(7)}=([^;]*)`).exec(headers["cookie"] ?? "")?.[1] ?? "";
}

const pattern = /\$(?:\{(\w+)\}|(\w+))/g;

/** The first name in a text that is no variable; undefined: all are. */
export function unknownVariable(text: string): string | undefined {
  for (const match of text.matchAll(pattern)) {
    const name = (match[1] ?? match[2]) as string;
    if (!Object.hasOwn(value, name) && !/^(?:http|arg|cookie)_\w/.test(name)) return name;
  }
  return undefined;
}

export function withVariables(text: string, asked: Asked): string {
  return text.replace(pattern, (_whole, braced: string | undefined, plain: string) => shownValue(braced ?? plain, asked));
}

/** As in a line of the log: nothing is a dash, and what could break the line is written in hex. */
export function loggedLine(text: string, asked: Asked): string {
  return text.replace(pattern, (_whole, braced: string | undefined, plain: string) => {
    const shown = shownValue(braced ?? plain, asked);
    if (shown === "") return "-";
    return shown.replace(
      /[\0-\x1f"\\\x7f]/g,
      (character) => `\\x${asciiUpperCase(character.charCodeAt(0).toString(16)).padStart(2, "0")}`,
    );
  });
}
