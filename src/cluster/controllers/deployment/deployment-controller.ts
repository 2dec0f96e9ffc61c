// Drives ReplicaSets towards what a Deployment asks for (pkg/controller/deployment).

import type { Deployment as DeploymentWire, Pod, ReplicaSet as ReplicaSetWire } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { SelectorMatchers } from "#cluster/api/labels.ts";
import { keyOf } from "#cluster/api/objects.ts";
import type { Informer } from "#cluster/client/informer.ts";
import type { ControllerContext, ControllerDefinition } from "../context.ts";
import { type Controller, type Requeue, watchRule } from "../controller.ts";
import { byController, claim, concernedOwners, controllerOf, controllerUids, indexByOwner, ownerKey } from "../ownership.ts";
import { isPodEnded } from "../pods.ts";
import { isRollingUpdate } from "./replica-sets.ts";
import { Rollout } from "./rollout.ts";
import type { Deployment, ReplicaSet } from "./types.ts";

export const deploymentController: ControllerDefinition = {
  name: "deployment-controller",
  serviceAccount: "deployment-controller",
  create: (context) => new DeploymentController(context),
};

export class DeploymentController implements Controller {
  readonly name = "deployment-controller";
  readonly watches = [
    watchRule<DeploymentWire>({ resource: kinds.deployments, keys: (deployment) => [keyOf(deployment)] }),
    watchRule<ReplicaSetWire>({
      resource: kinds.replicaSets,
      keys: (set, previous, deleted) => this.#deploymentsOfSet(set, previous, deleted),
    }),
    watchRule<Pod>({ resource: kinds.pods, keys: (pod, _previous, deleted) => (deleted ? this.#recreatedBy(pod.metadata) : []) }),
  ];
  readonly #context: ControllerContext;
  readonly #deployments: Informer<DeploymentWire>;
  readonly #sets: Informer<ReplicaSetWire>;
  readonly #pods: Informer<Pod>;
  readonly #selectors = new SelectorMatchers();

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#deployments = context.informers.informer(kinds.deployments);
    this.#sets = context.informers.informer(kinds.replicaSets);
    this.#pods = context.informers.informer(kinds.pods);
    indexByOwner(this.#sets);
    this.#pods.addIndex(byController, controllerUids);
  }

  reconcile(key: string): Requeue | undefined {
    const deployment = this.#deployments.get(key);
    if (deployment === undefined) return undefined;
    const selector = deployment.spec?.selector;
    if (Object.keys(selector?.matchLabels ?? {}).length === 0 && (selector?.matchExpressions ?? []).length === 0) {
      const message = "This deployment is selecting all pods. A non-empty selector is required.";
      this.#context.events.warning(deployment, "SelectingAll", message);
      return undefined;
    }
    const rollout = new Rollout(this.#context, deployment, this.#claimSets(deployment));
    if (deployment.metadata.deletionTimestamp !== undefined) {
      rollout.syncStatusOnly();
      return undefined;
    }
    rollout.notePause();
    if (deployment.spec?.paused === true || rollout.isScaling()) {
      rollout.syncScale();
      return undefined;
    }
    if (isRollingUpdate(deployment)) return rollout.rollingUpdate();
    return rollout.recreate((old) => old.some((set) => this.#hasRunningPods(set)));
  }

  #claimSets(deployment: Deployment): readonly ReplicaSet[] {
    const matches = this.#selectors.of(deployment.spec?.selector);
    return claim(this.#context.client, this.#sets, deployment, (set) => matches(set.metadata.labels));
  }

  #hasRunningPods(set: ReplicaSet): boolean {
    for (const pod of this.#pods.byIndex(byController, set.metadata.uid)) if (!isPodEnded(pod)) return true;
    return false;
  }

  #deploymentsOfSet(set: ReplicaSet, previous: ReplicaSet | undefined, deleted: boolean): readonly string[] {
    return concernedOwners(set, previous, deleted, this.#deployments, ({ spec }) =>
      this.#selectors.of(spec?.selector)(set.metadata.labels),
    );
  }

  /** A Recreate rollout waits for the last old Pod to go. */
  #recreatedBy(metadata: Pod["metadata"] & object): readonly string[] {
    const reference = controllerOf({ metadata });
    if (reference?.kind !== "ReplicaSet") return [];
    const set = this.#sets.get(`${metadata.namespace ?? ""}/${reference.name}`);
    const key = set === undefined ? undefined : ownerKey(set, this.#deployments);
    const deployment = key === undefined ? undefined : this.#deployments.get(key);
    return key === undefined || deployment === undefined || isRollingUpdate(deployment) ? [] : [key];
  }
}
