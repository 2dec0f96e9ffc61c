// The events of a request that came over HTTP: its responder tells when the answer begins and when it is over.

import { decodeObject } from "#cluster/api/decode.ts";
import { readJson } from "#cluster/api/json-text.ts";
import type { JsonValue } from "#cluster/api/objects.ts";
import { isObject } from "#cluster/api/wire.ts";
import type { UserInfo } from "#cluster/client/client.ts";
import { type Bytes, decodeUtf8 } from "#sim/bytes.ts";
import type { BodyWriter, HttpHeaders, HttpRequest, UnwrittenBody } from "#sim/http.ts";
import type { ByteStream } from "#sim/net.ts";
import type { ArrivedRequest } from "../audit-sink.ts";
import type { Authorizer } from "../authorization/authorizer.ts";
import type { ApiResponder } from "../http/api-responder.ts";
import type { RequestInfo } from "../http/request-info.ts";
import { Entry, type StageWriter } from "./entry.ts";
import { type AuditRecord, compactJson } from "./event-text.ts";
import type { Verdict } from "./policy.ts";

interface ArrivalWriter extends StageWriter {
  readonly authorizer: Authorizer;
}

const longVerbs: ReadonlySet<string> = new Set(["watch", "proxy"]);
const longSubresources: ReadonlySet<string> = new Set(["attach", "exec", "proxy", "log", "portforward"]);

export class ArrivalEntry extends Entry {
  readonly responder: ApiResponder;
  readonly #authorizer: Authorizer;
  readonly #request: HttpRequest;
  readonly #info: RequestInfo;
  /** Undefined before it is known as whom the request acts: without it nobody was asked whether it may. */
  #actor: UserInfo | undefined;
  #value: JsonValue | undefined;
  #hasBegun = false;
  #isOver = false;

  constructor(
    writer: ArrivalWriter,
    record: AuditRecord,
    verdict: Verdict,
    { request, responder }: ArrivedRequest,
    info: RequestInfo,
  ) {
    super(writer, record, verdict);
    this.#authorizer = writer.authorizer;
    this.#request = request;
    this.#info = info;
    this.responder = new HearingResponder(responder, this);
  }

  override actsAs(user: UserInfo, constraint: string): void {
    this.#actor = user;
    if (Object.keys(this.#request.headers).every((name) => !name.startsWith("impersonate-"))) return;
    this.record.impersonatedUser = user;
    this.record.impersonationConstraint = constraint;
  }

  override requestedText(): void {
    if (!this.includes("Request")) return;
    const text = decodeUtf8(this.#request.body);
    if (text === "") return;
    const isDelete = this.record.verb === "delete" || this.record.verb === "deletecollection";
    this.record.requestObject = isDelete ? this.objectText(deleteOptions(text)) : compactJson(text);
  }

  /** The object of the answer, before it becomes bytes. */
  hear(value: JsonValue): void {
    if (this.#info.isResource || (isObject(value) && value["kind"] !== undefined)) this.#value = value;
  }

  begin(code: number): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#decide();
    this.respond(code, this.#value);
    if (this.#isLong) this.reach("ResponseStarted");
  }

  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (!this.#isTurnedAway) this.reach("ResponseComplete");
  }

  /** Nobody knows who asked. Upstream tells of such a request once, as if it were a long one. */
  get #isTurnedAway(): boolean {
    return this.record.user === undefined;
  }

  get #isLong(): boolean {
    const { isResource, verb, subresource } = this.#info;
    return this.#isTurnedAway || longVerbs.has(verb) || (isResource && longSubresources.has(subresource));
  }

  /** What the pipeline has not been asked about: paths, kinds that there are not, methods that a kind has not, and refusals. */
  #decide(): void {
    const user = this.#actor;
    if (user === undefined || this.isDecided) return;
    const { isResource, verb, path, group, resource, subresource, namespace, name, query } = this.#info;
    const fieldSelector = query.get("fieldSelector") ?? undefined;
    const { allowed, reason } = isResource
      ? this.#authorizer.decide({ user, verb, group, resource, subresource, namespace, name, fieldSelector })
      : this.#authorizer.decidePath({ user, verb, path });
    this.decided(allowed, reason);
  }
}

function deleteOptions(text: string): JsonValue {
  const value = readJson(text);
  if (!isObject(value)) return value;
  const { kind: _kind, apiVersion, ...rest } = value;
  const typed = decodeObject("DeleteOptions", rest, { fill: "written" }).value;
  return {
    kind: "DeleteOptions",
    apiVersion: typeof apiVersion === "string" && apiVersion !== "" ? apiVersion : "meta.k8s.io/v1",
    ...typed,
  };
}

class HearingResponder implements ApiResponder {
  readonly #inner: ApiResponder;
  readonly #entry: ArrivalEntry;

  constructor(inner: ApiResponder, entry: ArrivalEntry) {
    this.#inner = inner;
    this.#entry = entry;
  }

  answering(value: JsonValue): void {
    this.#entry.hear(value);
  }

  reply(status: number, headers: HttpHeaders, body: Bytes): void {
    this.#entry.begin(status);
    this.#entry.end();
    this.#inner.reply(status, headers, body);
  }

  replyUnwritten(status: number, headers: HttpHeaders, body: UnwrittenBody): void {
    this.reply(status, headers, body.write());
  }

  stream(status: number, headers: HttpHeaders): BodyWriter {
    this.#entry.begin(status);
    return new HearingWriter(this.#inner.stream(status, headers), this.#entry);
  }

  upgrade(headers: HttpHeaders): ByteStream {
    this.#entry.begin(101);
    return hearing(this.#inner.upgrade(headers), this.#entry);
  }
}

class HearingWriter implements BodyWriter {
  onClose: (() => void) | undefined;
  onDrain: (() => void) | undefined;
  readonly #inner: BodyWriter;
  readonly #entry: ArrivalEntry;

  constructor(inner: BodyWriter, entry: ArrivalEntry) {
    this.#inner = inner;
    this.#entry = entry;
    inner.onClose = () => {
      this.onClose?.();
      entry.end();
    };
    inner.onDrain = () => this.onDrain?.();
  }

  write(bytes: Bytes): boolean {
    return this.#inner.write(bytes);
  }

  end(): void {
    this.#inner.end();
    this.#entry.end();
  }
}

/** The same stream, whose end is heard: who has it sets what it does then. */
function hearing(stream: ByteStream, entry: ArrivalEntry): ByteStream {
  let onClose: ByteStream["onClose"];
  let onEnd: ByteStream["onEnd"];
  stream.onClose = (error) => {
    entry.end();
    onClose?.(error);
  };
  stream.onEnd = () => {
    entry.end();
    onEnd?.();
  };
  return new Proxy(stream, {
    get(target, name) {
      if (name === "onClose") return onClose;
      if (name === "onEnd") return onEnd;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" && name !== "onData" && name !== "onDrain" ? value.bind(target) : value;
    },
    set(target, name, value) {
      if (name === "onClose") onClose = value;
      else if (name === "onEnd") onEnd = value;
      else return Reflect.set(target, name, value, target);
      return true;
    },
  });
}
