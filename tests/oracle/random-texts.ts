// Texts that are read as quantities, times or base64, put together at random, most of them with a fault; each in an object.

import type { JsonObject } from "#cluster/api/wire.ts";
import type { Random } from "#sim/random.ts";

const ofEach = 1500;

/** Each text is one of the first choices, one of the second and so on. */
const spellings: readonly {
  readonly choices: readonly (readonly string[])[];
  readonly objectWith: (text: string) => JsonObject;
}[] = [
  {
    choices: [
      ["", "", "", "-", "+", " "],
      ["", "0", "1", "007", "12", "999", "1024", "1048576", "123456789012345678901"],
      ["", "", ".", ".5", ".001", ".0000000001", ".999999999"],
      ["", "m", "n", "u", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "e3", "E2", "e-3", "e", "K", "i", "x"],
    ],
    objectWith: (cpu) => ({ apiVersion: "v1", kind: "ResourceQuota", spec: { hard: { cpu } } }),
  },
  {
    choices: [
      ["2026", "1969", "0001", "26", ""],
      ["-02", "-12", "-13", "-2", "/02"],
      ["-28", "-29", "-31", "-00", ""],
      ["T10:20", "T23:59", "T24:00", "t10:20", " 10:20"],
      [":00", ":59", ":60", ":01.5", ":01.123456789", ""],
      ["Z", "Z", "+02:00", "-23:59", "+24:00", "+0200", "z", "", "Zx"],
    ],
    objectWith: (deletionTimestamp) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { deletionTimestamp } }),
  },
  {
    choices: [
      ["2026-02-03T04:05", "2026-02-30T04:05"],
      [":06", ":06.1", ":06.123456", ":06.1234567", ":06,5", ":6"],
      ["Z", "+01:00", "-01:30", ""],
    ],
    objectWith: (renewTime) => ({ apiVersion: "coordination.k8s.io/v1", kind: "Lease", spec: { renewTime } }),
  },
  {
    choices: [
      ["", "YWJj", "YWJjZA==", "\n"],
      ["", "Y", "YW", "YWI", "*", "="],
      ["", "=", "==", "===", "\r\n", "-_"],
      ["", "\n", "YWJj", "="],
    ],
    objectWith: (key) => ({ apiVersion: "v1", kind: "Secret", data: { key } }),
  },
];

export function objectsWithTexts(random: Random): readonly JsonObject[] {
  return spellings.flatMap(({ choices, objectWith }) =>
    Array.from({ length: ofEach }, () => objectWith(choices.map((parts) => parts[random.below(parts.length)]).join(""))),
  );
}
