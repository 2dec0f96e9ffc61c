// All that `late-custom-resources.ts` stands for.

export { validateCrd, validateCrdUpdate, validateStatus } from "./crd-validation.ts";
export { customResource } from "./custom-resource.ts";
export { formatWarnings } from "./format-warnings.ts";
