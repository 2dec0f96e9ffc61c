// What a cluster has for its CSI driver: the storage service, the images of the driver's programs, and what kubelets and the controller
// manager do for it.

import type { Authenticator } from "#cluster/apiserver/authentication.ts";
import type { Client, ClientFactory } from "#cluster/client/client.ts";
import { attachDetachController } from "#cluster/controllers/attach-detach/attach-detach-controller.ts";
import type { ControllerDefinition } from "#cluster/controllers/context.ts";
import { volumeExpandController } from "#cluster/controllers/volume-expand/volume-expand-controller.ts";
import { csiImages } from "#cluster/csi/programs.ts";
import { volumeSnapshotClasses } from "#cluster/csi/snapshot-kinds.ts";
import { StorageService } from "#cluster/csi/storage-service.ts";
import type { Image } from "#cluster/images/image.ts";
import { CsiVolumes } from "#cluster/node/kubelet/volumes/csi-volumes.ts";
import type { Kernel } from "#sim/kernel.ts";
import type { Simulation } from "#sim/simulation.ts";
import type { NodeShape } from "./cluster-shape.ts";
import { podClient } from "./control-plane-parts.ts";
import { applyCsiDriver, applySnapshotClass } from "./manifests/csi-driver.ts";

/** How often it is looked whether a new kind is served. */
const servedPollMs = 100;

export interface CsiClusterOptions {
  readonly simulation: Simulation;
  readonly kernel: Kernel;
  readonly clients: ClientFactory;
  /** Whose tokens count. */
  readonly authenticator: () => Authenticator;
}

export class CsiCluster {
  readonly images: readonly Image[];
  readonly controllers: readonly ControllerDefinition[] = [attachDetachController, volumeExpandController];

  readonly #simulation: Simulation;

  constructor({ simulation, kernel, clients, authenticator }: CsiClusterOptions) {
    this.#simulation = simulation;
    this.images = csiImages({
      simulation,
      storage: new StorageService(simulation, kernel),
      clientOf: (self, userAgent) => podClient(self, clients, authenticator(), userAgent),
    });
  }

  /** What is installed in the cluster. */
  apply(client: Client): void {
    applyCsiDriver(client);
    this.#whenServed(client, () => applySnapshotClass(client));
  }

  /** As who installs it: first the kinds, then objects of theirs. */
  #whenServed(client: Client, act: () => void): void {
    if (client.serves(volumeSnapshotClasses)) act();
    else this.#simulation.after(servedPollMs, () => this.#whenServed(client, act));
  }

  /** A node that drivers can register with. */
  on(shape: NodeShape): NodeShape {
    return { ...shape, kubeletOptions: { ...shape.kubeletOptions, csi: new CsiVolumes() } };
  }
}
