// kubectl describe: what an object is, what belongs to it, and its events.

import { ApiError } from "#cluster/api/errors.ts";
import type { CoreV1Event } from "#cluster/api/generated/types.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import type { Sys } from "#sim/program.ts";
import { groupVersion, type ResourceInfo } from "../client/discovery.ts";
import type { Command, Context } from "../context.ts";
import type { EventSubject, Lookup, LookupOptions } from "../describe/describer.ts";
import { describerFor } from "../describe/describers.ts";
import { arrayAt, asKind, isObject } from "../documents.ts";
import { isNotFound, KubectlError, throwList } from "../errors.ts";
import { type Info, select, selectionFromFlags } from "../resources/selection.ts";

export const describe: Command = {
  path: "describe",
  *run(context) {
    const { args, flags } = context;
    if (args.length === 0 && flags.list("filename").length === 0 && flags.text("kustomize") === "") {
      throw new KubectlError(
        'You must specify the type of resource to describe. Use "kubectl api-resources" for a complete list of supported resources.',
      );
    }
    const { infos, errors, byPrefix } = yield* selectDescribed(context);
    // Events are left out of the description of several objects, unless they were asked for.
    const alone = infos.length === 1 && errors.length === 0 && !byPrefix;
    const lookup = new ClusterLookup(context, flags.bool("show-events") && (alone || flags.changed("show-events")));
    const failures: Error[] = [...errors];
    let first = true;
    for (const info of infos) {
      try {
        const text = yield* describerFor(info.mapping.kind, info.mapping.group)(info.object as KubeObject, lookup);
        if (byPrefix) yield* context.out(`${text}\n`);
        else yield* context.out(first ? text : `\n\n${text}`);
        first = false;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        failures.push(error);
      }
    }
    throwList(failures);
    if (first) {
      yield* context.err(
        flags.bool("all-namespaces") ? "No resources found\n" : `No resources found in ${context.namespace().name} namespace.\n`,
      );
    }
  },
};

interface Described {
  readonly infos: readonly Info[];
  readonly errors: readonly Error[];
  /** The objects were found by the beginning of their names. */
  readonly byPrefix: boolean;
}

/** A name that does not exist is tried as a prefix: `kubectl describe pod web`. */
function* selectDescribed(context: Context): Sys<Described> {
  const options = { ...selectionFromFlags(context), typeAloneSelectsAll: true, latest: true };
  const [type, prefix] = context.args;
  const isOneName = context.args.length === 2 && type !== undefined && prefix !== undefined && !type.includes("/");
  try {
    const selection = yield* select(context, { ...options, continueOnError: true });
    if (selection.infos.length === 0 && isOneName && selection.errors.some(isNotFound)) throw selection.errors[0];
    return { ...selection, byPrefix: false };
  } catch (error) {
    if (!isOneName || !isNotFound(error)) throw error;
    const all = yield* select(context, { ...options, args: [type] });
    const matching = all.infos.filter((info) => info.name.startsWith(prefix));
    if (matching.length === 0) throw error;
    return { infos: matching, errors: [], byPrefix: true };
  }
}

class ClusterLookup implements Lookup {
  readonly showEvents: boolean;
  readonly #context: Context;

  constructor(context: Context, showEvents: boolean) {
    this.#context = context;
    this.showEvents = showEvents;
  }

  get nowMs(): number {
    return this.#context.self.nowMs;
  }

  *list(resource: Pick<ResourceInfo, "group" | "version" | "plural">, where: LookupOptions): Sys<readonly KubeObject[]> {
    const { namespace, labelSelector, fieldSelector } = where;
    const answer = yield* this.#context.client().json({
      method: "GET",
      path: `${basePath(resource)}${namespace === undefined ? "" : `/namespaces/${namespace}`}/${resource.plural}`,
      query: { labelSelector, fieldSelector, limit: this.#context.flags.number("chunk-size") },
    });
    return asKind(arrayAt(answer, "items").filter(isObject));
  }

  *get(resource: Pick<ResourceInfo, "group" | "version" | "plural">, namespace: string, name: string): Sys<KubeObject | undefined> {
    try {
      const path = `${basePath(resource)}${namespace === "" ? "" : `/namespaces/${namespace}`}/${resource.plural}/${name}`;
      return asKind(yield* this.#context.client().json({ method: "GET", path }));
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  *events(about: EventSubject): Sys<readonly CoreV1Event[]> {
    if (!this.showEvents) return [];
    const terms = [
      `involvedObject.name=${about.name}`,
      `involvedObject.namespace=${about.namespace}`,
      ...(about.kind === "" ? [] : [`involvedObject.kind=${about.kind}`]),
      `involvedObject.uid=${about.uid}`,
    ];
    const where = { fieldSelector: terms.join(","), ...(about.namespace === "" ? {} : { namespace: about.namespace }) };
    const found = yield* this.list({ group: "", version: "v1", plural: "events" }, where);
    return asKind(found);
  }
}

function basePath(resource: { readonly group: string; readonly version: string }): string {
  return resource.group === "" ? `/api/${resource.version}` : `/apis/${groupVersion(resource)}`;
}
