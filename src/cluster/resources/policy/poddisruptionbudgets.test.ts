import { describe, expect, it } from "vitest";
import { createFaults, type Draft, shown, statusFaults } from "../strategy.test-kit.ts";
import { podDisruptionBudgets } from "./poddisruptionbudgets.ts";

const draft = (spec: object): Draft => ({ spec });
const percent =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

describe("PodDisruptionBudgets", () => {
  it.each<[string, object, readonly string[]]>([
    ["a number", { minAvailable: 2, selector: {} }, []],
    ["a share", { maxUnavailable: "30%" }, []],
    [
      "[POD-374] both, as Go prints them",
      { minAvailable: 1, maxUnavailable: "50%", selector: { matchLabels: { app: "zk" } } },
      [
        'spec: Invalid value: {"MinAvailable":1,"Selector":{"matchLabels":{"app":"zk"}},"MaxUnavailable":"50%","UnhealthyPodEvictionPolicy":null}: minAvailable and maxUnavailable cannot be both set',
      ],
    ],
    ["less than nothing", { minAvailable: -1 }, ["spec.minAvailable: Invalid value: -1: must be greater than or equal to 0"]],
    ["more than all", { maxUnavailable: "101%" }, ['spec.maxUnavailable: Invalid value: "101%": must not be greater than 100%']],
    ["a share that is none", { maxUnavailable: "half" }, [`spec.maxUnavailable: Invalid value: "half": ${percent}`]],
    [
      "a selector and a policy that nobody can read",
      { minAvailable: 1, selector: { matchLabels: { "a b": "c d" } }, unhealthyPodEvictionPolicy: "Never" },
      [
        "spec.selector.matchLabels: Invalid value: \"a b\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
        "spec.selector.matchLabels: Invalid value: \"c d\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
        'spec.unhealthyPodEvictionPolicy: Unsupported value: "Never": supported values: "AlwaysAllow", "IfHealthyBudget"',
      ],
    ],
  ])("with %s", (_title, spec, faults) => {
    expect(createFaults(podDisruptionBudgets, draft(spec))).toEqual(faults);
  });

  it("have a status with conditions that are complete", () => {
    const condition = {
      type: "DisruptionAllowed",
      status: "True",
      reason: "SufficientPods",
      message: "",
      lastTransitionTime: "2026-01-01T00:00:00Z",
    };
    const counts = { currentHealthy: 1, desiredHealthy: 1, expectedPods: 1, disruptionsAllowed: 0 };
    expect(statusFaults(podDisruptionBudgets, draft({}), { ...counts, conditions: [condition] })).toEqual([]);
    const bad = { type: "DisruptionAllowed", status: "Maybe", reason: "not a reason", observedGeneration: -1 };
    expect(
      statusFaults(podDisruptionBudgets, draft({}), { ...counts, disruptionsAllowed: -1, conditions: [condition, bad] }),
    ).toEqual([
      'status.conditions[1].type: Duplicate value: "DisruptionAllowed"',
      'status.conditions[1].status: Unsupported value: "Maybe": supported values: "False", "True", "Unknown"',
      "status.conditions[1].observedGeneration: Invalid value: -1: must be greater than or equal to zero",
      "status.conditions[1].lastTransitionTime: Required value",
      "status.conditions[1].reason: Invalid value: \"not a reason\": a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')",
      "status.disruptionsAllowed: Invalid value: -1: must be greater than or equal to 0",
    ]);
  });

  it("[POD-375] show what must be there, and what may go", () => {
    expect(shown(podDisruptionBudgets, { spec: { maxUnavailable: "30%" }, status: { disruptionsAllowed: 1 } })).toEqual([
      ["NAME", "web"],
      ["MIN AVAILABLE", "N/A"],
      ["MAX UNAVAILABLE", "30%"],
      ["ALLOWED DISRUPTIONS", 1],
      ["AGE", "10m"],
    ]);
  });
});
