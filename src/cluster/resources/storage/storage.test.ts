import { describe, expect, it } from "vitest";
import type { JsonValue } from "#cluster/api/objects.ts";
import { created, createFaults, createWarnings, rowOf, updateFaults } from "../strategy.test-kit.ts";
import { csiDrivers } from "./csidrivers.ts";
import { csiNodes } from "./csinodes.ts";
import { csiStorageCapacities } from "./csistoragecapacities.ts";
import { storageClasses } from "./storageclasses.ts";
import { volumeAttachments } from "./volumeattachments.ts";
import { volumeAttributesClasses } from "./volumeattributesclasses.ts";

type Fields = { readonly [field: string]: JsonValue };

const fast = { provisioner: "example.com/disk", parameters: { type: "ssd" } };

describe("StorageClasses", () => {
  it("[NET-323] delete at once and bind at once, and change only in what is harmless", () => {
    expect(created(storageClasses, fast)).toMatchObject({ reclaimPolicy: "Delete", volumeBindingMode: "Immediate" });
    expect(updateFaults(storageClasses, fast, { ...fast, allowVolumeExpansion: true })).toEqual([]);
    const other = {
      provisioner: "b",
      parameters: { type: "hdd" },
      reclaimPolicy: "Retain",
      volumeBindingMode: "WaitForFirstConsumer",
    };
    expect(updateFaults(storageClasses, fast, other)).toEqual([
      'parameters: Invalid value: {"type":"hdd"}: field is immutable',
      'provisioner: Invalid value: "b": field is immutable',
      'reclaimPolicy: Invalid value: "Retain": field is immutable',
      'volumeBindingMode: Invalid value: "WaitForFirstConsumer": field is immutable',
    ]);
  });

  it("refuse what no provisioner can be", () => {
    expect(createFaults(storageClasses, { provisioner: "", reclaimPolicy: "Recycle", volumeBindingMode: "Later" })).toEqual([
      "provisioner: Required value",
      'reclaimPolicy: Unsupported value: "Recycle": supported values: "Delete", "Retain"',
      'volumeBindingMode: Unsupported value: "Later": supported values: "Immediate", "WaitForFirstConsumer"',
    ]);
  });

  it("refuse a place that is named twice", () => {
    const term = { matchLabelExpressions: [{ key: "zone", values: ["a", "a"] }] };
    expect(
      createFaults(storageClasses, {
        ...fast,
        allowedTopologies: [term, { matchLabelExpressions: [{ key: "zone", values: ["a"] }] }],
      }),
    ).toEqual([
      'allowedTopologies[0].matchLabelExpressions[0].values[1]: Duplicate value: "a"',
      'allowedTopologies[1].matchLabelExpressions: Duplicate value: ""',
    ]);
  });

  it("[NET-437] show which is the default", () => {
    const metadata = { annotations: { "storageclass.kubernetes.io/is-default-class": "true" } };
    expect(rowOf(storageClasses, { ...fast, metadata: { name: "standard", ...metadata } })).toEqual({
      Name: "standard (default)",
      Provisioner: "example.com/disk",
      ReclaimPolicy: "Delete",
      VolumeBindingMode: "Immediate",
      AllowVolumeExpansion: false,
      Age: "10m",
    });
  });
});

describe("[NET-326] VolumeAttributesClasses", () => {
  const gold = { driverName: "example.com", parameters: { iops: "100" } };

  it("have parameters, and keep them", () => {
    expect(createFaults(volumeAttributesClasses, { driverName: "example.com" })).toEqual([
      "parameters: Required value: must contain at least one key/value pair",
    ]);
    expect(updateFaults(volumeAttributesClasses, gold, { driverName: "b", parameters: { iops: "200" } })).toEqual([
      "driverName: Forbidden: updates to driverName are forbidden.",
      "parameters: Forbidden: updates to parameters are forbidden.",
    ]);
  });
});

const attachment = (spec: Fields): Fields => ({
  spec: { attacher: "example.com", nodeName: "node-1", source: { persistentVolumeName: "pv" }, ...spec },
});

describe("VolumeAttachments", () => {
  it("join one volume and one node", () => {
    expect(createFaults(volumeAttachments, attachment({ attacher: "", source: {} }))).toEqual([
      "spec.attacher: Required value",
      "spec.source: Required value: must specify exactly one of inlineVolumeSpec and persistentVolumeName",
    ]);
    expect(updateFaults(volumeAttachments, attachment({}), attachment({ nodeName: "node-2" }))).toEqual([
      'spec: Invalid value: {"Attacher":"example.com","NodeName":"node-2","Source":{"PersistentVolumeName":"pv"}}: field is immutable',
    ]);
  });
});

describe("CSI drivers", () => {
  it("are attached, and know nothing of pods, unless they say otherwise", () => {
    expect(created(csiDrivers, { spec: {} })["spec"]).toEqual({
      attachRequired: true,
      podInfoOnMount: false,
      storageCapacity: false,
      fsGroupPolicy: "ReadWriteOnceWithFSType",
      volumeLifecycleModes: ["Persistent"],
      requiresRepublish: false,
      seLinuxMount: false,
    });
  });

  it("refuse what they cannot do", () => {
    const spec = {
      fsGroupPolicy: "Any",
      tokenRequests: [{ audience: "a", expirationSeconds: 1 }, { audience: "a" }],
      volumeLifecycleModes: ["Forever"],
      nodeAllocatableUpdatePeriodSeconds: 1,
    };
    expect(createFaults(csiDrivers, { spec })).toEqual([
      'spec.fsGroupPolicy: Unsupported value: "Any": supported values: "File", "None", "ReadWriteOnceWithFSType"',
      "spec.tokenRequests[0].expirationSeconds: Invalid value: 1: may not specify a duration less than 10 minutes",
      'spec.tokenRequests[1].audience: Duplicate value: "a"',
      'spec.volumeLifecycleModes: Unsupported value: "Forever": supported values: "Persistent", "Ephemeral"',
      "spec.nodeAllocatableUpdatePeriodSeconds: Invalid value: 1: must be greater than or equal to 10 seconds",
    ]);
  });

  it("are registered on nodes, each once", () => {
    const driver = { name: "example.com", nodeID: "n", topologyKeys: ["zone"] };
    expect(createFaults(csiNodes, { spec: { drivers: [driver, { ...driver, nodeID: "" }] } })).toEqual([
      "spec.drivers[1].nodeID: Required value",
      'spec.drivers[1].name: Duplicate value: "example.com"',
    ]);
    const more = { ...driver, allocatable: { count: 3 } };
    expect(updateFaults(csiNodes, { spec: { drivers: [driver] } }, { spec: { drivers: [more] } })).toEqual([]);
    expect(updateFaults(csiNodes, { spec: { drivers: [driver] } }, { spec: { drivers: [{ ...driver, nodeID: "m" }] } })).toEqual([
      'spec.drivers: Invalid value: {"Name":"example.com","NodeID":"m","TopologyKeys":["zone"],"Allocatable":null}: field is immutable',
    ]);
  });

  it("report capacities that keep their place", () => {
    const capacity = { storageClassName: "fast", nodeTopology: { matchLabels: { "beta.kubernetes.io/os": "linux" } } };
    expect(updateFaults(csiStorageCapacities, capacity, { storageClassName: "slow" })).toEqual([
      "nodeTopology: Invalid value: null: field is immutable",
      'storageClassName: Invalid value: "slow": field is immutable',
    ]);
    expect(createFaults(csiStorageCapacities, { ...capacity, capacity: "-1" })).toEqual([
      'capacity: Invalid value: "-1": must be greater than or equal to 0',
    ]);
    expect(createWarnings(csiStorageCapacities, capacity)).toEqual([
      'nodeTopology.matchLabels.beta.kubernetes.io/os: deprecated since v1.14; use "kubernetes.io/os" instead',
    ]);
  });
});

describe("[NET-438] tables of storage", () => {
  it("show drivers, nodes, attachments and classes", () => {
    expect(rowOf(csiDrivers, { spec: { tokenRequests: [{ audience: "vault" }] } })).toEqual({
      Name: "web",
      AttachRequired: true,
      PodInfoOnMount: false,
      StorageCapacity: false,
      TokenRequests: "vault",
      RequiresRepublish: false,
      Modes: "Persistent",
      Age: "10m",
    });
    expect(rowOf(csiNodes, { spec: { drivers: [{ name: "a", nodeID: "n" }] } })).toEqual({ Name: "web", Drivers: 1, Age: "10m" });
    expect(rowOf(volumeAttachments, { ...attachment({}), status: { attached: true } })).toEqual({
      Name: "web",
      Attacher: "example.com",
      PV: "pv",
      Node: "node-1",
      Attached: true,
      Age: "10m",
    });
    expect(rowOf(volumeAttributesClasses, { driverName: "example.com" })).toEqual({
      Name: "web",
      DriverName: "example.com",
      Age: "10m",
    });
  });
});
