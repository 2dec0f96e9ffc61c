// Reads what pods refer to, and tells when a ConfigMap or Secret that is mounted somewhere changes.

import { ApiError, ApiUnreachable } from "#cluster/api/errors.ts";
import type { ConfigMap, CSIDriver, Secret, Service } from "#cluster/api/generated/types.ts";
import {
  configMaps,
  csiDrivers,
  persistentVolumeClaims,
  persistentVolumes,
  secrets,
  serviceAccounts,
  services,
} from "#cluster/api/kinds.ts";
import type { ResourceType, Stored } from "#cluster/api/objects.ts";
import type { Client } from "#cluster/client/client.ts";
import { Informer } from "#cluster/client/informer.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import type { Simulation } from "#sim/simulation.ts";
import { ConfigError } from "./environment.ts";
import type { References } from "./parts.ts";
import type { StoredPod } from "./pod-spec.ts";
import { lateVolumes } from "./volumes/late-volumes.ts";
import { type PayloadSources, VolumeError } from "./volumes/payload.ts";

interface HeldToken {
  readonly token: string;
  /** From then on another one is asked for. */
  readonly dueMs: number;
  readonly expiresMs: number;
}

/** A token is renewed after four fifths of its life, and at the latest after a day (pkg/kubelet/token). */
const renewAfterShare = 0.8;
const renewAtLatestMs = 86_400_000;
/** A renewal that was refused comes again with a later sync of the Pod. */
const renewAgainMs = 60_000;

export class ApiReferences implements References, PayloadSources {
  readonly #simulation: Simulation;
  readonly #client: Client;
  readonly #services: Informer<Service>;
  /** By pod, then by audience and lifetime. */
  readonly #tokens = new Map<string, Map<string, HeldToken>>();
  readonly #onTokenDue: (podUid: string) => void;

  /** `onTokenDue`: a token of the pod is old enough to be renewed. */
  constructor(simulation: Simulation, client: Client, onTokenDue: (podUid: string) => void) {
    this.#simulation = simulation;
    this.#client = client;
    this.#onTokenDue = onTokenDue;
    this.#services = new Informer(simulation, client, services);
  }

  start(): void {
    this.#services.start();
  }

  stop(): void {
    this.#services.stop();
    this.#tokens.clear();
  }

  /** Set by who watches mounted objects. */
  immutable: MountedObjects["immutable"] = () => undefined;

  configMap(namespace: string, name: string): Stored<ConfigMap> | undefined {
    return this.immutable("configMap", namespace, name) ?? this.#get(configMaps, namespace, name);
  }

  secret(namespace: string, name: string): Stored<Secret> | undefined {
    return this.immutable("secret", namespace, name) ?? this.#get(secrets, namespace, name);
  }

  services(namespace: string): Iterable<Stored<Service>> {
    return this.#services.listNamespace(namespace);
  }

  /** The one that is held while it is young enough, or as long as it lasts when there is no other. Throws VolumeError, ApiUnreachable. */
  token(pod: StoredPod, audience: string | undefined, expirationSeconds: number): string {
    const { uid } = pod.metadata;
    const { nowMs } = this.#simulation;
    const tokens = this.#tokens.get(uid) ?? new Map<string, HeldToken>();
    const key = `${expirationSeconds} ${audience ?? ""}`;
    const held = tokens.get(key);
    if (held !== undefined && nowMs < held.dueMs) return held.token;
    const renewAfter = (delayMs: number): void => {
      const renew = (): void => {
        if (this.#tokens.get(uid) === tokens) this.#onTokenDue(uid);
      };
      this.#simulation.after(delayMs, renew, { background: true });
    };
    try {
      const token = this.#requestToken(pod, audience, expirationSeconds);
      const lastsMs = expirationSeconds * 1000;
      const renewAfterMs = Math.min(lastsMs * renewAfterShare, renewAtLatestMs);
      this.#tokens.set(uid, tokens.set(key, { token, dueMs: nowMs + renewAfterMs, expiresMs: nowMs + lastsMs }));
      renewAfter(renewAfterMs);
      return token;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const isHeld = held !== undefined && nowMs < held.expiresMs;
      if (!isHeld) throw lateVolumes.code.tokenFault(pod, audience, expirationSeconds, held !== undefined, error.message);
      renewAfter(renewAgainMs);
      return held.token;
    }
  }

  forgetPod(podUid: string): void {
    this.#tokens.delete(podUid);
  }

  #requestToken(pod: StoredPod, audience: string | undefined, expirationSeconds: number): string {
    const { name, namespace = "", uid } = pod.metadata;
    const account = pod.spec?.serviceAccountName ?? "default";
    const boundObjectRef = { apiVersion: "v1", kind: "Pod", name, uid };
    const audiences = audience === undefined ? [] : [audience];
    const answer = this.#client.createSubresource(serviceAccounts, { namespace, name: account }, "token", {
      apiVersion: "authentication.k8s.io/v1",
      kind: "TokenRequest",
      metadata: {},
      spec: { audiences, expirationSeconds, boundObjectRef },
    });
    const { status } = answer as { readonly status?: { readonly token?: string } };
    if (typeof status?.token !== "string") throw new VolumeError("failed to fetch token: empty token");
    return status.token;
  }

  /** The volume bound to a claim. Throws VolumeError while there is none. */
  persistentVolume(namespace: string, claimName: string) {
    const claim = this.#get(persistentVolumeClaims, namespace, claimName);
    return lateVolumes.code.boundVolume(namespace, claimName, claim, (name) => this.#get(persistentVolumes, "", name));
  }

  csiDriver(name: string): CSIDriver | undefined {
    return this.#get(csiDrivers, "", name);
  }

  #get<T>(resource: ResourceType<T>, namespace: string, name: string): Stored<T> | undefined {
    try {
      return this.#client.get(resource, { namespace, name });
    } catch (error) {
      if (error instanceof ApiError && error.code === 404) return undefined;
      // No server, or one without etcd.
      if (error instanceof ApiUnreachable || (error instanceof ApiError && error.code >= 500))
        throw new ConfigError(`failed to sync ${asciiLowerCase(resource.kind)} cache: timed out waiting for the condition`);
      // The Node authorizer lets a node read only what its Pods refer to: of a Pod that is gone by now, nothing.
      if (error instanceof ApiError) throw new ConfigError(error.message);
      throw error;
    }
  }
}

interface Watched {
  readonly informer: { stop(): void };
  readonly pods: Set<string>;
  /** Found immutable: what pods of this node get from now on, whatever becomes of it. */
  object?: Stored<ConfigMap | Secret>;
}

/** Watches the ConfigMaps and Secrets that pods mount; one watch an object, however many pods. */
export class MountedObjects {
  readonly #simulation: Simulation;
  readonly #client: Client;
  readonly #onChange: (podUid: string) => void;
  readonly #watched = new Map<string, Watched>();

  constructor(simulation: Simulation, client: Client, onChange: (podUid: string) => void) {
    this.#simulation = simulation;
    this.#client = client;
    this.#onChange = onChange;
  }

  add(pod: StoredPod): void {
    for (const [kind, name] of mountedObjects(pod)) this.#watch(kind, pod.metadata.namespace ?? "", name, pod.metadata.uid);
  }

  remove(podUid: string): void {
    for (const [key, watched] of this.#watched) {
      if (!watched.pods.delete(podUid) || watched.pods.size > 0) continue;
      watched.informer.stop();
      this.#watched.delete(key);
    }
  }

  stop(): void {
    for (const { informer } of this.#watched.values()) informer.stop();
    this.#watched.clear();
  }

  /** An immutable object as long as a pod of the node mounts it: nobody watches it any more. */
  immutable = (kind: "configMap" | "secret", namespace: string, name: string): Stored<ConfigMap & Secret> | undefined =>
    this.#watched.get(`${kind}/${namespace}/${name}`)?.object as Stored<ConfigMap & Secret> | undefined;

  #watch(kind: "configMap" | "secret", namespace: string, name: string, podUid: string): void {
    const key = `${kind}/${namespace}/${name}`;
    const known = this.#watched.get(key);
    if (known !== undefined) {
      known.pods.add(podUid);
      return;
    }
    const pods = new Set([podUid]);
    const informer = this.#informer<ConfigMap | Secret>(kind === "configMap" ? configMaps : secrets, namespace, name);
    const watched: Watched = { informer, pods };
    this.#watched.set(key, watched);
    informer.addHandler((object, previous, deleted) => {
      if (previous !== undefined || informer.hasSynced) for (const uid of pods) this.#onChange(uid);
      if (object.immutable !== true || deleted) return;
      watched.object = object;
      informer.stop();
    });
    informer.start();
  }

  #informer<T>(resource: ResourceType<T>, namespace: string, name: string): Informer<T> {
    return new Informer(this.#simulation, this.#client, resource, { namespace, fieldSelector: `metadata.name=${name}` });
  }
}

/** The root certificate never changes, so it is not watched. */
const neverChanging = "kube-root-ca.crt";

function* mountedObjects(pod: StoredPod): Iterable<readonly ["configMap" | "secret", string]> {
  for (const { configMap, secret, projected } of pod.spec?.volumes ?? []) {
    if (configMap?.name !== undefined) yield ["configMap", configMap.name];
    if (secret?.secretName !== undefined) yield ["secret", secret.secretName];
    for (const source of projected?.sources ?? []) {
      if (source.configMap?.name !== undefined && source.configMap.name !== neverChanging)
        yield ["configMap", source.configMap.name];
      if (source.secret?.name !== undefined) yield ["secret", source.secret.name];
    }
  }
}
