// Writes events of the requests that a policy wants (apiserver, pkg/audit and pkg/endpoints/filters/audit.go).

import { JsonSyntaxError, parseJson } from "#cluster/api/json-text.ts";
import type { UserInfo } from "#cluster/client/client.ts";
import type { Store } from "#cluster/storage/store.ts";
import type { HttpHeaders } from "#sim/http.ts";
import { Random } from "#sim/random.ts";
import type { Simulation } from "#sim/simulation.ts";
import type { AuditEntry } from "../audit-entry.ts";
import type { ArrivedRequest, AuditedArrival, AuditedOptions, AuditSink } from "../audit-sink.ts";
import { type Authorizer, selectedName } from "../authorization/authorizer.ts";
import type { ApiResponder } from "../http/api-responder.ts";
import type { RequestInfo } from "../http/request-info.ts";
import type { ResourceRequest } from "../resource-request.ts";
import { ArrivalEntry } from "./arrival.ts";
import { CallEntry } from "./call.ts";
import { type AuditRecord, eventText, legacyText, type ObjectReference } from "./event-text.ts";
import { ProcessClients, uriOf, userAgentOf } from "./in-process.ts";
import type { EventWriter } from "./log-writer.ts";
import { type AuditedAttributes, type AuditPolicy, isAtLeast, judgeOf, type Stage, type Verdict } from "./policy.ts";

export interface PolicySinkOptions {
  readonly simulation: Simulation;
  readonly store: Store;
  readonly authorizer: Authorizer;
  readonly policy: AuditPolicy;
  /** Of the server's machine. */
  readonly address: string;
  readonly writer: EventWriter;
}

const maxUserAgentBytes = 1024;
const clientOfItself = "::1";

export class PolicySink implements AuditSink {
  readonly simulation: Simulation;
  readonly authorizer: Authorizer;
  readonly #judge: (attributes: AuditedAttributes) => Verdict;
  readonly #writer: EventWriter;
  readonly #clients: ProcessClients;
  /** Its own, so that a log changes nothing in the world. */
  readonly #random: Random;

  constructor({ simulation, store, authorizer, policy, address, writer }: PolicySinkOptions) {
    this.simulation = simulation;
    this.authorizer = authorizer;
    this.#judge = judgeOf(policy);
    this.#writer = writer;
    this.#clients = new ProcessClients(store, address);
    this.#random = new Random(Math.floor(simulation.nowMs / 1000) >>> 0);
  }

  arrived(arrived: ArrivedRequest, info: RequestInfo, user: UserInfo): AuditedArrival | undefined {
    const verdict = this.#judge(attributesOf(info, user));
    if (verdict.level === "None") return undefined;
    const record = this.#recordOf(arrived, info, user, verdict);
    const entry = new ArrivalEntry(this, record, verdict, arrived, info);
    this.write(record, verdict, "RequestReceived");
    return { entry, responder: entry.responder };
  }

  turnedAway(arrived: ArrivedRequest, info: RequestInfo): ApiResponder {
    const verdict = this.#judge(attributesOf(info, undefined));
    if (verdict.level === "None") return arrived.responder;
    return new ArrivalEntry(this, this.#recordOf(arrived, info, undefined, verdict), verdict, arrived, info).responder;
  }

  called(verb: string, request: ResourceRequest, options: AuditedOptions): AuditEntry | undefined {
    const { definition, subresource, user } = request;
    const { group, version, plural: resource } = definition;
    const name = request.name === "" && options.fieldSelector ? (selectedName(options.fieldSelector) ?? "") : request.name;
    const namespace = resource === "namespaces" && group === "" ? name : request.namespace;
    const info = { verb, isResource: true, path: "", group, resource, subresource, namespace, name };
    const verdict = this.#judge({ ...info, user });
    if (verdict.level === "None") return undefined;
    const record: AuditRecord = {
      ...emptyRecord,
      level: verdict.level,
      auditID: this.#random.uuid(),
      requestURI: uriOf(verb, request, options),
      verb,
      user: this.#clients.identityOf(user),
      sourceIPs: [this.#clients.addressOf(request)],
      userAgent: userAgentOf(request),
      objectRef: referenceOf({ ...info, version }),
      requestReceivedMs: this.simulation.nowMs,
      annotations: new Map(),
    };
    return new CallEntry(this, record, verdict, request);
  }

  close(): void {
    this.#writer.close();
  }

  /** An event of a stage that the policy leaves in. */
  write(record: AuditRecord, { omitStages }: Verdict, stage: Stage, stageMs = this.simulation.nowMs): void {
    if (omitStages.includes(stage)) return;
    this.#writer.write({
      hasObjects: isAtLeast(record.level, "Request"),
      json: () => eventText(record, stage, stageMs),
      withoutObjects: () => eventText(truncated(record), stage, stageMs),
      legacy: () => legacyText(record, stage),
      fault: faultIn(record.requestObject),
    });
  }

  #recordOf(arrived: ArrivedRequest, info: RequestInfo, user: UserInfo | undefined, { level }: Verdict): AuditRecord {
    const { request, headers, clientAddress } = arrived;
    const userAgent = request.headers["user-agent"] ?? "";
    const isOwn = clientAddress === clientOfItself && user !== undefined;
    const asker = { user: user as UserInfo, userAgent };
    return {
      ...emptyRecord,
      level,
      auditID: headers["audit-id"] ?? "",
      requestURI: request.target,
      verb: info.verb,
      user: isOwn ? this.#clients.identityOf(asker.user) : user,
      sourceIPs: isOwn ? [this.#clients.addressOf(asker)] : sourceAddresses(request.headers, clientAddress),
      userAgent: isOwn ? userAgentOf({ ...asker } as ResourceRequest) : shortened(userAgent),
      objectRef: info.isResource ? referenceOf({ ...info, name: nameOf(info) }) : undefined,
      requestReceivedMs: this.simulation.nowMs,
      annotations: new Map(),
    };
  }
}

const emptyRecord = {
  impersonatedUser: undefined,
  impersonationConstraint: "",
  responseStatus: undefined,
  requestObject: undefined,
  responseObject: undefined,
} as const;

function truncated(record: AuditRecord): AuditRecord {
  const annotations = new Map(record.annotations).set("audit.k8s.io/truncated", "true");
  return { ...record, requestObject: undefined, responseObject: undefined, annotations };
}

/** What is sent as YAML stands in no log: its bytes are taken for JSON. */
function faultIn(requestObject: string | undefined): string | undefined {
  if (requestObject === undefined || requestObject.startsWith("{")) return undefined;
  try {
    parseJson(requestObject);
    return undefined;
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return `json: error calling MarshalJSON for type *runtime.Unknown: ${error.message}`;
  }
}

function attributesOf(info: RequestInfo, user: UserInfo | undefined): AuditedAttributes {
  return { ...info, name: nameOf(info), user };
}

/** A collection of which a selector takes one object is taken for that. */
function nameOf({ name, verb, query }: RequestInfo): string {
  if (name !== "" || query.size === 0 || (verb !== "list" && verb !== "watch" && verb !== "deletecollection")) return name;
  return selectedName(query.get("fieldSelector") ?? "") ?? "";
}

type Target = Pick<RequestInfo, "group" | "version" | "resource" | "subresource" | "namespace" | "name">;

function referenceOf({ group, version, resource, subresource, namespace, name }: Target): ObjectReference {
  return { resource, namespace, name, uid: "", apiGroup: group, apiVersion: version, resourceVersion: "", subresource };
}

function shortened(userAgent: string): string {
  return userAgent.length > maxUserAgentBytes ? `${userAgent.slice(0, maxUserAgentBytes)}...TRUNCATED` : userAgent;
}

/** Those that proxies name, then the one that the connection comes from. */
function sourceAddresses(headers: HttpHeaders, clientAddress: string): readonly string[] {
  const isAddress = (text: string): boolean => /^(?:\d{1,3}\.){3}\d{1,3}$/.test(text) || /^[\da-f:]*:[\da-f:.]*$/i.test(text);
  const named = (headers["x-forwarded-for"] ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter(isAddress);
  const real = headers["x-real-ip"];
  if (real !== undefined && isAddress(real) && !named.includes(real)) named.push(real);
  if (named.at(-1) !== clientAddress) named.push(clientAddress);
  return named;
}
