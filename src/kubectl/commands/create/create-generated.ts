// What the `kubectl create KIND` commands share: one name, an object made from flags, and its way to the server.

import { ApiError } from "#cluster/api/errors.ts";
import type { JsonValue } from "#cluster/api/wire.ts";
import type { Sys } from "#sim/program.ts";
import { withLastMade } from "../../apply/last-applied.ts";
import { pathOf } from "../../client/discovery.ts";
import type { Context } from "../../context.ts";
import { isObject, type JsonObject, textAt, withValue } from "../../documents.ts";
import { KubectlError } from "../../errors.ts";
import { writingPrinter } from "../../resources/writing.ts";
import { dryRunOf, writeQuery } from "../write-options.ts";

/** The one argument before `--`. */
export function nameArgument(context: Context): string {
  const before = context.argsBeforeDash ?? context.args.length;
  const [name] = context.args;
  if (before !== 1 || name === undefined) throw context.usageError(`exactly one NAME is required, got ${before}`);
  return name;
}

/** Metadata with a namespace only where one was given by flag. */
export function metadataFor(context: Context, name: string, labels?: { readonly [key: string]: string }): JsonObject {
  const { name: namespace, explicit } = context.namespace();
  return { name, ...(explicit ? { namespace } : {}), ...(labels === undefined ? {} : { labels }) };
}

/** Sends the object (or not, with --dry-run=client) and prints it. `what` stands in `failed to create <what>: …`; "" for the error as it is. `annotates`: --save-config is heeded. */
export function* createObject(context: Context, draft: JsonObject, what: string, annotates = true): Sys<void> {
  const dryRun = dryRunOf(context);
  let object = annotates && context.flags.bool("save-config") ? withLastMade(draft) : draft;
  if (dryRun !== "client") {
    const mapping = yield* context.discovery().forKind(textAt(draft, "apiVersion"), textAt(draft, "kind"));
    if (mapping === undefined)
      throw new KubectlError(`the server doesn't have a resource type ${JSON.stringify(textAt(draft, "kind"))}`);
    const namespace = mapping.namespaced ? context.namespace().name : "";
    const body = mapping.namespaced ? object : withValue(object, ["metadata", "namespace"], undefined);
    try {
      const answer: JsonValue = yield* context.client().json({
        method: "POST",
        path: pathOf(mapping, namespace),
        query: writeQuery(context, dryRun),
        body,
      });
      if (isObject(answer)) object = answer;
    } catch (error) {
      if (what === "" || !(error instanceof ApiError)) throw error;
      throw new KubectlError(`failed to create ${what}${what === "secret" ? "" : ":"} ${error.message}`);
    }
  }
  yield* context.out(writingPrinter(context, "created", { inOrder: dryRun === "client" })(object));
}
