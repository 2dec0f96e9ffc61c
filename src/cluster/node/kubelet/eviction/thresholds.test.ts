import { describe, expect, it } from "vitest";
import { type EvictionConfiguration, evictionPolicyOf } from "./thresholds.ts";

/** `signal<amount` of each, with the grace of soft ones and what more is wanted. */
function told(configuration: EvictionConfiguration): readonly string[] {
  const amount = (value: object) => Object.values(value).map((number: number) => String(Number(number.toPrecision(7))))[0];
  return evictionPolicyOf(configuration).thresholds.map(
    ({ signal, value, graceMs, minimumReclaim }) =>
      `${signal}<${amount(value)}${graceMs === 0 ? "" : ` ${graceMs}ms`}${minimumReclaim === undefined ? "" : ` +${amount(minimumReclaim)}`}`,
  );
}

const usual = [
  "memory.available<104857600",
  "allocatableMemory.available<104857600",
  "nodefs.available<0.1",
  "nodefs.inodesFree<0.05",
  "imagefs.available<0.15",
  "imagefs.inodesFree<0.05",
];

describe("thresholds", () => {
  it.each<[string, EvictionConfiguration, readonly string[]]>([
    ["[POD-501] are the usual ones", {}, usual],
    ["[POD-502] only own ones where there is one", { evictionHard: { "pid.available": "5%" } }, ["pid.available<0.05"]],
    [
      "[POD-502] the usual ones too with mergeDefaultEvictionSettings",
      { evictionHard: { "memory.available": "1Gi", "pid.available": "10" }, mergeDefaultEvictionSettings: true },
      ["memory.available<1073742000", "allocatableMemory.available<1073742000", ...usual.slice(2), "pid.available<10"],
    ],
    ["are off at 0% and 100%", { evictionHard: { "nodefs.available": "0%", "imagefs.available": "100%" } }, []],
    ["[POD-500] of containerfs are those of nodefs, whatever is said", { evictionHard: { "containerfs.available": "50%" } }, []],
    [
      "soft and with a minimum reclaim",
      {
        evictionHard: { "nodefs.available": "1Gi" },
        evictionSoft: { "nodefs.available": "2Gi" },
        evictionSoftGracePeriod: { "nodefs.available": "1m" },
        evictionMinimumReclaim: { "nodefs.available": "5%" },
      },
      ["nodefs.available<1073742000 +0.05", "nodefs.available<2147484000 60000ms +0.05"],
    ],
  ])("%s", (_title, configuration, expected) => {
    expect(told(configuration)).toEqual(expected);
  });

  it.each<[EvictionConfiguration, string]>([
    [
      { evictionSoft: { "memory.available": "1Gi" } },
      "grace period must be specified for the soft eviction threshold memory.available",
    ],
    [{ evictionHard: { "disk.available": "1Gi" } }, "unsupported eviction signal disk.available"],
    [{ evictionHard: { "memory.available": "-1Gi" } }, "eviction threshold memory.available must be positive: -1Gi"],
    [{ evictionHard: { "nodefs.available": "120%" } }, "eviction percentage threshold nodefs.available must be <= 100%: 120%"],
    [
      { evictionMinimumReclaim: { "nodefs.available": "0%" } },
      "eviction percentage minimum reclaim nodefs.available must be positive: 0%",
    ],
  ])("[POD-503] that are none keep the kubelet from starting: %j", (configuration, message) => {
    expect(() => evictionPolicyOf(configuration)).toThrow(message);
  });
});
