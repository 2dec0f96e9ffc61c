// kubectl api-resources and kubectl api-versions.

import { compareBytes } from "#cluster/api/json-write.ts";
import type { JsonValue } from "#cluster/api/wire.ts";
import { groupResource, groupVersion, type ResourceInfo } from "../client/discovery.ts";
import type { Command, Context } from "../context.ts";
import { ConnectionError, KubectlError } from "../errors.ts";
import { plainPrinter, unknownFormat } from "../printers/object-printer.ts";
import { TabWriter } from "../printers/tab-writer.ts";

function wanted(context: Context, resource: ResourceInfo): boolean {
  const { flags } = context;
  if (resource.verbs.length === 0) return false;
  if (flags.changed("api-group") && flags.text("api-group") !== resource.group) return false;
  if (flags.changed("namespaced") && flags.bool("namespaced") !== resource.namespaced) return false;
  if (!flags.list("verbs").every((verb) => resource.verbs.includes(verb))) return false;
  return flags.list("categories").every((category) => resource.categories.includes(category));
}

function sorted(resources: readonly ResourceInfo[], by: string): readonly ResourceInfo[] {
  const key = ({ plural, kind, group }: ResourceInfo): string => {
    if (by === "name") return plural;
    return by === "kind" ? kind : group;
  };
  return [...resources].sort((a, b) => compareBytes(key(a), key(b)) || compareBytes(a.plural, b.plural));
}

function asObject(resource: ResourceInfo): JsonValue {
  return {
    name: resource.plural,
    singularName: resource.singular,
    namespaced: resource.namespaced,
    ...(resource.group === "" ? {} : { group: resource.group }),
    version: resource.version,
    kind: resource.kind,
    verbs: resource.verbs,
    ...(resource.shortNames.length > 0 ? { shortNames: resource.shortNames } : {}),
    ...(resource.categories.length > 0 ? { categories: resource.categories } : {}),
  };
}

function table(context: Context, resources: readonly ResourceInfo[], wide: boolean): string {
  const writer = new TabWriter();
  if (!context.flags.bool("no-headers")) {
    writer.row(["NAME", "SHORTNAMES", "APIVERSION", "NAMESPACED", "KIND", ...(wide ? ["VERBS", "CATEGORIES"] : [])]);
  }
  for (const resource of resources) {
    writer.row([
      resource.plural,
      resource.shortNames.join(","),
      groupVersion(resource),
      String(resource.namespaced),
      resource.kind,
      ...(wide ? [resource.verbs.join(","), resource.categories.join(",")] : []),
    ]);
  }
  return writer.flush();
}

export const apiResources: Command = {
  path: "api-resources",
  *run(context) {
    const { flags } = context;
    if (context.args.length > 0) throw context.usageError(`unexpected arguments: [${context.args.join(" ")}]`);
    const output = flags.text("output");
    if (!["", "wide", "name", "json", "yaml", "kyaml"].includes(output)) {
      throw unknownFormat(output, ["json", "kyaml", "name", "wide", "yaml"]);
    }
    if (!["", "name", "kind"].includes(flags.text("sort-by"))) throw new KubectlError("--sort-by accepts only name or kind");
    const { groups, resources } = yield* flags.bool("cached") ? context.discovery().fetch() : context.discovery().refresh();
    const preferred = resources.filter((resource) => {
      const versions = groups.find((group) => group.name === resource.group)?.versions ?? [];
      const first = versions.find((version) =>
        resources.some((other) => other.group === resource.group && other.plural === resource.plural && other.version === version),
      );
      return first === resource.version && wanted(context, resource);
    });
    const shown = sorted(preferred, flags.text("sort-by"));
    if (output === "name") return yield* context.out(shown.map((resource) => `${groupResource(resource)}\n`).join(""));
    const printer = plainPrinter(context, output, { inOrder: true });
    if (printer === undefined) return yield* context.out(table(context, shown, output === "wide"));
    yield* context.out(printer({ kind: "APIResourceList", apiVersion: "v1", groupVersion: "", resources: shown.map(asObject) }));
  },
};

export const apiVersions: Command = {
  path: "api-versions",
  *run(context) {
    if (context.args.length > 0) throw context.usageError(`unexpected arguments: [${context.args.join(" ")}]`);
    try {
      const groups = yield* context.discovery().groups();
      const versions = groups.flatMap((group) => group.versions.map((version) => groupVersion({ group: group.name, version })));
      yield* context.out(
        [...versions]
          .sort(compareBytes)
          .map((version) => `${version}\n`)
          .join(""),
      );
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
      const url = context.client().url("/api", { timeout: "32s" });
      throw new KubectlError(`couldn't get available api versions from server: Get "${url}": ${error.message}`);
    }
  },
};
