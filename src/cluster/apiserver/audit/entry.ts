// What all requests have in common of which events are written.

import { decodeObject } from "#cluster/api/decode.ts";
import type { JsonValue, KubeObject, ObjectMeta, Status } from "#cluster/api/objects.ts";
import { subresourceType } from "#cluster/api/openapi/subresource-types.ts";
import { isObject, type JsonObject } from "#cluster/api/wire.ts";
import type { UserInfo } from "#cluster/client/client.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";
import type { AuditEntry } from "../audit-entry.ts";
import type { Grant } from "../authorization/grants.ts";
import { allowedReason } from "../authorization/rbac.ts";
import { wireObject } from "../encoding.ts";
import { escapedJson } from "../http/writing.ts";
import { type AuditRecord, statusObject } from "./event-text.ts";
import { isAtLeast, type Level, type Stage, type Verdict } from "./policy.ts";

const decisionKey = "authorization.k8s.io/decision";
const reasonKey = "authorization.k8s.io/reason";

/** Whom entries tell that a stage is reached. */
export interface StageWriter {
  write(record: AuditRecord, verdict: Verdict, stage: Stage): void;
}

/** The groups and versions of kinds that are sent to subresources. */
const versionOfKind: { readonly [kind: string]: string } = {
  Binding: "v1",
  Eviction: "policy/v1",
  TokenRequest: "authentication.k8s.io/v1",
};
const kindOfSubresource: { readonly [subresource: string]: string } = {
  binding: "Binding",
  eviction: "Eviction",
  token: "TokenRequest",
};

export abstract class Entry implements AuditEntry {
  protected readonly record: AuditRecord;
  protected readonly verdict: Verdict;
  readonly #writer: StageWriter;
  #definition: ResourceDefinition | undefined;

  constructor(writer: StageWriter, record: AuditRecord, verdict: Verdict) {
    this.#writer = writer;
    this.record = record;
    this.verdict = verdict;
  }

  actsAs(_user: UserInfo, _constraint: string): void {}

  allowed(by: Grant | undefined, definition: ResourceDefinition): void {
    this.#definition = definition;
    this.decided(true, allowedReason(by));
  }

  annotate(key: string, value: string, from: Level = "Metadata"): void {
    if (this.includes(from) && !this.record.annotations.has(key)) this.record.annotations.set(key, value);
  }

  requested(body: KubeObject | JsonValue, definition?: ResourceDefinition): void {
    if (!isObject(body)) return;
    this.#refer((body["metadata"] ?? {}) as ObjectMeta);
    if (!this.includes("Request")) return;
    const whole =
      definition === undefined ? this.#ofSubresource(body as JsonObject) : wireObject(definition, body as KubeObject, "request");
    this.record.requestObject = this.objectText(whole as JsonValue);
  }

  abstract requestedText(fromProcess: () => JsonValue): void;
  requestedChange(_before: KubeObject | undefined, _after: KubeObject): void {}
  answered(_code: number, _result: unknown): void {}
  refused(_error: unknown): void {}
  closed(): void {}

  protected includes(level: Level): boolean {
    return isAtLeast(this.verdict.level, level);
  }

  protected get isDecided(): boolean {
    return this.record.annotations.has(decisionKey);
  }

  protected decided(isAllowed: boolean, reason: string): void {
    this.annotate(decisionKey, isAllowed ? "allow" : "forbid");
    this.annotate(reasonKey, reason);
  }

  protected reach(stage: Stage): void {
    if (stage === "ResponseComplete" && this.#definition?.deprecation !== undefined) {
      this.annotate("k8s.io/deprecated", "true");
      if (this.#definition.removedRelease !== undefined) this.annotate("k8s.io/removed-release", this.#definition.removedRelease);
    }
    this.#writer.write(this.record, this.verdict, stage);
  }

  /** An answer's object, if there is one, and its code. */
  protected respond(code: number, value: JsonValue | undefined): void {
    const isStatus = isObject(value) && value["kind"] === "Status" && value["apiVersion"] === "v1";
    this.record.responseStatus = statusObject({ ...(isStatus ? (value as Status) : {}), code });
    if (value !== undefined && this.includes("RequestResponse")) this.record.responseObject = this.objectText(value);
  }

  protected objectText(value: JsonValue): string {
    return escapedJson(this.verdict.omitManagedFields ? withoutManagers(value) : value, false);
  }

  /** What the URL does not say of the object, the object says. */
  #refer({ namespace = "", name = "", uid = "", resourceVersion = "" }: ObjectMeta): void {
    const reference = this.record.objectRef;
    if (reference === undefined) return;
    this.record.objectRef = {
      ...reference,
      namespace: reference.namespace || namespace,
      name: reference.name || name,
      uid: reference.uid || uid,
      resourceVersion: reference.resourceVersion || resourceVersion,
    };
  }

  #ofSubresource(body: JsonObject): JsonObject {
    const kind = kindOfSubresource[this.record.objectRef?.subresource ?? ""] ?? String(body["kind"] ?? "");
    const apiVersion = versionOfKind[kind];
    if (apiVersion === undefined) return body;
    const {
      kind: _kind,
      apiVersion: _apiVersion,
      metadata = {},
      ...rest
    } = decodeObject(subresourceType(kind), body, { fill: "written" }).value;
    return { kind, apiVersion, metadata, ...rest };
  }
}

/** An object, the items of a list or the rows of a Table without `metadata.managedFields`. */
function withoutManagers(value: JsonValue): JsonValue {
  if (!isObject(value)) return value;
  const { items, rows, metadata } = value;
  if (Array.isArray(items)) return { ...value, items: items.map(withoutManagers) };
  if (Array.isArray(rows)) {
    return {
      ...value,
      rows: rows.map((row) => (isObject(row) ? { ...row, object: withoutManagers(row["object"] ?? null) } : row)),
    };
  }
  if (!isObject(metadata) || metadata["managedFields"] === undefined) return value;
  const { managedFields: _managedFields, ...rest } = metadata;
  return { ...value, metadata: rest };
}
