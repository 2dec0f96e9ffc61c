// What admission policies and their bindings have in common (pkg/apis/admissionregistration/validation).

import { semanticDeepEqual } from "#cluster/api/equality.ts";
import type { MatchCondition, MatchResources, ParamKind, ParamRef, Variable } from "#cluster/api/generated/types.ts";
import { dns1035LabelReasons, dns1123SubdomainReasons, pathSegmentReasons } from "#cluster/api/names.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import { goSelectorText } from "#cluster/api/selector-text.ts";
import type { AdmissionScope } from "#cluster/cel/admission.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import { ageCell, ageColumn, column, integerColumn, nameCell, nameColumn } from "../columns.ts";
import { validateLabelSelector } from "../core/selector-validation.ts";
import type { TableCell, TableColumn, TableContext } from "../definition.ts";
import { type FieldErrors, field, type Path } from "../field-errors.ts";
import { changed, filled } from "../filling.ts";
import { validateMatchConditions, validateVariables } from "./expressions.ts";
import { failurePolicies, validateMatchResources, validateWord, withMatchDefaults } from "./rules.ts";

export interface PolicySpec {
  readonly failurePolicy?: string;
  readonly matchConditions?: readonly MatchCondition[];
  readonly matchConstraints?: MatchResources;
  readonly paramKind?: ParamKind;
  readonly variables?: readonly Variable[];
}

export interface BindingSpec {
  readonly policyName?: string;
  readonly paramRef?: ParamRef;
  readonly matchResources?: MatchResources;
}

const paramKindColumn = column("ParamKind", "ParamKind specifies the kind of resources used to parameterize this policy");

/** `counted`: what the policy does, `Mutations`. */
export function policyColumns(counted: string, description: string): readonly TableColumn[] {
  return [nameColumn, integerColumn(counted, description), paramKindColumn, ageColumn];
}

export function policyRow(
  policy: KubeObject & { readonly spec?: PolicySpec },
  count: number,
  context: TableContext,
): readonly TableCell[] {
  return [nameCell(policy), count, paramKindCell(policy.spec?.paramKind), ageCell(policy, context)];
}

const policyNameColumn = column(
  "PolicyName",
  "PolicyName references a ValidatingAdmissionPolicy name which the ValidatingAdmissionPolicyBinding binds to.",
);
const paramRefColumn = column(
  "ParamRef",
  "paramRef specifies the parameter resource used to configure the admission control policy.",
);

/** What the declarations of both kinds of bindings say. */
export const bindingBasics = {
  categories: ["api-extensions"],
  generationFields: ["spec"],
  defaultedFields: ["spec"],
  columns: [nameColumn, policyNameColumn, paramRefColumn, ageColumn],
  row: (binding: KubeObject & { readonly spec?: BindingSpec }, context: TableContext): readonly TableCell[] => [
    nameCell(binding),
    binding.spec?.policyName ?? "",
    paramRefCell(binding.spec?.paramRef),
    ageCell(binding, context),
  ],
} as const;

function paramKindCell(kind: ParamKind | undefined): string {
  return kind === undefined ? "<unset>" : `${kind.apiVersion ?? ""}/${kind.kind ?? ""}`;
}

function paramRefCell(reference: ParamRef | undefined): string {
  if (reference?.name) return `${reference.namespace || "*"}/${reference.name}`;
  return reference?.selector === undefined ? "<unset>" : goSelectorText(reference.selector);
}

export function withPolicyDefaults<S extends PolicySpec>(spec: S): S {
  return changed(filled<PolicySpec>(spec, { failurePolicy: "Fail" }), "matchConstraints", withMatchDefaults) as S;
}

export function withBindingDefaults<S extends BindingSpec>(spec: S): S {
  return changed<BindingSpec, "matchResources">(spec, "matchResources", withMatchDefaults) as S;
}

/** Everything but what the policy does; answers what its expressions may use. Conditions that `old` has are accepted. */
export function validatePolicy(spec: PolicySpec, errors: FieldErrors, old: PolicySpec | undefined): AdmissionScope {
  const path = field("spec");
  validateWord(spec.failurePolicy, failurePolicies, path.child("failurePolicy"), errors);
  const hasParams = spec.paramKind !== undefined;
  if (spec.paramKind !== undefined) validateParamKind(spec.paramKind, path.child("paramKind"), errors);
  const constraints = path.child("matchConstraints");
  if (spec.matchConstraints === undefined) errors.required(constraints);
  else {
    validateMatchResources(spec.matchConstraints, constraints, errors);
    if (!spec.matchConstraints.resourceRules?.length) errors.required(constraints.child("resourceRules"));
  }
  const keepsConditions =
    old !== undefined &&
    semanticDeepEqual(spec.paramKind, old.paramKind) &&
    semanticDeepEqual(spec.matchConditions, old.matchConditions);
  if (!keepsConditions) validateMatchConditions(spec.matchConditions, hasParams, path.child("matchConditions"), errors);
  const variables = validateVariables(spec.variables ?? [], hasParams, path.child("variables"), errors);
  return { hasParams, hasAuthorizer: true, ...(variables.size > 0 ? { variables } : {}) };
}

function validateParamKind({ apiVersion = "", kind = "" }: ParamKind, path: Path, errors: FieldErrors): void {
  const at = path.child("apiVersion");
  const parts = apiVersion.split("/");
  if (apiVersion === "") errors.required(at);
  else if (parts.length > 2) errors.invalid(at, apiVersion, `unexpected GroupVersion string: ${apiVersion}`);
  else {
    const [group, version] = parts.length === 2 ? parts : ["", apiVersion];
    const groupReasons = group ? dns1123SubdomainReasons(group) : [];
    if (groupReasons.length > 0) errors.invalid(at, group, groupReasons.join(","));
    const versionReasons = version ? dns1035LabelReasons(version) : [];
    if (!version) errors.invalid(at, apiVersion, "version must be specified");
    else if (versionReasons.length > 0) errors.invalid(at, version, versionReasons.join(","));
  }
  const kindReasons = dns1035LabelReasons(asciiLowerCase(kind));
  if (kind === "") errors.required(path.child("kind"));
  else if (kindReasons.length > 0) {
    errors.invalid(path.child("kind"), kind, `may have mixed case, but should otherwise match: ${kindReasons.join(",")}`);
  }
}

export function validateBinding(spec: BindingSpec, errors: FieldErrors): void {
  const path = field("spec");
  const { policyName = "", paramRef, matchResources } = spec;
  if (policyName === "") errors.required(path.child("policyName"));
  else for (const reason of dns1123SubdomainReasons(policyName)) errors.invalid(path.child("policyName"), policyName, reason);
  if (paramRef !== undefined) validateParamRef(paramRef, path.child("paramRef"), errors);
  // The path is spelled like this upstream.
  if (matchResources !== undefined) validateMatchResources(matchResources, path.child("matchResouces"), errors);
}

function validateParamRef({ name = "", selector, parameterNotFoundAction }: ParamRef, path: Path, errors: FieldErrors): void {
  const exclusive = "name and selector are mutually exclusive";
  if (name !== "") {
    for (const reason of pathSegmentReasons(name)) errors.invalid(path.child("name"), name, reason);
    if (selector !== undefined) errors.forbidden(path.child("name"), exclusive);
  }
  if (selector !== undefined) {
    validateLabelSelector(selector, path.child("selector"), errors);
    if (name !== "") errors.forbidden(path.child("selector"), exclusive);
  }
  if (name === "" && selector === undefined) errors.required(path, "one of name or selector must be specified");
  if (!parameterNotFoundAction) errors.required(path.child("parameterNotFoundAction"));
  else validateWord(parameterNotFoundAction, ["Deny", "Allow"], path.child("parameterNotFoundAction"), errors);
}
