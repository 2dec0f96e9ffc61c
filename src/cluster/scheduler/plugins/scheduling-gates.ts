import { type Plugin, rejection } from "../framework.ts";

/** Pods with scheduling gates wait outside of the queue until the last gate is removed. */
export const schedulingGates: Plugin = {
  name: "SchedulingGates",
  preEnqueue(pod) {
    const gates = pod.spec?.schedulingGates ?? [];
    if (gates.length === 0) return undefined;
    const names = gates.map((gate) => gate.name).join(" ");
    return rejection("SchedulingGates", `waiting for scheduling gates: [${names}]`, true);
  },
};
