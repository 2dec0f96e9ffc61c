// What validation finds, in the words of apimachinery's field errors: a path, a type of error, the value, a detail.
// Validators share one collector, so that the order of causes is the order of discovery.

import type { StatusCause } from "#cluster/api/generated/types.ts";
import { jsonText } from "#cluster/api/json-write.ts";
import type { Int64 } from "#cluster/api/wire.ts";
import { asciiUpperCase } from "#sim/ascii.ts";

/** A place in an object, `spec.containers[0].image`. Building one is cheap; its text is made only for an error. */
export class Path {
  readonly #parent: Path | undefined;
  readonly #segment: string | number;
  readonly #isKey: boolean;

  constructor(segment: string | number, parent?: Path, isKey = false) {
    this.#parent = parent;
    this.#segment = segment;
    this.#isKey = isKey;
  }

  /** `.name` */
  child(name: string, ...more: readonly string[]): Path {
    let path = new Path(name, this);
    if (more.length > 0) for (const next of more) path = new Path(next, path);
    return path;
  }

  /** `[3]` */
  index(position: number): Path {
    return new Path(position, this);
  }

  /** `[key]` */
  key(key: string): Path {
    return new Path(key, this, true);
  }

  toString(): string {
    const before = this.#parent?.toString() ?? "";
    const segment = this.#segment;
    if (typeof segment === "number" || this.#isKey) return `${before}[${segment}]`;
    return before === "" || segment === "" ? before + segment : `${before}.${segment}`;
  }
}

/** Starts a path: `field("spec", "containers")`. */
export function field(...names: readonly string[]): Path {
  let path = new Path("");
  for (const name of names) path = new Path(name, path);
  return path;
}

/** The object itself, where no field is to blame; apimachinery prints the empty path so. */
export const wholeObject = new Path("[]");

export type FieldCause = StatusCause & { readonly message: string };

export class FieldErrors {
  readonly causes: FieldCause[] = [];

  get isEmpty(): boolean {
    return this.causes.length === 0;
  }

  invalid(path: Path, value: unknown, detail: string): void {
    this.#add("FieldValueInvalid", path, `Invalid value: ${formatValue(value)}${suffix(detail)}`);
  }

  /** A value that is not of its schema's type. */
  typeInvalid(path: Path, value: unknown, detail: string): void {
    this.#add("FieldValueTypeInvalid", path, `Invalid value: ${formatValue(value)}${suffix(detail)}`);
  }

  /** As `invalid`, of a value that is too large to be shown. */
  invalidUnnamed(path: Path, detail: string): void {
    this.#add("FieldValueInvalid", path, `Invalid value${suffix(detail)}`);
  }

  required(path: Path, detail = ""): void {
    this.#add("FieldValueRequired", path, `Required value${suffix(detail)}`);
  }

  notSupported(path: Path, value: unknown, supported: readonly string[]): void {
    const list = supported.length === 0 ? "" : `: supported values: ${supported.map((one) => JSON.stringify(one)).join(", ")}`;
    this.#add("FieldValueNotSupported", path, `Unsupported value: ${formatValue(value)}${list}`);
  }

  forbidden(path: Path, detail: string): void {
    this.#add("FieldValueForbidden", path, `Forbidden${suffix(detail)}`);
  }

  duplicate(path: Path, value: unknown, detail = ""): void {
    this.#add("FieldValueDuplicate", path, `Duplicate value: ${formatValue(value)}${suffix(detail)}`);
  }

  notFound(path: Path, value: unknown, detail = ""): void {
    this.#add("FieldValueNotFound", path, `Not found: ${formatValue(value)}${suffix(detail)}`);
  }

  tooLong(path: Path, maximumBytes: Int64): void {
    this.#add("FieldValueTooLong", path, `Too long: may not be more than ${maximumBytes} ${maximumBytes === 1 ? "byte" : "bytes"}`);
  }

  tooMany(path: Path, actual: number, maximum: Int64): void {
    this.#add("FieldValueTooMany", path, `Too many: ${actual}: must have at most ${maximum} ${maximum === 1 ? "item" : "items"}`);
  }

  internal(path: Path, detail: string): void {
    this.#add("InternalError", path, `Internal error${suffix(detail)}`);
  }

  #add(reason: string, path: Path, message: string): void {
    this.causes.push({ reason, message, field: path.toString() });
  }
}

function suffix(detail: string): string {
  return detail === "" ? "" : `: ${detail}`;
}

/**
 * A value as upstream prints those of its internal types, which have no JSON names: with Go's field names
 * (`{"Protocol":"TCP"}`). Fields that are absent stay so, where Go prints their zero value.
 */
export function goValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(goValue);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [goFieldName(name), freeMaps.has(name) ? part : goValue(part)]),
  );
}

/** Fields whose keys are names that somebody gave. */
const freeMaps: ReadonlySet<string> = new Set([
  ...["annotations", "labels", "limits", "matchLabels", "nodeSelector", "parameters", "requests", "volumeAttributes"],
]);

/** `apiGroup` is `APIGroup`, `clusterIPs` `ClusterIPs`. */
export function goFieldName(name: string): string {
  return name
    .replace(/^(?:api|cidr|csi|cel|fc|iscsi|nfs|rbd|fs|uid|ip)(?=[A-Z]|s?$)/, (word) => asciiUpperCase(word))
    .replace(/^./, (first) => asciiUpperCase(first));
}

/** Strings in quotes, all else as JSON; an absent value prints as Go's nil pointer does. */
function formatValue(value: unknown): string {
  if (value === undefined) return "null";
  const text = jsonText(value);
  return typeof value === "object" ? text.replace(/[<>&]/g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`) : text;
}
