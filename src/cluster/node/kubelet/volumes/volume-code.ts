// All that `late-volumes.ts` stands for.

export { deepMounts } from "./deep-mounts.ts";
export { boundVolume, checkMode, persistentRoot } from "./persistent-volumes.ts";
export { hostPathFault, makingFault, sourceFault, tokenFault, waitMessage } from "./volume-faults.ts";
