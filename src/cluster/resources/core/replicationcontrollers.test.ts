import { describe, expect, it } from "vitest";
import { created, createFaults, type Draft, shown, statusFaults, updateFaults } from "../strategy.test-kit.ts";
import { podTemplates } from "./pods/podtemplates.ts";
import { replicationControllers } from "./replicationcontrollers.ts";

const labels = { app: "nginx" };

function template(spec: object = {}): object {
  return { metadata: { labels }, spec: { containers: [{ name: "nginx", image: "nginx" }], ...spec } };
}

function draft(spec: object = {}): Draft {
  return { spec: { template: template(), ...spec } };
}

describe("ReplicationControllers", () => {
  it("[WRK-055] need no more than a template", () => {
    const controller = created(replicationControllers, draft());
    expect(controller["spec"]).toMatchObject({ replicas: 1, selector: labels, template: { spec: { restartPolicy: "Always" } } });
    expect(controller.metadata.labels).toEqual(labels);
    expect(created(replicationControllers, { ...draft(), metadata: { labels: { a: "b" } } }).metadata.labels).toEqual({ a: "b" });
    expect(createFaults(replicationControllers, draft())).toEqual([]);
  });

  it.each<[string, object, readonly string[]]>([
    [
      "[WRK-057] a selector that does not select the template",
      { selector: { app: "apache" } },
      ['spec.template.metadata.labels: Invalid value: {"app":"nginx"}: `selector` does not match template `labels`'],
    ],
    ["no template", { template: undefined }, ["spec.selector: Required value", "spec.template: Required value"]],
    [
      "numbers below 0",
      { minReadySeconds: -1, replicas: -2 },
      [
        "spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0",
        "spec.replicas: Invalid value: -2: must be greater than or equal to 0",
      ],
    ],
    [
      "pods that end",
      { template: template({ restartPolicy: "Never", activeDeadlineSeconds: 1 }) },
      [
        'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
        "spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicationController is not Supported",
      ],
    ],
  ])("with %s", (_title, spec, faults) => {
    expect(createFaults(replicationControllers, draft(spec))).toEqual(faults);
  });

  it("may select others later", () => {
    const other = { selector: { tier: "x" }, template: { ...template(), metadata: { labels: { tier: "x" } } } };
    expect(updateFaults(replicationControllers, draft(), draft(other))).toEqual([]);
  });

  it("cannot be said to have more available replicas than ready ones", () => {
    expect(statusFaults(replicationControllers, draft(), { replicas: 1, availableReplicas: 1 })).toEqual([
      "status.availableReplicas: Invalid value: 1: cannot be greater than readyReplicas",
    ]);
  });

  it("[WRK-059] show what is wanted, there and ready", () => {
    const controller = { ...draft({ replicas: 3, selector: labels }), status: { replicas: 3, readyReplicas: 2 } };
    expect(shown(replicationControllers, controller)).toEqual([
      ["NAME", "web"],
      ["DESIRED", 3],
      ["CURRENT", 3],
      ["READY", 2],
      ["AGE", "10m"],
    ]);
    expect(shown(replicationControllers, controller, { wide: true }).slice(5)).toEqual([
      ["CONTAINERS", "nginx"],
      ["IMAGES", "nginx"],
      ["SELECTOR", "app=nginx"],
    ]);
  });
});

describe("PodTemplates", () => {
  it("are complete and valid pods", () => {
    expect(created(podTemplates, { template: template() })).toMatchObject({ template: { spec: { restartPolicy: "Always" } } });
    expect(createFaults(podTemplates, { template: { metadata: { labels: { a: "-" } } } })).toEqual([
      "template.labels: Invalid value: \"-\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
      "template.spec.containers: Required value",
    ]);
  });

  it("show their containers and labels", () => {
    expect(shown(podTemplates, { template: template() })).toEqual([
      ["NAME", "web"],
      ["CONTAINERS", "nginx"],
      ["IMAGES", "nginx"],
      ["POD LABELS", "app=nginx"],
    ]);
  });
});
