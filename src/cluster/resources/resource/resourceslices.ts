import type { Device, DeviceAttribute, ResourcePool, ResourceSlice, ResourceSliceSpec } from "#cluster/api/generated/types.ts";
import { resourceSlices as type } from "#cluster/api/kinds.ts";
import { dns1123LabelReasons, dns1123SubdomainReasons } from "#cluster/api/names.ts";
import { isSemver } from "#cluster/cel/semver.ts";
import { ageCell, ageColumn, column, nameCell, nameColumn } from "../columns.ts";
import { validateNodeSelector } from "../core/selector-validation.ts";
import { validateDriverName } from "../core/volumes/persistentvolume-sources.ts";
import { defineResource, type Typed } from "../definition.ts";
import { type FieldErrors, field, type Path } from "../field-errors.ts";
import { subdomainName } from "../name-rules.ts";
import { validateUnchanged } from "../workload-validation.ts";
import { validateSet } from "./device-validation.ts";

const path = field("spec");
const maxDevices = 128;
/** With taints or counters a device says more. */
const maxRichDevices = 64;
const maxCounterSets = 8;
const maxAttributes = 32;
const maxPoolName = 253;
const maxText = 64;

export const resourceSlices = defineResource(type, {
  returnsDeleted: true,
  generationFields: ["spec"],
  selectableFields: {
    "spec.nodeName": (slice) => slice.spec?.nodeName ?? "",
    "spec.driver": (slice) => slice.spec?.driver ?? "",
  },
  validate: (slice, errors) => {
    validateOrigin(slice.spec, errors);
    validateOffer(slice.spec, errors);
  },
  validateUpdate: (slice, old, errors) => {
    if (slice.spec === old.spec) return;
    validateOrigin(slice.spec, errors);
    validateUnchanged(slice.spec?.pool?.name, old.spec?.pool?.name, path.child("pool", "name"), errors);
    validateUnchanged(slice.spec?.driver, old.spec?.driver, path.child("driver"), errors);
    validateUnchanged(slice.spec?.nodeName, old.spec?.nodeName, path.child("nodeName"), errors);
    validateOffer(slice.spec, errors);
  },
  columns: [nameColumn, column("Node", ""), column("Driver", ""), column("Pool", ""), ageColumn],
  row: (slice: Typed<ResourceSlice>, context) => [
    nameCell(slice),
    slice.spec?.nodeName ?? "<unset>",
    slice.spec?.driver ?? "",
    slice.spec?.pool?.name ?? "",
    ageCell(slice, context),
  ],
});

/** Whose devices, and of which pool. */
function validateOrigin(spec: ResourceSliceSpec | undefined, errors: FieldErrors): void {
  if (spec === undefined) return;
  validateDriverName(spec.driver ?? "", path.child("driver"), errors);
  validatePool(spec.pool ?? {}, errors);
}

/** Where they are, and what they can do. */
function validateOffer(spec: ResourceSliceSpec | undefined, errors: FieldErrors): void {
  if (spec === undefined) return;
  const which = placesOf(spec, path, errors);
  if (spec.perDeviceNodeSelection !== undefined) {
    if (spec.perDeviceNodeSelection) which.push("`perDeviceNodeSelection`");
    else errors.invalid(path.child("perDeviceNodeSelection"), false, "must be either unset or set to true");
  }
  const oneOf = "exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required";
  if (which.length === 0) errors.required(path, oneOf);
  else if (which.length > 1) errors.invalid(path, `{${which.join(", ")}}`, `${oneOf}, but multiple fields are set`);
  const { sharedCounters, devices = [] } = spec;
  if (sharedCounters !== undefined && spec.devices !== undefined) {
    errors.invalid(path, "", "only one of `sharedCounters` or `devices` is allowed");
  }
  const rich = devices.some(({ taints = [], consumesCounters = [] }) => taints.length + consumesCounters.length > 0);
  const nameOf = ({ name }: { readonly name: string }): string => name;
  const mostDevices = rich ? maxRichDevices : maxDevices;
  validateSet(devices, { most: mostDevices, keyOf: nameOf }, path.child("devices"), errors, (device, at) =>
    validateDevice(device, spec.perDeviceNodeSelection === true, at, errors),
  );
  const counterSets = { most: maxCounterSets, keyOf: nameOf };
  validateSet(sharedCounters ?? [], counterSets, path.child("sharedCounters"), errors, ({ name, counters }, at) => {
    for (const reason of dns1123LabelReasons(name)) errors.invalid(at.child("name"), name, reason);
    if (Object.keys(counters ?? {}).length === 0) errors.required(at.child("counters"));
  });
}

function validatePool(pool: Partial<ResourcePool>, errors: FieldErrors): void {
  const { name = "", resourceSliceCount = 0, generation = 0 } = pool;
  const at = path.child("pool");
  if (name === "") errors.required(at.child("name"));
  else {
    if (name.length > maxPoolName) errors.tooLong(at.child("name"), maxPoolName);
    for (const part of name.split("/")) {
      for (const reason of dns1123SubdomainReasons(part)) errors.invalid(at.child("name"), part, reason);
    }
  }
  if (resourceSliceCount <= 0) errors.invalid(at.child("resourceSliceCount"), resourceSliceCount, "must be greater than zero");
  if (generation < 0) errors.invalid(at.child("generation"), generation, "must be greater than or equal to zero");
}

type Placed = Pick<Device, "nodeName" | "nodeSelector" | "allNodes">;

/** Which of the fields that say where devices are is set. */
function placesOf({ nodeName, nodeSelector, allNodes }: Placed, at: Path, errors: FieldErrors): string[] {
  const which: string[] = [];
  if (nodeName === "") errors.invalid(at.child("nodeName"), nodeName, "must be either unset or set to a non-empty string");
  else if (nodeName !== undefined) {
    which.push("`nodeName`");
    for (const reason of subdomainName(nodeName, false)) errors.invalid(at.child("nodeName"), nodeName, reason);
  }
  if (nodeSelector !== undefined) {
    which.push("`nodeSelector`");
    validateNodeSelector(nodeSelector, at.child("nodeSelector"), errors);
    if (nodeSelector.nodeSelectorTerms.length !== 1) {
      errors.invalid(
        at.child("nodeSelector", "nodeSelectorTerms"),
        nodeSelector.nodeSelectorTerms,
        "must have exactly one node selector term",
      );
    }
  }
  if (allNodes === true) which.push("`allNodes`");
  else if (allNodes === false) errors.invalid(at.child("allNodes"), false, "must be either unset or set to true");
  return which;
}

function validateAttribute(attribute: DeviceAttribute, at: Path, errors: FieldErrors): void {
  const { string: text = "", version } = attribute;
  const values = Object.keys(attribute).length;
  if (version !== undefined && !isSemver(version)) {
    errors.invalid(at.child("version"), version, "must be a string compatible with semver.org spec 2.0.0");
  }
  if ((version?.length ?? 0) > maxText) errors.tooLong(at.child("version"), maxText);
  if (text.length > maxText) errors.tooLong(at.child("string"), maxText);
  if (values !== 1) errors.invalid(at, values === 0 ? "" : attribute, "exactly one value must be specified");
}

function validateDevice(device: Device, placedAlone: boolean, at: Path, errors: FieldErrors): void {
  const { name, attributes = {}, capacity = {} } = device;
  for (const reason of dns1123LabelReasons(name)) errors.invalid(at.child("name"), name, reason);
  const said = Object.keys(attributes).length + Object.keys(capacity).length;
  if (said > maxAttributes) {
    errors.invalid(at, said, `the total number of attributes and capacities must not exceed ${maxAttributes}`);
  }
  for (const [key, attribute] of Object.entries(attributes)) validateAttribute(attribute, at.child("attributes").key(key), errors);
  if (placedAlone) {
    const which = placesOf(device, at, errors);
    const oneOf =
      "exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec";
    if (which.length === 0) errors.required(at, oneOf);
    else if (which.length > 1) errors.invalid(at, `{${which.join(", ")}}`, oneOf);
  } else if (device.nodeName !== undefined || device.nodeSelector !== undefined || device.allNodes !== undefined) {
    errors.invalid(
      at,
      undefined,
      "`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec",
    );
  }
}
