// Groups of the Kubernetes project itself need a link to the review of their API (apiextensions-apiserver, pkg/apihelpers and
// pkg/controller/apiapproval).

import type { CustomResourceDefinition } from "#cluster/api/generated/types.ts";
import type { Typed } from "../definition.ts";
import { type FieldErrors, field } from "../field-errors.ts";
import type { CrdCondition } from "./crd-conditions.ts";

type Crd = Typed<CustomResourceDefinition>;

const annotation = "api-approved.kubernetes.io";
const proposal = "see https://github.com/kubernetes/enhancements/pull/1111";

export function validateApproval(crd: Crd, old: Crd | undefined, errors: FieldErrors): void {
  if (!isProtected(crd)) return;
  const { state, message } = approvalOf(crd);
  if (old !== undefined && approvalOf(old).state === state) return;
  const path = field("metadata", "annotations").key(annotation);
  if (state === "Missing") errors.required(path, message);
  else if (state === "Invalid") errors.invalid(path, crd.metadata.annotations?.[annotation], message);
}

/** The condition that says so; undefined for all other groups. */
export function approvalCondition(crd: Crd): Omit<CrdCondition, "lastTransitionTime"> | undefined {
  if (!isProtected(crd)) return undefined;
  const { state, message } = approvalOf(crd);
  const status = state === "Approved" ? "True" : "False";
  return { type: "KubernetesAPIApprovalPolicyConformant", status, reason: `${state}Annotation`, message };
}

function isProtected({ spec }: Crd): boolean {
  return /(^|\.)(k8s|kubernetes)\.io$/.test(spec.group);
}

function approvalOf({ metadata }: Crd): {
  readonly state: "Missing" | "Unapproved" | "Approved" | "Invalid";
  readonly message: string;
} {
  const value = metadata.annotations?.[annotation] ?? "";
  const required = `protected groups must have approval annotation "${annotation}"`;
  if (value === "") return { state: "Missing", message: `${required}, ${proposal}` };
  if (value.startsWith("unapproved")) return { state: "Unapproved", message: `not approved: ${JSON.stringify(value)}` };
  if (/^[a-z][a-z0-9+.-]*:\/\/[^/\s]+/i.test(value)) return { state: "Approved", message: `approved in ${value}` };
  return { state: "Invalid", message: `${required} with either a URL or a reason starting with "unapproved", ${proposal}` };
}
