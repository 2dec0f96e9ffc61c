// The two kinds of objects that expressions of MutatingAdmissionPolicies make, `Object.spec{replicas: 3}` and
// `JSONPatch{op: "add", …}`. The language's library has no literals of named types, so they are rewritten as calls over maps:
// `__object("Object.spec", {"replicas": 3})`. (apiserver, pkg/cel/mutation)

import type { Environment } from "@marcbachmann/cel-js";
import type { JsonValue } from "#cluster/api/objects.ts";
import { CelFault } from "./expression.ts";
import { jsonOf } from "./values.ts";

/** An object of a policy's expression, with the type it was written as. */
export class ObjectLiteral {
  readonly typeName: string;
  readonly fields: { readonly [name: string]: unknown };

  constructor(typeName: string, fields: { readonly [name: string]: unknown }) {
    this.typeName = typeName;
    this.fields = fields;
  }

  toJSON(): JsonValue {
    const result: { [name: string]: JsonValue } = {};
    for (const [name, value] of Object.entries(this.fields)) result[name] = jsonOf(value);
    return result;
  }
}

class JsonPatchNamespace {}

export function addObjectLiterals(environment: Environment): void {
  environment
    .registerType("Object", ObjectLiteral)
    .registerFunction("__object(string, map): Object", (typeName: string, fields: { readonly [name: string]: unknown }) =>
      fields instanceof Map ? new ObjectLiteral(typeName, Object.fromEntries(fields)) : new ObjectLiteral(typeName, fields),
    )
    .registerType("JsonPatchNamespace", JsonPatchNamespace)
    .registerConstant("jsonpatch", "JsonPatchNamespace", new JsonPatchNamespace())
    .registerFunction("JsonPatchNamespace.escapeKey(string): string", (_: unknown, key: string) =>
      key.replaceAll("~", "~0").replaceAll("/", "~1"),
    );
}

const literal = /(Object(?:\.[A-Za-z_]\w*|\.`[^`]*`)*|JSONPatch)\s*\{/y;
const text =
  /[rRbB]{0,2}(?:"""(?:\\[\s\S]|(?!""")[\s\S])*"""|'''(?:\\[\s\S]|(?!''')[\s\S])*'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|\/\/[^\n]*/y;
const key = /(\s*)(?:([A-Za-z_]\w*)|`([^`]*)`)(\s*):/y;

/** The expression with its object literals as calls. */
export function rewriteLiterals(source: string): string {
  let result = "";
  let index = 0;
  /** What each open bracket was: a literal of a named type or anything else. */
  const open: ("literal" | "other")[] = [];
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = index;
    return pattern.exec(source);
  };
  const keyHere = (): void => {
    const found = take(key);
    if (found === null || open.at(-1) !== "literal") return;
    result += `${found[1]}${JSON.stringify(found[2] ?? found[3])}${found[4]}:`;
    index += found[0].length;
  };
  while (index < source.length) {
    const string = take(text);
    const object = string === null && !/[\w.]/.test(source[index - 1] ?? "") ? take(literal) : null;
    if (string !== null) {
      result += string[0];
      index += string[0].length;
    } else if (object !== null) {
      result += `__object(${JSON.stringify(object[1])}, {`;
      index += object[0].length;
      open.push("literal");
      keyHere();
    } else {
      const character = source[index] as string;
      index += 1;
      if (character === "}" && open.at(-1) === "literal") result += "})";
      else result += character;
      if (character === "{" || character === "[" || character === "(") open.push("other");
      if (character === "}" || character === "]" || character === ")") open.pop();
      if (character === ",") keyHere();
    }
  }
  return result;
}

/** Objects must be of the type of their place: `Object.spec` below `spec`. Throws CelFault. */
export function checkTypeNames(value: unknown, path: readonly string[] = ["Object"]): void {
  const faults = typeFaults(value, path);
  if (faults.length > 0) throw new CelFault(`type mismatch: ${faults.join("\n")}`);
}

function typeFaults(value: unknown, path: readonly string[]): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => typeFaults(item, path));
  if (!(value instanceof ObjectLiteral)) return [];
  const expected = path.join(".");
  const own =
    value.typeName === expected
      ? []
      : [
          `unexpected type name ${JSON.stringify(value.typeName)}, expected ${JSON.stringify(expected)}, which matches field name path from root Object type`,
        ];
  return [...own, ...Object.entries(value.fields).flatMap(([name, field]) => typeFaults(field, [...path, name]))];
}
