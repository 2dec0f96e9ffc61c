// Calls to webhooks: a review over the cluster's network, and what came back. Network exchanges take virtual time, so a
// request that meets a webhook ends with AnsweredLater and is made once more when the answers are there (apiserver,
// pkg/util/webhook and pkg/admission/plugin/webhook).

import { AnsweredLater } from "#cluster/api/answered-later.ts";
import { dialFailure } from "#cluster/api/dial-failure.ts";
import { internalError } from "#cluster/api/errors.ts";
import { readJson } from "#cluster/api/json-text.ts";
import { jsonText } from "#cluster/api/json-write.ts";
import type { JsonValue } from "#cluster/api/objects.ts";
import { isObject } from "#cluster/api/wire.ts";
import type { Webhook } from "#cluster/resources/admissionregistration/webhooks.ts";
import type { Store } from "#cluster/storage/store.ts";
import { encodeUtf8 } from "#sim/bytes.ts";
import type { Errno } from "#sim/errors.ts";
import { wordsOf } from "#sim/errors.ts";
import type { Endpoint, NetworkStack, TlsFailure } from "#sim/net.ts";
import type { Simulation } from "#sim/simulation.ts";
import { readText } from "../../exchange-text.ts";
import { authoritiesOf, serviceAddress } from "../../service-address.ts";
import type { WebhookAnswer, WebhookAnswers } from "./webhook-answers.ts";

type WebhookClientConfig = Webhook["clientConfig"];

/** A review that a webhook is asked for. */
export interface ReviewCall {
  readonly key: string;
  /** What callers that cannot wait are told meanwhile. */
  readonly meanwhile: string;
  readonly clientConfig: WebhookClientConfig;
  readonly timeoutSeconds: number;
  /** Before the words of a failed call. */
  readonly failurePrefix: string;
  body(uid: string): JsonValue;
}

export interface WebhookCall extends ReviewCall {
  readonly webhook: Webhook;
}

/** By whom: a request that can wait for answers has a place for them. */
interface Asked {
  readonly answers?: WebhookAnswers | undefined;
}

interface Remembered {
  answer: WebhookAnswer | undefined;
  answeredMs: number;
  /** When it was first used; it serves the rest of that attempt and is then made anew. */
  usedMs: number | undefined;
}

const usableMs = 1_000;
/** Controllers try again after 17 minutes at the latest. */
const keptMs = 20 * 60_000;

export interface WebhookCallsOptions {
  readonly simulation: Simulation;
  readonly store: Store;
  /** Of a review. */
  nextId(): string;
  /** Of the machine that the server runs on. */
  network(): NetworkStack | undefined;
}

export class WebhookCalls {
  readonly #simulation: Simulation;
  readonly #store: Store;
  readonly #nextId: () => string;
  /** Answers to callers within this process, who cannot wait: they find them when they try again. */
  readonly #remembered = new Map<string, Remembered>();
  readonly #network: () => NetworkStack | undefined;

  constructor({ simulation, store, nextId, network }: WebhookCallsOptions) {
    this.#simulation = simulation;
    this.#store = store;
    this.#nextId = nextId;
    this.#network = network;
  }

  /** The answer to a call, if there is one. */
  answerTo({ answers }: Asked, { key }: Pick<ReviewCall, "key">): WebhookAnswer | undefined {
    if (answers !== undefined) return answers.get(key);
    const known = this.#remembered.get(key);
    if (known?.answer === undefined) return undefined;
    if (this.#isStale(known)) {
      this.#remembered.delete(key);
      return undefined;
    }
    known.usedMs ??= this.#simulation.nowMs;
    return known.answer;
  }

  #isStale({ answer, answeredMs, usedMs }: Remembered): boolean {
    const { nowMs } = this.#simulation;
    if (usedMs !== undefined) return nowMs - usedMs > usableMs;
    return answer !== undefined && nowMs - answeredMs > keptMs;
  }

  /** Makes the calls and ends the request until they are answered. */
  ask({ answers }: Asked, calls: readonly ReviewCall[]): AnsweredLater {
    const { status } = internalError(calls[0]?.meanwhile ?? "");
    if (answers === undefined) for (const call of calls) this.#askOnce(call);
    const begin = (resume: () => void): void => {
      let open = calls.length;
      for (const call of calls) {
        this.#call(call, (answer) => {
          answers?.set(call.key, answer);
          open -= 1;
          if (open === 0) resume();
        });
      }
    };
    return new AnsweredLater(status, { begin, isRefusedMeanwhile: false });
  }

  #askOnce(call: ReviewCall): void {
    if (this.#remembered.has(call.key)) return;
    for (const [key, known] of this.#remembered) if (this.#isStale(known)) this.#remembered.delete(key);
    const entry: Remembered = { answer: undefined, answeredMs: 0, usedMs: undefined };
    this.#remembered.set(call.key, entry);
    this.#call(call, (answer) => {
      entry.answer = answer;
      entry.answeredMs = this.#simulation.nowMs;
    });
  }

  #call(call: ReviewCall, done: (answer: WebhookAnswer) => void): void {
    const uid = this.#nextId();
    const { timeoutSeconds, clientConfig, failurePrefix } = call;
    const body = call.body(uid);
    const { host, port, path, serverName } = destination(clientConfig);
    const target = `${path}?timeout=${timeoutSeconds}s`;
    const url = `https://${serverName}${clientConfig.service === undefined && port === 443 ? "" : `:${port}`}${target}`;
    let ended = false;
    const finish = (answer: WebhookAnswer): void => {
      if (ended) return;
      ended = true;
      this.#simulation.cancel(deadline);
      done(answer);
    };
    const fail = (cause: string): void => finish({ failure: `${failurePrefix}Post ${JSON.stringify(url)}: ${cause}` });
    const deadline = this.#simulation.after(timeoutSeconds * 1000, () => fail("context deadline exceeded"));
    const found =
      host === ""
        ? serviceAddress(this.#store, clientConfig.service ?? { name: "", namespace: "" }, port)
        : hostAddress(host, port);
    // As from another task: nobody calls back before the call has been noted.
    this.#simulation.after(0, () => {
      if (typeof found === "string") fail(found);
      else {
        const message = { endpoint: found, serverName, target, body };
        this.#post(call, message, fail, (status, text) => finish(read(uid, status, text, failurePrefix)));
      }
    });
  }

  #post(
    { clientConfig, timeoutSeconds }: ReviewCall,
    { endpoint, serverName, target, body }: Message,
    fail: (cause: string) => void,
    done: (status: number, text: string) => void,
  ): void {
    const authority = `${endpoint.address}:${endpoint.port}`;
    const network = this.#network();
    if (network === undefined) {
      fail(`dial tcp ${authority}: connect: connection refused`);
      return;
    }
    const headers = {
      host: serverName,
      "user-agent": "kube-apiserver-admission",
      "content-type": "application/json",
      accept: "application/json, */*",
    };
    const request = { method: "POST", target, headers, body: encodeUtf8(jsonText(body)) };
    const tls = { serverName, authorities: authoritiesOf(clientConfig.caBundle ?? "") };
    network.request(endpoint, request, { tls, timeoutMs: timeoutSeconds * 1000 }, (result) => {
      if (!result.ok) {
        fail(dialText(authority, result.error));
        return;
      }
      readText(result.exchange, (text) => done(result.exchange.status, text));
    });
  }
}

/** What goes to a webhook, and where. */
interface Message {
  readonly endpoint: Endpoint;
  readonly serverName: string;
  /** Path and query. */
  readonly target: string;
  readonly body: JsonValue;
}

function destination({ service, url = "" }: WebhookClientConfig): {
  /** "" for a Service. */
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly serverName: string;
} {
  if (service !== undefined) {
    const { name, namespace, path = "/", port = 443 } = service;
    return { host: "", port, path: path === "" ? "/" : path, serverName: `${name}.${namespace}.svc` };
  }
  const [, host = "", port = "443", path = ""] = /^https:\/\/([^/:]+)(?::(\d+))?(\/.*)?$/.exec(url) ?? [];
  return { host, port: Number(port), path: path === "" ? "/" : path, serverName: host };
}

function hostAddress(host: string, port: number): Endpoint | string {
  return /^[\d.]+$/.test(host) ? { address: host, port } : `dial tcp: lookup ${host}: no such host`;
}

function dialText(authority: string, error: Errno | TlsFailure): string {
  return error === "ETIMEDOUT" ? "context deadline exceeded" : dialFailure(authority, error);
}

/** The review in a reply, or what a client makes of the reply. */
function read(uid: string, status: number, text: string, prefix: string): WebhookAnswer {
  if (status < 200 || status > 299) return { failure: `${prefix}${statusText(status, text)}` };
  try {
    const review = readJson(text);
    if (isObject(review) && typeof review["kind"] === "string" && review["kind"] !== "") return { uid, review };
    return { failure: `${prefix}Object 'Kind' is missing in '${text}'` };
  } catch (error) {
    return { failure: `${prefix}couldn't get version/kind; json parse error: ${wordsOf(error)}` };
  }
}

function statusText(status: number, text: string): string {
  switch (status) {
    case 404:
      return "the server could not find the requested resource";
    case 405:
      return "the server does not allow this method on the requested resource";
    case 500:
      return `an error on the server (${JSON.stringify(text.trim() || "unknown")}) has prevented the request from succeeding`;
    case 503:
      return "the server is currently unable to handle the request";
    default:
      return `the server responded with the status code ${status} but did not return more information`;
  }
}
