// Every kind of volume in the order in which upstream looks at them, with its rule. Upstream's paths are kept where they
// differ from the field's name.

import type { Volume } from "#cluster/api/generated/types.ts";
import { dns1123LabelReasons, dns1123SubdomainReasons, type Reasons } from "#cluster/api/names.ts";
import { quantitySign, tryParseQuantity } from "#cluster/api/quantity.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import type { FieldErrors, Path } from "../../field-errors.ts";
import { latePodRules } from "../pods/late-pod-rules.ts";
import { validateBy } from "../selector-validation.ts";
import { validateClaimTemplate } from "./claim-spec.ts";
import { validateDownwardApi, validateFileMode, validateItems } from "./volume-file-validation.ts";
import { validateDescendingPath, validateNoBacksteps } from "./volume-paths.ts";
import { validateProjected } from "./volume-projection-validation.ts";

export type VolumeSourceName = Exclude<keyof Volume, "name">;

export type VolumeSource<N extends VolumeSourceName> = NonNullable<Volume[N]>;

export interface SourceRule<N extends VolumeSourceName> {
  readonly validate?: (source: VolumeSource<N>, path: Path, errors: FieldErrors) => void;
  /** The last part of the path when it is the second source. */
  readonly repeatedAs?: string;
  /** The last part of the path of its own errors. */
  readonly validatedAs?: string;
}

const hostPathTypes = ["", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"];
const maxDriverLength = 63;

export const volumeSources: { readonly [N in VolumeSourceName]: SourceRule<N> } = {
  emptyDir: {
    validate({ sizeLimit }, path, errors) {
      const limit = sizeLimit === undefined ? undefined : tryParseQuantity(sizeLimit);
      if (limit !== undefined && quantitySign(limit) < 0)
        errors.forbidden(path.child("sizeLimit"), "SizeLimit field must be a valid resource quantity");
    },
  },
  hostPath: {
    validate({ path: target, type }, path, errors) {
      if (!target) {
        errors.required(path.child("path"));
        return;
      }
      validateNoBacksteps(target, path.child("path"), errors);
      if (type !== undefined && !hostPathTypes.includes(type)) errors.notSupported(path.child("type"), type, hostPathTypes);
    },
  },
  gitRepo: {
    validate({ repository, directory = "" }, path, errors) {
      if (!repository) errors.required(path.child("repository"));
      validateDescendingPath(directory, path.child("directory"), errors);
    },
  },
  gcePersistentDisk: {
    validate: (...given) => latePodRules.code.disks.validateGcePersistentDisk(...given),
    validatedAs: "persistentDisk",
  },
  awsElasticBlockStore: { validate: (...given) => latePodRules.code.disks.validateAwsElasticBlockStore(...given) },
  secret: {
    validate(source, path, errors) {
      if (!source.secretName) errors.required(path.child("secretName"));
      validateFileMode(source.defaultMode, path.child("defaultMode"), errors);
      validateItems(source.items, path.child("items"), errors);
    },
  },
  nfs: {
    validate({ server, path: target = "" }, path, errors) {
      if (!server) errors.required(path.child("server"));
      if (target === "") errors.required(path.child("path"));
      if (!target.startsWith("/")) errors.invalid(path.child("path"), target, "must be an absolute path");
    },
  },
  iscsi: { validate: (...given) => latePodRules.code.disks.validateIscsi(...given) },
  glusterfs: { validate: required("endpoints", "path") },
  flocker: { validate: (...given) => latePodRules.code.disks.validateFlocker(...given) },
  persistentVolumeClaim: { validate: required("claimName") },
  rbd: { validate: (...given) => latePodRules.code.disks.validateRbd(...given) },
  cinder: {
    validate({ volumeID, secretRef }, path, errors) {
      if (!volumeID) errors.required(path.child("volumeID"));
      if (secretRef !== undefined && !secretRef.name) errors.required(path.child("secretRef", "name"));
    },
  },
  cephfs: {
    validate({ monitors = [] }, path, errors) {
      if (monitors.length === 0) errors.required(path.child("monitors"));
    },
    repeatedAs: "cephFS",
  },
  quobyte: { validate: (...given) => latePodRules.code.disks.validateQuobyte(...given) },
  downwardAPI: { validate: validateDownwardApi, repeatedAs: "downwarAPI" },
  fc: { validate: (...given) => latePodRules.code.disks.validateFibreChannel(...given) },
  flexVolume: { validate: (...given) => latePodRules.code.disks.validateFlexVolume(...given) },
  configMap: {
    validate(source, path, errors) {
      if (!source.name) errors.required(path.child("name"));
      validateFileMode(source.defaultMode, path.child("defaultMode"), errors);
      validateItems(source.items, path.child("items"), errors);
    },
  },
  azureFile: { validate: required("secretName", "shareName") },
  vsphereVolume: { validate: required("volumePath") },
  photonPersistentDisk: { validate: required("pdID") },
  portworxVolume: { validate: required("volumeID") },
  azureDisk: { validate: (...given) => latePodRules.code.disks.validateAzureDisk(...given) },
  storageos: {
    validate({ volumeName, volumeNamespace, secretRef }, path, errors) {
      if (!volumeName) errors.required(path.child("volumeName"));
      else validateBy(dns1123LabelReasons, volumeName, path.child("volumeName"), errors);
      if (volumeNamespace) validateBy(dns1123LabelReasons, volumeNamespace, path.child("volumeNamespace"), errors);
      if (secretRef !== undefined && !secretRef.name) errors.required(path.child("secretRef", "name"));
    },
  },
  projected: { validate: validateProjected },
  scaleIO: { validate: required("gateway", "system", "volumeName") },
  csi: {
    validate({ driver, nodePublishSecretRef }, path, errors) {
      validateDriverName(driver ?? "", path.child("driver"), errors);
      if (nodePublishSecretRef === undefined) return;
      const { name = "" } = nodePublishSecretRef;
      if (name === "") errors.required(path.child("nodePublishSecretRef", "name"));
      else validateBy(dns1123SubdomainReasons, name, path.child("name"), errors);
    },
  },
  ephemeral: {
    validate({ volumeClaimTemplate }, path, errors) {
      if (volumeClaimTemplate === undefined) errors.required(path.child("volumeClaimTemplate"));
      else validateClaimTemplate(volumeClaimTemplate, path.child("volumeClaimTemplate"), errors);
    },
  },
  image: {
    validate({ reference, pullPolicy }, path, errors) {
      if (!reference) errors.required(path.child("reference"));
      validatePullPolicy(pullPolicy ?? "", path.child("pullPolicy"), errors);
    },
  },
};

const pullPolicies = ["Always", "IfNotPresent", "Never"];

export function validatePullPolicy(policy: string, path: Path, errors: FieldErrors): void {
  if (policy === "") errors.required(path);
  else if (!pullPolicies.includes(policy)) errors.notSupported(path, policy, pullPolicies);
}

/** A CSI driver's name: a DNS subdomain in either case, at most 63 long. */
export function validateDriverName(driver: string, path: Path, errors: FieldErrors): void {
  if (driver === "") {
    errors.required(path);
    return;
  }
  if (driver.length > maxDriverLength) errors.tooLong(path, maxDriverLength);
  validateBy((name): Reasons => dns1123SubdomainReasons(asciiLowerCase(name)), driver, path, errors);
}

function required(...names: readonly string[]): (source: object, path: Path, errors: FieldErrors) => void {
  return (source, path, errors) => {
    for (const name of names) if (!source[name as keyof typeof source]) errors.required(path.child(name));
  };
}
