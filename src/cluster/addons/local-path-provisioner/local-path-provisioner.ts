// local-path-provisioner (github.com/rancher/local-path-provisioner) as its container's program runs it. What it does with claims and
// volumes comes late: no cluster begins with any.

import { ApiError, ApiUnreachable } from "#cluster/api/errors.ts";
import type { PersistentVolume, PersistentVolumeClaim, Pod } from "#cluster/api/generated/types.ts";
import { JsonSyntaxError, readJson } from "#cluster/api/json-text.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { keyOf } from "#cluster/api/objects.ts";
import type { Client } from "#cluster/client/client.ts";
import { EventRecorder } from "#cluster/client/event-recorder.ts";
import type { Informer } from "#cluster/client/informer.ts";
import { InformerFactory } from "#cluster/client/informer-factory.ts";
import { WorkQueue } from "#cluster/client/work-queue.ts";
import { logLater } from "#cluster/images/log-line.ts";
import { StartFailure } from "#cluster/images/system-images.ts";
import { SysError } from "#sim/errors.ts";
import { once } from "#sim/late.ts";
import type { Process } from "#sim/program.ts";
import type { Simulation } from "#sim/simulation.ts";
import { lateVolumeWork } from "./late-volume-work.ts";
import { provisionerName } from "./provisioner-name.ts";
import type { Helper, NodePath, VolumeWork, VolumeWorkParts } from "./volume-work.ts";

export interface LocalPathOptions {
  readonly simulation: Simulation;
  /** As the service account of its Pod. */
  readonly client: Client;
  readonly self: Process;
}

const configurationFile = "/etc/config/config.json";

/** Throws StartFailure. */
export function startLocalPathProvisioner(options: LocalPathOptions): { stop(): void } {
  const provisioner = new LocalPathProvisioner(options, readPaths(options.self));
  provisioner.start();
  return { stop: () => provisioner.stop() };
}

function readPaths(self: Process): readonly NodePath[] {
  try {
    const { nodePathMap } = readJson(self.readText(configurationFile)) as { readonly nodePathMap?: readonly NodePath[] };
    return nodePathMap ?? [];
  } catch (error) {
    if (!(error instanceof SysError) && !(error instanceof JsonSyntaxError)) throw error;
    throw new StartFailure(
      `Error starting daemon: Cannot start Provisioner: invalid config file ${configurationFile}: ${error.message}`,
    );
  }
}

class LocalPathProvisioner {
  readonly #namespace: string;
  readonly #informers: InformerFactory;
  readonly #claims: Informer<PersistentVolumeClaim>;
  readonly #volumes: Informer<PersistentVolume>;
  readonly #pods: Informer<Pod>;
  readonly #queue: WorkQueue;
  readonly #helpers = new Map<string, Helper>();
  readonly #work: () => VolumeWork;

  constructor({ simulation, client, self }: LocalPathOptions, paths: readonly NodePath[]) {
    this.#namespace = self.env.get("POD_NAMESPACE") ?? "local-path-storage";
    this.#informers = new InformerFactory(simulation, client);
    this.#claims = this.#informers.informer(kinds.persistentVolumeClaims);
    this.#volumes = this.#informers.informer(kinds.persistentVolumes);
    const classes = this.#informers.informer(kinds.storageClasses);
    this.#pods = this.#informers.informer(kinds.pods);
    const component = `${provisionerName}_${self.hostname}_${simulation.random.uuid()}`;
    this.#queue = new WorkQueue(simulation, (key) => this.#pass(key));
    const parts: VolumeWorkParts = {
      simulation,
      client,
      paths,
      namespace: this.#namespace,
      claims: this.#claims,
      volumes: this.#volumes,
      classes,
      pods: this.#pods,
      events: new EventRecorder(simulation, client, { component }),
      helpers: this.#helpers,
      lookAgain: (key, delayMs) => this.#queue.addAfter(key, delayMs, { background: true }),
      log: (level, message) => logLater(self, 2, (at) => lateVolumeWork.code.logrusLine(at, level, message)),
    };
    this.#work = once(() => new lateVolumeWork.code.VolumeWork(parts));
    logLater(self, 2, (at) => lateVolumeWork.code.startLines(at, paths, component));
  }

  start(): void {
    this.#claims.addHandler((claim, _previous, deleted) => {
      if (!deleted) this.#queue.add(`claim/${keyOf(claim)}`);
    });
    this.#volumes.addHandler((volume, _previous, deleted) => {
      if (!deleted) this.#queue.add(`volume/${volume.metadata.name}`);
    });
    this.#pods.addHandler((pod) => {
      const waits = this.#helpers.get(pod.metadata.name)?.waits;
      if (waits !== undefined && pod.metadata.namespace === this.#namespace) this.#queue.add(waits);
    });
    this.#informers.start();
  }

  stop(): void {
    this.#queue.stop();
    this.#informers.stop();
  }

  #pass(key: string): void {
    const slash = key.indexOf("/");
    const name = key.slice(slash + 1);
    try {
      if (key.startsWith("claim/")) this.#work().provision(key, name);
      else this.#work().remove(key, name);
      this.#queue.forget(key);
    } catch (error) {
      if (!(error instanceof ApiError) && !(error instanceof ApiUnreachable)) throw error;
      this.#queue.addRateLimited(key);
    }
  }
}
