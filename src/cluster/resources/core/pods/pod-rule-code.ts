// All that `late-pod-rules.ts` stands for.

export { unsimulatedWarnings } from "../../unsimulated.ts";
export { keyPairWarnings } from "../data/key-pair-warnings.ts";
export * as disks from "../volumes/volume-disk-validation.ts";
export { validateProfiles, validateRuledAnnotations } from "./pod-annotation-rules.ts";
export { prepareEphemeralContainers, validateEphemeralContainersUpdate } from "./pod-ephemeral.ts";
export { internalForm } from "./pod-internal-form.ts";
export { prepareResize, validateResizeUpdate } from "./pod-resize.ts";
export { validatePodUpdate } from "./pod-update-validation.ts";
export { podSpecWarnings, podWarnings } from "./pod-warnings.ts";
export { validateHostProcesses, validateOs, validateWindowsOptions } from "./pod-windows-validation.ts";
