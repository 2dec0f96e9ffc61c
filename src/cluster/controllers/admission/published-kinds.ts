// Kinds that definitions have brought, as the server publishes them (/openapi/v3), with types for expressions.

import type { Client } from "#cluster/client/client.ts";

interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly properties?: { readonly [name: string]: Schema };
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly "x-kubernetes-group-version-kind"?: readonly GroupVersionKind[];
}

interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

interface Document {
  readonly paths?: {
    readonly [path: string]: { readonly get?: { readonly "x-kubernetes-group-version-kind"?: GroupVersionKind } };
  };
  readonly components?: { readonly schemas?: { readonly [name: string]: Schema } };
}

type RegisterType = (name: string, fields: { readonly [field: string]: string }) => void;

export interface PublishedKind extends GroupVersionKind {
  readonly plural: string;
  /** Registers the types of its objects; the name of theirs. */
  readonly register: (registerType: RegisterType) => string;
}

/** `versions`: `stable.example.com/v1`; one that is not served has no kinds. `done` is called at once when there are none to ask for. */
export function publishedKinds(
  client: Pick<Client, "ask">,
  versions: readonly string[],
  done: (kinds: readonly PublishedKind[]) => void,
): void {
  const [first, ...rest] = versions;
  if (first === undefined) {
    done([]);
    return;
  }
  client.ask({ method: "GET", target: `/openapi/v3/apis/${first}` }, ({ status, body }) => {
    const kinds = status === 200 ? kindsOf(first, body as unknown as Document) : [];
    publishedKinds(client, rest, (others) => done([...kinds, ...others]));
  });
}

function kindsOf(groupVersion: string, { paths = {}, components }: Document): readonly PublishedKind[] {
  const schemas = Object.values(components?.schemas ?? {});
  return Object.entries(paths).flatMap(([path, { get }]): readonly PublishedKind[] => {
    const plural = new RegExp(
      `^/apis/${groupVersion.replaceAll(".", "\\.")}/(?:namespaces/\\{namespace\\}/)?([a-z0-9.-]+)/\\{name\\}$`,
    ).exec(path)?.[1];
    const own = get?.["x-kubernetes-group-version-kind"];
    if (plural === undefined || own === undefined) return [];
    const schema = schemas.find((each) =>
      each["x-kubernetes-group-version-kind"]?.some(
        ({ group, version, kind }) => group === own.group && version === own.version && kind === own.kind,
      ),
    );
    if (schema?.properties === undefined) return [];
    return [
      {
        ...own,
        plural,
        register: (registerType) => typeOf(schema, `custom.${own.group}.${own.version}.${own.kind}`, registerType),
      },
    ];
  });
}

/** Of what a schema does not tell the type of, nothing is known. */
function typeOf(
  { type, format, properties, items, additionalProperties }: Schema,
  name: string,
  registerType: RegisterType,
): string {
  if (type === "object" && properties !== undefined) {
    const fields: { [field: string]: string } = {};
    for (const [field, schema] of Object.entries(properties))
      addField(fields, field, typeOf(schema, `${name}.${field}`, registerType));
    registerType(name, fields);
    return name;
  }
  if (type === "object" && typeof additionalProperties === "object")
    return `map<string, ${typeOf(additionalProperties, `${name}.@values`, registerType)}>`;
  if (type === "array" && items !== undefined) return `list<${typeOf(items, `${name}.@items`, registerType)}>`;
  if (type === "string") return format === "date-time" ? "google.protobuf.Timestamp" : "string";
  return { boolean: "bool", integer: "int", number: "double" }[type ?? ""] ?? "dyn";
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

/** Under the name that expressions call it by. */
export function addField(fields: { [field: string]: string }, name: string, type: string): void {
  fields[name.replace(/^\$/, "_dollar_").replaceAll("-", "__dash__")] = type;
  if (reserved.has(name)) fields[`__${name}__`] = type;
}
