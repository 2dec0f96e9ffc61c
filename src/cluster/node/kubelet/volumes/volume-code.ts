// All that `late-volumes.ts` stands for.

export { boundVolume, checkMode, persistentRoot } from "./persistent-volumes.ts";
export { hostPathFault, makingFault, sourceFault, waitMessage } from "./volume-faults.ts";
