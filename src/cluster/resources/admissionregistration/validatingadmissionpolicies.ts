// ValidatingAdmissionPolicy: expressions that requests must satisfy where a binding says so.

import type { ValidatingAdmissionPolicy, Validation } from "#cluster/api/generated/types.ts";
import { validatingAdmissionPolicies as type } from "#cluster/api/kinds.ts";
import { qualifiedNameReasons } from "#cluster/api/names.ts";
import type { AdmissionScope } from "#cluster/cel/admission.ts";
import { CelCompileError } from "#cluster/cel/expression.ts";
import { defineResource, type Typed } from "../definition.ts";
import { type FieldErrors, field, type Path } from "../field-errors.ts";
import { changed } from "../filling.ts";
import { specAndStatus } from "../strategy.ts";
import { compiledOrFault, validateExpression } from "./expressions.ts";
import { policyColumns, policyRow, validatePolicy, withPolicyDefaults } from "./policies.ts";

type Policy = Typed<ValidatingAdmissionPolicy>;

const reasons: readonly string[] = ["Forbidden", "Invalid", "RequestEntityTooLarge"];
const maxAnnotations = 20;
const maxAnnotationBytes = 5 * 1024;

export const validatingAdmissionPolicies = defineResource(type, {
  updateNeedsResourceVersion: true,
  categories: ["api-extensions"],
  ...specAndStatus,
  prepareForCreate: (policy) => ({ ...policy, status: {} }),
  generationFields: ["spec"],
  defaultedFields: ["spec"],
  defaults: (policy) => changed(policy, "spec", withPolicyDefaults),
  subresources: [{ name: "status", kind: "ValidatingAdmissionPolicy", verbs: ["get", "patch", "update"] }],
  validate: (policy, errors) => validate(policy, errors),
  validateUpdate: (policy, old, errors) => validate(policy, errors, old),
  columns: policyColumns("Validations", "Validations indicates the number of validation rules defined in this configuration"),
  row: (policy, context) => policyRow(policy, policy.spec?.validations?.length ?? 0, context),
});

function validate({ metadata, spec = {} }: Policy, errors: FieldErrors, old?: Policy): void {
  const scope = validatePolicy(spec, errors, old?.spec);
  const { validations = [], auditAnnotations = [] } = spec;
  if (validations.length === 0 && auditAnnotations.length === 0) {
    const detail = "validations or auditAnnotations must contain at least one item";
    errors.required(field("spec", "validations"), detail);
    errors.required(field("spec", "auditAnnotations"), detail);
    return;
  }
  for (const [index, validation] of validations.entries()) {
    validateValidation(validation, scope, field("spec", "validations").index(index), errors);
  }
  const annotations = field("spec", "auditAnnotations");
  if (auditAnnotations.length > maxAnnotations) {
    errors.invalid(annotations, auditAnnotations, `must not have more than ${maxAnnotations} auditAnnotations`);
  }
  const keys = new Set<string>();
  for (const [index, { key = "", valueExpression = "" }] of auditAnnotations.entries()) {
    const path = annotations.index(index);
    const { name = "" } = metadata;
    if (name === "") errors.invalid(path.child("key"), key, "requires metadata.name be non-empty");
    else for (const reason of qualifiedNameReasons(`${name}/${key}`)) errors.invalid(path.child("key"), `${name}/${key}`, reason);
    const trimmed = valueExpression.trim();
    const at = path.child("valueExpression");
    if (trimmed === "") errors.required(at, "valueExpression is not specified");
    else if (trimmed.length > maxAnnotationBytes) errors.required(at, `must not exceed ${maxAnnotationBytes} bytes in length`);
    else {
      // Without the blanks around it, and quoted with them.
      const result = compiledOrFault(trimmed, scope, ["string", "null_type"]);
      if (result instanceof CelCompileError) errors.invalid(at, valueExpression, result.message);
    }
    if (keys.has(key)) errors.duplicate(path.child("key"), key);
    keys.add(key);
  }
}

function validateValidation(
  { expression = "", message = "", messageExpression = "", reason }: Validation,
  scope: AdmissionScope,
  path: Path,
  errors: FieldErrors,
): void {
  if (expression.trim() === "") errors.required(path.child("expression"), "expression is not specified");
  else validateExpression(expression, scope, ["bool"], path.child("expression"), errors);
  const at = path.child("messageExpression");
  if (messageExpression !== "" && messageExpression.trim() === "") {
    errors.invalid(at, messageExpression, "must be non-empty if specified");
  } else if (messageExpression !== "") {
    validateExpression(messageExpression, { ...scope, hasAuthorizer: false }, ["string"], at, errors);
  }
  if (message !== "" && message.trim() === "") {
    errors.invalid(path.child("message"), message, "message must be non-empty if specified");
  } else if (/[\n\r]/.test(message.trim())) errors.invalid(path.child("message"), message, "must not contain line breaks");
  if (reason !== undefined && !reasons.includes(reason)) errors.notSupported(path.child("reason"), reason, reasons);
}
