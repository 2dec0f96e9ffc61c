// What other API servers serve, in the form of aggregated discovery (apiserver's ConvertGroupVersionIntoToDiscovery).

import type { APIService } from "#cluster/api/generated/types.ts";
import type { JsonValue, Stored } from "#cluster/api/objects.ts";

type Fields = { readonly [field: string]: JsonValue };

export interface RemoteVersion {
  readonly group: string;
  readonly version: string;
  /** Entries of an APIGroupDiscoveryList; undefined before the first answer. */
  readonly resources: readonly Fields[] | undefined;
  readonly freshness: "Current" | "Stale";
}

interface Known {
  readonly resources: readonly Fields[] | undefined;
  readonly isFresh: boolean;
}

/** Of APIServices those that name another server: groups by their own priority, then the versions of a group by theirs. */
export function remoteVersions(
  all: readonly Stored<APIService>[],
  knownOf: (name: string) => Known | undefined,
): readonly RemoteVersion[] {
  return all
    .filter(({ spec }) => spec?.service !== undefined)
    .toSorted(
      ({ spec: a }, { spec: b }) =>
        (b?.groupPriorityMinimum ?? 0) - (a?.groupPriorityMinimum ?? 0) || (b?.versionPriority ?? 0) - (a?.versionPriority ?? 0),
    )
    .map(({ metadata, spec }) => {
      const { group = "", version = "" } = spec ?? {};
      const known = knownOf(metadata.name);
      const resources = known?.resources === undefined ? undefined : aggregated(known.resources);
      return { group, version, resources, freshness: known?.isFresh === true ? "Current" : "Stale" };
    });
}

/** Of the entries of an APIResourceList: subresources (`pods/log`) go below what they are of. */
function aggregated(entries: readonly Fields[]): readonly Fields[] {
  const whole = entries.filter(({ name }) => !String(name).includes("/"));
  return whole.map((entry) => {
    const name = String(entry["name"]);
    const below = entries.filter((other) => String(other["name"]).startsWith(`${name}/`));
    const { singularName = "", namespaced, verbs = [], shortNames, categories } = entry;
    return {
      resource: name,
      responseKind: kindOf(entry),
      scope: namespaced === true ? "Namespaced" : "Cluster",
      singularResource: singularName,
      verbs,
      ...(shortNames === undefined ? {} : { shortNames }),
      ...(categories === undefined ? {} : { categories }),
      ...(below.length === 0
        ? {}
        : {
            subresources: below.map((one) => ({
              subresource: String(one["name"]).slice(name.length + 1),
              responseKind: kindOf(one),
              verbs: one["verbs"] ?? [],
            })),
          }),
    };
  });
}

/** Group and version are empty where they are those of the list. */
function kindOf({ group = "", version = "", kind = "" }: Fields): Fields {
  return { group, version, kind };
}
