import { describe, expect, it } from "vitest";
import type { JsonValue } from "#cluster/api/objects.ts";
import { createFaults, rowOf, statusFaults, updateFaults } from "../../strategy.test-kit.ts";
import { limitRanges } from "./limitranges.ts";
import { resourceQuotas } from "./resourcequotas.ts";

type Fields = { readonly [field: string]: JsonValue };

const quota = (spec: Fields): Fields => ({ spec });
const scoped = (requirement: Fields): Fields => quota({ hard: { pods: "1" }, scopeSelector: { matchExpressions: [requirement] } });
const selector = "spec.scopeSelector.matchExpressions";
const onlyExists =
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";

const quotaCases: readonly (readonly [string, Fields, readonly string[]])[] = [
  [
    "amounts of what there is",
    quota({ hard: { "requests.cpu": "500m", "count/jobs.batch": "3", "requests.example.com/gpu": "1" } }),
    [],
  ],
  [
    "amounts of what does not exist",
    quota({ hard: { beer: "1", "a b": "1" } }),
    [
      'spec.hard[beer]: Invalid value: "beer": must be a standard resource type or fully qualified',
      'spec.hard[beer]: Invalid value: "beer": must be a standard resource for quota',
      `spec.hard[a b]: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
      'spec.hard[a b]: Invalid value: "a b": must be a standard resource for quota',
    ],
  ],
  [
    "less than nothing, and half a pod",
    quota({ hard: { cpu: "-1", pods: "1500m" } }),
    [
      'spec.hard[cpu]: Invalid value: "-1": must be greater than or equal to 0',
      'spec.hard[pods]: Invalid value: "1500m": must be an integer',
    ],
  ],
  ["an unknown scope", quota({ scopes: ["Any"] }), ['spec.scopes: Invalid value: ["Any"]: unsupported scope']],
  [
    "a scope that has nothing to say of a resource",
    quota({ hard: { cpu: "1", pods: "1" }, scopes: ["BestEffort"] }),
    ['spec.scopes: Invalid value: ["BestEffort"]: unsupported scope applied to resource'],
  ],
  [
    "opposite scopes",
    quota({ scopes: ["Terminating", "NotTerminating"] }),
    ['spec.scopes: Invalid value: ["Terminating","NotTerminating"]: conflicting scopes'],
  ],
  [
    "a scope with values that has none",
    scoped({ scopeName: "BestEffort", operator: "In", values: ["a"] }),
    [`${selector}.operator: Invalid value: "In": ${onlyExists}`],
  ],
  [
    "a scope without the values it needs",
    scoped({ scopeName: "PriorityClass", operator: "In" }),
    [`${selector}.values: Required value: must be at least one value when \`operator\` is 'In' or 'NotIn' for scope selector`],
  ],
];

describe("ResourceQuotas", () => {
  it.each(quotaCases)("%s", (_title, fields, expected) => {
    expect(createFaults(resourceQuotas, fields)).toEqual(expected);
  });

  it("keep their scopes, in any order", () => {
    const scopes = ["BestEffort", "Terminating"];
    expect(updateFaults(resourceQuotas, quota({ scopes }), quota({ scopes: [...scopes].reverse() }))).toEqual([]);
    expect(updateFaults(resourceQuotas, quota({ scopes }), quota({}))).toEqual([
      "spec.scopes: Invalid value: null: field is immutable",
    ]);
  });

  it("have a status of amounts", () => {
    expect(statusFaults(resourceQuotas, quota({}), { used: { pods: "-1" } })).toEqual([
      'status.used[pods]: Invalid value: "-1": must be greater than or equal to 0',
    ]);
  });

  it("show requests and limits apart", () => {
    const status = { hard: { pods: "10", "limits.cpu": "4", "requests.cpu": "2" }, used: { pods: "3", "limits.cpu": "1" } };
    expect(rowOf(resourceQuotas, { status })).toEqual({
      Name: "web",
      Request: "pods: 3/10, requests.cpu: 0/2",
      Limit: "limits.cpu: 1/4",
      Age: "10m",
    });
  });
});

const limits = (...items: readonly Fields[]): Fields => ({ spec: { limits: items } });

const rangeCases: readonly (readonly [string, Fields, readonly string[]])[] = [
  [
    "types that are unknown or doubled",
    limits({ type: "Node" }, { type: "Pod" }, { type: "Pod" }),
    [
      'spec.limits[0].type: Invalid value: "Node": must be a standard limit type or fully qualified',
      'spec.limits[2].type: Duplicate value: "Pod"',
    ],
  ],
  [
    "resources that no container has",
    limits({ type: "Container", max: { pods: "1" } }),
    [
      'spec.limits[0].max[pods]: Invalid value: "pods": must be a standard resource for containers',
      'spec.limits[0].default[pods]: Invalid value: "pods": must be a standard resource for containers',
      'spec.limits[0].defaultRequest[pods]: Invalid value: "pods": must be a standard resource for containers',
    ],
  ],
  [
    "defaults of pods",
    limits({ type: "Pod", default: { cpu: "1" }, defaultRequest: { cpu: "1" } }),
    [
      "spec.limits[0].default: Forbidden: may not be specified when `type` is 'Pod'",
      "spec.limits[0].defaultRequest: Forbidden: may not be specified when `type` is 'Pod'",
    ],
  ],
  [
    "claims of no size",
    limits({ type: "PersistentVolumeClaim" }),
    ["spec.limits[0].limits: Required value: either minimum or maximum storage value is required, but neither was provided"],
  ],
  [
    "amounts out of order",
    limits({ type: "Container", min: { cpu: "2" }, max: { cpu: "1" }, default: { cpu: "500m" }, defaultRequest: { cpu: "600m" } }),
    [
      'spec.limits[0].min[cpu]: Invalid value: "2": min value 2 is greater than max value 1',
      'spec.limits[0].defaultRequest[cpu]: Invalid value: "600m": min value 2 is greater than default request value 600m',
      'spec.limits[0].defaultRequest[cpu]: Invalid value: "600m": default request value 600m is greater than default limit value 500m',
      'spec.limits[0].default[cpu]: Invalid value: "2": min value 2 is greater than default value 500m',
    ],
  ],
  [
    "ratios that cannot be",
    limits({
      type: "Container",
      min: { memory: "1Gi" },
      max: { memory: "2Gi" },
      maxLimitRequestRatio: { memory: "3", cpu: "500m" },
    }),
    [
      'spec.limits[0].maxLimitRequestRatio[memory]: Invalid value: "3": ratio 3 is greater than max/min = 2.000000',
      'spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: "500m": ratio 500m is less than 1',
    ],
  ],
  [
    "more of a device than is requested",
    limits({ type: "Container", default: { "example.com/gpu": "2" }, defaultRequest: { "example.com/gpu": "1" } }),
    [
      'spec.limits[0].defaultRequest[example.com/gpu]: Invalid value: "1": default value 2 must equal to defaultRequest value 1 in example.com/gpu',
    ],
  ],
];

describe("LimitRanges", () => {
  it.each(rangeCases)("%s", (_title, fields, expected) => {
    expect(createFaults(limitRanges, fields)).toEqual(expected);
  });
});
