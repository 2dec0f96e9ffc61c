// How the tables of this folder write rules: words in a line, sorted as upstream's rule builder sorts them.

import type { PolicyRule } from "#cluster/api/generated/types.ts";

export const read = "get list watch";
export const write = "create delete deletecollection patch update";
export const readWrite = `${read} ${write}`;

/** Stands for the group "" in the tables. */
const coreGroup = "core";

/** `verbs` on `resources` of `groups`, each words in a line; `names` where the rule is for named objects only. */
export function on(groups: string, resources: string, verbs: string, names?: string): PolicyRule {
  return {
    apiGroups: words(groups).map((group) => (group === coreGroup ? "" : group)),
    resources: words(resources),
    ...(names === undefined ? {} : { resourceNames: words(names) }),
    verbs: words(verbs),
  };
}

/** `verbs` on URLs that are no resources. */
export function onUrls(urls: string, verbs: string): PolicyRule {
  return { nonResourceURLs: words(urls), verbs: words(verbs) };
}

/** What everyone who tells of events needs. */
export const writesEvents = on("core events.k8s.io", "events", "create patch update");

function words(line: string): readonly string[] {
  return line.split(" ").sort();
}
