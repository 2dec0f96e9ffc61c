import { describe, expect, it } from "vitest";
import type { JsonValue, KubeObject } from "#cluster/api/objects.ts";
import { FieldErrors } from "../../field-errors.ts";
import { created, createFaults, createWarnings, rowOf, updateFaults } from "../../strategy.test-kit.ts";
import { persistentVolumeClaims } from "./persistentvolumeclaims.ts";
import { persistentVolumes } from "./persistentvolumes.ts";

type Fields = { readonly [field: string]: JsonValue };

const hostPath = { path: "/data" };
const volume = (spec: Fields): Fields => ({
  spec: { accessModes: ["ReadWriteOnce"], capacity: { storage: "1Gi" }, hostPath, ...spec },
});
const { hostPath: _hostPath, ...sourceless } = volume({})["spec"] as Fields;

const volumeCases: readonly (readonly [string, Fields, readonly string[]])[] = [
  ["[NET-307] no access modes", volume({ accessModes: [] }), ["spec.accessModes: Required value"]],
  [
    "[NET-307] no capacity",
    volume({ capacity: {} }),
    ["spec.capacity: Required value", 'spec.capacity: Unsupported value: null: supported values: "storage"'],
  ],
  [
    "[NET-307] a capacity of something else",
    volume({ capacity: { storage: "1Gi", cpu: "1" } }),
    ['spec.capacity: Unsupported value: {"storage":"1Gi","cpu":"1"}: supported values: "storage"'],
  ],
  [
    "[NET-307] a capacity of nothing",
    volume({ capacity: { storage: "0" } }),
    ['spec.capacity[storage]: Invalid value: "0": must be greater than zero'],
  ],
  ["[NET-308] no source", { spec: sourceless }, ["spec: Required value: must specify a volume type"]],
  [
    "[NET-309] a mode that suffers no other",
    volume({ accessModes: ["ReadWriteOncePod", "ReadWriteOnce"] }),
    ["spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes"],
  ],
  [
    "[NET-310] a disk of no node",
    { spec: { ...sourceless, local: { path: "/mnt" } } },
    ["spec.nodeAffinity: Required value: Local volume requires node affinity"],
  ],
  [
    "[NET-311] a root to recycle",
    volume({ hostPath: { path: "/" }, persistentVolumeReclaimPolicy: "Recycle" }),
    ["spec.persistentVolumeReclaimPolicy: Forbidden: may not be 'recycle' for a hostPath mount of '/'"],
  ],
  ["two sources", volume({ nfs: { server: "a", path: "/" } }), ["spec.nfs: Forbidden: may not specify more than 1 volume type"]],
  [
    "faults of a source",
    { spec: { ...sourceless, csi: { driver: "", volumeHandle: "" } } },
    ["spec.csi.driver: Required value", "spec.csi.volumeHandle: Required value"],
  ],
  [
    "unknown modes and policies",
    volume({ accessModes: ["Any"], volumeMode: "Raw", persistentVolumeReclaimPolicy: "Keep" }),
    [
      'spec.accessModes: Unsupported value: "Any": supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"',
      'spec.persistentVolumeReclaimPolicy: Unsupported value: "Keep": supported values: "Delete", "Recycle", "Retain"',
      'spec.volumeMode: Unsupported value: "Raw": supported values: "Block", "Filesystem"',
    ],
  ],
];

describe("PersistentVolumes", () => {
  it.each(volumeCases)("%s", (_title, fields, expected) => {
    expect(createFaults(persistentVolumes, fields)).toEqual(expected);
  });

  it("[NET-313] are kept, hold files, and are pending at first", () => {
    const made = created(persistentVolumes, volume({}));
    expect([made["spec"], made["status"]]).toEqual([
      {
        accessModes: ["ReadWriteOnce"],
        capacity: { storage: "1Gi" },
        hostPath: { path: "/data", type: "" },
        persistentVolumeReclaimPolicy: "Retain",
        volumeMode: "Filesystem",
      },
      { phase: "Pending", lastPhaseTransitionTime: "2026-01-01T00:00:00Z" },
    ]);
  });

  it("[NET-312] keep their source, and say what differs", () => {
    const [fault] = updateFaults(persistentVolumes, volume({}), volume({ hostPath: { path: "/other" } }));
    expect(fault).toBe(
      `spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation
@@ -2,7 +2,7 @@
  "GCEPersistentDisk": null,
  "AWSElasticBlockStore": null,
  "HostPath": {
-  "Path": "/data",
+  "Path": "/other",
   "Type": ""
  },
  "Glusterfs": null,
`,
    );
  });

  it("[NET-314] are warned of what is old", () => {
    const term = { matchExpressions: [{ key: "failure-domain.beta.kubernetes.io/zone", operator: "Exists" }] };
    expect(
      createWarnings(persistentVolumes, {
        metadata: { annotations: { "volume.beta.kubernetes.io/storage-class": "slow" } },
        ...volume({ persistentVolumeReclaimPolicy: "Recycle", nodeAffinity: { required: { nodeSelectorTerms: [term] } } }),
      }),
    ).toEqual([
      'metadata.annotations[volume.beta.kubernetes.io/storage-class]: deprecated since v1.8; use "storageClassName" attribute instead',
      "spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.",
      'spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[0].key: failure-domain.beta.kubernetes.io/zone is deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
    ]);
  });

  it("[NET-435] show capacity, modes and claim", () => {
    const spec = {
      claimRef: { namespace: "default", name: "data" },
      storageClassName: "fast",
      accessModes: ["ReadWriteMany", "ReadWriteOnce"],
    };
    expect(rowOf(persistentVolumes, { ...volume(spec), status: { phase: "Bound" } })).toEqual({
      Name: "web",
      Capacity: "1Gi",
      "Access Modes": "RWO,RWX",
      "Reclaim Policy": "Retain",
      Status: "Bound",
      Claim: "default/data",
      StorageClass: "fast",
      VolumeAttributesClass: "<unset>",
      Reason: "",
      Age: "10m",
      "(VolumeMode)": "Filesystem",
    });
  });
});

const claim = (spec: Fields): Fields => ({
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, storageClassName: "fast", ...spec },
});
const sized = (storage: string): Fields => claim({ resources: { requests: { storage } } });

/** What is wrong with a change of a claim that is bound, with as much as was asked for. */
function boundFaults(before: Fields, after: Fields): readonly string[] {
  const status = { phase: "Bound", capacity: { storage: "1Gi" } };
  const old = { ...created(persistentVolumeClaims, before), status } as KubeObject;
  const errors = new FieldErrors();
  persistentVolumeClaims.validateUpdate?.({ ...created(persistentVolumeClaims, after), status } as KubeObject, old, errors);
  return errors.causes.map(({ field, message }) => `${field}: ${message}`);
}

describe("PersistentVolumeClaims", () => {
  it("have one source under two names, after updates too", () => {
    const source = { kind: "PersistentVolumeClaim", name: "a" };
    for (const name of ["dataSource", "dataSourceRef"]) {
      expect(updateFaults(persistentVolumeClaims, claim({ [name]: source }), claim({ dataSource: source }))).toEqual([]);
      expect(updateFaults(persistentVolumeClaims, claim({ [name]: source }), claim({ dataSourceRef: source }))).toEqual([]);
    }
  });

  it.each([
    ["[NET-315] no modes", claim({ accessModes: [] }), ["spec.accessModes: Required value: at least 1 access mode is required"]],
    ["[NET-315] no size", claim({ resources: {} }), ["spec.resources[storage]: Required value"]],
    ["[NET-315] no size worth it", sized("-1Gi"), ['spec.resources[storage]: Invalid value: "-1Gi": must be greater than zero']],
    ["[NET-322] the class of no name", claim({ storageClassName: "" }), []],
    [
      "[NET-325] a source of no group",
      claim({ dataSourceRef: { kind: "Backup", name: "x" } }),
      [
        `spec.dataSource: Invalid value: "Backup": must be 'PersistentVolumeClaim' when referencing the default apiGroup`,
        `spec.dataSourceRef: Invalid value: "Backup": must be 'PersistentVolumeClaim' when referencing the default apiGroup`,
      ],
    ],
    [
      "two sources",
      claim({
        dataSource: { kind: "PersistentVolumeClaim", name: "a" },
        dataSourceRef: { kind: "PersistentVolumeClaim", name: "b" },
      }),
      ["spec: Invalid value: {}: must match dataSourceRef"],
    ],
  ])("%s", (_title, fields, expected) => {
    expect(createFaults(persistentVolumeClaims, fields)).toEqual(expected);
  });

  it("[NET-316] hold files, and are pending at first", () => {
    const made = created(persistentVolumeClaims, claim({}));
    expect([(made["spec"] as Fields)["volumeMode"], made["status"]]).toEqual(["Filesystem", { phase: "Pending" }]);
  });

  it("[NET-324] drop sources that the older field does not know, and mirror others", () => {
    const spec = (fields: Fields) => created(persistentVolumeClaims, claim(fields))["spec"];
    expect(spec({ dataSource: { apiGroup: "example.com", kind: "Backup", name: "x" } })).not.toHaveProperty("dataSource");
    const snapshot = { apiGroup: "snapshot.storage.k8s.io", kind: "VolumeSnapshot", name: "x" };
    expect(spec({ dataSource: snapshot })).toMatchObject({ dataSource: snapshot, dataSourceRef: snapshot });
    const backup = { apiGroup: "example.com", kind: "Backup", name: "x" };
    expect(spec({ dataSourceRef: backup })).toMatchObject({ dataSource: backup, dataSourceRef: backup });
  });

  it("[NET-317] [NET-318] are immutable, and say what differs", () => {
    const immutable =
      "spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims";
    expect(updateFaults(persistentVolumeClaims, claim({}), sized("2Gi"))).toEqual([
      `${immutable}
@@ -6,7 +6,7 @@
  "Resources": {
   "Limits": null,
   "Requests": {
-   "storage": "1Gi"
+   "storage": "2Gi"
   }
  },
  "VolumeName": "",
`,
    ]);
  });

  it("[NET-318] grow when bound, and shrink only to more than there is", () => {
    expect(boundFaults(claim({}), sized("2Gi"))).toEqual([]);
    expect(boundFaults(sized("3Gi"), sized("2Gi"))).toEqual([]);
    expect(boundFaults(sized("3Gi"), sized("1Gi"))).toEqual([
      "spec.resources.requests.storage: Forbidden: field can not be less than status.capacity",
    ]);
  });

  it("[NET-321] get a volume once, and a class when they have none", () => {
    const { storageClassName: _class, ...classless } = claim({})["spec"] as Fields;
    expect(updateFaults(persistentVolumeClaims, { spec: classless }, claim({ volumeName: "pv" }))).toEqual([]);
    expect(updateFaults(persistentVolumeClaims, claim({ volumeName: "pv" }), claim({ volumeName: "other" }))).toHaveLength(1);
    expect(updateFaults(persistentVolumeClaims, claim({ storageClassName: "" }), claim({}))).toHaveLength(1);
  });

  it("[NET-436] show what they got", () => {
    const row = (fields: Fields) => rowOf(persistentVolumeClaims, fields);
    const common = {
      Name: "web",
      StorageClass: "fast",
      VolumeAttributesClass: "<unset>",
      Age: "10m",
      "(VolumeMode)": "Filesystem",
    };
    expect(row(claim({}))).toEqual({ ...common, Status: "Pending", Volume: "", Capacity: "", "Access Modes": "" });
    const status = {
      phase: "Bound",
      capacity: { storage: "5Gi" },
      accessModes: ["ReadWriteOnce", "ReadWriteOncePod", "ReadOnlyMany"],
    };
    expect(row({ ...claim({ volumeName: "pv" }), status })).toEqual({
      ...common,
      Status: "Bound",
      Volume: "pv",
      Capacity: "5Gi",
      "Access Modes": "RWO,ROX,RWOP",
    });
    const metadata = { deletionTimestamp: "2026-01-01T00:00:00Z" };
    expect(row({ ...claim({}), metadata })["Status"]).toBe("Terminating");
  });
});

it("PersistentVolumes are told what their storage systems take for granted, as volumes of Pods are", () => {
  const specOf = (source: Fields) => created(persistentVolumes, { spec: { ...sourceless, ...source } })["spec"] as Fields;
  const iscsi = { targetPortal: "1.2.3.4", iqn: "iqn.2001-04.com.example:x", lun: 0 };
  expect([
    specOf({ azureDisk: { diskName: "d", diskURI: "u" } })["azureDisk"],
    specOf({ iscsi })["iscsi"],
    specOf({ rbd: { monitors: ["m"], image: "i" } })["rbd"],
    specOf({ scaleIO: { gateway: "g", system: "s", secretRef: { name: "n" } } })["scaleIO"],
  ]).toEqual([
    { diskName: "d", diskURI: "u", cachingMode: "ReadWrite", fsType: "ext4", readOnly: false, kind: "Shared" },
    { ...iscsi, iscsiInterface: "default" },
    { monitors: ["m"], image: "i", pool: "rbd", user: "admin", keyring: "/etc/ceph/keyring" },
    { gateway: "g", system: "s", secretRef: { name: "n" }, storageMode: "ThinProvisioned", fsType: "xfs" },
  ]);
});
