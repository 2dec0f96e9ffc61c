// ReplicaSets: the loop of `replica-controller.ts` with a selector of apps/v1.

import type { ReplicaSet } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { SelectorMatchers } from "#cluster/api/labels.ts";
import type { Stored } from "#cluster/api/objects.ts";
import type { ControllerDefinition } from "../context.ts";
import { ReplicaController } from "./replica-controller.ts";

export const replicaSetController: ControllerDefinition = {
  name: "replicaset-controller",
  serviceAccount: "replicaset-controller",
  create: (context) => {
    const matchers = new SelectorMatchers();
    return new ReplicaController(context, {
      controllerName: "replicaset-controller",
      resource: kinds.replicaSets,
      matcherOf: (set) => matchers.of((set as Stored<ReplicaSet>).spec?.selector),
      countsTerminating: true,
    });
  },
};
