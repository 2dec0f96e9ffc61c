// What happens to claims that no volume fits: the default class that appeared later, the call for a provisioner, the wait for a Pod
// (pv_controller.go: syncUnboundClaim, provisionClaimOperationExternal, emitEventForUnboundDelayBindingClaim).

import type { PersistentVolumeClaim, Pod, StorageClass } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { Informer } from "#cluster/client/informer.ts";
import { classAnnotation, classOfClaim, defaultClass } from "#cluster/volumes/classes.ts";
import { annotations, type Claim } from "#cluster/volumes/matching.ts";
import { claimsOf } from "#cluster/volumes/pod-claims.ts";
import type { ControllerContext } from "../context.ts";
import { isPodEnded } from "../pods.ts";

interface ProvisioningParts {
  readonly context: ControllerContext;
  readonly classes: Informer<StorageClass>;
  readonly pods: Informer<Pod>;
}

export class Provisioning {
  readonly #context: ControllerContext;
  readonly #classes: Informer<StorageClass>;
  readonly #pods: Informer<Pod>;

  constructor({ context, classes, pods }: ProvisioningParts) {
    this.#context = context;
    this.#classes = classes;
    this.#pods = pods;
  }

  classOf(claim: Claim): StorageClass | undefined {
    return this.#classes.get(classOfClaim(claim));
  }

  /** Gives a claim that names no class the default one; true when there was one to give. */
  assignDefault(claim: Claim): boolean {
    if (claim.spec?.storageClassName !== undefined || claim.metadata.annotations?.[classAnnotation] !== undefined) return false;
    const found = defaultClass(this.#classes.list());
    if (found === undefined) return false;
    const spec = { ...claim.spec, storageClassName: found.metadata.name };
    this.#context.client.update<PersistentVolumeClaim>(kinds.persistentVolumeClaims, { ...claim, spec });
    return true;
  }

  /** Asks the class's provisioner for a volume. */
  request(claim: Claim): void {
    const { events } = this.#context;
    const name = classOfClaim(claim);
    const found = this.#classes.get(name);
    if (found === undefined) {
      events.warning(claim, "ProvisioningFailed", `storageclass.storage.k8s.io "${name}" not found`);
      return;
    }
    const { provisioner } = found;
    if (provisioner.startsWith("kubernetes.io/")) {
      events.warning(claim, "ProvisioningFailed", `no volume plugin matched name: ${provisioner}`);
      return;
    }
    const message = `Waiting for a volume to be created either by the external provisioner '${provisioner}' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.`;
    events.normal(this.#withProvisioner(claim, provisioner), "ExternalProvisioning", message);
  }

  #withProvisioner(claim: Claim, provisioner: string): Claim {
    if (claim.metadata.annotations?.[annotations.storageProvisioner] === provisioner) return claim;
    const named = { [annotations.storageProvisionerBeta]: provisioner, [annotations.storageProvisioner]: provisioner };
    return this.#context.client.update(kinds.persistentVolumeClaims, {
      ...claim,
      metadata: { ...claim.metadata, annotations: { ...claim.metadata.annotations, ...named } },
    });
  }

  /** Tells what a claim waits for whose class binds with the first consumer. */
  explainWait(claim: Claim): void {
    const names = this.#waitingPods(claim);
    const { events } = this.#context;
    if (names.length === 0) events.normal(claim, "WaitForFirstConsumer", "waiting for first consumer to be created before binding");
    else {
      const pods = names.length === 1 ? `pod ${names[0]}` : `pods ${names.join(",")}`;
      events.normal(claim, "WaitForPodScheduled", `waiting for ${pods} to be scheduled`);
    }
  }

  #waitingPods({ metadata }: Claim): readonly string[] {
    return [...this.#pods.listNamespace(metadata.namespace ?? "")]
      .filter(
        (pod) => !isPodEnded(pod) && (pod.spec?.nodeName ?? "") === "" && claimsOf(pod).some(({ name }) => name === metadata.name),
      )
      .map((pod) => pod.metadata.name);
  }
}
