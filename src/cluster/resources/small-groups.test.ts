// Kinds of groups that have few: leases, events, priorities, runtimes, devices.

import { describe, expect, it } from "vitest";
import type { JsonValue } from "#cluster/api/objects.ts";
import { leases } from "./coordination/leases.ts";
import { events } from "./core/events/events.ts";
import { eventsV1 } from "./events/events.ts";
import { runtimeClasses } from "./node/runtimeclasses.ts";
import { deviceClasses } from "./resource/deviceclasses.ts";
import { resourceClaims } from "./resource/resourceclaims.ts";
import { resourceClaimTemplates } from "./resource/resourceclaimtemplates.ts";
import { resourceSlices } from "./resource/resourceslices.ts";
import { priorityClasses } from "./scheduling/priorityclasses.ts";
import { created, createFaults, createWarnings, rowOf, statusFaults, updateFaults } from "./strategy.test-kit.ts";

type Fields = { readonly [field: string]: JsonValue };

describe("Leases", () => {
  it("last a while", () => {
    const spec = { leaseDurationSeconds: 0, leaseTransitions: -1, strategy: "Best", preferredHolder: "" };
    expect(createFaults(leases, { spec })).toEqual([
      "spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0",
      "spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0",
    ]);
  });

  it("are not given to whoever is preferred: that is behind a gate", () => {
    const spec = { holderIdentity: "a", strategy: "Best", preferredHolder: "b" };
    expect(created(leases, { spec })["spec"]).toEqual({ holderIdentity: "a" });
  });
});

describe("Events", () => {
  it("are where what they are about is", () => {
    const elsewhere = { involvedObject: { kind: "Pod", name: "web", namespace: "shop" } };
    expect(createFaults(events, elsewhere)).toEqual([
      'involvedObject.namespace: Invalid value: "shop": does not match event.namespace',
    ]);
    expect(createFaults(events, { involvedObject: { kind: "Node", name: "a" } })).toEqual([]);
  });

  it("of the new kind say who did what", () => {
    expect(createFaults(events, { involvedObject: { kind: "Node" }, eventTime: "2026-01-01T00:00:00.000000Z" })).toEqual([
      "reportingComponent: Required value",
      `reportingComponent: Invalid value: "": name part must be non-empty`,
      `reportingComponent: Invalid value: "": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
      "reportingInstance: Required value",
      "action: Required value",
      "reason: Required value",
    ]);
    const strict = { regarding: { kind: "Node" }, deprecatedCount: 2, type: "Odd" };
    expect(createFaults(eventsV1, strict)).toEqual([
      "eventTime: Required value",
      'type: Invalid value: "": has invalid value: Odd',
      'count: Invalid value: "": needs to be unset',
    ]);
  });

  it("of the new kind change their series only", () => {
    const event = {
      eventTime: "2026-01-01T00:00:00.000000Z",
      regarding: { kind: "Node" },
      reason: "Started",
      action: "Start",
      reportingController: "test",
      reportingInstance: "test-1",
      type: "Normal",
    };
    const series = { count: 2, lastObservedTime: "2026-01-01T00:00:01.000000Z" };
    expect(updateFaults(eventsV1, event, { ...event, series })).toEqual([]);
    expect(updateFaults(eventsV1, event, { ...event, note: "", regarding: { kind: "Pod" } })).toContain(
      'involvedObject: Invalid value: {"Kind":"Pod","Namespace":"","Name":"","UID":"","APIVersion":"","ResourceVersion":"","FieldPath":""}: field is immutable',
    );
    expect(updateFaults(eventsV1, event, { ...event, reason: "Ended", series: { ...series, count: 1 } })).toEqual([
      'series.count: Invalid value: "": should be at least 2',
      'reason: Invalid value: "Ended": field is immutable',
    ]);
  });
});

describe("PriorityClasses", () => {
  it("leave the heights to the system", () => {
    expect(createFaults(priorityClasses, { value: 1_000_000_001 })).toEqual([
      "value: Forbidden: maximum allowed value of a user defined priority is 1000000000",
    ]);
    expect(createFaults(priorityClasses, { metadata: { name: "system-mine" }, value: 1 })).toEqual([
      "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: system-mine is not a known system priority class",
    ]);
    expect(createFaults(priorityClasses, { value: 1, preemptionPolicy: "Always" })).toEqual([
      'preemptionPolicy: Unsupported value: "Always": supported values: "PreemptLowerPriority", "Never"',
    ]);
  });

  it("keep their height", () => {
    expect(updateFaults(priorityClasses, { value: 1 }, { value: 2, preemptionPolicy: "Never" })).toEqual([
      "value: Forbidden: may not be changed in an update.",
      'preemptionPolicy: Invalid value: "Never": field is immutable',
    ]);
  });
});

describe("RuntimeClasses", () => {
  it("have a handler, for good", () => {
    const label =
      "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
    expect(createFaults(runtimeClasses, { handler: "" })).toEqual([`handler: Invalid value: "": ${label}`]);
    expect(updateFaults(runtimeClasses, { handler: "runc" }, { handler: "kata" })).toEqual([
      'handler: Invalid value: "kata": field is immutable',
    ]);
  });

  it("say what they cost, and where they run", () => {
    const scheduling = {
      nodeSelector: { "beta.kubernetes.io/os": "linux" },
      tolerations: [{ operator: "Exists" }, { operator: "Exists" }],
    };
    const fields = { handler: "kata", overhead: { podFixed: { beer: "1", cpu: "-1" } }, scheduling };
    expect(createFaults(runtimeClasses, fields)).toEqual([
      'overhead.limits[beer]: Invalid value: "beer": must be a standard resource type or fully qualified',
      'overhead.limits[beer]: Invalid value: "beer": must be a standard resource for containers',
      'overhead.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0',
      'scheduling.tolerations[1]: Duplicate value: {"Operator":"Exists"}',
    ]);
    expect(createWarnings(runtimeClasses, fields)).toEqual([
      'scheduling.nodeSelector: deprecated since v1.14; use "kubernetes.io/os" instead',
    ]);
  });
});

const claim = (...requests: readonly Fields[]): Fields => ({ spec: { devices: { requests } } });
const gpu = { name: "gpu", exactly: { deviceClassName: "gpu.example.com" } };

describe("selectors of devices", () => {
  const expected =
    "mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";
  const all = (depth: number): string =>
    depth === 0 ? "k == 'x'" : `device.attributes.all(k${depth === 1 ? "" : depth}, ${all(depth - 1)})`;

  it.each<[string, readonly string[]]>([
    ["device.driver == 'gpu.example.com'", []],
    ["device.attributes['gpu.example.com'].model == 'a'", []],
    ["device.attributes['gpu.example.com'].isFast", []],
    ["device.capacity['gpu.example.com'].memory.compareTo(quantity('1Gi')) >= 0", []],
    ["cel.bind(own, device.attributes['gpu.example.com'], own.a && own.b)", []],
    ["device.allowMultipleAllocations", []],
    ["", [`Invalid value: "": compilation failed: ERROR: <input>:1:0: Syntax error: ${expected}`]],
    ["1 + 1", ['Invalid value: "1 + 1": must evaluate to bool or the unknown type, not int']],
    ["device.driver", ['Invalid value: "device.driver": must evaluate to bool or the unknown type, not string']],
    [
      "device.model",
      [
        "Invalid value: \"device.model\": compilation failed: ERROR: <input>:1:7: undefined field 'model'\n | device.model\n | ......^",
      ],
    ],
    [
      "model",
      [
        "Invalid value: \"model\": compilation failed: ERROR: <input>:1:1: undeclared reference to 'model' (in container '')\n | model\n | ^",
      ],
    ],
    [all(4), ["Forbidden: too complex, exceeds cost limit"]],
    ["a".repeat(10_241), ["Too long: may not be more than 10240 bytes"]],
  ])("%s", (expression, faults) => {
    const selectors = [{ cel: { expression } }];
    const at = (path: string) => faults.map((fault) => `${path}.selectors[0].cel.expression: ${fault}`);
    expect(createFaults(deviceClasses, { spec: { selectors } })).toEqual(at("spec"));
    const request = { name: "gpu", exactly: { deviceClassName: "gpu.example.com", selectors } };
    expect(createFaults(resourceClaims, claim(request))).toEqual(at("spec.devices.requests[0].exactly"));
  });
});

describe("claims for devices", () => {
  it("ask for one device", () => {
    expect(created(resourceClaims, claim(gpu))["spec"]).toEqual({
      devices: {
        requests: [{ name: "gpu", exactly: { deviceClassName: "gpu.example.com", allocationMode: "ExactCount", count: 1 } }],
      },
    });
  });

  it("ask for it in one way", () => {
    const requests = [{ name: "a" }, { ...gpu, firstAvailable: [{ name: "b", deviceClassName: "b" }] }, gpu];
    expect(createFaults(resourceClaims, claim(...requests))).toEqual([
      "spec.devices.requests[0]: Required value: exactly one of `exactly` or `firstAvailable` is required",
      "spec.devices.requests[1]: Invalid value: null: exactly one of `exactly` or `firstAvailable` is required, but multiple fields are set",
      'spec.devices.requests[2]: Duplicate value: "gpu"',
    ]);
    expect(
      createFaults(resourceClaims, claim({ name: "a", exactly: { deviceClassName: "", allocationMode: "All", count: 2 } })),
    ).toEqual([
      "spec.devices.requests[0].exactly.deviceClassName: Required value",
      "spec.devices.requests[0].exactly.count: Invalid value: 2: must not be specified when allocationMode is 'All'",
    ]);
  });

  it("name their requests in constraints", () => {
    const spec = { devices: { requests: [gpu], constraints: [{ requests: ["nic"], matchAttribute: "model" }] } };
    expect(createFaults(resourceClaims, { spec })).toEqual([
      `spec.devices.constraints[0].requests[0]: Invalid value: "nic": must be the name of a request in the claim or the name of a request and a subrequest separated by '/'`,
      'spec.devices.constraints[0].matchAttribute: Invalid value: "model": a fully qualified name must be a domain and a name separated by a slash',
    ]);
  });

  it("do not change, and are reserved when they are allocated", () => {
    expect(updateFaults(resourceClaims, claim(gpu), claim())[0]).toMatch(/^spec: Invalid value: .*: field is immutable$/);
    const reservedFor = [{ resource: "pods", name: "web", uid: "1" }];
    expect(statusFaults(resourceClaims, claim(gpu), { reservedFor })).toEqual([
      "status.reservedFor: Forbidden: may not be specified when `allocated` is not set",
    ]);
  });

  it.each([
    [{}, "pending"],
    [{ status: { allocation: {} } }, "allocated"],
    [{ status: { allocation: {}, reservedFor: [{ resource: "pods", name: "a", uid: "1" }] } }, "allocated,reserved"],
    [{ metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" } }, "deleted"],
  ])("%j is %s", (fields, state) => {
    expect(rowOf(resourceClaims, { ...claim(gpu), ...(fields as Fields) })["State"]).toBe(state);
  });

  it("are met by classes and slices", () => {
    expect(createFaults(deviceClasses, { spec: { selectors: [{}], config: [{}], extendedResourceName: "cpu" } })).toEqual([
      "spec.selectors[0].cel: Required value",
      "spec.config[0].opaque: Required value",
      'spec.extendedResourceName: Invalid value: "cpu": must be a valid extended resource name',
    ]);
    const spec = {
      driver: "gpu.example.com",
      pool: { name: "a", generation: 1, resourceSliceCount: 0 },
      nodeName: "a",
      allNodes: true,
    };
    expect(createFaults(resourceSlices, { spec })).toEqual([
      "spec.pool.resourceSliceCount: Invalid value: 0: must be greater than zero",
      'spec: Invalid value: "{`nodeName`, `allNodes`}": exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required, but multiple fields are set',
    ]);
  });

  it("say of a device what others can read", () => {
    const slice = (attributes: JsonValue, driver = "gpu.example.com"): Fields => ({
      spec: {
        driver,
        pool: { name: "a", generation: 1, resourceSliceCount: 1 },
        nodeName: "a",
        devices: [{ name: "one", attributes }],
      },
    });
    const of = "spec.devices[0].attributes";
    expect(createFaults(resourceSlices, slice({ model: { string: "a".repeat(64) }, version: { version: "1.0.0-rc.1" } }))).toEqual(
      [],
    );
    expect(createFaults(resourceSlices, slice({ model: { string: "a".repeat(65) }, version: { version: "v1" } }))).toEqual([
      `${of}[model].string: Too long: may not be more than 64 bytes`,
      `${of}[version].version: Invalid value: "v1": must be a string compatible with semver.org spec 2.0.0`,
    ]);
    expect(updateFaults(resourceSlices, slice({}), slice({}, ""))).toEqual([
      "spec.driver: Required value",
      'spec.driver: Invalid value: "": field is immutable',
    ]);
  });

  it("are asked for by templates with labels", () => {
    const template = (value: string): Fields => ({ spec: { metadata: { labels: { a: value } }, spec: {} } });
    expect(createFaults(resourceClaimTemplates, template("b"))).toEqual([]);
    expect(createFaults(resourceClaimTemplates, template("a b"))[0]).toMatch(/^spec\.metadata\.labels: Invalid value: "a b": /);
  });
});
