// All that `dynamic-plugins.ts` stands for.

export { mutatingPolicy } from "./mutating-policy.ts";
export { mutatingWebhook } from "./mutating-webhook.ts";
export { detailText, podView, reasonText, violationsOf } from "./pod-security-checks.ts";
export { validatingPolicy } from "./validating-policy.ts";
export { validatingWebhook } from "./validating-webhook.ts";
