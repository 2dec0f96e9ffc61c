// Where a PersistentVolume's data is: the kinds of sources in upstream's order, and what each asks for
// (pkg/apis/core/validation: ValidatePersistentVolumeSpec and the validators of sources).

import type {
  CSIPersistentVolumeSource,
  HostPathVolumeSource,
  LocalVolumeSource,
  NFSVolumeSource,
  PersistentVolumeSpec,
  SecretReference,
} from "#cluster/api/generated/types.ts";
import { dns1123LabelReasons, dns1123SubdomainReasons } from "#cluster/api/names.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import { type FieldErrors, goFieldName, goValue, type Path } from "../../field-errors.ts";

interface Source {
  /** Where faults are reported, when it is not the field. */
  readonly path?: string;
  /** Where a second source is reported. */
  readonly secondPath?: string;
  readonly required: readonly string[];
}

/** Kinds with nothing but required fields; the others are below. */
const sources = {
  hostPath: { required: [] },
  gcePersistentDisk: { path: "persistentDisk", required: ["pdName"] },
  awsElasticBlockStore: { required: ["volumeID"] },
  glusterfs: { required: ["endpoints", "path"] },
  flocker: { required: [] },
  nfs: { required: [] },
  rbd: { required: ["monitors", "image"] },
  quobyte: { required: ["registry", "volume"] },
  cephfs: { secondPath: "cephFS", required: ["monitors"] },
  iscsi: { required: ["targetPortal", "iqn"] },
  cinder: { required: ["volumeID"] },
  fc: { required: [] },
  flexVolume: { required: ["driver"] },
  azureFile: { required: ["secretName", "shareName"] },
  vsphereVolume: { required: ["volumePath"] },
  photonPersistentDisk: { required: ["pdID"] },
  portworxVolume: { required: ["volumeID"] },
  azureDisk: { required: ["diskName", "diskURI"] },
  scaleIO: { required: ["gateway", "system", "volumeName"] },
  local: { required: [] },
  storageos: { required: [] },
  csi: { required: [] },
} as const satisfies { readonly [name in keyof PersistentVolumeSpec]?: Source };

const hostPathTypes = ["", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"];

export function validateVolumeSource(spec: PersistentVolumeSpec, path: Path, errors: FieldErrors): void {
  let found = false;
  for (const [name, source] of Object.entries(sources) as readonly [keyof typeof sources, Source][]) {
    const value = spec[name];
    if (value === undefined) continue;
    if (found && name !== "flexVolume") {
      errors.forbidden(path.child(source.secondPath ?? name), "may not specify more than 1 volume type");
      continue;
    }
    found = true;
    const at = path.child(source.path ?? name);
    for (const field of source.required) {
      const part = (value as { readonly [field: string]: unknown })[field];
      if (part === undefined || part === "" || (Array.isArray(part) && part.length === 0)) errors.required(at.child(field));
    }
  }
  if (spec.hostPath !== undefined) validateHostPath(spec.hostPath, path.child("hostPath"), errors);
  if (spec.nfs !== undefined) validateNfs(spec.nfs, path.child("nfs"), errors);
  if (spec.local !== undefined) validateLocal(spec.local, spec, path, errors);
  if (spec.csi !== undefined) validateCsi(spec.csi, path.child("csi"), errors);
  if (!found) errors.required(path, "must specify a volume type");
}

function validateHostPath({ path: text = "", type }: HostPathVolumeSource, path: Path, errors: FieldErrors): void {
  if (text === "") {
    errors.required(path.child("path"));
    return;
  }
  validateNoBacksteps(text, path.child("path"), errors);
  if (type !== undefined && !hostPathTypes.includes(type)) errors.notSupported(path.child("type"), type, hostPathTypes);
}

function validateNfs({ server = "", path: text = "" }: NFSVolumeSource, path: Path, errors: FieldErrors): void {
  if (server === "") errors.required(path.child("server"));
  if (text === "") errors.required(path.child("path"));
  if (!text.startsWith("/")) errors.invalid(path.child("path"), text, "must be an absolute path");
}

function validateLocal({ path: text = "" }: LocalVolumeSource, spec: PersistentVolumeSpec, path: Path, errors: FieldErrors): void {
  if (text === "") errors.required(path.child("local", "path"));
  else validateNoBacksteps(text, path.child("local", "path"), errors);
  if (spec.nodeAffinity === undefined) errors.required(path.child("nodeAffinity"), "Local volume requires node affinity");
}

function validateCsi(csi: CSIPersistentVolumeSource, path: Path, errors: FieldErrors): void {
  validateDriverName(csi.driver ?? "", path.child("driver"), errors);
  if (!csi.volumeHandle) errors.required(path.child("volumeHandle"));
  for (const name of [
    "controllerPublishSecretRef",
    "controllerExpandSecretRef",
    "nodePublishSecretRef",
    "nodeExpandSecretRef",
  ] as const) {
    if (csi[name] !== undefined) validateSecretReference(csi[name], path.child(name), errors);
  }
}

/** The name of a CSI driver: a subdomain of at most 63 characters, in any case. */
export function validateDriverName(name: string, path: Path, errors: FieldErrors): void {
  if (name === "") {
    errors.required(path);
    return;
  }
  if (name.length > 63) errors.tooLong(path, 63);
  for (const reason of dns1123SubdomainReasons(asciiLowerCase(name))) errors.invalid(path, name, reason);
}

function validateSecretReference({ name = "", namespace = "" }: SecretReference, path: Path, errors: FieldErrors): void {
  if (name === "") errors.required(path.child("name"));
  else for (const reason of dns1123SubdomainReasons(name)) errors.invalid(path.child("name"), name, reason);
  if (namespace === "") errors.required(path.child("namespace"));
  else for (const reason of dns1123LabelReasons(namespace)) errors.invalid(path.child("namespace"), namespace, reason);
}

function validateNoBacksteps(text: string, path: Path, errors: FieldErrors): void {
  if (text.split("/").includes("..")) errors.invalid(path, text, "must not contain '..'");
}

/** All fields of the sources that people write; of others only what is set is shown. */
const fieldsOf: { readonly [source: string]: { readonly [field: string]: unknown } } = {
  hostPath: { path: "", type: null },
  nfs: { server: "", path: "", readOnly: false },
  local: { path: "", fsType: null },
  csi: {
    driver: "",
    volumeHandle: "",
    readOnly: false,
    fsType: "",
    volumeAttributes: null,
    controllerPublishSecretRef: null,
    nodeStageSecretRef: null,
    nodePublishSecretRef: null,
    controllerExpandSecretRef: null,
    nodeExpandSecretRef: null,
  },
};

/** Upstream's internal order of sources, which is not that of validation. */
const goOrder = [
  "gcePersistentDisk",
  "awsElasticBlockStore",
  "hostPath",
  "glusterfs",
  "nfs",
  "rbd",
  "quobyte",
  "iscsi",
  "flexVolume",
  "cinder",
  "cephfs",
  "fc",
  "flocker",
  "azureFile",
  "vsphereVolume",
  "azureDisk",
  "photonPersistentDisk",
  "portworxVolume",
  "scaleIO",
  "local",
  "storageos",
  "csi",
] as const;
const goNames: { readonly [source: string]: string } = {
  cephfs: "CephFS",
  storageos: "StorageOS",
  awsElasticBlockStore: "AWSElasticBlockStore",
  gcePersistentDisk: "GCEPersistentDisk",
};

/** The source of a volume as it stands in the message about its change. */
export function sourceForDiff(spec: PersistentVolumeSpec): { readonly [name: string]: unknown } {
  return Object.fromEntries(
    goOrder.map((name) => {
      const value = spec[name];
      return [goNames[name] ?? goFieldName(name), value === undefined ? null : goValue({ ...fieldsOf[name], ...value })];
    }),
  );
}
