// MutatingAdmissionWebhook: asks other servers, one after the other, what to change in a request.

import { semanticDeepEqual } from "#cluster/api/equality.ts";
import { internalError } from "#cluster/api/errors.ts";
import { writeCompactJson } from "#cluster/api/json-write.ts";
import type { JsonValue, KubeObject } from "#cluster/api/objects.ts";
import { PatchError } from "#cluster/api/patch/directives.ts";
import { applyJsonPatch } from "#cluster/api/patch/json-patch.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";
import type { AuditEntry } from "../../audit-entry.ts";
import { decodeTyped } from "../../decoding.ts";
import { escapedJson } from "../../http/writing.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "../chain.ts";
import { converted, inVersion } from "./matching.ts";
import { judge, notePrefix, relevantCall, type Turn, type WebhookWorld, webhooksOf } from "./webhooks.ts";

const pluginName = "MutatingAdmissionWebhook";

export function mutatingWebhook(world: WebhookWorld): Required<Pick<AdmissionPlugin, "mutate" | "validate">> {
  const configurations = world.store.table("mutatingwebhookconfigurations.admissionregistration.k8s.io");
  return {
    mutate(attributes) {
      const { reinvocation } = attributes;
      const invocations = reinvocation.of(pluginName);
      invocations.begin(reinvocation.isSecond, attributes.object);
      let { object } = attributes;
      for (const { id, webhook, configuration, index } of webhooksOf(configurations)) {
        const current: AdmissionAttributes = { ...attributes, object };
        const call = relevantCall(world, reinvocation.isSecond ? "mutate again" : "mutate", id, webhook, current);
        if (call === undefined || (reinvocation.isSecond && !invocations.isDue(id))) continue;
        const answer = world.webhooks.calls().answerTo(current, call);
        if (answer === undefined) throw world.webhooks.calls().ask(current, [call]);
        const notes = new Notes(
          attributes,
          `round_${reinvocation.isSecond ? 1 : 0}_index_${index}`,
          configuration,
          webhook.name,
          world.log,
        );
        const changed = notes.around(() => {
          const patch = judge(answer, call, notes, current);
          if (patch.length === 0) return object;
          const result = patched(current, call.target, patch);
          notes.patched(patch, !semanticDeepEqual(result, object));
          return result;
        });
        if (notes.isMutated) {
          invocations.requireAll();
          reinvocation.isWanted = true;
        }
        object = changed;
        if (webhook.reinvocationPolicy === "IfNeeded") invocations.invoked(id);
      }
      invocations.end(object);
      return object;
    },
    /** Deletions have nothing to change, but mutating webhooks may refuse them. */
    validate(attributes) {
      if (attributes.operation !== "DELETE") return;
      for (const { id, webhook, configuration, index } of webhooksOf(configurations)) {
        const call = relevantCall(world, "mutate", id, webhook, attributes);
        if (call === undefined) continue;
        const answer = world.webhooks.calls().answerTo(attributes, call);
        if (answer === undefined) throw world.webhooks.calls().ask(attributes, [call]);
        const notes = new Notes(attributes, `round_0_index_${index}`, configuration, webhook.name, world.log);
        if (notes.around(() => judge(answer, call, notes, attributes)).length === 0) continue;
        const name = JSON.stringify(webhook.name);
        throw internalError(`admission webhook ${name} attempted to modify the object, which is not supported for this operation`);
      }
    },
  };
}

/** What audit events tell of one webhook's turn. */
class Notes implements Turn {
  readonly isMutating = true;
  readonly place: string;
  readonly log: Turn["log"];
  isMutated = false;
  readonly #audit: AuditEntry | undefined;
  readonly #names: { readonly configuration: string; readonly webhook: string };

  constructor({ audit }: AdmissionAttributes, place: string, configuration: string, webhook: string, log: Turn["log"]) {
    this.#audit = audit;
    this.log = log;
    this.place = place;
    this.#names = { configuration, webhook };
  }

  /** Also where it refuses, it is noted that it was asked. */
  around<T>(act: () => T): T {
    try {
      return act();
    } finally {
      const { isMutated: mutated } = this;
      this.#audit?.annotate(`mutation.${notePrefix}${this.place}`, escapedJson({ ...this.#names, mutated }, false));
    }
  }

  patched(patch: readonly JsonValue[], isMutated: boolean): void {
    this.isMutated = isMutated;
    if (this.#audit === undefined) return;
    const { configuration, webhook } = this.#names;
    const [names, operations] = [escapedJson({ configuration, webhook }, false).slice(0, -1), writeCompactJson(patch)];
    const text = `${names},"patch":${operations},"patchType":"JSONPatch"}`;
    this.#audit.annotate(`patch.${notePrefix}${this.place}`, text, "Request");
  }
}

function patched(attributes: AdmissionAttributes, target: ResourceDefinition, patch: readonly JsonValue[]): KubeObject {
  const { definition, object } = attributes;
  try {
    const result = applyJsonPatch(inVersion(object, attributes, target, "request") as JsonValue, patch);
    const decoded = decodeTyped(target, result, internalError).object;
    return converted(target.defaults?.(decoded) ?? decoded, target, definition, attributes.answers);
  } catch (error) {
    if (error instanceof PatchError) throw internalError(error.message);
    throw error;
  }
}
