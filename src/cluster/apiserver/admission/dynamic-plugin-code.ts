// All that `dynamic-plugins.ts` stands for.

export { converterOf } from "../custom-resources/conversion.ts";
export { ConvertedEvents, convertEvents, requireForms } from "../custom-resources/converted-events.ts";
export { growthFault } from "./built-in/claim-growth.ts";
export { limitFindings, withLimitDefaults } from "./built-in/limit-rules.ts";
export { quotaCharges } from "./built-in/quota-charges.ts";
export { mutatingPolicy } from "./dynamic/mutating-policy.ts";
export { mutatingWebhook } from "./dynamic/mutating-webhook.ts";
export { validatingPolicy } from "./dynamic/validating-policy.ts";
export { validatingWebhook } from "./dynamic/validating-webhook.ts";
export { WebhookCalls } from "./dynamic/webhook-calls.ts";
export { existingPodWarnings, validatePod, warnOfTemplate } from "./pod-security/pod-security-review.ts";
