// The kinds of snapshot.storage.k8s.io/v1, with the columns and rules that upstream's definitions have
// (external-snapshotter, client/config/crd).

import type {
  CustomResourceColumnDefinition,
  CustomResourceDefinition,
  CustomResourceDefinitionNames,
  JSONSchemaProps,
  ValidationRule,
} from "#cluster/api/generated/types.ts";
import type { Draft } from "#cluster/api/objects.ts";
import { snapshotGroup } from "#cluster/csi/snapshot-kinds.ts";

type Properties = { readonly [name: string]: JSONSchemaProps };

const quantityPattern =
  "^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$";

export function snapshotDefinitions(): readonly Draft<CustomResourceDefinition>[] {
  return [classDefinition(), contentDefinition(), snapshotDefinition()];
}

interface Kind {
  readonly names: CustomResourceDefinitionNames;
  readonly scope: "Namespaced" | "Cluster";
  /** The request upstream by which its API was approved. */
  readonly approval: number;
  readonly columns: readonly CustomResourceColumnDefinition[];
  readonly description: string;
  readonly properties: Properties;
  readonly required: readonly string[];
}

function definition({ names, scope, approval, columns, description, properties, required }: Kind): Draft<CustomResourceDefinition> {
  const hasStatus = properties["status"] !== undefined;
  return {
    metadata: {
      name: `${names.plural}.${snapshotGroup}`,
      annotations: { "api-approved.kubernetes.io": `https://github.com/kubernetes-csi/external-snapshotter/pull/${approval}` },
    },
    spec: {
      group: snapshotGroup,
      names,
      scope,
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          additionalPrinterColumns: [...columns, { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" }],
          ...(hasStatus ? { subresources: { status: {} } } : {}),
          schema: {
            openAPIV3Schema: {
              type: "object",
              description,
              properties: {
                apiVersion: text("The version of the API that this object is written in."),
                kind: text("The kind of object."),
                metadata: { type: "object" },
                ...properties,
              },
              required,
            },
          },
        },
      ],
    },
  };
}

function text(description: string, more: Partial<JSONSchemaProps> = {}): JSONSchemaProps {
  return { type: "string", description, ...more };
}

function flag(description: string): JSONSchemaProps {
  return { type: "boolean", description };
}

function parts(description: string, properties: Properties, more: Partial<JSONSchemaProps> = {}): JSONSchemaProps {
  return { type: "object", description, properties, ...more };
}

function rule(expression: string, message: string): ValidationRule {
  return { rule: expression, message };
}

function immutable(name: string): Partial<JSONSchemaProps> {
  return { "x-kubernetes-validations": [rule("self == oldSelf", `${name} is immutable`)] };
}

function keptOnce(name: string): ValidationRule {
  return rule(`!has(oldSelf.${name}) || has(self.${name})`, `${name} is required once set`);
}

/** One of the two fields, whichever. */
function oneOf(first: string, second: string): Partial<JSONSchemaProps> {
  const only = (one: string, other: string) => `(has(self.${one}) && !has(self.${other}))`;
  return {
    "x-kubernetes-validations": [
      keptOnce(second),
      keptOnce(first),
      rule(`${only(first, second)} || ${only(second, first)}`, `exactly one of ${first} and ${second} must be set`),
    ],
  };
}

const error = parts("What went wrong last, until it succeeds.", {
  message: text("The error in words."),
  time: text("When it happened.", { format: "date-time" }),
});

const deletionPolicy = text("Whether the snapshot at the storage system goes with the VolumeSnapshot (Delete) or stays (Retain).", {
  enum: ["Delete", "Retain"],
});

function column(name: string, type: string, jsonPath: string, description?: string): CustomResourceColumnDefinition {
  return { name, type, jsonPath, ...(description === undefined ? {} : { description }) };
}

const readyColumn = column("ReadyToUse", "boolean", ".status.readyToUse", "Whether volumes can be made from the snapshot.");

function classDefinition(): Draft<CustomResourceDefinition> {
  return definition({
    names: {
      kind: "VolumeSnapshotClass",
      listKind: "VolumeSnapshotClassList",
      plural: "volumesnapshotclasses",
      singular: "volumesnapshotclass",
      shortNames: ["vsclass", "vsclasses"],
    },
    scope: "Cluster",
    approval: 814,
    columns: [
      column("Driver", "string", ".driver"),
      column("DeletionPolicy", "string", ".deletionPolicy", "What becomes of a snapshot when its VolumeSnapshot is deleted."),
    ],
    description: "How snapshots of a driver are made; VolumeSnapshots name it.",
    properties: {
      deletionPolicy,
      driver: text("The CSI driver whose volumes it is for."),
      parameters: {
        type: "object",
        description: "What the driver is told when it makes a snapshot.",
        additionalProperties: { type: "string" },
      },
    },
    required: ["deletionPolicy", "driver"],
  });
}

function snapshotDefinition(): Draft<CustomResourceDefinition> {
  const source = parts(
    "What it is a snapshot of: a claim's volume, or one that the storage system has already.",
    {
      persistentVolumeClaimName: text("The claim, in the same namespace, whose volume the snapshot is taken of.", {
        ...immutable("persistentVolumeClaimName"),
      }),
      volumeSnapshotContentName: text("The VolumeSnapshotContent that stands for a snapshot which exists already.", {
        ...immutable("volumeSnapshotContentName"),
      }),
    },
    oneOf("volumeSnapshotContentName", "persistentVolumeClaimName"),
  );
  const status = parts("What has become of it. The binding counts only if the content points back.", {
    boundVolumeSnapshotContentName: text("The VolumeSnapshotContent that it is bound to."),
    creationTime: text("When the storage system has taken the snapshot.", { format: "date-time" }),
    error,
    readyToUse: flag("Whether volumes can be made from it."),
    restoreSize: text("How large a volume that is made from it has to be at least.", {
      pattern: quantityPattern,
      "x-kubernetes-int-or-string": true,
    }),
    volumeGroupSnapshotName: text("The VolumeGroupSnapshot that it is part of."),
  });
  return definition({
    names: {
      kind: "VolumeSnapshot",
      listKind: "VolumeSnapshotList",
      plural: "volumesnapshots",
      singular: "volumesnapshot",
      shortNames: ["vs"],
    },
    scope: "Namespaced",
    approval: 814,
    columns: [
      readyColumn,
      column("SourcePVC", "string", ".spec.source.persistentVolumeClaimName", "The claim that the snapshot is taken of."),
      column("SourceSnapshotContent", "string", ".spec.source.volumeSnapshotContentName", "The content that existed before."),
      column("RestoreSize", "string", ".status.restoreSize", "The least size of a volume made from it."),
      column("SnapshotClass", "string", ".spec.volumeSnapshotClassName", "The class that it asks for."),
      column("SnapshotContent", "string", ".status.boundVolumeSnapshotContentName", "The content that it is bound to."),
      column("CreationTime", "date", ".status.creationTime", "When the storage system has taken it."),
    ],
    description: "Asks for a snapshot of a volume, or stands for one that exists.",
    properties: {
      spec: parts(
        "What is asked for.",
        {
          source,
          volumeSnapshotClassName: text("The class; without one, the default class of the volume's driver.", {
            "x-kubernetes-validations": [rule("size(self) > 0", "volumeSnapshotClassName must not be the empty string when set")],
          }),
        },
        { required: ["source"] },
      ),
      status,
    },
    required: ["spec"],
  });
}

function contentDefinition(): Draft<CustomResourceDefinition> {
  const names = ["apiVersion", "fieldPath", "kind", "name", "namespace", "resourceVersion", "uid"];
  const reference = parts(
    "The VolumeSnapshot that it is bound to, or kept for.",
    Object.fromEntries(names.map((name) => [name, text(`${name} of the VolumeSnapshot.`)])),
    {
      "x-kubernetes-map-type": "atomic",
      "x-kubernetes-validations": [
        rule(
          "has(self.name) && has(self.__namespace__)",
          "both spec.volumeSnapshotRef.name and spec.volumeSnapshotRef.namespace must be set",
        ),
      ],
    },
  );
  const source = parts(
    "Where the snapshot comes from.",
    {
      snapshotHandle: text("The storage system's name of a snapshot that exists.", immutable("snapshotHandle")),
      volumeHandle: text("The storage system's name of the volume that a snapshot is taken of.", immutable("volumeHandle")),
    },
    oneOf("volumeHandle", "snapshotHandle"),
  );
  const spec = parts(
    "What the snapshot is, and whose.",
    {
      deletionPolicy,
      driver: text("The CSI driver that has the snapshot."),
      source,
      sourceVolumeMode: text("The mode of the volume that it is taken of: Filesystem or Block.", immutable("sourceVolumeMode")),
      volumeSnapshotClassName: text("The class that it was made by."),
      volumeSnapshotRef: reference,
    },
    {
      required: ["deletionPolicy", "driver", "source", "volumeSnapshotRef"],
      "x-kubernetes-validations": [keptOnce("sourceVolumeMode")],
    },
  );
  const status = parts("What has become of it.", {
    creationTime: { type: "integer", format: "int64", description: "When it was taken, in nanoseconds since 1970." },
    error,
    readyToUse: flag("Whether volumes can be made from it."),
    restoreSize: { type: "integer", format: "int64", minimum: 0, description: "Its size in bytes." },
    snapshotHandle: text("The storage system's name of the snapshot."),
    volumeGroupSnapshotHandle: text("The storage system's name of the group of snapshots that it is part of."),
  });
  return definition({
    names: {
      kind: "VolumeSnapshotContent",
      listKind: "VolumeSnapshotContentList",
      plural: "volumesnapshotcontents",
      singular: "volumesnapshotcontent",
      shortNames: ["vsc", "vscs"],
    },
    scope: "Cluster",
    approval: 955,
    columns: [
      readyColumn,
      column("RestoreSize", "integer", ".status.restoreSize", "The size of the snapshot in bytes."),
      column("DeletionPolicy", "string", ".spec.deletionPolicy", "What becomes of it when its VolumeSnapshot is deleted."),
      column("Driver", "string", ".spec.driver", "The driver that has it."),
      column("VolumeSnapshotClass", "string", ".spec.volumeSnapshotClassName", "The class that it was made by."),
      column("VolumeSnapshot", "string", ".spec.volumeSnapshotRef.name", "The VolumeSnapshot that it is bound to."),
      column("VolumeSnapshotNamespace", "string", ".spec.volumeSnapshotRef.namespace", "The namespace of that."),
    ],
    description: "Stands for a snapshot at a storage system.",
    properties: { spec, status },
    required: ["spec"],
  });
}
