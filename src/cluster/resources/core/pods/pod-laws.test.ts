// What holds of all pods: complete ones stay as they are, and nothing that is missing or empty makes a check fail.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { semanticDeepEqual } from "#cluster/api/equality.ts";
import type { Pod } from "#cluster/api/generated/types.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import { FieldErrors } from "../../field-errors.ts";
import { testFacts } from "../../strategy.test-kit.ts";
import { fullPod } from "./full-pod.test-kit.ts";
import { pods } from "./pods.ts";

type StoredPod = KubeObject & Pod;
type Json = { [key: string]: unknown };

function textsOf(check: (errors: FieldErrors) => void): readonly string[] {
  const errors = new FieldErrors();
  check(errors);
  return errors.causes.map(({ field, message }) => `${field}: ${message}`);
}

/** The places of all values in it. */
function placesIn(value: unknown, place: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [place];
  return [place, ...Object.entries(value).flatMap(([key, part]) => placesIn(part, [...place, key]))];
}

/** A copy with the value at a place missing, or of nothing. */
function without(pod: StoredPod, place: readonly string[], isEmptied: boolean): StoredPod {
  const copy = structuredClone(pod) as Json;
  let holder = copy;
  for (const key of place.slice(0, -1)) {
    const next = holder[key];
    if (typeof next !== "object" || next === null) return pod;
    holder = next as Json;
  }
  const key = place.at(-1) as string;
  const value = holder[key];
  if (value === undefined) return pod;
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else if (!isEmptied) delete holder[key];
  else if (typeof value === "string") holder[key] = "";
  else if (typeof value === "number") holder[key] = 0;
  else if (typeof value === "boolean") holder[key] = !value;
  else holder[key] = Array.isArray(value) ? [] : {};
  return copy as StoredPod;
}

const places = placesIn({ spec: fullPod.spec }).filter((place) => place.length > 1);
const changes = fc.array(fc.tuple(fc.constantFrom(...places), fc.boolean()), { minLength: 1, maxLength: 4 });

describe("laws of pods", () => {
  it("a full pod is valid, complete, and may stay as it is", () => {
    expect(textsOf((errors) => pods.validate?.(fullPod, errors))).toEqual([]);
    expect(pods.defaults?.(fullPod)).toBe(fullPod);
    expect(textsOf((errors) => pods.validateUpdate?.(fullPod, fullPod, errors))).toEqual([]);
  });

  it("whatever is missing or empty is refused or let pass, in creations and in updates", () => {
    const { ephemeralcontainers, resize } = pods.subresourceValidators ?? {};
    fc.assert(
      fc.property(changes, (parts) => {
        const changed = parts.reduce((pod, [place, isEmptied]) => without(pod, place, isEmptied), fullPod);
        const complete = pods.defaults?.(changed) ?? changed;
        expect(pods.defaults?.(complete)).toBe(complete);
        const refusals = textsOf((errors) => pods.validate?.(complete, errors));
        if (refusals.length === 0) pods.warnings?.(complete, undefined);
        for (const [pod, old] of [
          [complete, fullPod],
          [fullPod, complete],
        ] as const) {
          const prepared = pods.prepareForUpdate?.(pod, old) ?? pod;
          textsOf((errors) => pods.validateUpdate?.(prepared, old, errors));
          for (const [name, check] of [
            ["ephemeralcontainers", ephemeralcontainers],
            ["resize", resize],
          ] as const) {
            const own = pods.subresourceStrategies?.[name]?.(pod, old, testFacts) ?? pod;
            textsOf((errors) => check?.(own, old, errors));
          }
        }
      }),
      { numRuns: 100 },
    );
  });

  it("what an update may not change is named when it is changed", () => {
    fc.assert(
      fc.property(fc.constantFrom(...places), (place) => {
        const changed = without(fullPod, place, false);
        const complete = pods.defaults?.(changed) ?? changed;
        const isFree =
          /^spec,(initContainers,\d+|containers,\d+),image$|^spec,(activeDeadlineSeconds|schedulingGates|affinity,nodeAffinity,preferred|tolerations,\d+,tolerationSeconds)/.test(
            place.join(),
          );
        const refusals = textsOf((errors) => pods.validateUpdate?.(complete, fullPod, errors));
        if (!isFree && !semanticDeepEqual(complete.spec, fullPod.spec)) expect(refusals).not.toEqual([]);
      }),
    );
  });
});
