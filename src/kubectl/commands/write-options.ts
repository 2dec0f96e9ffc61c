// Flags that all writing commands share: --dry-run and --validate.

import type { Query } from "../client/rest-client.ts";
import type { Context } from "../context.ts";
import { KubectlError } from "../errors.ts";

export type DryRun = "none" | "client" | "server";

/** What a bare `--dry-run` stands for. */
export const bareDryRun = "unchanged";

/** Reads --dry-run; a bare flag still means the client. */
export function dryRunOf(context: Context): DryRun {
  const value = context.flags.text("dry-run");
  switch (value) {
    case "none":
    case "client":
    case "server":
      return value;
    case bareDryRun:
      return "client";
    default:
      throw new KubectlError(`Invalid dry-run value (${value}). Must be "none", "server", or "client".`);
  }
}

export function dryRunQuery(dryRun: DryRun): Query {
  return dryRun === "server" ? { dryRun: "All" } : {};
}

/** What goes along with an object that is created or replaced as it is. */
export function writeQuery(context: Context, dryRun: DryRun): Query {
  return {
    fieldManager: context.flags.text("field-manager"),
    fieldValidation: fieldValidationOf(context),
    ...dryRunQuery(dryRun),
  };
}

/** What --validate asks of the server. */
export function fieldValidationOf(context: Context): "Strict" | "Warn" | "Ignore" {
  const value = context.flags.text("validate");
  switch (value) {
    case "":
    case "true":
    case "strict":
      return "Strict";
    case "warn":
      return "Warn";
    case "false":
    case "ignore":
      return "Ignore";
    default:
      throw new KubectlError(
        `invalid - validate option ${JSON.stringify(value)}; must be one of: strict (or true), warn, ignore (or false)`,
      );
  }
}
