// ReplicationControllers: the loop of ReplicaSets with a plain map for a selector (pkg/controller/replication).

import type { ReplicationController } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { type LabelMatcher, type Labels, matcherOfSet } from "#cluster/api/labels.ts";
import type { Stored } from "#cluster/api/objects.ts";
import type { ControllerDefinition } from "../context.ts";
import { ReplicaController } from "../replicaset/replica-controller.ts";

export const replicationController: ControllerDefinition = {
  name: "replicationcontroller-controller",
  serviceAccount: "replication-controller",
  eventSource: "replication-controller",
  create: (context) => {
    const matchers = new WeakMap<Labels, LabelMatcher>();
    return new ReplicaController(context, {
      controllerName: "replicationcontroller-controller",
      resource: kinds.replicationControllers,
      matcherOf: (set) => {
        const selector = (set as Stored<ReplicationController>).spec?.selector ?? {};
        const known = matchers.get(selector);
        if (known !== undefined) return known;
        // The API server refuses an empty selector; one that came about otherwise selects nothing.
        const matcher = Object.keys(selector).length === 0 ? () => false : matcherOfSet(selector);
        matchers.set(selector, matcher);
        return matcher;
      },
      countsTerminating: false,
    });
  },
};
