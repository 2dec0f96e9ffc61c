import { describe, expect, it } from "vitest";
import { created, createFaults, type Draft, shown, statusFaults, updateFaults } from "../strategy.test-kit.ts";
import { jobs } from "./jobs.ts";

const container = { name: "pi", image: "perl:5.34" };

function template(spec: object = {}, metadata: object = {}): object {
  return { metadata, spec: { restartPolicy: "Never", containers: [container], ...spec } };
}

function draft(spec: object = {}, metadata: object = {}): Draft {
  return { metadata: { name: "pi", ...metadata }, spec: { template: template(), ...spec } };
}

const indexed = { completionMode: "Indexed", completions: 3, parallelism: 3 };
const generated = {
  "batch.kubernetes.io/controller-uid": "uid-1",
  "batch.kubernetes.io/job-name": "pi",
  "controller-uid": "uid-1",
  "job-name": "pi",
};

describe("Jobs", () => {
  it.each<[string, object, object]>([
    ["alone", {}, { completions: 1, parallelism: 1, backoffLimit: 6, podReplacementPolicy: "TerminatingOrFailed" }],
    ["with a number of completions", { completions: 4 }, { completions: 4, parallelism: 1 }],
    ["as a work queue", { parallelism: 3 }, { parallelism: 3 }],
    ["with a limit for each index", { backoffLimitPerIndex: 1 }, { backoffLimit: 2_147_483_647 }],
    [
      "with a policy of failure",
      { podFailurePolicy: { rules: [{ action: "Ignore", onPodConditions: [{ type: "DisruptionTarget" }] }] } },
      {
        podReplacementPolicy: "Failed",
        podFailurePolicy: { rules: [{ action: "Ignore", onPodConditions: [{ type: "DisruptionTarget", status: "True" }] }] },
      },
    ],
  ])("[WRK-231] have defaults %s", (_title, given, expected) => {
    const { spec } = created(jobs, draft(given));
    expect(spec).toMatchObject({ completionMode: "NonIndexed", suspend: false, manualSelector: false, ...expected });
    expect("completions" in (spec as object)).toBe("completions" in expected || !("parallelism" in given));
  });

  it("[WRK-230] select their pods by their own uid, and carry their template's labels", () => {
    const job = created(jobs, draft());
    expect(job["spec"]).toMatchObject({
      selector: { matchLabels: { "batch.kubernetes.io/controller-uid": "uid-1" } },
      template: { metadata: { labels: generated } },
    });
    expect(job.metadata.labels).toEqual(generated);
    const labelled = created(jobs, draft({ template: template({}, { labels: { app: "pi" } }) }));
    expect(labelled.metadata.labels).toEqual({ app: "pi", ...generated });
    expect(created(jobs, draft({}, { labels: { own: "x" } })).metadata.labels).toEqual({ own: "x" });
  });

  it.each<[string, object, readonly string[]]>([
    ["nothing amiss", {}, []],
    [
      "[POD-217] [WRK-242] pods that never end",
      { template: template({ restartPolicy: "Always" }) },
      ['spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"'],
    ],
    [
      "[POD-217] [WRK-242] pods of which it is not said whether they end",
      { template: template({ restartPolicy: undefined }) },
      ['spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"'],
    ],
    [
      "[WRK-253] a selector of its own",
      { selector: { matchLabels: { app: "pi" } }, template: template({}, { labels: { app: "pi" } }) },
      [
        'spec.selector: Invalid value: {"matchLabels":{"app":"pi","batch.kubernetes.io/controller-uid":"uid-1"}}: `selector` not auto-generated',
      ],
    ],
    [
      "a selector that it is allowed",
      { manualSelector: true, selector: { matchLabels: { app: "pi" } }, template: template({}, { labels: { app: "pi" } }) },
      [],
    ],
    [
      "no selector where it must have one",
      { manualSelector: true },
      [
        "spec.selector: Required value",
        "spec.template.metadata.labels: Invalid value: null: `selector` does not match template `labels`",
      ],
    ],
    [
      "labels that are not its own",
      { template: template({}, { labels: { "job-name": "e" } }) },
      [
        `spec.template.metadata.labels[job-name]: Invalid value: ${JSON.stringify({
          "job-name": "e",
          "batch.kubernetes.io/job-name": "pi",
          "controller-uid": "uid-1",
          "batch.kubernetes.io/controller-uid": "uid-1",
        })}: must be 'pi'`,
      ],
    ],
    [
      "numbers below 0, in order",
      {
        parallelism: -1,
        completions: -2,
        activeDeadlineSeconds: -3,
        backoffLimit: -4,
        ttlSecondsAfterFinished: -5,
        maxFailedIndexes: -6,
      },
      [
        "spec.parallelism: Invalid value: -1: must be greater than or equal to 0",
        "spec.completions: Invalid value: -2: must be greater than or equal to 0",
        "spec.activeDeadlineSeconds: Invalid value: -3: must be greater than or equal to 0",
        "spec.backoffLimit: Invalid value: -4: must be greater than or equal to 0",
        "spec.ttlSecondsAfterFinished: Invalid value: -5: must be greater than or equal to 0",
        "spec.maxFailedIndexes: Invalid value: -6: must be greater than or equal to 0",
        "spec.backoffLimitPerIndex: Required value: when maxFailedIndexes is specified",
        "spec.maxFailedIndexes: Invalid value: -6: requires indexed completion mode",
      ],
    ],
    [
      "somebody else's name without a domain",
      { managedBy: "kueue" },
      ['spec.managedBy: Invalid value: "kueue": must be a domain-prefixed path (such as "acme.io/foo")'],
    ],
    [
      "somebody else's name that is too long",
      { managedBy: `acme.io/${"a".repeat(60)}` },
      ["spec.managedBy: Too long: may not be more than 63 bytes"],
    ],
    [
      "a mode of completion that nobody knows",
      { completionMode: "Sorted" },
      ['spec.completionMode: Unsupported value: "Sorted": supported values: "NonIndexed", "Indexed"'],
    ],
    [
      "indexes without end",
      { completionMode: "Indexed", parallelism: 100_001 },
      [
        "spec.completions: Required value: when completion mode is Indexed",
        "spec.parallelism: Invalid value: 100001: must be less than or equal to 100000 when completion mode is Indexed",
      ],
    ],
    [
      "more failed indexes than indexes",
      { ...indexed, backoffLimitPerIndex: 1, maxFailedIndexes: 4 },
      ["spec.maxFailedIndexes: Invalid value: 4: must be less than or equal to completions"],
    ],
    [
      "very many indexes that may fail each",
      { ...indexed, completions: 100_001, parallelism: 10_001, backoffLimitPerIndex: 1 },
      [
        "spec.maxFailedIndexes: Required value: must be specified when completions is above 100000",
        "spec.parallelism: Invalid value: 10001: must be less than or equal to 10000 when completions are above 100000 and used with backoff limit per index",
      ],
    ],
    [
      "a limit for each of no indexes",
      { backoffLimitPerIndex: 1 },
      ["spec.backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode"],
    ],
    [
      "pods replaced at a moment that nobody knows",
      { podReplacementPolicy: "Soon" },
      ['spec.podReplacementPolicy: Unsupported value: "Soon": supported values: "Failed", "TerminatingOrFailed"'],
    ],
    [
      "pods replaced before their failure is known",
      {
        podReplacementPolicy: "TerminatingOrFailed",
        podFailurePolicy: { rules: [{ action: "Count", onPodConditions: [{ type: "X" }] }] },
        template: template({ restartPolicy: "OnFailure" }),
      },
      [
        'spec.podReplacementPolicy: Unsupported value: "TerminatingOrFailed": supported values: "Failed"',
        'spec.template.spec.restartPolicy: Invalid value: "OnFailure": only "Never" is supported when podFailurePolicy is specified',
      ],
    ],
    ["an index that no host can be named after", { ...indexed, completions: 10_000 }, []],
  ])("with %s", (_title, spec, faults) => {
    expect(createFaults(jobs, draft(spec))).toEqual(faults);
  });

  it("with a name that leaves no room for an index", () => {
    const name = "a".repeat(60);
    expect(createFaults(jobs, draft({ ...indexed, completions: 1000 }, { name }))).toEqual([
      `metadata.name: Invalid value: "${name}": will not able to create pod with invalid DNS label: ${name}-999`,
    ]);
  });

  const rules = "spec.podFailurePolicy.rules";

  it.each<[string, object, readonly string[]]>([
    [
      "nothing",
      {},
      [
        `${rules}[0].action: Required value: valid values: ["Count" "FailIndex" "FailJob" "Ignore"]`,
        `${rules}[0]: Invalid value: specifying one of OnExitCodes and OnPodConditions is required`,
      ],
    ],
    [
      "an action that nobody knows, and both reasons",
      { action: "Retry", onExitCodes: { operator: "In", values: [1] }, onPodConditions: [{ type: "A", status: "No" }] },
      [
        `${rules}[0].action: Unsupported value: "Retry": supported values: "Count", "FailIndex", "FailJob", "Ignore"`,
        `${rules}[0].onPodConditions[0].status: Unsupported value: "No": supported values: "False", "True", "Unknown"`,
        `${rules}[0]: Invalid value: specifying both OnExitCodes and OnPodConditions is not supported`,
      ],
    ],
    [
      "an index where there is none",
      { action: "FailIndex", onExitCodes: { operator: "In", values: [1] } },
      [`${rules}[0].action: Invalid value: "FailIndex": requires the backoffLimitPerIndex to be set`],
    ],
    [
      "exit codes in disorder",
      { action: "FailJob", onExitCodes: { containerName: "other", operator: "In", values: [5, 0, 5] } },
      [
        `${rules}[0].onExitCodes.containerName: Invalid value: "other": must be one of the container or initContainer names in the pod template`,
        `${rules}[0].onExitCodes.values[1]: Invalid value: 0: must not be 0 for the In operator`,
        `${rules}[0].onExitCodes.values[2]: Duplicate value: 5`,
        `${rules}[0].onExitCodes.values: Invalid value: [5,0,5]: must be ordered`,
      ],
    ],
    [
      "no exit codes",
      { action: "FailJob", onExitCodes: { operator: "", values: [] } },
      [
        `${rules}[0].onExitCodes.operator: Required value: valid values: ["In" "NotIn"]`,
        `${rules}[0].onExitCodes.values: Invalid value: []: at least one value is required`,
      ],
    ],
  ])("with a rule of failure that says %s", (_title, rule, faults) => {
    expect(createFaults(jobs, draft({ podFailurePolicy: { rules: [rule] } }))).toEqual(faults);
  });

  const success = "spec.successPolicy.rules";

  it.each<[string, object, readonly string[]]>([
    ["some of its indexes", { succeededIndexes: "0,2", succeededCount: 1 }, []],
    ["nothing", {}, [`${success}[0]: Required value: at least one of succeededCount or succeededIndexes must be specified`]],
    [
      "more than there are",
      { succeededIndexes: "0-1", succeededCount: 4 },
      [
        `${success}[0].succeededCount: Invalid value: 4: must be less than or equal to 3 (the number of specified completions)`,
        `${success}[0].succeededCount: Invalid value: 4: must be less than or equal to 2 (the number of indexes in the specified succeededIndexes field)`,
      ],
    ],
    [
      "an index that is not there",
      { succeededIndexes: "1-3" },
      [`${success}[0].succeededIndexes: Invalid value: "1-3": error parsing succeededIndexes: too large index: "3"`],
    ],
    [
      "indexes backwards",
      { succeededIndexes: "2,0" },
      [
        `${success}[0].succeededIndexes: Invalid value: "2,0": error parsing succeededIndexes: non-increasing order, previous: 2, current: 0`,
      ],
    ],
    [
      "no number",
      { succeededIndexes: "a" },
      [
        `${success}[0].succeededIndexes: Invalid value: "a": error parsing succeededIndexes: cannot convert string to integer for index: "a"`,
      ],
    ],
    [
      "too many dashes",
      { succeededIndexes: "0-1-2" },
      [
        `${success}[0].succeededIndexes: Invalid value: "0-1-2": error parsing succeededIndexes: the fragment "0-1-2" violates the requirement that an index interval can have at most two parts separated by '-'`,
      ],
    ],
  ])("with a rule of success that says %s", (_title, rule, faults) => {
    expect(createFaults(jobs, draft({ ...indexed, successPolicy: { rules: [rule] } }))).toEqual(faults);
  });

  it("with a policy of success but no indexes", () => {
    expect(createFaults(jobs, draft({ successPolicy: { rules: [{ succeededCount: 1 }] } }))).toEqual([
      'spec.successPolicy: Invalid value: {"Rules":[{"SucceededIndexes":null,"SucceededCount":1}]}: requires indexed completion mode',
    ]);
  });

  it.each<[string, object, object, readonly string[]]>([
    [
      "what may change",
      {},
      { completions: 1, parallelism: 2, suspend: true, backoffLimit: 1, activeDeadlineSeconds: 9, ttlSecondsAfterFinished: 1 },
      [],
    ],
    ["its completions", {}, { completions: 2 }, ["spec.completions: Invalid value: 2: field is immutable"]],
    ["completions and parallelism of indexes", indexed, { ...indexed, completions: 2, parallelism: 2 }, []],
    [
      "completions of indexes alone",
      indexed,
      { ...indexed, completions: 2 },
      ["spec.completions: Invalid value: 2: can only be modified in tandem with spec.parallelism"],
    ],
    [
      "its mode",
      indexed,
      { ...indexed, completionMode: "NonIndexed" },
      ['spec.completionMode: Invalid value: "NonIndexed": field is immutable'],
    ],
    ["its manager", {}, { managedBy: "acme.io/x" }, ['spec.managedBy: Invalid value: "acme.io/x": field is immutable']],
    [
      "its policies",
      { ...indexed, successPolicy: { rules: [{ succeededCount: 1 }] } },
      { ...indexed, backoffLimitPerIndex: 1 },
      [
        "spec.backoffLimitPerIndex: Invalid value: 1: field is immutable",
        "spec.successPolicy: Invalid value: null: field is immutable",
      ],
    ],
  ])("[WRK-252] are updated in %s", (_title, before, after, faults) => {
    const kept = {
      selector: { matchLabels: { "batch.kubernetes.io/controller-uid": "uid-1" } },
      template: template({}, { labels: generated }),
    };
    // A limit for each index comes with another default, which may change.
    expect(updateFaults(jobs, draft({ ...kept, ...before }), draft({ ...kept, ...after }))).toEqual(faults);
  });

  const kept = { selector: { matchLabels: { "batch.kubernetes.io/controller-uid": "uid-1" } } };
  const other = (spec: object): object => ({ ...kept, template: template(spec, { labels: generated }) });

  it("[WRK-252] keep their template while they run", () => {
    const faults = updateFaults(jobs, draft(other({})), draft(other({ containers: [{ ...container, image: "perl:6" }] })));
    expect(faults.map((fault) => fault.replace(/\{.*\}/, "…"))).toEqual(["spec.template: Invalid value: …: field is immutable"]);
  });

  it("may be placed and sized anew while they are suspended", () => {
    const sized = { containers: [{ ...container, resources: { requests: { cpu: "1" } } }], nodeSelector: { disk: "ssd" } };
    const suspended = { suspend: true };
    expect(updateFaults(jobs, draft({ ...other({}), ...suspended }), draft({ ...other(sized), ...suspended }))).toEqual([]);
    const renamed = { containers: [{ ...container, image: "perl:6" }] };
    const faults = updateFaults(jobs, draft({ ...other({}), ...suspended }), draft({ ...other(renamed), ...suspended }));
    expect(faults.map((fault) => fault.replace(/\{.*\}/, "…"))).toEqual([
      "spec.template.spec: Invalid value: …: field is immutable",
    ]);
  });

  const holds = (...types: readonly string[]): object => ({ conditions: types.map((type) => ({ type, status: "True" })) });
  const ended = { startTime: "2026-01-01T00:00:00Z", completionTime: "2026-01-01T00:01:00Z" };
  const { startTime } = ended;

  it.each<[string, object, object, readonly string[]]>([
    ["that they are complete", {}, { ...ended, ...holds("SuccessCriteriaMet", "Complete"), succeeded: 1 }, []],
    ["that they failed", {}, { startTime, ...holds("FailureTarget", "Failed"), failed: 1 }, []],
    [
      "that they are complete and nothing else",
      {},
      holds("Complete"),
      [
        "status.completionTime: Required value: completionTime is required for Complete jobs",
        "status.conditions: Invalid value: cannot set Complete=True condition without the SuccessCriteriaMet=true condition",
        "status.startTime: Required value: startTime is required for finished job",
      ],
    ],
    [
      "that they both failed and succeeded",
      {},
      { ...ended, ...holds("Complete", "SuccessCriteriaMet", "Failed", "FailureTarget") },
      [
        "status.conditions: Invalid value: cannot set Complete=True and Failed=true conditions",
        "status.conditions: Invalid value: cannot set Complete=True and FailureTarget=true conditions",
        "status.conditions: Invalid value: cannot set SuccessCriteriaMet=True and Failed=true conditions",
        "status.conditions: Invalid value: cannot set SuccessCriteriaMet=True and FailureTarget=true conditions",
      ],
    ],
    [
      "that pods of a finished Job run",
      {},
      {
        startTime,
        ...holds("FailureTarget", "Failed"),
        active: 1,
        ready: 2,
        terminating: 1,
        uncountedTerminatedPods: { failed: ["a", "a"] },
      },
      [
        'status.uncountedTerminatedPods.failed[1]: Duplicate value: "a"',
        "status.active: Invalid value: 1: active>0 is invalid for finished job",
        'status.uncountedTerminatedPods: Invalid value: {"Succeeded":null,"Failed":["a","a"]}: must be empty for finished job',
        "status.terminating: Invalid value: 1: terminating>0 is invalid for finished job",
        "status.ready: Invalid value: 2: cannot set more ready pods than active",
      ],
    ],
    [
      "indexes where there are none",
      {},
      { completedIndexes: "0", failedIndexes: "0" },
      [
        'status.completedIndexes: Invalid value: "0": cannot set non-empty completedIndexes when non-indexed completion mode',
        'status.failedIndexes: Invalid value: "0": cannot set non-null failedIndexes when backoffLimitPerIndex is null',
        'status.failedIndexes: Invalid value: "0": failedIndexes and completedIndexes overlap at index: 0',
      ],
    ],
    [
      "that it was not so",
      { failed: 2, succeeded: 1, startTime, ...holds("FailureTarget") },
      { failed: 1 },
      [
        "status.conditions: Invalid value: cannot disable the terminal FailureTarget=True condition",
        "status.failed: Invalid value: 1: cannot decrease the failed counter",
        "status.succeeded: Invalid value: 0: cannot decrease the succeeded counter",
        "status.startTime: Required value: startTime cannot be removed for unsuspended job",
      ],
    ],
    [
      "an end before the start",
      { startTime: ended.completionTime },
      { startTime: ended.completionTime, completionTime: startTime },
      [
        'status.completionTime: Invalid value: "2026-01-01T00:00:00Z": cannot set completionTime when there is no Complete=True condition',
        'status.completionTime: Invalid value: "2026-01-01T00:00:00Z": must be equal to or after `startTime`',
      ],
    ],
  ])("can be said %s", (_title, before, status, faults) => {
    expect(statusFaults(jobs, { ...draft(), status: before }, status)).toEqual(faults);
  });

  it("warn of more indexes than can be told", () => {
    const job = created(jobs, draft({ completionMode: "Indexed", completions: 100_001, parallelism: 10_001 }, { name: "a.b" }));
    const many =
      "spec: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail";
    expect(jobs.warnings?.(job, undefined)?.slice(1)).toEqual([many]);
    expect(jobs.warnings?.(job, job)).toEqual([]);
  });

  it.each<[object, object, readonly [string, string]]>([
    [{ completions: 1 }, {}, ["Running", "0/1"]],
    [{ completions: 3 }, { succeeded: 3, ...holds("SuccessCriteriaMet", "Complete") }, ["Complete", "3/3"]],
    [{ parallelism: 3 }, { succeeded: 0 }, ["Running", "0/1 of 3"]],
    [{ parallelism: 1 }, { ...holds("Suspended") }, ["Suspended", "0/1"]],
    [{ completions: 1 }, { ...holds("FailureTarget", "Failed") }, ["Failed", "0/1"]],
    [{ completions: 1 }, { ...holds("FailureTarget") }, ["FailureTarget", "0/1"]],
  ])("[WRK-256] show of %j with %j %j", (spec, status, expected) => {
    const rows = shown(jobs, { ...draft(spec), status });
    expect(rows.map(([name]) => name)).toEqual(["NAME", "STATUS", "COMPLETIONS", "DURATION", "AGE"]);
    expect([rows[1]?.[1], rows[2]?.[1]]).toEqual(expected);
  });

  it("[WRK-256] are terminating when they are being deleted, and tell how long they took", () => {
    const job = { ...draft({}, { deletionTimestamp: "2026-01-01T00:00:00Z" }), status: ended };
    expect(shown(jobs, job).slice(1, 4)).toEqual([
      ["STATUS", "Terminating"],
      ["COMPLETIONS", "0/1"],
      ["DURATION", "60s"],
    ]);
  });
});
