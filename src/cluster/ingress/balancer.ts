// Who of an upstream's endpoints has the next request: in turn, or the one that a cookie names. And whether a canary has it instead.

import { md5 } from "@noble/hashes/legacy.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { asciiLowerCase } from "#sim/ascii.ts";
import { encodeUtf8 } from "#sim/bytes.ts";
import type { HttpHeaders } from "#sim/http.ts";
import type { Random } from "#sim/random.ts";
import { httpDate } from "../images/http-dates.ts";
import type { Affinity, Canary } from "./annotations.ts";
import type { Endpoint, Upstream } from "./configuration.ts";

export interface Picked {
  readonly endpoint: Endpoint;
  /** For the client to come back to the same endpoint. */
  readonly cookie?: string;
}

/** What a balancer is told of a request. */
export interface BalancedRequest {
  readonly headers: HttpHeaders;
  readonly path: string;
  readonly isSecure: boolean;
  readonly nowMs: number;
}

export class Balancer {
  readonly name: string;
  readonly #random: Random;
  #upstream: Upstream;
  #next: number;

  constructor(upstream: Upstream, random: Random) {
    this.name = upstream.name;
    this.#upstream = upstream;
    this.#random = random;
    this.#next = random.below(Math.max(1, upstream.endpoints.length));
  }

  /** From now on these endpoints, and whose turn it was goes on. */
  sync(upstream: Upstream): void {
    this.#upstream = upstream;
  }

  get upstream(): Upstream {
    return this.#upstream;
  }

  /** `failed`: those that this request has been to already. Undefined: nobody is there. */
  pick(request: BalancedRequest, failed: readonly Endpoint[]): Picked | undefined {
    const { endpoints, affinity } = this.#upstream;
    if (affinity !== undefined) return this.#pickByCookie(affinity, request, failed);
    const left = endpoints.filter((endpoint) => !failed.includes(endpoint));
    if (endpoints.length === 0) return undefined;
    for (let tried = 0; tried < endpoints.length; tried += 1) {
      const endpoint = endpoints[this.#next % endpoints.length] as Endpoint;
      this.#next = (this.#next + 1) % endpoints.length;
      if (left.length === 0 || left.includes(endpoint)) return { endpoint };
    }
    return undefined;
  }

  #pickByCookie(affinity: Affinity, request: BalancedRequest, failed: readonly Endpoint[]): Picked | undefined {
    const { endpoints } = this.#upstream;
    const [known = ""] = cookieOf(request.headers, affinity.cookieName).split("|");
    const named = known === "" ? undefined : endpointByKey(endpoints, known);
    if (named !== undefined && !failed.includes(named)) return { endpoint: named };
    const left = endpoints.filter((endpoint) => !failed.includes(endpoint));
    const key = `${(request.nowMs / 1000).toFixed(3)}.${this.#random.below(100)}.${this.#random.below(1_000_000)}`;
    const endpoint = endpointByKey(left.length === 0 ? endpoints : left, key);
    if (endpoint === undefined) return undefined;
    return { endpoint, cookie: setCookie(affinity, `${key}|${this.#backendKey}`, request) };
  }

  get #backendKey(): string {
    return digest(digest(this.name) + this.name);
  }

  /** A cookie of a client that belongs here says so. */
  hasCookieOf(headers: HttpHeaders): boolean {
    const { affinity } = this.#upstream;
    if (affinity === undefined) return false;
    return cookieOf(headers, affinity.cookieName).split("|")[1] === this.#backendKey;
  }
}

/** Whether a canary has the request: by header, then by cookie, then by weight. */
export function takesCanary(canary: Canary, headers: HttpHeaders, random: Random): boolean {
  const header = canary.header === "" ? undefined : headers[asciiLowerCase(canary.header)];
  if (header !== undefined) {
    if (canary.headerValue !== "") {
      if (header === canary.headerValue) return true;
    } else if (header === "always") return true;
    else if (header === "never") return false;
  }
  const cookie = canary.cookie === "" ? "" : cookieOf(headers, canary.cookie);
  if (cookie === "always") return true;
  if (cookie === "never") return false;
  return canary.weight > 0 && random.below(Math.max(100, canary.weightTotal)) < canary.weight;
}

function cookieOf(headers: HttpHeaders, name: string): string {
  const pairs = (headers["cookie"] ?? "").split(/;\s*/);
  const pair = pairs.find((each) => each.startsWith(`${name}=`));
  return pair?.slice(name.length + 1) ?? "";
}

/** The same for the same key as long as it is there; who is new takes only his part of the keys. */
function endpointByKey(endpoints: readonly Endpoint[], key: string): Endpoint | undefined {
  let best: { readonly endpoint: Endpoint; readonly rank: string } | undefined;
  for (const endpoint of endpoints) {
    const rank = digest(`${key} ${endpoint.address}:${endpoint.port}`);
    if (best === undefined || rank > best.rank) best = { endpoint, rank };
  }
  return best?.endpoint;
}

function digest(text: string): string {
  return bytesToHex(md5(encodeUtf8(text)));
}

function setCookie(affinity: Affinity, value: string, { path, isSecure, nowMs }: BalancedRequest): string {
  const { cookieName, cookiePath, expiresSeconds, maxAgeSeconds } = affinity;
  return [
    `${cookieName}=${value}`,
    ...(expiresSeconds === undefined ? [] : [`Expires=${httpDate(nowMs + expiresSeconds * 1000)}`]),
    ...(maxAgeSeconds === undefined ? [] : [`Max-Age=${maxAgeSeconds}`]),
    `Path=${cookiePath === "" ? path : cookiePath}`,
    ...(isSecure ? ["Secure"] : []),
    "HttpOnly",
  ].join("; ");
}
