import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { V2HorizontalPodAutoscalerBehavior, V2HPAScalingPolicy } from "#cluster/api/generated/types.ts";
import { type Limited, limited, ScalingHistory } from "./scaling-limits.ts";

const minuteMs = 60_000;

/** Passes at their seconds, each with what the metrics ask for; what was set after each. */
function play(
  behavior: V2HorizontalPodAutoscalerBehavior | undefined,
  passes: readonly (readonly [second: number, desired: number])[],
  { start = 4, least = 1, most = 100 } = {},
): readonly Limited[] {
  const history = new ScalingHistory();
  let current = start;
  return passes.map(([second, desired]) => {
    const nowMs = second * 1000;
    history.begin(current, nowMs);
    const result = limited(history, { current, desired, least, most, nowMs, downscaleStabilizationMs: 5 * minuteMs }, behavior);
    if (behavior !== undefined && result.replicas !== current) history.scaled(current, result.replicas, nowMs, behavior);
    current = result.replicas;
    return result;
  });
}

const numbers = (results: readonly Limited[]) => results.map(({ replicas }) => replicas);

const usualUp = {
  stabilizationWindowSeconds: 0,
  selectPolicy: "Max",
  policies: [
    { type: "Pods", value: 4, periodSeconds: 15 },
    { type: "Percent", value: 100, periodSeconds: 15 },
  ],
};
const usualDown = { selectPolicy: "Max", policies: [{ type: "Percent", value: 100, periodSeconds: 15 }] };
const rules = (more: Partial<V2HorizontalPodAutoscalerBehavior>) => ({ scaleUp: usualUp, scaleDown: usualDown, ...more });

describe("without rules", () => {
  it("[WRK-159] goes up to twice as many, or four, a pass", () => {
    const results = play(
      undefined,
      [
        [0, 90],
        [15, 90],
        [30, 90],
        [45, 90],
        [60, 90],
      ],
      { start: 1 },
    );
    expect(numbers(results)).toEqual([4, 8, 16, 32, 64]);
    expect(results[0]).toMatchObject({ isLimited: true, limit: { reason: "ScaleUpLimit" }, able: { reason: "ReadyForNewScale" } });
  });

  it("[WRK-159] stays at the highest wish of the last five minutes on the way down", () => {
    const results = play(
      undefined,
      [
        [0, 8],
        [15, 2],
        [150, 3],
        [299, 2],
        [300, 2],
        [301, 2],
        [451, 2],
      ],
      { start: 4 },
    );
    expect(numbers(results)).toEqual([8, 8, 8, 8, 8, 3, 2]);
    expect(results[1]?.able).toEqual({
      reason: "ScaleDownStabilized",
      message: "recent recommendations were higher than current one, applying the highest recent recommendation",
    });
    expect(results[5]?.able.reason).toBe("ScaleDownStabilized");
    expect(results[6]?.able).toEqual({ reason: "ReadyForNewScale", message: "recommended size matches current size" });
  });

  it.each([
    [
      "[WRK-158] not above the most",
      4,
      9,
      {
        replicas: 6,
        limit: { reason: "TooManyReplicas", message: "the desired replica count is more than the maximum replica count" },
      },
    ],
    [
      "[WRK-158] not below the least",
      0,
      9,
      {
        replicas: 2,
        limit: { reason: "TooFewReplicas", message: "the desired replica count is less than the minimum replica count" },
      },
    ],
  ])("%s", (_title, from, desired, expected) => {
    const [result] = play(undefined, [[0, from === 0 ? 0 : desired]], { start: from === 0 ? 0 : 4, least: 2, most: 6 });
    expect(result).toMatchObject({ isLimited: true, ...expected });
  });
});

describe("with rules", () => {
  it("[WRK-159] the usual ones are four Pods or as many again, whichever is more", () => {
    expect(
      numbers(
        play(
          rules({}),
          [
            [0, 90],
            [15, 90],
            [30, 90],
            [45, 90],
          ],
          { start: 1 },
        ),
      ),
    ).toEqual([5, 10, 20, 40]);
  });

  it("allow so many in a period, counted from what there was at its beginning", () => {
    const scaleUp = { ...usualUp, policies: [{ type: "Pods", value: 2, periodSeconds: 60 }] };
    const results = play(
      rules({ scaleUp }),
      [
        [0, 9],
        [15, 9],
        [45, 9],
        [60, 9],
        [75, 9],
        [120, 9],
      ],
      { start: 1 },
    );
    expect(numbers(results)).toEqual([3, 3, 3, 5, 5, 7]);
    expect(results[1]).toMatchObject({ isLimited: true, limit: { reason: "ScaleUpLimit" } });
  });

  it("go down by so many a minute", () => {
    const scaleDown = {
      stabilizationWindowSeconds: 0,
      selectPolicy: "Max",
      policies: [{ type: "Pods", value: 1, periodSeconds: 60 }],
    };
    const results = play(
      rules({ scaleDown }),
      [
        [0, 1],
        [15, 1],
        [60, 1],
        [120, 1],
      ],
      { start: 4 },
    );
    expect(numbers(results)).toEqual([3, 3, 2, 1]);
    expect(results[0]?.limit).toEqual({
      reason: "ScaleDownLimit",
      message: "the desired replica count is decreasing faster than the maximum scale rate",
    });
  });

  it("take the smallest change with selectPolicy Min", () => {
    const policies = [
      { type: "Pods", value: 4, periodSeconds: 15 },
      { type: "Percent", value: 10, periodSeconds: 15 },
    ];
    const scaleUp = { stabilizationWindowSeconds: 0, selectPolicy: "Min", policies };
    const scaleDown = { stabilizationWindowSeconds: 0, selectPolicy: "Min", policies };
    expect(numbers(play(rules({ scaleUp }), [[0, 90]], { start: 15 }))).toEqual([17]);
    expect(numbers(play(rules({ scaleDown }), [[0, 1]], { start: 15 }))).toEqual([13]);
  });

  it.each(["scaleUp", "scaleDown"] as const)("switch a direction off with selectPolicy Disabled: %s", (direction) => {
    const rule = { ...usualUp, stabilizationWindowSeconds: 0, selectPolicy: "Disabled" };
    const [result] = play(rules({ [direction]: rule }), [[0, direction === "scaleUp" ? 9 : 1]], { start: 4 });
    expect(result).toMatchObject({
      replicas: 4,
      isLimited: true,
      limit: { reason: direction === "scaleUp" ? "ScaleUpLimit" : "ScaleDownLimit" },
    });
  });

  it("wait with going up for the lowest wish of the window", () => {
    const scaleUp = { ...usualUp, stabilizationWindowSeconds: 60 };
    const results = play(
      rules({ scaleUp }),
      [
        [0, 4],
        [15, 8],
        [30, 6],
        [45, 8],
        [61, 8],
        [91, 8],
      ],
      { start: 4 },
    );
    expect(numbers(results)).toEqual([4, 4, 4, 4, 6, 8]);
    expect(results[1]?.able).toEqual({
      reason: "ScaleUpStabilized",
      message: "recent recommendations were lower than current one, applying the lowest recent recommendation",
    });
  });

  it("wait with going down as the controller's flag says where they say nothing", () => {
    expect(
      numbers(
        play(
          rules({}),
          [
            [0, 4],
            [15, 1],
            [299, 1],
            [300, 1],
          ],
          { start: 4 },
        ),
      ),
    ).toEqual([4, 4, 4, 1]);
  });
});

describe("laws of the limits", () => {
  const somePolicy: fc.Arbitrary<V2HPAScalingPolicy> = fc.record({
    type: fc.constantFrom("Pods", "Percent"),
    value: fc.integer({ min: 1, max: 200 }),
    periodSeconds: fc.integer({ min: 1, max: 300 }),
  });
  const someRule = fc.record({
    stabilizationWindowSeconds: fc.integer({ min: 0, max: 600 }),
    selectPolicy: fc.constantFrom("Max", "Min", "Disabled"),
    policies: fc.array(somePolicy, { minLength: 1, maxLength: 3 }),
  });
  const someBehavior = fc.option(fc.record({ scaleUp: someRule, scaleDown: someRule }), { nil: undefined });
  const someWishes = fc.array(fc.nat(60), { minLength: 1, maxLength: 60 });

  it("[WRK-158] whatever is wished and ruled, the number stays within the bounds", () => {
    fc.assert(
      fc.property(someBehavior, someWishes, (behavior, wishes) => {
        const passes = wishes.map((wish, index) => [index * 15, wish] as const);
        for (const replicas of numbers(play(behavior, passes, { start: 5, least: 3, most: 20 }))) {
          expect(replicas).toBeGreaterThanOrEqual(3);
          expect(replicas).toBeLessThanOrEqual(20);
        }
      }),
    );
  });

  it("a constant wish within the bounds is reached, by steps in its direction only", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 100 }), (start, wish) => {
        const passes = Array.from({ length: 60 }, (_, index) => [index * 15, wish] as const);
        const steps = [start, ...numbers(play(undefined, passes, { start }))];
        expect(steps.at(-1)).toBe(wish);
        for (const [index, step] of steps.entries()) {
          const before = steps[index - 1] ?? step;
          expect(Math.sign(step - before) * Math.sign(wish - start)).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });

  it("what is wished least in five minutes is the least that is set", () => {
    fc.assert(
      fc.property(someWishes, (wishes) => {
        const passes = wishes.map((wish, index) => [index * 15, wish] as const);
        for (const [index, replicas] of numbers(play(undefined, passes, { start: 5, least: 0 })).entries()) {
          const before = numbers(play(undefined, passes.slice(0, index), { start: 5, least: 0 })).at(-1) ?? 5;
          if (replicas < before)
            expect(replicas).toBeGreaterThanOrEqual(Math.max(...wishes.slice(Math.max(0, index - 19), index + 1)));
        }
      }),
    );
  });
});
