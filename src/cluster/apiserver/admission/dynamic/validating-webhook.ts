// ValidatingAdmissionWebhook: asks other servers, all at the same time, whether a request may pass.

import { ApiError } from "#cluster/api/errors.ts";
import type { AdmissionPlugin } from "../chain.ts";
import { judge, type RelevantCall, relevantCall, type WebhookWorld, webhooksOf } from "./webhooks.ts";

export function validatingWebhook(world: WebhookWorld): Required<Pick<AdmissionPlugin, "validate">> {
  const configurations = world.store.table("validatingwebhookconfigurations.admissionregistration.k8s.io");
  return {
    validate(attributes) {
      const calls: RelevantCall[] = [];
      for (const { id, webhook } of webhooksOf(configurations)) {
        const call = relevantCall(world, "validate", id, webhook, attributes);
        if (call !== undefined) calls.push(call);
      }
      const answered = calls.map((call) => ({ call, answer: world.webhooks.calls().answerTo(attributes, call) }));
      const missing = answered.filter(({ answer }) => answer === undefined).map(({ call }) => call);
      if (missing.length > 0) throw world.webhooks.calls().ask(attributes, missing);
      let refusal: ApiError | undefined;
      for (const [index, { call, answer }] of answered.entries()) {
        try {
          if (answer !== undefined)
            judge(answer, call, { isMutating: false, place: `round_0_index_${index}`, log: world.log }, attributes);
        } catch (error) {
          // The others have been asked too: their warnings count.
          if (!(error instanceof ApiError)) throw error;
          refusal ??= error;
        }
      }
      if (refusal !== undefined) throw refusal;
    },
  };
}
