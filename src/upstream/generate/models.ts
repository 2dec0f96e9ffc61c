// Reads one model of the client package: its declaration file (documentation, which fields are required) and its
// code (wire names, types and formats).

/** One field as it travels on the wire. */
export interface ModelField {
  readonly name: string;
  readonly required: boolean;
  readonly type: FieldType;
  readonly doc: string;
}

/** A field's type, without the client package's own names. */
export type FieldType =
  | { readonly kind: "string" | "boolean" | "int32" | "int64" | "double" | "bytes" | "time" | "microTime" | "intOrString" | "any" }
  | { readonly kind: "array" | "map"; readonly of: FieldType }
  | { readonly kind: "object"; readonly name: string };

export interface Model {
  /** Our name for the type: the client's without a leading `V1`. */
  readonly name: string;
  readonly doc: string;
  readonly fields: readonly ModelField[];
}

/** `V1Pod` is `Pod` for us; other versions keep theirs (`V2HorizontalPodAutoscaler`, `CoreV1Event`). */
export function typeName(clientName: string): string {
  return clientName.replace(/^V1(?=[A-Z])/, "");
}

export function parseModel(clientName: string, declaration: string, code: string): Model {
  const table = /attributeTypeMap = (\[[\s\S]*?\n?\]);/.exec(code)?.[1];
  if (table === undefined) throw new Error(`generate: ${clientName} has no attribute table`);
  const attributes = JSON.parse(table) as readonly { name: string; baseName: string; type: string; format: string }[];
  const header = /((?:\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*)?)export declare class/.exec(declaration);
  const fields = attributes.map((attribute): ModelField => {
    const pattern = new RegExp(`((?:/\\*\\*(?:(?!\\*/)[\\s\\S])*\\*/\\s*)?)'${attribute.name}'(\\??):`);
    const match = pattern.exec(declaration);
    if (match === null) throw new Error(`generate: ${clientName}.${attribute.name} is not declared`);
    return {
      name: attribute.baseName,
      required: match[2] === "",
      type: parseType(attribute.type, attribute.format),
      doc: docText(match[1] ?? ""),
    };
  });
  return { name: typeName(clientName), doc: docText(header?.[1] ?? ""), fields };
}

function parseType(type: string, format: string): FieldType {
  const array = /^Array<(.*)>$/.exec(type);
  if (array) return { kind: "array", of: parseType(array[1] as string, format) };
  const map = /^\{ \[key: string\]: (.*); \}$/.exec(type);
  if (map) return { kind: "map", of: parseType(map[1] as string, format) };
  switch (type) {
    case "string":
      return { kind: format === "byte" ? "bytes" : "string" };
    case "boolean":
      return { kind: "boolean" };
    case "number":
      if (format === "int64") return { kind: "int64" };
      return { kind: format === "double" ? "double" : "int32" };
    case "Date":
      return { kind: "time" };
    case "V1MicroTime":
      return { kind: "microTime" };
    case "IntOrString":
      return { kind: "intOrString" };
    case "any":
    case "object":
      return { kind: "any" };
    default:
      return { kind: "object", name: typeName(type) };
  }
}

function docText(comment: string): string {
  return comment
    .replace(/^\s*\/\*\*\s*/, "")
    .replace(/\s*\*\/\s*$/, "")
    .replace(/^\s*\* ?/gm, "")
    .trim()
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&amp;/g, "&")
    .replace(/\/_\*/g, "/*")
    .replace(/\*_\//g, "*/")
    .replace(/\\(["'\\])/g, "$1");
}
