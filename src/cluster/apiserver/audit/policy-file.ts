// Reads the file that --audit-policy-file names, with upstream's refusals (apiserver, pkg/audit/policy/reader.go and
// pkg/apis/audit/validation).

import { aggregateText } from "#cluster/api/aggregate-text.ts";
import { DecodeError, decodeObject } from "#cluster/api/decode.ts";
import { goValue } from "#cluster/api/go-types.ts";
import { dns1123SubdomainReasons } from "#cluster/api/names.ts";
import { isObject, type JsonObject, type JsonValue, jsonKind } from "#cluster/api/wire.ts";
import { type ParsedYaml, parseYaml, YamlSyntaxError } from "#cluster/api/yaml-text.ts";
import { FieldErrors, field, type Path } from "#cluster/resources/field-errors.ts";
import { type AuditPolicy, levels, type PolicyRule, type Stage, stages } from "./policy.ts";

/** A policy with which the server does not start. */
export class PolicyFault extends Error {}

const version = "audit.k8s.io/v1";

/** `onStrictError` is told what a strict reader would refuse; upstream goes on without it. Throws PolicyFault. */
export function readPolicy(text: string, onStrictError: (fault: string) => void): AuditPolicy {
  const { value, duplicates } = parsed(text);
  const object = typed(value);
  const decoder = new PolicyDecoder();
  if (duplicates.length > 0)
    decoder.strictErrors.push(`yaml: unmarshal errors:${duplicates.map((each) => `\n  ${each}`).join("")}`);
  // Without a version the text is read as a type that has no fields in JSON.
  const hasVersion = typeof object["apiVersion"] === "string" && object["apiVersion"] !== "";
  const policy = hasVersion ? decoder.policy(object) : decoder.fieldless(object);
  if (decoder.strictErrors.length > 0) onStrictError(`strict decoding error: ${decoder.strictErrors.join(", ")}`);
  if (!hasVersion) throw new PolicyFault("unknown group version field audit.k8s.io/__internal, Kind=Policy in policy");
  const errors = new FieldErrors();
  validate(policy, errors);
  if (!errors.isEmpty) throw new PolicyFault(aggregateText(errors.causes.map((cause) => `${cause.field}: ${cause.message}`)));
  if (policy.rules.length === 0) throw new PolicyFault("loaded illegal policy with 0 rules");
  return policy;
}

/** The first document of the text. */
function parsed(text: string): ParsedYaml {
  const end = /\n---\s/.exec(text.replace(/^---\s/, "   \n"));
  try {
    return parseYaml(end === null ? text : text.slice(0, end.index + 1));
  } catch (error) {
    if (error instanceof YamlSyntaxError) throw new PolicyFault(`failed decoding: ${error.message}`);
    throw error;
  }
}

const header = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

/** The object, once it is known to be a policy. */
function typed(value: JsonValue): JsonObject {
  if (value === null) return {};
  if (!isObject(value)) {
    const fault = `json: cannot unmarshal ${jsonKind(value)} into Go value of type ${header}`;
    throw new PolicyFault(`failed decoding: couldn't get version/kind; json parse error: ${fault}`);
  }
  const { apiVersion = "", kind = "" } = value;
  if (apiVersion === version && kind === "Event")
    throw new PolicyFault("failed decoding: converting (v1.Event) to (audit.Policy): unknown conversion");
  const isOther = apiVersion !== "" && (apiVersion !== version || (kind !== "" && kind !== "Policy"));
  if (isOther) {
    const [kindText, versionText] = [JSON.stringify(kind || "Policy"), JSON.stringify(apiVersion)];
    const place = "pkg/runtime/scheme.go:111";
    throw new PolicyFault(`failed decoding: no kind ${kindText} is registered for version ${versionText} in scheme "${place}"`);
  }
  return value;
}

type FieldType = "text" | "boolean" | "texts" | "stages" | "groups" | "rules" | "metadata";

const structs = {
  Policy: {
    apiVersion: "text",
    kind: "text",
    metadata: "metadata",
    rules: "rules",
    omitStages: "stages",
    omitManagedFields: "boolean",
  },
  PolicyRule: {
    level: "text",
    users: "texts",
    userGroups: "texts",
    verbs: "texts",
    resources: "groups",
    namespaces: "texts",
    nonResourceURLs: "texts",
    omitStages: "stages",
    omitManagedFields: "boolean",
  },
  GroupResources: { group: "text", resources: "texts", resourceNames: "texts" },
} as const satisfies { readonly [struct: string]: { readonly [name: string]: FieldType } };

type Struct = keyof typeof structs;

/** What Go calls the types of fields and, behind the list, of their elements. */
const goNames: { readonly [type in FieldType]: string } = {
  text: "string",
  boolean: "bool",
  texts: "[]string",
  stages: "[]v1.Stage",
  groups: "[]v1.GroupResources",
  rules: "[]v1.PolicyRule",
  metadata: "v1.ObjectMeta",
};

const structOfElements: { readonly [type in FieldType]?: Struct } = { groups: "GroupResources", rules: "PolicyRule" };

class PolicyDecoder {
  readonly strictErrors: string[] = [];

  policy(object: JsonObject): AuditPolicy {
    const read = this.#struct("Policy", object, "", "");
    return { ...read, rules: (read["rules"] as unknown as readonly PolicyRule[] | undefined) ?? [] };
  }

  fieldless(object: JsonObject): AuditPolicy {
    for (const name of Object.keys(object)) if (name !== "kind") this.#unknown(name);
    return { rules: [] };
  }

  /** `path` is the place in the text, `fields` the names on the way there. */
  #struct(struct: Struct, object: JsonObject, path: string, fields: string): JsonObject {
    const known: { readonly [name: string]: FieldType } = structs[struct];
    const result: { [name: string]: JsonValue } = {};
    for (const [name, value] of Object.entries(object)) {
      const type = Object.hasOwn(known, name) ? known[name] : undefined;
      const here = path === "" ? name : `${path}.${name}`;
      if (type === undefined) this.#unknown(here);
      else if (value !== null)
        result[name] = this.#field({ struct, name, type, path: here, fields: fields === "" ? name : `${fields}.${name}` }, value);
    }
    return result;
  }

  #field(place: Place, value: JsonValue): JsonValue {
    const { type, name, path, fields, struct } = place;
    if (type === "text") return typeof value === "string" ? value : wrong(place, value, name === "level" ? "v1.Level" : "string");
    if (type === "boolean") return typeof value === "boolean" ? value : wrong(place, value, goNames[type]);
    if (type === "metadata") return this.#metadata(place, value);
    if (!Array.isArray(value)) return wrong(place, value, goNames[type]);
    const element = structOfElements[type];
    return value.map((each, index) => {
      if (element === undefined) {
        if (each === null) return "";
        return typeof each === "string" ? each : wrong({ struct, fields }, each, goNames[type].slice(2));
      }
      if (each === null) return {};
      return isObject(each) ? this.#struct(element, each, `${path}[${index}]`, fields) : wrong(place, each, `v1.${element}`);
    });
  }

  #metadata(place: Place, value: JsonValue): JsonValue {
    if (!isObject(value)) return wrong(place, value, goNames.metadata);
    try {
      const { value: metadata, strictErrors } = decodeObject("ObjectMeta", value);
      this.strictErrors.push(...strictErrors.map((error) => error.replace('"', '"metadata.')));
      return metadata;
    } catch (error) {
      if (error instanceof DecodeError) throw new PolicyFault(`failed decoding: ${error.message}`);
      throw error;
    }
  }

  #unknown(path: string): void {
    this.strictErrors.push(`unknown field ${JSON.stringify(path)}`);
  }
}

interface Place {
  readonly struct: Struct;
  readonly name: string;
  readonly type: FieldType;
  readonly path: string;
  readonly fields: string;
}

function wrong({ struct, fields }: Pick<Place, "struct" | "fields">, value: JsonValue, wanted: string): never {
  const field = `${struct}.${fields}`;
  throw new PolicyFault(
    `failed decoding: json: cannot unmarshal ${goValue(value, "string")} into Go struct field ${field} of type ${wanted}`,
  );
}

function validate(policy: AuditPolicy, errors: FieldErrors): void {
  validateStages(policy.omitStages, field("omitStages"), errors);
  for (const [index, rule] of policy.rules.entries()) validateRule(rule, field("rules").index(index), errors);
}

function validateRule(rule: PolicyRule, path: Path, errors: FieldErrors): void {
  const level: string = rule.level ?? "";
  if (level === "") errors.required(path.child("level"));
  else if (!levels.some((each) => each === level)) errors.notSupported(path.child("level"), level, levels);
  const urls = rule.nonResourceURLs ?? [];
  for (const [index, url] of urls.entries()) validateUrl(url, path.child("nonResourceURLs").index(index), errors);
  for (const { group = "", resources = [], resourceNames = [] } of rule.resources ?? []) {
    const reasons = group === "" || group === "*" ? [] : dns1123SubdomainReasons(group);
    if (reasons.length > 0) errors.invalid(path.child("resources", "group"), group, reasons.join(","));
    if (resourceNames.length > 0 && resources.length === 0)
      errors.invalid(path.child("resources", "resourceNames"), resourceNames, "using resourceNames requires at least one resource");
  }
  validateStages(rule.omitStages, path.child("omitStages"), errors);
  if (urls.length > 0 && ((rule.resources?.length ?? 0) > 0 || (rule.namespaces?.length ?? 0) > 0))
    errors.invalid(path.child("nonResourceURLs"), urls, "rules cannot apply to both regular resources and non-resource URLs");
}

function validateUrl(url: string, path: Path, errors: FieldErrors): void {
  if (url === "*") return;
  if (!url.startsWith("/")) errors.invalid(path, url, "non-resource URL rules must begin with a '/' character");
  if (url.slice(0, -1).includes("*"))
    errors.invalid(path, url, "non-resource URL wildcards '*' must be the final character of the rule");
}

function validateStages(omitted: readonly Stage[] | undefined, path: Path, errors: FieldErrors): void {
  for (const [index, stage] of (omitted ?? []).entries()) {
    if (!stages.includes(stage)) errors.invalid(path.index(index), stage, `allowed stages are ${stages.join(",")}`);
  }
}
