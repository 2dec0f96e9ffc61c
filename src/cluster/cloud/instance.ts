// What the simulated cloud makes of a machine: its instance ID, type and place. A cluster is told before the learner comes.

import { parseAddress } from "../network/addresses.ts";
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

/** `i-ac120003` of 172.18.0.3: made of its address, so that a world with the same machines has the same IDs. */
export function instanceId(address: string): string {
  return `i-${parseAddress(address).toString(16)}`;
}

export function instanceOf({ address, cpus, memoryBytes, zone }: InstanceSize): CloudInstance {
  return {
    providerId: `${providerName}:///${zone}/${instanceId(address)}`,
    instanceType: `sim-${cpus}-${Math.round(memoryBytes / gibibyte)}`,
    zone,
    region,
  };
}
