// What the simulated cloud makes of a machine: its instance ID, type and place. A cluster is told before the learner comes.

import type { CloudInstance } from "./node-marks.ts";

export const providerName = "sim";
export const region = "region-1";
const gibibyte = 1024 ** 3;

export interface InstanceSize {
  readonly address: string;
  readonly cpus: number;
  readonly memoryBytes: number;
  readonly zone: string;
}

/** `i-0a12ac03` of 172.18.0.3: made of its address, so that a world with the same machines has the same IDs. */
export function instanceId(address: string): string {
  const bytes = address.split(".").map(Number);
  return `i-${[...bytes]
    .reverse()
    .map((byte, index) => ((byte ^ (0x5a + 0x21 * index)) & 255).toString(16).padStart(2, "0"))
    .join("")}`;
}

export function instanceOf({ address, cpus, memoryBytes, zone }: InstanceSize): CloudInstance {
  return {
    providerId: `${providerName}:///${zone}/${instanceId(address)}`,
    instanceType: `sim-${cpus}-${Math.round(memoryBytes / gibibyte)}`,
    zone,
    region,
  };
}
