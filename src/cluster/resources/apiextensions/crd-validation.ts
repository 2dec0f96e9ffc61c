// The rules for a CustomResourceDefinition (apiextensions-apiserver, pkg/apis/apiextensions/validation). Upstream checks an older
// form of it: what all versions have in common (schema, subresources, columns, selectable fields) stands there once, so errors
// name `spec.validation`, `spec.subresources` and so on.

import { semanticDeepEqual } from "#cluster/api/equality.ts";
import type {
  CustomResourceConversion,
  CustomResourceDefinition,
  CustomResourceDefinitionNames,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
} from "#cluster/api/generated/types.ts";
import { dns1035LabelReasons, dns1123SubdomainReasons } from "#cluster/api/names.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import { validateWebhookService, validateWebhookUrl } from "../admissionregistration/webhook-clients.ts";
import type { Typed } from "../definition.ts";
import { type FieldErrors, field, type Path } from "../field-errors.ts";
import { validateApproval } from "./api-approval.ts";
import { isTrue } from "./crd-conditions.ts";
import { type Schema, someSchema } from "./structural-schema.ts";
import {
  validateColumns,
  validateDeprecation,
  validateSelectable,
  validateSubresources,
  validateVersionSchema,
} from "./version-validation.ts";

type Crd = Typed<CustomResourceDefinition>;
type Version = CustomResourceDefinitionVersion;

const specPath = field("spec");

export function validateCrd(crd: Crd, errors: FieldErrors): void {
  const { plural } = crd.spec.names;
  const { name = "" } = crd.metadata;
  if (name !== "" && name !== `${plural}.${crd.spec.group}`) {
    errors.invalid(field("metadata", "name"), name, 'must be spec.names.plural+"."+spec.group');
  }
  validateSpec(crd.spec, errors);
  validateStatus(crd, errors);
  validateStoredVersions(crd, errors);
  validateApproval(crd, undefined, errors);
  validatePreserve(crd, undefined, errors);
}

export function validateCrdUpdate(crd: Crd, old: Crd, errors: FieldErrors): void {
  validateSpec(crd.spec, errors);
  const names = specPath.child("names");
  if (isTrue(old, "Established")) {
    immutable(crd.spec.scope, old.spec.scope, specPath.child("scope"), errors);
    immutable(crd.spec.names.kind, old.spec.names.kind, names.child("kind"), errors);
  }
  immutable(crd.spec.group, old.spec.group, specPath.child("group"), errors);
  immutable(crd.spec.names.plural, old.spec.names.plural, names.child("plural"), errors);
  validateStatus(crd, errors);
  validateStoredVersions(crd, errors);
  validateApproval(crd, old, errors);
  validatePreserve(crd, old, errors);
}

export function validateStatus(crd: Crd, errors: FieldErrors): void {
  const names = crd.status?.acceptedNames;
  if (names !== undefined) validateNames(names, field("status", "acceptedNames"), errors);
}

function immutable(value: string, old: string, path: Path, errors: FieldErrors): void {
  if (value !== old) errors.invalid(path, value, "field is immutable");
}

function validateSpec(spec: CustomResourceDefinitionSpec, errors: FieldErrors): void {
  const { group, scope, versions = [], conversion } = spec;
  const groupReasons = group === "" ? [] : dns1123SubdomainReasons(group);
  if (group === "") errors.required(specPath.child("group"));
  else if (groupReasons.length > 0) errors.invalid(specPath.child("group"), group, groupReasons.join(","));
  else if (!group.includes(".")) errors.invalid(specPath.child("group"), group, "should be a domain with at least one dot");
  validateEnum(scope, ["Cluster", "Namespaced"], specPath.child("scope"), errors);
  const common = commonParts(versions);
  versions.forEach((version, index) => {
    if (version.schema?.openAPIV3Schema === undefined) {
      errors.required(specPath.child("versions").index(index).child("schema", "openAPIV3Schema"));
    }
  });
  if (spec.preserveUnknownFields === true && versions.some((version) => hasDefaults(version.schema?.openAPIV3Schema))) {
    errors.invalid(specPath.child("preserveUnknownFields"), true, "must be false in order to use defaults in the schema");
  }
  validateVersions(versions, common, errors);
  validateRequiredNames(spec.names, errors);
  validateNames(spec.names, specPath.child("names"), errors);
  const [first] = versions;
  if (first !== undefined) validateCommon(first, versions, common, errors);
  if (conversion?.strategy !== "None" && conversion !== undefined && spec.preserveUnknownFields === true) {
    errors.invalid(
      specPath.child("conversion", "strategy"),
      conversion.strategy,
      "must be None if spec.preserveUnknownFields is true",
    );
  }
  if (conversion !== undefined) validateConversion(conversion, specPath.child("conversion"), errors);
}

function hasDefaults(schema: Schema | undefined): boolean {
  return someSchema(schema, (one) => one.default !== undefined && one.default !== null);
}

/** What is the same in all versions. */
interface CommonParts {
  readonly schema: boolean;
  readonly subresources: boolean;
  readonly additionalPrinterColumns: boolean;
  readonly selectableFields: boolean;
}

function commonParts(versions: readonly Version[]): CommonParts {
  const [first] = versions;
  const same = (name: keyof CommonParts): boolean => versions.every((version) => semanticDeepEqual(version[name], first?.[name]));
  return {
    schema: same("schema"),
    subresources: same("subresources"),
    additionalPrinterColumns: same("additionalPrinterColumns"),
    selectableFields: same("selectableFields"),
  };
}

function validateVersions(versions: readonly Version[], common: CommonParts, errors: FieldErrors): void {
  const path = specPath.child("versions");
  versions.forEach((version, index) => {
    const reasons = dns1035LabelReasons(version.name);
    if (reasons.length > 0) errors.invalid(path.index(index).child("name"), version.name, reasons.join(","));
    validateVersion(version, path.index(index), common, errors);
  });
  if (new Set(versions.map(({ name }) => name)).size < versions.length) {
    errors.invalid(path, internalVersions(versions, common), "must contain unique version names");
  }
  if (versions.filter(({ storage }) => storage).length !== 1) {
    errors.invalid(
      path,
      versions.length === 0 ? [] : internalVersions(versions, common),
      "must have exactly one version marked as storage version",
    );
  }
  const [first] = versions;
  if (first !== undefined && dns1035LabelReasons(first.name).length > 0) {
    errors.invalid(specPath.child("version"), first.name, dns1035LabelReasons(first.name).join(","));
  }
}

/** Versions as upstream's internal type prints them. */
function internalVersions(versions: readonly Version[], common: CommonParts): unknown {
  return versions.length === 0
    ? null
    : versions.map((version) => ({
        Name: version.name,
        Served: version.served,
        Storage: version.storage,
        Deprecated: version.deprecated ?? false,
        DeprecationWarning: version.deprecationWarning ?? null,
        Schema: common.schema ? null : (version.schema ?? null),
        Subresources: common.subresources ? null : (version.subresources ?? null),
        AdditionalPrinterColumns: common.additionalPrinterColumns ? null : (version.additionalPrinterColumns ?? null),
        SelectableFields: common.selectableFields ? null : (version.selectableFields ?? null),
      }));
}

function validateVersion(version: Version, path: Path, common: CommonParts, errors: FieldErrors): void {
  validateDeprecation(version, path.child("deprecationWarning"), errors);
  if (!common.schema) {
    validateVersionSchema(version.schema?.openAPIV3Schema, version.subresources, path.child("schema", "openAPIV3Schema"), errors);
  }
  if (!common.subresources) validateSubresources(version.subresources, path.child("subresources"), errors);
  if (!common.additionalPrinterColumns) {
    validateColumns(version.additionalPrinterColumns, path.child("additionalPrinterColumns"), errors);
  }
  if (!common.selectableFields) {
    validateSelectable(version.selectableFields, version.schema?.openAPIV3Schema, path.child("selectableFields"), errors);
  }
}

function validateCommon(first: Version, versions: readonly Version[], common: CommonParts, errors: FieldErrors): void {
  if (common.schema) {
    const withStatus = versions.find((version) => version.subresources?.status !== undefined)?.subresources;
    validateVersionSchema(first.schema?.openAPIV3Schema, withStatus, specPath.child("validation", "openAPIV3Schema"), errors);
  }
  if (common.subresources) validateSubresources(first.subresources, specPath.child("subresources"), errors);
  if (common.additionalPrinterColumns) {
    validateColumns(first.additionalPrinterColumns, specPath.child("additionalPrinterColumns"), errors);
  }
  if (common.selectableFields) {
    validateSelectable(first.selectableFields, first.schema?.openAPIV3Schema, specPath.child("selectableFields"), errors);
  }
}

function validateRequiredNames(names: CustomResourceDefinitionNames, errors: FieldErrors): void {
  for (const name of ["plural", "singular", "kind", "listKind"] as const) {
    if (!names[name]) errors.required(specPath.child("names", name));
  }
}

function validateNames(names: CustomResourceDefinitionNames, path: Path, errors: FieldErrors): void {
  const label = (value: string | undefined, at: Path, prefix = ""): void => {
    const reasons = value ? dns1035LabelReasons(prefix === "" ? value : asciiLowerCase(value)) : [];
    if (reasons.length > 0) errors.invalid(at, value, prefix + reasons.join(","));
  };
  const mixed = "may have mixed case, but should otherwise match: ";
  label(names.plural, path.child("plural"));
  label(names.singular, path.child("singular"));
  label(names.kind, path.child("kind"), mixed);
  label(names.listKind, path.child("listKind"), mixed);
  (names.shortNames ?? []).forEach((name, index) => {
    label(name, path.child("shortNames").index(index));
  });
  if (names.kind && names.kind === names.listKind) {
    errors.invalid(path.child("listKind"), names.listKind, "kind and listKind may not be the same");
  }
  (names.categories ?? []).forEach((name, index) => {
    label(name, path.child("categories").index(index));
  });
}

function validateEnum(value: string, allowed: readonly string[], path: Path, errors: FieldErrors): void {
  if (value === "") errors.required(path);
  else if (!allowed.includes(value)) errors.notSupported(path, value, allowed);
}

function validateConversion(conversion: CustomResourceConversion, path: Path, errors: FieldErrors): void {
  const { strategy, webhook } = conversion;
  validateEnum(strategy, ["None", "Webhook"], path.child("strategy"), errors);
  const client = webhook?.clientConfig;
  const versions = webhook?.conversionReviewVersions ?? [];
  const clientPath = path.child("webhookClientConfig");
  const versionsPath = path.child("conversionReviewVersions");
  if (strategy !== "Webhook") {
    const detail = "should not be set when strategy is not set to Webhook";
    if (client !== undefined) errors.forbidden(clientPath, detail);
    if (versions.length > 0) errors.forbidden(versionsPath, detail);
    return;
  }
  if (client === undefined) errors.required(clientPath, "required when strategy is set to Webhook");
  else if ((client.url === undefined) === (client.service === undefined)) {
    errors.required(clientPath, "exactly one of url or service is required");
  } else if (client.url !== undefined) validateWebhookUrl(client.url, clientPath.child("url"), errors);
  else if (client.service !== undefined) validateWebhookService(client.service, clientPath.child("service"), errors);
  if (versions.length === 0) errors.required(versionsPath);
  versions.forEach((version, index) => {
    if (versions.indexOf(version) < index) errors.invalid(versionsPath.index(index), version, "duplicate version");
    else for (const reason of dns1035LabelReasons(version)) errors.invalid(versionsPath.index(index), version, reason);
  });
  if (versions.length > 0 && !versions.some((version) => version === "v1" || version === "v1beta1")) {
    errors.invalid(versionsPath, versions, "must include at least one of v1, v1beta1");
  }
}

function validateStoredVersions(crd: Crd, errors: FieldErrors): void {
  const path = field("status", "storedVersions");
  const stored = crd.status?.storedVersions ?? [];
  if (stored.length === 0) {
    errors.invalid(path, null, "must have at least one stored version");
    return;
  }
  for (const { name, storage } of crd.spec.versions ?? []) {
    if (storage && !stored.includes(name)) errors.invalid(path, stored, `must have the storage version ${name}`);
  }
  stored.forEach((name, index) => {
    if (crd.spec.versions.some((version) => version.name === name)) return;
    const detail = `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    errors.invalid(path.index(index), name, detail);
  });
}

function validatePreserve(crd: Crd, old: Crd | undefined, errors: FieldErrors): void {
  if (old?.spec.preserveUnknownFields === true || crd.spec.preserveUnknownFields !== true) return;
  errors.invalid(
    field("spec", "preserveUnknownFields"),
    true,
    "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead",
  );
}
