// The events of a request from within the process: they are written once it is answered, at the time at which it came, or not at all when
// it will come again; those of a watch, when it starts and when it is over.

import { ApiError, internalError } from "#cluster/api/errors.ts";
import { writeCompactJson } from "#cluster/api/json-write.ts";
import { groupVersionOf, type JsonValue, type KubeObject } from "#cluster/api/objects.ts";
import { createTwoWayStrategicPatch } from "#cluster/api/patch/strategic-diff.ts";
import { isObject, type JsonObject } from "#cluster/api/wire.ts";
import { wordsOf } from "#sim/errors.ts";
import type { Authorizer } from "../authorization/authorizer.ts";
import { wireList, wireObject } from "../encoding.ts";
import { deletedStatus } from "../http/replies.ts";
import type { ResourceRequest } from "../resource-request.ts";
import type { DeleteResult } from "../verbs/delete.ts";
import type { ListResult } from "../verbs/list.ts";
import { Entry, type StageWriter } from "./entry.ts";
import type { AuditRecord } from "./event-text.ts";
import type { Verdict } from "./policy.ts";

interface CallWriter extends StageWriter {
  readonly authorizer: Authorizer;
}

export class CallEntry extends Entry {
  readonly #sink: CallWriter;
  readonly #request: ResourceRequest;
  /** As it came: the first event knows nothing of what follows. */
  readonly #arrival: AuditRecord;
  #isOpen = false;

  constructor(sink: CallWriter, record: AuditRecord, verdict: Verdict, request: ResourceRequest) {
    super(sink, record, verdict);
    this.#sink = sink;
    this.#request = request;
    this.#arrival = { ...record, annotations: new Map() };
  }

  override requestedText(fromProcess: () => JsonValue): void {
    if (!this.includes("Request")) return;
    const value = fromProcess();
    const isDelete = this.record.verb === "delete" || this.record.verb === "deletecollection";
    const header = { kind: "DeleteOptions", apiVersion: groupVersionOf(this.#request.definition) };
    this.record.requestObject = this.objectText(isDelete && isObject(value) ? { ...header, ...value } : value);
  }

  override requestedChange(before: KubeObject | undefined, after: KubeObject): void {
    const { schemaType } = this.#request.definition;
    if (!this.includes("Request") || schemaType === undefined) return;
    const statusOf = (object: KubeObject | undefined): JsonObject => ({ status: (object?.["status"] ?? {}) as JsonValue });
    const patch = createTwoWayStrategicPatch(schemaType, statusOf(before), statusOf(after));
    const { uid } = after.metadata;
    // Kubelets name the Pod that they mean.
    const about = schemaType === "Pod" && uid !== undefined ? { metadata: { uid } } : {};
    this.record.requestObject = writeCompactJson({ ...about, ...patch });
  }

  override answered(code: number, result: unknown): void {
    this.#end(code, this.#isWatch ? undefined : this.#answerOf(result));
    if (!this.#isWatch) this.closed();
  }

  override refused(error: unknown): void {
    const { status, code } = error instanceof ApiError ? error : internalError(wordsOf(error));
    if (!this.isDecided) {
      const { definition, user, subresource, namespace, name } = this.#request;
      const { group, plural: resource } = definition;
      const { verb } = this.record;
      this.decided(false, this.#sink.authorizer.decide({ user, verb, group, resource, subresource, namespace, name }).reason);
    }
    this.#end(code, status as JsonValue);
    this.closed();
  }

  override closed(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.reach("ResponseComplete");
  }

  get #isWatch(): boolean {
    return this.record.verb === "watch";
  }

  #end(code: number, value: JsonValue | undefined): void {
    this.#sink.write(this.#arrival, this.verdict, "RequestReceived");
    this.respond(code, value);
    this.#isOpen = true;
    if (this.#isWatch) this.reach("ResponseStarted");
  }

  /** What would be sent. */
  #answerOf(result: unknown): JsonValue | undefined {
    const { definition } = this.#request;
    switch (this.record.verb) {
      case "list":
      case "deletecollection":
        return this.includes("RequestResponse") ? wireList(definition, result as ListResult) : undefined;
      case "delete": {
        const { object, gone } = result as DeleteResult;
        if (gone && definition.returnsDeleted !== true) return deletedStatus(definition, object);
        return this.#objectOf(object);
      }
      default:
        return this.#objectOf(result as KubeObject);
    }
  }

  #objectOf(object: KubeObject): JsonValue | undefined {
    const { definition } = this.#request;
    if (object.kind === "Status") return object as JsonValue;
    if (!this.includes("RequestResponse")) return undefined;
    return (object.kind === definition.kind ? wireObject(definition, object) : object) as JsonValue;
  }
}
