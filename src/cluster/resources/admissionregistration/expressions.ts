// Expressions in webhooks and policies: they must compile when they are stored (pkg/apis/admissionregistration/validation).

import type { MatchCondition, Variable } from "#cluster/api/generated/types.ts";
import { qualifiedNameReasons } from "#cluster/api/names.ts";
import { type AdmissionScope, compileAdmission } from "#cluster/cel/admission.ts";
import { CelCompileError, type Compiled } from "#cluster/cel/expression.ts";
import type { FieldErrors, Path } from "../field-errors.ts";

const maxMatchConditions = 64;

/** The compiled expression, or undefined with what is wrong noted. */
export function validateExpression(
  source: string,
  scope: AdmissionScope,
  types: readonly string[],
  path: Path,
  errors: FieldErrors,
): Compiled | undefined {
  const result = compiledOrFault(source, scope, types);
  if (!(result instanceof CelCompileError)) return result;
  errors.invalid(path, source, result.message);
  return undefined;
}

export function compiledOrFault(source: string, scope: AdmissionScope, types: readonly string[]): Compiled | CelCompileError {
  try {
    return compileAdmission(source, scope, types);
  } catch (error) {
    if (error instanceof CelCompileError) return error;
    throw error;
  }
}

export function validateMatchConditions(
  conditions: readonly MatchCondition[] | undefined,
  hasParams: boolean,
  path: Path,
  errors: FieldErrors,
): void {
  const names = new Set<string>();
  if (conditions !== undefined && conditions.length > maxMatchConditions)
    errors.tooMany(path, conditions.length, maxMatchConditions);
  for (const [index, { name = "", expression = "" }] of (conditions ?? []).entries()) {
    const at = path.index(index);
    const trimmed = expression.trim();
    if (trimmed === "") errors.required(at.child("expression"));
    else validateExpression(trimmed, { hasParams, hasAuthorizer: true }, ["bool"], at.child("expression"), errors);
    if (name === "") {
      errors.required(at.child("name"));
      continue;
    }
    for (const reason of qualifiedNameReasons(name)) errors.invalid(at.child("name"), name, reason);
    if (names.has(name)) errors.duplicate(at.child("name"), name);
    names.add(name);
  }
}

const identifier = /^[_a-zA-Z][_a-zA-Z0-9]*$/;
const reserved: ReadonlySet<string> = new Set(
  "true false null in as break const continue else for function if import let loop package namespace return var void while".split(
    " ",
  ),
);

/** The variables with their types; each may use those before it. */
export function validateVariables(
  variables: readonly Variable[],
  hasParams: boolean,
  path: Path,
  errors: FieldErrors,
): ReadonlyMap<string, string> {
  const types = new Map<string, string>();
  for (const [index, { name = "", expression = "" }] of variables.entries()) {
    const at = path.index(index);
    if (name.trim() === "") errors.required(at.child("name"), "name is not specified");
    else if (!identifier.test(name) || reserved.has(name)) {
      errors.invalid(at.child("name"), name, "must be a valid CEL identifier");
    }
    if (expression.trim() === "") {
      errors.required(at.child("expression"), "expression is not specified");
      continue;
    }
    const scope = { hasParams, hasAuthorizer: true, variables: types };
    const compiled = validateExpression(expression, scope, [""], at.child("expression"), errors);
    types.set(name, compiled === undefined ? "dyn" : fieldType(compiled.type));
  }
  return types;
}

/** What can be said of a variable's type; of what only the run shows, nothing. */
export function fieldType(type: string): string {
  return /^(bool|int|uint|double|string)$/.test(type) ? type : "dyn";
}
