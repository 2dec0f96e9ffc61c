// Fills ClusterRoles that have an aggregationRule with the rules of the roles that it selects
// (pkg/controller/clusterroleaggregation). Upstream applies the rules server-side; here they are updated, which costs less.

import { semanticDeepEqual } from "#cluster/api/equality.ts";
import type { ClusterRole, PolicyRule } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { matcherOf } from "#cluster/api/labels.ts";
import type { Stored } from "#cluster/api/objects.ts";
import type { Informer } from "#cluster/client/informer.ts";
import { isReason } from "#cluster/client/retry.ts";
import type { ControllerContext, ControllerDefinition } from "../context.ts";
import { type Controller, watchRule } from "../controller.ts";

const name = "clusterrole-aggregation-controller";

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
      // Any role may be what an aggregating one selects.
      keys: () => this.#aggregating(),
    }),
  ];

  constructor({ client, informers }: ControllerContext) {
    this.#client = client;
    this.#roles = informers.informer(kinds.clusterRoles);
  }

  /** From the end of the alphabet: view is what edit takes in, and edit what admin does. */
  #aggregating(): readonly string[] {
    const found: string[] = [];
    for (const role of this.#roles.list()) if (role.aggregationRule !== undefined) found.push(role.metadata.name);
    return found.sort().reverse();
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
    const rules: PolicyRule[] = [];
    const all = [...this.#roles.list()].sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
    for (const selector of role.aggregationRule?.clusterRoleSelectors ?? []) {
      const matches = matcherOf(selector);
      for (const source of all) {
        if (source.metadata.name === role.metadata.name || !matches(source.metadata.labels)) continue;
        for (const rule of source.rules ?? []) if (!rules.some((known) => semanticDeepEqual(known, rule))) rules.push(rule);
      }
    }
    return rules;
  }
}
