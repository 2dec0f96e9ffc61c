// Storage classes, attribute classes, and what CSI drivers a node has.

import type { CSINode, StorageClass, VolumeAttributesClass } from "#cluster/api/generated/types.ts";
import { formatLabelSet } from "#cluster/api/labels.ts";
import { orNone, trueOrFalse } from "./description.ts";
import { describeHead, withEvents } from "./from-object.ts";
import { longTime } from "./when.ts";

const defaultClass = "storageclass.kubernetes.io/is-default-class";
const oldDefaultClass = "storageclass.beta.kubernetes.io/is-default-class";

export const describeStorageClass = withEvents<StorageClass>((out, storageClass) => {
  const { metadata, provisioner, parameters, allowVolumeExpansion, mountOptions = [], reclaimPolicy } = storageClass;
  const isDefault = metadata.annotations?.[defaultClass] === "true" || metadata.annotations?.[oldDefaultClass] === "true";
  out.field("Name", metadata.name);
  out.field("IsDefaultClass", isDefault ? "Yes" : "No");
  out.field("Annotations", orNone(formatLabelSet(metadata.annotations)));
  out.field("Provisioner", provisioner);
  out.field("Parameters", orNone(formatLabelSet(parameters)));
  out.field("AllowVolumeExpansion", trueOrFalse(allowVolumeExpansion, "<unset>"));
  if (mountOptions.length === 0) out.line("MountOptions:\t<none>");
  else {
    out.line("MountOptions:");
    for (const option of mountOptions) out.line(option, 1);
  }
  if (reclaimPolicy !== undefined) out.field("ReclaimPolicy", reclaimPolicy);
  if (storageClass.volumeBindingMode !== undefined) out.field("VolumeBindingMode", storageClass.volumeBindingMode);
  const topologies = storageClass.allowedTopologies;
  if (topologies === undefined) return;
  out.line(`AllowedTopologies:\t${topologies.length === 0 ? "<none>" : ""}`);
  for (const [index, { matchLabelExpressions = [] }] of topologies.entries()) {
    if (matchLabelExpressions.length === 0) out.line(`Term ${index}:\t<none>`, 1);
    for (const [place, { key, values }] of matchLabelExpressions.entries())
      out.line(`${place === 0 ? `Term ${index}:` : ""}\t${key} in [${values.join(", ")}]`, 1);
  }
});

export const describeVolumeAttributesClass = withEvents<VolumeAttributesClass>((out, { metadata, driverName, parameters }) => {
  out.field("Name", metadata.name);
  out.field("Annotations", orNone(formatLabelSet(metadata.annotations)));
  out.field("DriverName", driverName);
  out.field("Parameters", orNone(formatLabelSet(parameters)));
});

export const describeCsiNode = withEvents<CSINode>((out, node) => {
  describeHead(out, node);
  out.field("CreationTimestamp", longTime(node.metadata.creationTimestamp));
  out.line("Spec:");
  const drivers = node.spec?.drivers ?? [];
  if (drivers.length > 0) out.line("Drivers:", 1);
  for (const { name, nodeID, allocatable, topologyKeys } of drivers) {
    out.line(`${name}:`, 2);
    out.field("Node ID", nodeID, 3);
    if (allocatable?.count !== undefined) {
      out.line("Allocatables:", 3);
      out.field("Count", allocatable.count, 4);
    }
    if (topologyKeys !== undefined) out.field("Topology Keys", `[${topologyKeys.join(" ")}]`, 3);
  }
});
