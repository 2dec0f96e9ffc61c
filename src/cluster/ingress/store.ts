// What the controller knows of the cluster: copies of what Ingresses name, and of Ingresses those that are its own.

import type { Certificate } from "#sim/net.ts";
import type { Simulation } from "#sim/simulation.ts";
import type { EndpointSlice, Ingress, IngressClass, Secret, Service } from "../api/generated/types.ts";
import * as kinds from "../api/kinds.ts";
import { keyOf, type ResourceType, type Stored } from "../api/objects.ts";
import type { Client } from "../client/client.ts";
import { sameValue } from "../client/equality.ts";
import { Informer } from "../client/informer.ts";
import type { Log } from "../client/said-client.ts";
import { readAnnotations } from "./annotations.ts";
import { certificateOf } from "./certificates.ts";
import { type ClassOf, classOf, isCatchAll } from "./classes.ts";
import type { Services } from "./endpoints.ts";
import type { IngressFlags } from "./flags.ts";
import type { ReadIngress } from "./make-configuration.ts";

export interface StoreOptions {
  readonly simulation: Simulation;
  readonly client: Client;
  readonly flags: IngressFlags;
  /** False where the account may not: then the annotation alone counts. */
  readonly readsClasses: boolean;
  readonly say: Log;
  /** An event about an Ingress. */
  readonly tell: (type: "Normal" | "Warning", ingress: Stored<Ingress>, reason: string, message: string) => void;
  /** What nginx is told may be otherwise now. */
  readonly onChange: () => void;
}

const serviceIndex = "service";
/** Deltas may still arrive behind the first lists. */
const settleMs = 1000;

export class IngressStore implements Services {
  readonly #options: StoreOptions;
  readonly #classes: Informer<IngressClass>;
  readonly #secrets: Informer<Secret>;
  readonly #slices: Informer<EndpointSlice>;
  readonly #services: Informer<Service>;
  readonly #ingresses: Informer<Ingress>;
  readonly #own = new Map<string, ReadIngress>();
  /** Names of the classes of this controller. */
  readonly #ownClasses = new Set<string>();
  /** Certificates of Secrets that Ingresses name, by NAMESPACE/NAME. */
  readonly #certificates = new Map<string, { readonly version: string; readonly certificate: Certificate | undefined }>();
  #stopped = false;

  constructor(options: StoreOptions) {
    this.#options = options;
    const { simulation, client, flags } = options;
    const within = flags.watchNamespace === "" ? {} : { namespace: flags.watchNamespace };
    const informerOf = <T>(type: ResourceType<T>) => new Informer<T>(simulation, client, type, within);
    this.#classes = new Informer(simulation, client, kinds.ingressClasses);
    this.#secrets = informerOf(kinds.secrets);
    this.#slices = informerOf(kinds.endpointSlices);
    this.#services = informerOf(kinds.services);
    this.#ingresses = informerOf(kinds.ingresses);
    this.#slices.addIndex(serviceIndex, ({ metadata }) => {
      const name = metadata.labels?.["kubernetes.io/service-name"];
      return name === undefined ? [] : [`${metadata.namespace ?? ""}/${name}`];
    });
    this.#listen();
  }

  /** Calls `ready` when all has been read; never where the account may not read something. */
  start(ready: () => void): void {
    const { simulation, readsClasses } = this.#options;
    const first = [this.#secrets, this.#slices, this.#services, ...(readsClasses ? [this.#classes] : [])];
    let left = first.length;
    const next = (): void => {
      left -= 1;
      if (left > 0) return;
      simulation.after(settleMs, () => {
        if (this.#stopped) return;
        this.#ingresses.whenSynced(ready);
        this.#ingresses.start();
      });
    };
    for (const informer of first) informer.whenSynced(next);
    for (const informer of first) informer.start();
  }

  stop(): void {
    this.#stopped = true;
    for (const informer of [this.#classes, this.#secrets, this.#slices, this.#services, this.#ingresses]) informer.stop();
  }

  get ingresses(): readonly ReadIngress[] {
    return [...this.#own.values()];
  }

  service(key: string): Stored<Service> | undefined {
    return this.#services.get(key);
  }

  slices(key: string): Iterable<Stored<EndpointSlice>> {
    return this.#slices.byIndex(serviceIndex, key);
  }

  certificate(key: string): Certificate | undefined {
    const secret = this.#secrets.get(key);
    if (secret === undefined) {
      this.#certificates.delete(key);
      return undefined;
    }
    const version = secret.metadata.resourceVersion;
    const known = this.#certificates.get(key);
    if (known?.version === version) return known.certificate;
    const { say } = this.#options;
    const read = certificateOf(secret);
    const certificate = "fault" in read ? undefined : read;
    this.#certificates.set(key, { version, certificate });
    if ("fault" in read) say("W", "backend_ssl.go:47", `Error obtaining X.509 certificate: ${read.fault}`);
    else {
      const words = known === undefined ? "Adding secret to local store" : "Updating secret in local store";
      say(
        "I",
        known === undefined ? "backend_ssl.go:67" : "backend_ssl.go:59",
        `${JSON.stringify(words)} name=${JSON.stringify(key)}`,
      );
    }
    return certificate;
  }

  #listen(): void {
    const { onChange } = this.#options;
    this.#classes.addHandler((object, previous, deleted) => this.#onClass(object, previous, deleted));
    this.#secrets.addHandler((secret) => {
      if (this.#isNamed(keyOf(secret))) onChange();
    });
    this.#slices.addHandler((slice, previous, deleted) => {
      if (deleted || previous === undefined || !sameValue(slice.endpoints, previous.endpoints)) onChange();
    });
    this.#services.addHandler((service, previous, deleted) => {
      // A new one is seen by its slices, but for those that have none.
      if (deleted || previous !== undefined || service.spec?.type === "ExternalName") onChange();
    });
    this.#ingresses.addHandler((object, previous, deleted) => this.#onIngress(object, previous, deleted));
  }

  #isNamed(key: string): boolean {
    if (key === this.#options.flags.defaultCertificate) return true;
    return this.ingresses.some(({ ingress: { metadata, spec } }) =>
      (spec?.tls ?? []).some(({ secretName }) => `${metadata.namespace ?? ""}/${secretName ?? ""}` === key),
    );
  }

  #onClass(object: Stored<IngressClass>, previous: Stored<IngressClass> | undefined, deleted: boolean): void {
    const { flags, say, onChange } = this.#options;
    const { name } = object.metadata;
    const isByName = flags.classByName && name === flags.ingressClass;
    if (!isByName && object.spec?.controller !== flags.controllerClass) {
      const words = '"ignoring ingressclass as the spec.controller is not the same of this ingress"';
      if (previous === undefined || deleted) say("I", "store.go:538", `${words} ingressclass=${JSON.stringify(name)}`);
      return;
    }
    if (isByName && previous === undefined)
      say("I", "store.go:534", `"adding ingressclass as ingress-class-by-name is configured" ingressclass=${JSON.stringify(name)}`);
    if (deleted) this.#ownClasses.delete(name);
    else this.#ownClasses.add(name);
    if (deleted || previous === undefined) onChange();
  }

  #onIngress(ingress: Stored<Ingress>, previous: Stored<Ingress> | undefined, deleted: boolean): void {
    const key = keyOf(ingress);
    if (deleted) {
      if (this.#own.delete(key)) this.#options.onChange();
      return;
    }
    const { say, flags } = this.#options;
    const found = this.#classOf(ingress);
    const wasOurs = this.#own.has(key);
    const named = `ingress=${JSON.stringify(key)}`;
    if (!found.ok) {
      if (wasOurs) {
        say("I", "store.go:492", `"removing ingress because of unknown ingressclass" ${named}`);
        this.#own.delete(key);
        this.#options.onChange();
      } else if (previous === undefined) {
        const words = '"Ignoring ingress because of error while validating ingress class"';
        say("I", "store.go:439", `${words} ${named} error=${JSON.stringify(found.error)}`);
      }
      return;
    }
    if (flags.refusesCatchAll && isCatchAll(ingress)) {
      say("I", "store.go:452", `"Ignoring add for catch-all ingress because of --disable-catch-all" ${named}`);
      if (this.#own.delete(key)) this.#options.onChange();
      return;
    }
    this.#tellFound(found, previous, wasOurs, named);
    this.#take(ingress, key);
  }

  #classOf(ingress: Stored<Ingress>): ClassOf {
    const { flags, readsClasses } = this.#options;
    return classOf(ingress, flags, readsClasses ? (name) => this.#ownClasses.has(name) : undefined);
  }

  #tellFound(found: ClassOf & { readonly ok: true }, previous: unknown, wasOurs: boolean, named: string): void {
    const { say } = this.#options;
    const words = `${named} ingressclass=${JSON.stringify(found.name)}`;
    if (previous === undefined) say("I", "store.go:443", `"Found valid IngressClass" ${words}`);
    else if (!wasOurs) say("I", "store.go:489", `"creating ingress" ${words}`);
  }

  #take(ingress: Stored<Ingress>, key: string): void {
    const { say, tell, flags, onChange } = this.#options;
    if (flags.writesSyncEvents) tell("Normal", ingress, "Sync", "Scheduled for sync");
    const { settings, complaints } = readAnnotations(ingress, flags.annotationsPrefix);
    const before = this.#own.get(key)?.ingress;
    // What it writes of the address is no reason to say it all again.
    if (!sameValue(before?.metadata.annotations, ingress.metadata.annotations))
      for (const { severity, place, message } of complaints) say(severity, place, message);
    if (settings.denied !== undefined)
      tell("Warning", ingress, "AnnotationParsingFailed", `Error parsing annotations: ${settings.denied}`);
    this.#own.set(key, { ingress, settings });
    onChange();
  }
}
