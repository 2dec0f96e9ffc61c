// Fills ClusterRoles that have an aggregationRule with the rules of the roles that it selects
// (pkg/controller/clusterroleaggregation). Upstream applies the rules server-side; here they are updated, which costs less.

import { semanticDeepEqual } from "#cluster/api/equality.ts";
import type { ClusterRole, PolicyRule } from "#cluster/api/generated/types.ts";
import { compareBytes } from "#cluster/api/json-write.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { matcherOf } from "#cluster/api/labels.ts";
import type { Stored } from "#cluster/api/objects.ts";
import type { Informer } from "#cluster/client/informer.ts";
import { isReason } from "#cluster/client/retry.ts";
import type { ControllerContext, ControllerDefinition } from "../context.ts";
import { type Controller, watchRule } from "../controller.ts";

const name = "clusterrole-aggregation-controller";
/** Index: roles that select others, all under one value. */
const aggregating = "aggregating";
const yes = "yes";

export const clusterRoleAggregationController: ControllerDefinition = {
  name,
  serviceAccount: name,
  create: (context) => new ClusterRoleAggregationController(context),
};

class ClusterRoleAggregationController implements Controller {
  readonly name = name;
  readonly #client: ControllerContext["client"];
  readonly #roles: Informer<ClusterRole>;
  readonly watches = [
    watchRule<ClusterRole>({
      resource: kinds.clusterRoles,
      // Any role may be what an aggregating one selects. From the end of the alphabet: view is what edit takes in, and
      // edit what admin does.
      keys: () =>
        Array.from(this.#roles.byIndex(aggregating, yes), ({ metadata }) => metadata.name)
          .sort()
          .reverse(),
    }),
  ];

  constructor({ client, informers }: ControllerContext) {
    this.#client = client;
    this.#roles = informers.informer(kinds.clusterRoles);
    this.#roles.addIndex(aggregating, ({ aggregationRule }) => (aggregationRule === undefined ? [] : [yes]));
  }

  reconcile(key: string): undefined {
    const role = this.#roles.get(key);
    if (role?.aggregationRule === undefined) return undefined;
    const rules = this.#rulesFor(role);
    if (semanticDeepEqual(rules, role.rules ?? [])) return undefined;
    try {
      this.#client.update(kinds.clusterRoles, { ...role, rules });
    } catch (error) {
      // Someone else wrote: the change wakes this controller again.
      if (!isReason(error, "Conflict") && !isReason(error, "NotFound")) throw error;
    }
    return undefined;
  }

  /** Of each selector, the roles by name; a rule that is there already is not added again. */
  #rulesFor(role: Stored<ClusterRole>): readonly PolicyRule[] {
    const rules = new Map<string, PolicyRule>();
    const all = [...this.#roles.list()].sort((a, b) => compareBytes(a.metadata.name, b.metadata.name));
    for (const selector of role.aggregationRule?.clusterRoleSelectors ?? []) {
      const matches = matcherOf(selector);
      for (const source of all) {
        if (source.metadata.name === role.metadata.name || !matches(source.metadata.labels)) continue;
        for (const rule of source.rules ?? []) {
          const key = contentOf(rule);
          if (!rules.has(key)) rules.set(key, rule);
        }
      }
    }
    return [...rules.values()];
  }
}

/** The same text for the same rule: what is absent is empty. */
function contentOf({ verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] }: PolicyRule): string {
  return JSON.stringify([verbs, apiGroups, resources, resourceNames, nonResourceURLs]);
}
