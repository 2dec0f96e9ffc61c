// Volumes of storage systems and clouds (pkg/apis/core/validation). Nothing here mounts them; their form is checked.

import type {
  AWSElasticBlockStoreVolumeSource,
  AzureDiskVolumeSource,
  FCVolumeSource,
  FlexVolumeSource,
  FlockerVolumeSource,
  GCEPersistentDiskVolumeSource,
  ISCSIVolumeSource,
  QuobyteVolumeSource,
  RBDVolumeSource,
} from "#cluster/api/generated/types.ts";
import { rangeReason } from "#cluster/api/names.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import type { FieldErrors, Path } from "../../field-errors.ts";

const maxByte = 255;

function validateByte(value = 0, path: Path, low: number, errors: FieldErrors): void {
  if (value < 0 || value > maxByte) errors.invalid(path, value, rangeReason(low, maxByte));
}

export function validateGcePersistentDisk(disk: GCEPersistentDiskVolumeSource, path: Path, errors: FieldErrors): void {
  if (!disk.pdName) errors.required(path.child("pdName"));
  validateByte(disk.partition, path.child("partition"), 1, errors);
}

export function validateAwsElasticBlockStore(disk: AWSElasticBlockStoreVolumeSource, path: Path, errors: FieldErrors): void {
  if (!disk.volumeID) errors.required(path.child("volumeID"));
  validateByte(disk.partition, path.child("partition"), 1, errors);
}

const initiatorForms: { readonly [prefix: string]: RegExp } = {
  iqn: /iqn\.\d{4}-\d{2}\.([A-Za-z0-9\-.]+)(:[^,;*&$|\s]+)$/,
  eui: /^eui.[A-Za-z0-9]{16}$/,
  naa: /^naa.[A-Za-z0-9]{32}$/,
};

function validateInitiator(name: string, path: Path, errors: FieldErrors): void {
  const form = initiatorForms[name.slice(0, 3)];
  if (form === undefined) errors.invalid(path, name, "must be valid format starting with iqn, eui, or naa");
  else if (!form.test(name)) errors.invalid(path, name, "must be valid format");
}

export function validateIscsi(iscsi: ISCSIVolumeSource, path: Path, errors: FieldErrors): void {
  if (!iscsi.targetPortal) errors.required(path.child("targetPortal"));
  if (!iscsi.iqn) errors.required(path.child("iqn"));
  else validateInitiator(iscsi.iqn, path.child("iqn"), errors);
  validateByte(iscsi.lun, path.child("lun"), 0, errors);
  const authenticates = iscsi.chapAuthDiscovery === true || iscsi.chapAuthSession === true;
  if (authenticates && iscsi.secretRef === undefined) errors.required(path.child("secretRef"));
  if (iscsi.initiatorName !== undefined) validateInitiator(iscsi.initiatorName, path.child("initiatorname"), errors);
}

export function validateFibreChannel({ targetWWNs = [], wwids = [], lun }: FCVolumeSource, path: Path, errors: FieldErrors): void {
  const at = path.child("targetWWNs");
  if (targetWWNs.length === 0 && wwids.length === 0) {
    errors.required(at, "must specify either targetWWNs or wwids, but not both");
  }
  if (targetWWNs.length === 0) return;
  if (wwids.length > 0) errors.invalid(at, targetWWNs, "targetWWNs and wwids can not be specified simultaneously");
  if (lun === undefined) errors.required(path.child("lun"), "lun is required if targetWWNs is specified");
  else validateByte(lun, path.child("lun"), 0, errors);
}

export function validateFlocker(
  { datasetName = "", datasetUUID = "" }: FlockerVolumeSource,
  path: Path,
  errors: FieldErrors,
): void {
  if (datasetName === "" && datasetUUID === "") errors.required(path, "one of datasetName and datasetUUID is required");
  if (datasetName !== "" && datasetUUID !== "") {
    errors.invalid(path, "resource", "datasetName and datasetUUID can not be specified simultaneously");
  }
  if (datasetName.includes("/")) errors.invalid(path.child("datasetName"), datasetName, "must not contain '/'");
}

export function validateRbd({ monitors = [], image }: RBDVolumeSource, path: Path, errors: FieldErrors): void {
  if (monitors.length === 0) errors.required(path.child("monitors"));
  if (!image) errors.required(path.child("image"));
}

export function validateQuobyte(
  { registry = "", tenant = "", volume }: QuobyteVolumeSource,
  path: Path,
  errors: FieldErrors,
): void {
  const detail = "must be a host:port pair or multiple pairs separated by commas";
  if (registry === "") errors.required(path.child("registry"), detail);
  else if (tenant.length >= 65) {
    errors.required(path.child("tenant"), "must be a UUID and may not exceed a length of 64 characters");
  } else {
    for (const pair of registry.split(",")) {
      if (!/^(?:[^:[\]]*|\[[^[\]]*\]):[^:[\]]*$/.test(pair)) errors.invalid(path.child("registry"), registry, detail);
    }
  }
  if (!volume) errors.required(path.child("volume"));
}

export function validateFlexVolume({ driver, options = {} }: FlexVolumeSource, path: Path, errors: FieldErrors): void {
  if (!driver) errors.required(path.child("driver"));
  for (const key in options) {
    const owner = asciiLowerCase(`.${key.split("/")[0]}`);
    if (owner.endsWith(".kubernetes.io") || owner.endsWith(".k8s.io")) {
      errors.invalid(path.child("options").key(key), key, "kubernetes.io and k8s.io namespaces are reserved");
    }
  }
}

const cachingModes = ["None", "ReadOnly", "ReadWrite"];
const azureKinds = ["Dedicated", "Managed", "Shared"];
const managedUri = "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}";
const blobUri = "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd";

export function validateAzureDisk(disk: AzureDiskVolumeSource, path: Path, errors: FieldErrors): void {
  const { diskName, diskURI = "", cachingMode, kind } = disk;
  if (!diskName) errors.required(path.child("diskName"));
  if (diskURI === "") errors.required(path.child("diskURI"));
  if (cachingMode !== undefined && !cachingModes.includes(cachingMode)) {
    errors.notSupported(path.child("cachingMode"), cachingMode, cachingModes);
  }
  if (kind !== undefined && !azureKinds.includes(kind)) errors.notSupported(path.child("kind"), kind, azureKinds);
  if (kind === "Managed" && !diskURI.startsWith("/subscriptions/")) {
    errors.notSupported(path.child("diskURI"), diskURI, [managedUri]);
  }
  if (kind !== undefined && kind !== "Managed" && !diskURI.startsWith("https://")) {
    errors.notSupported(path.child("diskURI"), diskURI, [blobUri]);
  }
}
