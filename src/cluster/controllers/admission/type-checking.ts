// Checks a policy's expressions against the types of the objects that it is for (apiserver, pkg/admission/plugin/policy/validating,
// typechecking.go). What is wrong is told in the policy's status and changes nothing else. Upstream knows custom kinds
// too, by their published schemas; here they are not looked at.

import type { ExpressionWarning, ValidatingAdmissionPolicy } from "#cluster/api/generated/types.ts";
import { builtInTypes } from "#cluster/api/kinds.ts";
import { groupVersionOf } from "#cluster/api/objects.ts";
import { fieldsOf, type TypeSchema } from "#cluster/api/schema.ts";
import { type AdmissionScope, compileAdmission } from "#cluster/cel/admission.ts";
import { CelCompileError } from "#cluster/cel/expression.ts";

type Environment = Parameters<NonNullable<AdmissionScope["objectType"]>>[0];
type Spec = NonNullable<ValidatingAdmissionPolicy["spec"]>;
type Kind = (typeof builtInTypes)[number];

const maxTypes = 10;

export function typeWarnings({ spec }: ValidatingAdmissionPolicy): readonly ExpressionWarning[] {
  if (spec === undefined) return [];
  const kinds = typesToCheck(spec);
  if (kinds.length === 0) return [];
  const warnings: ExpressionWarning[] = [];
  for (const [index, { expression, messageExpression = "" }] of (spec.validations ?? []).entries()) {
    const check = (name: string, source: string): void => {
      const texts = kinds.flatMap((kind) => fault(spec, kind, source));
      if (texts.length > 0) warnings.push({ fieldRef: `spec.validations[${index}].${name}`, warning: texts.join("\n") });
    };
    check("expression", expression);
    if (messageExpression !== "") check("messageExpression", messageExpression);
  }
  return warnings;
}

/** The kinds that the rules name without wildcards, in order; subresources are not looked at. */
function typesToCheck({ matchConstraints }: Spec): readonly Kind[] {
  const found = new Map<string, Kind>();
  for (const { apiGroups = [], apiVersions = [], resources = [] } of matchConstraints?.resourceRules ?? []) {
    if ([...apiGroups, ...apiVersions].some((text) => text.includes("*"))) continue;
    const plain = resources.filter((text) => !/[*/]/.test(text));
    for (const kind of builtInTypes) {
      if (!apiGroups.includes(kind.group) || !apiVersions.includes(kind.version) || !plain.includes(kind.plural)) continue;
      found.set(nameOf(kind), kind);
    }
  }
  return [...found.keys()]
    .sort()
    .slice(0, maxTypes)
    .map((name) => found.get(name) as Kind);
}

/** `apps/v1, Kind=Deployment` */
function nameOf(kind: Kind): string {
  return `${groupVersionOf(kind)}, Kind=${kind.kind}`;
}

function fault(spec: Spec, kind: Kind, source: string): readonly string[] {
  const objectType = (environment: Environment): string => new ObjectTypes(environment).register(kind.typeName);
  const base: AdmissionScope = { hasParams: spec.paramKind !== undefined, hasAuthorizer: true, objectType };
  const types = new Map<string, string>();
  for (const { name, expression } of spec.variables ?? [])
    types.set(name, typeOf(expression, { ...base, variables: new Map(types) }));
  try {
    compileAdmission(source, { ...base, ...(types.size === 0 ? {} : { variables: types }) }, [""]);
    return [];
  } catch (error) {
    if (!(error instanceof CelCompileError)) throw error;
    return [`${nameOf(kind)}: ${error.message.replace(/^compilation failed: /, "")}\n`];
  }
}

/** Of a variable; of what does not compile, nothing is known. */
function typeOf(source: string, scope: AdmissionScope): string {
  try {
    const { type } = compileAdmission(source, scope, [""]);
    return /^(?:bool|int|uint|double|string|bytes|google\.protobuf\.\w+)$/.test(type) ? type : "dyn";
  } catch (error) {
    if (!(error instanceof CelCompileError)) throw error;
    return "dyn";
  }
}

const reserved: ReadonlySet<string> = new Set([
  "namespace",
  "default",
  "continue",
  "in",
  "if",
  "for",
  "import",
  "package",
  "return",
]);

/** Registers a type for each built-in one that is met. */
class ObjectTypes {
  readonly #environment: Environment;
  readonly #names = new Map<string, string>();

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  register(typeName: string): string {
    const known = this.#names.get(typeName);
    if (known !== undefined) return known;
    const name = `kubernetes.object.${typeName}`;
    this.#names.set(typeName, name);
    const fields: { [field: string]: string } = {};
    for (const [field, { type }] of fieldsOf(typeName)) {
      const fieldType = this.#typeOf(type);
      fields[field.replace(/^\$/, "_dollar_").replaceAll("-", "__dash__")] = fieldType;
      if (reserved.has(field)) fields[`__${field}__`] = fieldType;
    }
    this.#environment.registerType(name, { fields });
    return name;
  }

  #typeOf(type: TypeSchema): string {
    switch (type.kind) {
      case "object":
        // A schema of schemas is never done.
        return this.#names.has(type.name) && type.name === "JSONSchemaProps" ? "dyn" : this.register(type.name);
      case "list":
        return `list<${this.#typeOf(type.of)}>`;
      case "map":
        return `map<string, ${this.#typeOf(type.of)}>`;
      case "boolean":
        return "bool";
      case "int32":
      case "int64":
        return "int";
      case "time":
      case "microTime":
        return "google.protobuf.Timestamp";
      case "string":
      case "double":
      case "bytes":
        return type.kind;
      default:
        return "dyn";
    }
  }
}
