// Checks a policy's expressions against the types of the objects that it is for (apiserver, pkg/admission/plugin/policy/validating,
// typechecking.go). What is wrong is told in the policy's status and changes nothing else. Custom kinds are known by the schemas
// that the server publishes (`published-kinds.ts`).

import type { ExpressionWarning, ValidatingAdmissionPolicy } from "#cluster/api/generated/types.ts";
import { builtInTypes } from "#cluster/api/kinds.ts";
import { groupVersionOf } from "#cluster/api/objects.ts";
import { fieldsOf, type TypeSchema } from "#cluster/api/schema.ts";
import { type AdmissionScope, compileAdmission } from "#cluster/cel/admission.ts";
import { CelCompileError } from "#cluster/cel/expression.ts";
import type { Client } from "#cluster/client/client.ts";
import { addField, publishedKinds } from "./published-kinds.ts";

type Environment = Parameters<NonNullable<AdmissionScope["objectType"]>>[0];
type Spec = NonNullable<ValidatingAdmissionPolicy["spec"]>;

/** A kind with what registers its type, and gives its name. */
interface Kind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly register: (environment: Environment) => string;
}

const builtInKinds: readonly Kind[] = builtInTypes.map(({ group, version, kind, plural, typeName }) => ({
  group,
  version,
  kind,
  plural,
  register: (environment) => new ObjectTypes(environment).register(typeName),
}));

const maxTypes = 10;

/** `done` is called at once where all kinds are built in. */
export function typeWarnings(
  { spec }: ValidatingAdmissionPolicy,
  client: Pick<Client, "ask">,
  done: (warnings: readonly ExpressionWarning[]) => void,
): void {
  if (spec === undefined) {
    done([]);
    return;
  }
  publishedKinds(client, customVersions(spec), (published) => {
    const custom = published.map(({ register, ...names }) => ({
      ...names,
      register: (environment: Environment) => register((name, fields) => environment.registerType(name, { fields })),
    }));
    done(warningsFor(spec, typesToCheck(spec, [...builtInKinds, ...custom])));
  });
}

function warningsFor(spec: Spec, kinds: readonly Kind[]): readonly ExpressionWarning[] {
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

/** What the rules name without wildcards; subresources are not looked at. */
function plainRules({ matchConstraints }: Spec) {
  return (matchConstraints?.resourceRules ?? [])
    .map(({ apiGroups = [], apiVersions = [], resources = [] }) => ({ apiGroups, apiVersions, resources }))
    .filter(({ apiGroups, apiVersions }) => [...apiGroups, ...apiVersions].every((text) => !text.includes("*")));
}

/** `stable.example.com/v1`: versions that the rules name and nothing built in has. */
function customVersions(spec: Spec): readonly string[] {
  const own = new Set(builtInTypes.map(groupVersionOf));
  const named = plainRules(spec).flatMap(({ apiGroups, apiVersions }) =>
    apiGroups.flatMap((group) => apiVersions.map((version) => (group === "" ? version : `${group}/${version}`))),
  );
  return [...new Set(named)].filter((each) => !own.has(each) && each.includes("/"));
}

/** The kinds of the rules, in order. */
function typesToCheck(spec: Spec, kinds: readonly Kind[]): readonly Kind[] {
  const found = new Map<string, Kind>();
  for (const { apiGroups, apiVersions, resources } of plainRules(spec)) {
    const plain = resources.filter((text) => !/[*/]/.test(text));
    for (const kind of kinds) {
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
  const objectType = (environment: Environment): string => kind.register(environment);
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
    for (const [field, { type }] of fieldsOf(typeName)) addField(fields, field, this.#typeOf(type));
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
