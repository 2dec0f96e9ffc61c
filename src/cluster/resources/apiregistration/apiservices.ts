// APIService: where a group version is served, here or by another server (kube-aggregator, pkg/apis/apiregistration).

import type { APIService, APIServiceCondition } from "#cluster/api/generated/types.ts";
import { apiServices as type } from "#cluster/api/kinds.ts";
import { dns1035LabelReasons, dns1123SubdomainReasons, portNumberReasons } from "#cluster/api/names.ts";
import { ageCell, ageColumn, column, nameCell, nameColumn } from "../columns.ts";
import { defineResource, type Typed } from "../definition.ts";
import { type FieldErrors, field } from "../field-errors.ts";
import { changed, filled } from "../filling.ts";
import { pathSegmentName } from "../name-rules.ts";
import { specAndStatus } from "../strategy.ts";

type Service = Typed<APIService>;

export const apiServices = defineResource(type, {
  categories: ["api-extensions"],
  nameRule: pathSegmentName,
  updateNeedsResourceVersion: true,
  ...specAndStatus,
  prepareForCreate: (service) => ({ ...service, status: {} }),
  defaultedFields: ["spec"],
  defaults: (service) =>
    changed(service, "spec", (spec) => changed(spec, "service", (reference) => filled(reference, { port: 443 }))),
  subresources: [{ name: "status", kind: "APIService", verbs: ["get", "patch", "update"] }],
  validate,
  validateUpdate: (service, _old, errors) => validate(service, errors),
  validateStatusUpdate: (service, _old, errors) => validateStatus(service, errors),
  columns: [
    nameColumn,
    column("Service", "The reference to the service that hosts this API endpoint."),
    column("Available", "Whether this service is available."),
    ageColumn,
  ],
  row: (apiService, context) => {
    const service = apiService.spec?.service;
    return [
      nameCell(apiService),
      service === undefined ? "Local" : `${service.namespace ?? ""}/${service.name ?? ""}`,
      availableCell(availability(apiService)),
      ageCell(apiService, context),
    ];
  },
});

/** The condition Available. */
export function availability({ status }: Pick<APIService, "status">): APIServiceCondition | undefined {
  return status?.conditions?.find(({ type }) => type === "Available");
}

function availableCell(condition: APIServiceCondition | undefined): string {
  if (condition === undefined) return "Unknown";
  return condition.status === "True" || !condition.reason ? condition.status : `${condition.status} (${condition.reason})`;
}

function validate({ metadata, spec }: Service, errors: FieldErrors): void {
  const { name = "" } = metadata;
  const { group = "", version = "", groupPriorityMinimum = 0, versionPriority = 0 } = spec ?? {};
  const required = `${version}.${group}`;
  if (name !== "" && name !== required) {
    errors.invalid(field("metadata", "name"), name, `must be \`spec.version+"."+spec.group\`: ${JSON.stringify(required)}`);
  }
  if (group === "" && version !== "v1") {
    errors.required(field("spec", "group"), "only v1 may have an empty group and it better be legacy kube");
  }
  if (group !== "") for (const reason of dns1123SubdomainReasons(group)) errors.invalid(field("spec", "group"), group, reason);
  for (const reason of dns1035LabelReasons(version)) errors.invalid(field("spec", "version"), version, reason);
  if (groupPriorityMinimum <= 0 || groupPriorityMinimum > 20_000) {
    errors.invalid(field("spec", "groupPriorityMinimum"), groupPriorityMinimum, "must be positive and less than 20000");
  }
  if (versionPriority <= 0 || versionPriority > 1000) {
    errors.invalid(field("spec", "versionPriority"), versionPriority, "must be positive and less than 1000");
  }
  if (spec !== undefined) validateService(spec, errors);
}

function validateService(spec: NonNullable<APIService["spec"]>, errors: FieldErrors): void {
  const { service, caBundle = "", insecureSkipTLSVerify = false } = spec;
  const insecure = field("spec", "insecureSkipTLSVerify");
  if (service === undefined) {
    if (caBundle !== "")
      errors.invalid(field("spec", "caBundle"), `${atob(caBundle).length} bytes`, "local APIServices may not have a caBundle");
    if (insecureSkipTLSVerify) errors.invalid(insecure, true, "local APIServices may not have insecureSkipTLSVerify");
    return;
  }
  const path = field("spec", "service");
  if (!service.namespace) errors.required(path.child("namespace"));
  if (!service.name) errors.required(path.child("name"));
  const reasons = portNumberReasons(service.port ?? 443);
  if (reasons.length > 0) errors.invalid(path.child("port"), service.port, `port is not valid: ${reasons.join(", ")}`);
  if (insecureSkipTLSVerify && caBundle !== "") errors.invalid(insecure, true, "may not be true if caBundle is present");
}

function validateStatus({ status }: Service, errors: FieldErrors): void {
  for (const [index, condition] of (status?.conditions ?? []).entries()) {
    if (["True", "False", "Unknown"].includes(condition.status)) continue;
    errors.notSupported(field("status", "conditions").index(index).child("status"), condition.status, ["True", "False", "Unknown"]);
  }
}
