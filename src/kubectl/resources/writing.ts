// Writing objects: patches and what is printed of them.

import { ApiError } from "#cluster/api/errors.ts";
import type { JsonValue } from "#cluster/api/wire.ts";
import { isOwnError } from "#sim/errors.ts";
import type { Sys } from "#sim/program.ts";
import { pathOf } from "../client/discovery.ts";
import { type DryRun, dryRunOf, dryRunQuery } from "../commands/write-options.ts";
import type { Context } from "../context.ts";
import { isObject, type JsonObject, valueAt, withValue } from "../documents.ts";
import { KubectlError } from "../errors.ts";
import { makeObjectPrinter, type ObjectPrinter, type PrinterOptions } from "../printers/object-printer.ts";
import type { Info } from "./selection.ts";

export type PatchForm = "json" | "merge" | "strategic" | "apply";

export const contentTypes: { readonly [form in PatchForm]: string } = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  apply: "application/apply-patch+yaml",
};

export interface PatchOptions {
  readonly subresource?: string;
  readonly fieldManager?: string;
  readonly dryRun?: DryRun;
}

/** Sends a patch for one object and returns the object as it is then. */
export function* patchObject(
  context: Context,
  info: Info,
  form: PatchForm,
  patch: JsonValue | string,
  options: PatchOptions = {},
): Sys<JsonObject> {
  const manager = options.fieldManager ?? (context.flags.has("field-manager") ? context.flags.text("field-manager") : "");
  const answer = yield* context.client().json({
    method: "PATCH",
    path: pathOf(info.mapping, info.namespace, info.name, options.subresource ?? ""),
    query: { ...dryRunQuery(options.dryRun ?? "none"), fieldManager: manager },
    body: patch,
    contentType: contentTypes[form],
  });
  return isObject(answer) ? answer : {};
}

/** A new object brings no version: that of a manifest, or of an object read before, is left out. */
export function withoutVersion(object: JsonObject): JsonObject {
  if (valueAt(object, "metadata", "resourceVersion") === undefined) return object;
  return withValue(object, ["metadata", "resourceVersion"], undefined);
}

/** ` (dry run)` and ` (server dry run)` behind an operation. */
export function operationText(operation: string, dryRun: DryRun): string {
  if (dryRun === "client") return `${operation} (dry run)`;
  return dryRun === "server" ? `${operation} (server dry run)` : operation;
}

/** The printer of a writing command, with its dry-run suffix. */
export function writingPrinter(context: Context, operation: string, options: PrinterOptions = {}): ObjectPrinter {
  return makeObjectPrinter(context, operationText(operation, dryRunOf(context)), options);
}

/** Names the file in a refusal: `error when deleting "f.yaml": …`. */
export function withSource(error: unknown, verb: string, source: string): unknown {
  if (source === "" || !isOwnError(error)) return error;
  const message = `error when ${verb} ${JSON.stringify(source)}: ${error.message}`;
  return error instanceof ApiError ? new ApiError({ ...error.status, message }) : new KubectlError(message);
}

/** Throws when flags that must be given were not. */
export function requireFlags(context: Context, ...names: readonly string[]): void {
  const missing = names.filter((name) => !context.flags.changed(name));
  if (missing.length === 0) return;
  throw new KubectlError(`required flag(s) ${missing.map((name) => JSON.stringify(name)).join(", ")} not set`);
}
