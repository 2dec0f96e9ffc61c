// JSON paths of fields and map keys only, as rules' fieldPath and selectableFields use them: `.spec.host`, `.spec['a.b']`
// (apiextensions-apiserver, pkg/apiserver/schema/cel/validation.go).

import { Path } from "../field-errors.ts";
import { additionalOf, allowsAdditional, propertyOf, type Schema } from "./structural-schema.ts";

/** A path that leads nowhere; the message says why. */
export class SimplePathError extends Error {}

export interface SimplePath {
  /** `spec.host`, `spec.labels[a]` */
  readonly text: string;
  readonly names: readonly string[];
  /** Of what the path leads to. */
  readonly schema: Schema | undefined;
}

/** Throws SimplePathError. `allowBrackets`: map keys and fields may stand in `['']`. */
export function parseSimplePath(text: string, root: Schema, allowBrackets: boolean): SimplePath {
  const tokens = text.match(/'(?:\\.|[^'\\])*'|[.[\]]|[^.[\]']+/g) ?? [];
  let path: Path | undefined;
  let schema: Schema | undefined = root;
  const names: string[] = [];
  let index = 0;
  const next = (): string => {
    index += 1;
    const token = tokens[index];
    if (token === undefined) throw new SimplePathError("unexpected end of JSON path");
    return token;
  };
  for (; index < tokens.length; index += 1) {
    const token = tokens[index] as string;
    let name: string;
    if (token === "[") {
      if (!allowBrackets) throw new SimplePathError("array notation is not allowed");
      const quoted = next();
      if (!/^'.*'$/s.test(quoted)) throw new SimplePathError(`expected single quoted string but got ${quoted}`);
      name = quoted.slice(1, -1).replace(/\\(.)/g, "$1");
      const close = next();
      if (close !== "]") throw new SimplePathError(`expected ] but got ${close}`);
    } else if (token === ".") name = next();
    else throw new SimplePathError(`expected [ or . but got: ${token}`);
    const isNamed: boolean = schema?.properties !== undefined;
    if (!isNamed && !allowsAdditional(schema)) throw new SimplePathError("does not refer to a valid field");
    const inner: Schema | undefined = isNamed ? propertyOf(schema, name) : additionalOf(schema);
    if (isNamed && inner === undefined) throw new SimplePathError("does not refer to a valid field");
    if (!isNamed) path = (path ?? new Path("")).key(name);
    else path = path === undefined ? new Path(name) : path.child(name);
    names.push(name);
    schema = inner;
  }
  return { text: path?.toString() ?? "", names, schema };
}

/** A rule's fieldPath as it stands in errors; undefined for one that leads nowhere. */
export function normalizedFieldPath(text: string, schema: Schema): string | undefined {
  try {
    return parseSimplePath(text, schema, true).text;
  } catch (error) {
    if (error instanceof SimplePathError) return undefined;
    throw error;
  }
}
