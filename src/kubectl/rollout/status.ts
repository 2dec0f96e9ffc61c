// How far a rollout is, in one line, by kind (kubectl's polymorphichelpers/rollout_status.go).

import type { DaemonSet, Deployment, StatefulSet } from "#cluster/api/generated/types.ts";
import type { Int64 } from "#cluster/api/wire.ts";
import { KubectlError } from "../errors.ts";
import { revisionNumber } from "./revisions.ts";

export interface RolloutState {
  readonly text: string;
  readonly done: boolean;
}

const revisionAnnotation = "deployment.kubernetes.io/revision";
const onlyRolling = "rollout status is only available for RollingUpdate strategy type";

const waiting = (text: string): RolloutState => ({ text: `${text}...\n`, done: false });

/** `revision` 0 asks for none in particular. Throws KubectlError when waiting is pointless. */
export function deploymentRollout({ metadata, spec, status }: Deployment, revision: Int64): RolloutState {
  const name = JSON.stringify(metadata?.name ?? "");
  const running = revisionNumber(metadata?.annotations?.[revisionAnnotation]);
  if (revision > 0 && revision !== running) {
    throw new KubectlError(`desired revision (${revision}) is different from the running revision (${running})`);
  }
  if ((metadata?.generation ?? 0) > (status?.observedGeneration ?? 0))
    return waiting("Waiting for deployment spec update to be observed");
  if (status?.conditions?.some(({ type, reason }) => type === "Progressing" && reason === "ProgressDeadlineExceeded")) {
    throw new KubectlError(`deployment ${name} exceeded its progress deadline`);
  }
  const { replicas = 0, updatedReplicas: updated = 0, availableReplicas: available = 0 } = status ?? {};
  const wanted = spec?.replicas ?? 0;
  const prefix = `Waiting for deployment ${name} rollout to finish:`;
  if (updated < wanted) return waiting(`${prefix} ${updated} out of ${wanted} new replicas have been updated`);
  if (replicas > updated) return waiting(`${prefix} ${replicas - updated} old replicas are pending termination`);
  if (available < updated) return waiting(`${prefix} ${available} of ${updated} updated replicas are available`);
  return { text: `deployment ${name} successfully rolled out\n`, done: true };
}

export function daemonSetRollout({ metadata, spec, status }: DaemonSet): RolloutState {
  const name = JSON.stringify(metadata?.name ?? "");
  if (spec?.updateStrategy?.type !== "RollingUpdate") throw new KubectlError(onlyRolling);
  if ((metadata?.generation ?? 0) > (status?.observedGeneration ?? 0))
    return waiting("Waiting for daemon set spec update to be observed");
  const { updatedNumberScheduled: updated = 0, desiredNumberScheduled: wanted = 0, numberAvailable: available = 0 } = status ?? {};
  const prefix = `Waiting for daemon set ${name} rollout to finish:`;
  if (updated < wanted) return waiting(`${prefix} ${updated} out of ${wanted} new pods have been updated`);
  if (available < wanted) return waiting(`${prefix} ${available} of ${wanted} updated pods are available`);
  return { text: `daemon set ${name} successfully rolled out\n`, done: true };
}

export function statefulSetRollout({ metadata, spec, status }: StatefulSet): RolloutState {
  if (spec?.updateStrategy?.type !== "RollingUpdate") throw new KubectlError(onlyRolling);
  const observed = status?.observedGeneration ?? 0;
  if (observed === 0 || (metadata?.generation ?? 0) > observed)
    return waiting("Waiting for statefulset spec update to be observed");
  const {
    readyReplicas: ready = 0,
    updatedReplicas: updated = 0,
    updateRevision = "",
    currentRevision = "",
    currentReplicas = 0,
  } = status ?? {};
  const wanted = spec.replicas ?? 0;
  if (ready < wanted) return waiting(`Waiting for ${wanted - ready} pods to be ready`);
  const rolling = spec.updateStrategy.rollingUpdate;
  if (rolling !== undefined) {
    const partition = rolling.partition;
    if (partition !== undefined && updated < wanted - partition) {
      return waiting(
        `Waiting for partitioned roll out to finish: ${updated} out of ${wanted - partition} new pods have been updated`,
      );
    }
    return { text: `partitioned roll out complete: ${updated} new pods have been updated...\n`, done: true };
  }
  if (updateRevision !== currentRevision) {
    return waiting(`waiting for statefulset rolling update to complete ${updated} pods at revision ${updateRevision}`);
  }
  return { text: `statefulset rolling update complete ${currentReplicas} pods at revision ${currentRevision}...\n`, done: true };
}
