// All that `late-volumes.ts` stands for.

export { deepMounts } from "./deep-mounts.ts";
export { boundVolume, checkMode, persistentRoot } from "./persistent-volumes.ts";
export { expiredToken, hostPathFault, makingFault, sourceFault, waitMessage } from "./volume-faults.ts";
