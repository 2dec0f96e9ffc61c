import { describe, expect, it } from "vitest";
import { created, createFaults, type Draft, shown, statusFaults, testFacts, updated, updateFaults } from "../strategy.test-kit.ts";
import { controllerRevisions } from "./controllerrevisions.ts";
import { daemonSets } from "./daemonsets.ts";
import { statefulSets } from "./statefulsets.ts";

const labels = { app: "web" };
const selector = { matchLabels: labels };

function template(spec: object = {}): object {
  return { metadata: { labels }, spec: { containers: [{ name: "main", image: "nginx:1.27" }], ...spec } };
}

function draft(spec: object = {}): Draft {
  return { spec: { selector, template: template(), ...spec } };
}

function claim(storage: string): object {
  return { metadata: { name: "www" }, spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } } } };
}

const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

describe("StatefulSets", () => {
  it("make pods in order, keep claims, and drop what v1.36 has switched off", () => {
    const given = {
      updateStrategy: { rollingUpdate: { maxUnavailable: 2 } },
      volumeClaimTemplates: [{ metadata: { name: "www" }, spec: {} }],
    };
    expect(created(statefulSets, draft(given))).toMatchObject({
      spec: {
        podManagementPolicy: "OrderedReady",
        replicas: 1,
        revisionHistoryLimit: 10,
        updateStrategy: { type: "RollingUpdate" },
        persistentVolumeClaimRetentionPolicy: { whenDeleted: "Retain", whenScaled: "Retain" },
        volumeClaimTemplates: [
          { apiVersion: "v1", kind: "PersistentVolumeClaim", spec: { volumeMode: "Filesystem" }, status: { phase: "Pending" } },
        ],
      },
      status: { replicas: 0, availableReplicas: 0 },
    });
  });

  it("write the templates of claims as claims, whatever they were called", () => {
    const set = created(
      statefulSets,
      draft({ volumeClaimTemplates: [{ kind: "Other", apiVersion: "v0", metadata: {}, spec: {} }] }),
    );
    expect(set["spec"]).toMatchObject({ volumeClaimTemplates: [{ apiVersion: "v1", kind: "PersistentVolumeClaim" }] });
  });

  it("[WRK-188] drop maxUnavailable: its gate is off", () => {
    const { spec } = created(statefulSets, draft({ updateStrategy: { rollingUpdate: { maxUnavailable: 2 } } }));
    expect(spec).toMatchObject({ updateStrategy: { rollingUpdate: { partition: 0 } } });
    expect(JSON.stringify(spec)).not.toContain("maxUnavailable");
  });

  it.each<[string, object, readonly string[]]>([
    ["nothing amiss", {}, []],
    [
      "policies that nobody knows",
      {
        podManagementPolicy: "Random",
        updateStrategy: { type: "BlueGreen" },
        persistentVolumeClaimRetentionPolicy: { whenDeleted: "Keep" },
      },
      [
        "spec.podManagementPolicy: Invalid value: \"Random\": must be 'OrderedReady' or 'Parallel'",
        'spec.updateStrategy: Invalid value: {"Type":"BlueGreen","RollingUpdate":null}: must be \'RollingUpdate\' or \'OnDelete\'',
        'spec.persistentVolumeClaimRetentionPolicy.whenDeleted: Unsupported value: "Keep": supported values: "Retain", "Delete"',
      ],
    ],
    [
      "a partition for pods that are not rolled",
      { updateStrategy: { type: "OnDelete", rollingUpdate: { partition: 1 } } },
      [
        'spec.updateStrategy.rollingUpdate: Invalid value: {"Partition":1,"MaxUnavailable":null}: only allowed for updateStrategy \'RollingUpdate\'',
      ],
    ],
    [
      "numbers below 0",
      { updateStrategy: { rollingUpdate: { partition: -1 } }, replicas: -2, minReadySeconds: -3, ordinals: { start: -4 } },
      [
        "spec.updateStrategy.rollingUpdate.partition: Invalid value: -1: must be greater than or equal to 0",
        "spec.replicas: Invalid value: -2: must be greater than or equal to 0",
        "spec.minReadySeconds: Invalid value: -3: must be greater than or equal to 0",
        "spec.ordinals.start: Invalid value: -4: must be greater than or equal to 0",
      ],
    ],
    [
      "a service that cannot be",
      { serviceName: "web.local" },
      ['spec.serviceName: Invalid value: "web.local": must not contain dots'],
    ],
    [
      "[WRK-195] no selector",
      { selector: undefined },
      [
        "spec.selector: Required value",
        'spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`',
      ],
    ],
    ["an empty selector", { selector: {} }, ["spec.selector: Invalid value: {}: empty selector is invalid for statefulset"]],
    [
      "[POD-216] [WRK-196] pods that end, and a deadline",
      { template: template({ restartPolicy: "OnFailure", activeDeadlineSeconds: 1 }) },
      [
        'spec.template.spec.restartPolicy: Unsupported value: "OnFailure": supported values: "Always"',
        "spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in StatefulSet is not Supported",
      ],
    ],
    [
      "mounts of its claims",
      {
        template: template({
          containers: [{ name: "main", image: "nginx", volumeMounts: [{ name: "www", mountPath: "/usr/share/nginx/html" }] }],
        }),
        volumeClaimTemplates: [claim("1Gi")],
      },
      [],
    ],
    [
      "claims that could not be made; two of a name are let pass",
      { replicas: -1, volumeClaimTemplates: [claim("1Gi"), { metadata: { name: "www" }, spec: { storageClassName: "-" } }] },
      [
        "spec.volumeClaimTemplates[1].spec.accessModes: Required value: at least 1 access mode is required",
        "spec.volumeClaimTemplates[1].spec.resources[storage]: Required value",
        `spec.volumeClaimTemplates[1].spec.storageClassName: Invalid value: "-": ${subdomain}`,
        "spec.replicas: Invalid value: -1: must be greater than or equal to 0",
      ],
    ],
  ])("with %s", (_title, spec, faults) => {
    expect(createFaults(statefulSets, draft(spec))).toEqual(faults);
  });

  const onlySome =
    "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";

  it.each<[string, object, readonly string[]]>([
    [
      "what may change",
      {
        replicas: 3,
        ordinals: { start: 1 },
        template: template({ priorityClassName: "high" }),
        updateStrategy: { type: "OnDelete" },
        revisionHistoryLimit: 3,
        persistentVolumeClaimRetentionPolicy: { whenScaled: "Delete" },
        minReadySeconds: 5,
      },
      [],
    ],
    ["[WRK-183] claim templates", { volumeClaimTemplates: [{ metadata: { name: "www" }, spec: {} }] }, [onlySome]],
    ["the service's name, even to a bad one", { serviceName: "a.b" }, [onlySome]],
    ["the order of pods", { podManagementPolicy: "Parallel" }, [onlySome]],
  ])("are updated in %s", (_title, spec, faults) => {
    expect(updateFaults(statefulSets, draft(), draft(spec))).toEqual(faults);
  });

  it("cannot be said to have more current replicas than replicas", () => {
    expect(
      statusFaults(statefulSets, draft(), { replicas: 1, currentReplicas: 2, readyReplicas: 0, availableReplicas: 1 }),
    ).toEqual([
      "status.currentReplicas: Invalid value: 2: cannot be greater than status.replicas",
      "status.availableReplicas: Invalid value: 1: cannot be greater than status.readyReplicas",
    ]);
  });

  it("warn of an endless history", () => {
    const set = created(statefulSets, draft({ revisionHistoryLimit: -1 }));
    const warning = "spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended";
    expect(statefulSets.warnings?.(set, undefined)).toEqual([warning]);
    expect(statefulSets.warnings?.({ ...set, status: {} }, set)).toEqual([]);
  });

  it("warn of claims of half a byte", () => {
    const set = created(statefulSets, draft({ volumeClaimTemplates: [claim("0.5")] }));
    const reason = 'fractional byte value "500m" is invalid, must be an integer';
    const path = "spec.volumeClaimTemplates[0]";
    expect(statefulSets.warnings?.(set, undefined)).toEqual([`${path}.resources.requests[storage]: ${reason}`]);
    const scaled = { ...set, spec: { ...(set["spec"] as object), replicas: 2 } };
    expect(statefulSets.warnings?.(scaled, set)).toEqual([`${path}.Spec.resources.requests[storage]: ${reason}`]);
    expect(statefulSets.warnings?.({ ...set, status: {} }, set)).toEqual([]);
  });

  it("[WRK-193] show how many pods are ready", () => {
    const set = { ...draft({ replicas: 3 }), status: { readyReplicas: 2 } };
    expect(shown(statefulSets, set, { wide: true })).toEqual([
      ["NAME", "web"],
      ["READY", "2/3"],
      ["AGE", "10m"],
      ["CONTAINERS", "main"],
      ["IMAGES", "nginx:1.27"],
    ]);
  });
});

describe("DaemonSets", () => {
  const generation = "deprecated.daemonset.template.generation";

  it("count their templates in an annotation", () => {
    const first = created(daemonSets, draft());
    expect(first.metadata.annotations).toEqual({ [generation]: "1" });
    expect(first["spec"]).toMatchObject({
      revisionHistoryLimit: 10,
      updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
    });
    const same = updated(daemonSets, first, { ...draft({ minReadySeconds: 1 }), metadata: { annotations: { [generation]: "7" } } });
    expect(same.metadata.annotations).toEqual({ [generation]: "1" });
    const second = updated(daemonSets, first, draft({ template: template({ priorityClassName: "high" }) }));
    expect(second.metadata.annotations).toEqual({ [generation]: "2" });
    const told = daemonSets.prepareForStatusUpdate?.(
      { ...second, metadata: { ...second.metadata, annotations: {} } },
      second,
      testFacts,
    );
    expect(told?.metadata.annotations).toEqual({ [generation]: "2" });
  });

  it.each<[string, object, readonly string[]]>([
    ["nothing amiss", {}, []],
    [
      "[WRK-219] no selector",
      { selector: undefined },
      ['spec.template.metadata.labels: Invalid value: {"app":"web"}: `selector` does not match template `labels`'],
    ],
    ["an empty selector", { selector: {} }, ["spec.selector: Invalid value: {}: empty selector is invalid for daemonset"]],
    [
      "[POD-216] [WRK-220] pods that end",
      { template: template({ restartPolicy: "Never" }) },
      ['spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"'],
    ],
    [
      "a rollout that both adds and takes",
      { updateStrategy: { rollingUpdate: { maxUnavailable: 1, maxSurge: 1 } } },
      ["spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: 1: may not be set when maxUnavailable is non-zero"],
    ],
    [
      "a rollout that does neither",
      { updateStrategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: "0%" } } },
      ["spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 when maxSurge is 0"],
    ],
    [
      "a strategy that nobody knows",
      { updateStrategy: { type: "Sometimes" } },
      [
        'spec.updateStrategy: Unsupported value: {"Type":"Sometimes","RollingUpdate":null}: supported values: "RollingUpdate", "OnDelete"',
      ],
    ],
    [
      "numbers below 0",
      { minReadySeconds: -1, revisionHistoryLimit: -1 },
      [
        "spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0",
        "spec.revisionHistoryLimit: Invalid value: -1: must be greater than or equal to 0",
      ],
    ],
  ])("with %s", (_title, spec, faults) => {
    expect(createFaults(daemonSets, draft(spec))).toEqual(faults);
  });

  it("[WRK-219] keep their selector", () => {
    const other = { selector: { matchExpressions: [{ key: "app", operator: "Exists" }] } };
    expect(updateFaults(daemonSets, draft(), draft(other))).toEqual([
      'spec.selector: Invalid value: {"matchExpressions":[{"key":"app","operator":"Exists"}]}: field is immutable',
    ]);
  });

  it("[WRK-222] show nodes that want, have and lack a pod", () => {
    const set = {
      ...draft({ template: template({ nodeSelector: { disk: "ssd" } }) }),
      status: {
        desiredNumberScheduled: 3,
        currentNumberScheduled: 2,
        numberReady: 1,
        updatedNumberScheduled: 2,
        numberAvailable: 1,
      },
    };
    expect(shown(daemonSets, set)).toEqual([
      ["NAME", "web"],
      ["DESIRED", 3],
      ["CURRENT", 2],
      ["READY", 1],
      ["UP-TO-DATE", 2],
      ["AVAILABLE", 1],
      ["NODE SELECTOR", "disk=ssd"],
      ["AGE", "10m"],
    ]);
  });
});

describe("ControllerRevisions", () => {
  it("hold data that stay", () => {
    expect(createFaults(controllerRevisions, { revision: -1 })).toEqual([
      "revision: Invalid value: -1: must be greater than or equal to 0",
      "data: Required value: data is mandatory",
    ]);
    expect(updateFaults(controllerRevisions, { revision: 1, data: { a: 1 } }, { revision: 2, data: { a: 2 } })).toEqual([
      'data: Invalid value: {"a":2}: field is immutable',
    ]);
    expect(updateFaults(controllerRevisions, { revision: 1, data: { a: 1 } }, { revision: 2, data: { a: 1 } })).toEqual([]);
  });
});
