// MutatingAdmissionWebhook: asks other servers, one after the other, what to change in a request.

import { semanticDeepEqual } from "#cluster/api/equality.ts";
import { internalError } from "#cluster/api/errors.ts";
import type { JsonValue, KubeObject } from "#cluster/api/objects.ts";
import { PatchError } from "#cluster/api/patch/directives.ts";
import { applyJsonPatch } from "#cluster/api/patch/json-patch.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";
import { decodeTyped } from "../../decoding.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "../chain.ts";
import { converted, inVersion } from "./matching.ts";
import { judge, relevantCall, type WebhookWorld, webhooksOf } from "./webhooks.ts";

const pluginName = "MutatingAdmissionWebhook";

export function mutatingWebhook(world: WebhookWorld): Required<Pick<AdmissionPlugin, "mutate" | "validate">> {
  const configurations = world.store.table("mutatingwebhookconfigurations.admissionregistration.k8s.io");
  return {
    mutate(attributes) {
      const { reinvocation } = attributes;
      const invocations = reinvocation.of(pluginName);
      invocations.begin(reinvocation.isSecond, attributes.object);
      let { object } = attributes;
      for (const { id, webhook } of webhooksOf(configurations)) {
        const current: AdmissionAttributes = { ...attributes, object };
        const call = relevantCall(world, reinvocation.isSecond ? "mutate again" : "mutate", id, webhook, current);
        if (call === undefined || (reinvocation.isSecond && !invocations.isDue(id))) continue;
        const answer = world.webhooks.answerTo(current, call);
        if (answer === undefined) throw world.webhooks.ask(current, [call]);
        const patch = judge(answer, call, true, current);
        const changed = patch.length === 0 ? object : patched(current, call.target, patch);
        if (!semanticDeepEqual(changed, object)) {
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
      for (const { id, webhook } of webhooksOf(configurations)) {
        const call = relevantCall(world, "mutate", id, webhook, attributes);
        if (call === undefined) continue;
        const answer = world.webhooks.answerTo(attributes, call);
        if (answer === undefined) throw world.webhooks.ask(attributes, [call]);
        if (judge(answer, call, true, attributes).length === 0) continue;
        const name = JSON.stringify(webhook.name);
        throw internalError(`admission webhook ${name} attempted to modify the object, which is not supported for this operation`);
      }
    },
  };
}

function patched({ definition, object }: AdmissionAttributes, target: ResourceDefinition, patch: readonly JsonValue[]): KubeObject {
  try {
    const result = applyJsonPatch(inVersion(object, definition, target, "request") as JsonValue, patch);
    const decoded = decodeTyped(target, result, internalError).object;
    return converted(target.defaults?.(decoded) ?? decoded, target, definition);
  } catch (error) {
    if (error instanceof PatchError) throw internalError(error.message);
    throw error;
  }
}
