// What Ingresses are told of where they can be reached: the leader writes it, every minute.

import { wordsOf } from "#sim/errors.ts";
import type { Simulation, Timer } from "#sim/simulation.ts";
import { ApiError, ApiUnreachable } from "../api/errors.ts";
import type { Ingress, Node, Pod } from "../api/generated/types.ts";
import { compareBytes } from "../api/json-write.ts";
import * as kinds from "../api/kinds.ts";
import { type Stored, splitKey } from "../api/objects.ts";
import type { Client } from "../client/client.ts";
import { sameValue } from "../client/equality.ts";
import type { Log } from "../client/said-client.ts";
import type { IngressFlags } from "./flags.ts";

export interface Point {
  readonly ip?: string;
  readonly hostname?: string;
}

export interface StatusOptions {
  readonly simulation: Simulation;
  readonly client: Client;
  readonly flags: IngressFlags;
  /** Of the controller itself. */
  readonly pod: Stored<Pod>;
  readonly say: Log;
  /** Those that are ours. */
  readonly ingresses: () => readonly Stored<Ingress>[];
}

const revisionLabels: readonly string[] = ["pod-template-hash", "controller-revision-hash", "pod-template-generation"];
const shortestMs = 5000;

export class StatusSync {
  readonly #options: StatusOptions;
  #timer: Timer | undefined;

  constructor(options: StatusOptions) {
    this.#options = options;
  }

  /** From now on it is ours to write. */
  start(): void {
    const { simulation, flags } = this.#options;
    const pass = (): void => {
      this.#timer = simulation.after(Math.max(shortestMs, flags.statusIntervalMs), pass, { background: true });
      this.#told("queue.go:130", () => this.#write(this.#addresses()));
    };
    pass();
  }

  stop(): void {
    this.#options.simulation.cancel(this.#timer);
  }

  /** As the controller ends in order: nobody is reached here any more, unless others go on. */
  clear(): void {
    this.stop();
    const { flags, say } = this.#options;
    if (!flags.clearStatusAtEnd) {
      say("W", "status.go:110", "skipping update of status of Ingress rules");
      return;
    }
    this.#told("status.go:116", () => {
      const points = this.#addresses();
      if (points.length > 1) {
        say("I", "status.go:122", '"leaving status update for next leader"');
        return;
      }
      if (this.#hasOthers()) return;
      say("I", "status.go:131", `"removing value from ingress status" address=${JSON.stringify(points)}`);
      this.#write([]);
    });
  }

  #told(place: string, act: () => void): void {
    try {
      act();
    } catch (error) {
      if (!(error instanceof ApiError) && !(error instanceof ApiUnreachable)) throw error;
      const what = place.startsWith("queue") ? '"requeuing"' : '"error obtaining running IP address"';
      this.#options.say("E", place, `${what} err=${JSON.stringify(wordsOf(error))}`);
    }
  }

  #addresses(): readonly Point[] {
    const { flags } = this.#options;
    if (flags.publishAddresses.length > 0) return sorted(flags.publishAddresses.map(pointOf));
    return sorted(flags.publishService === "" ? this.#ofNodes() : this.#ofService(flags.publishService));
  }

  #ofService(key: string): readonly Point[] {
    const { spec, status } = this.#options.client.get(kinds.services, splitKey(key));
    const externalIps = (spec?.externalIPs ?? []).map((ip): Point => ({ ip }));
    switch (spec?.type) {
      case "ExternalName":
        return [{ hostname: spec.externalName ?? "" }];
      case "LoadBalancer": {
        const given = (status?.loadBalancer?.ingress ?? []).map(({ ip, hostname }): Point => {
          return { ...(ip === undefined ? {} : { ip }), ...(hostname === undefined ? {} : { hostname }) };
        });
        return [...given, ...externalIps.filter(({ ip }) => !given.some((point) => point.ip === ip))];
      }
      case "NodePort":
        return externalIps.length > 0 ? externalIps : [{ ip: spec.clusterIP ?? "" }];
      default:
        return [{ ip: spec?.clusterIP ?? "" }];
    }
  }

  /** Of the nodes that ready Pods of the controller run on. */
  #ofNodes(): readonly Point[] {
    const { say, pod } = this.#options;
    const found = new Set<string>();
    for (const { metadata, spec, status } of this.#podsLike(pod.metadata.labels ?? {})) {
      if (status?.phase !== "Running") continue;
      const { nodeName = "" } = spec ?? {};
      if (status.conditions?.some(({ type, status: is }) => type === "Ready" && is === "True") !== true) {
        const name = `${metadata.namespace ?? ""}/${metadata.name}`;
        say("I", "status.go:204", `"POD is not ready" pod=${JSON.stringify(name)} node=${JSON.stringify(nodeName)}`);
        continue;
      }
      for (const address of this.#nodeAddresses(nodeName)) found.add(address);
    }
    return [...found].map(pointOf);
  }

  #nodeAddresses(name: string): readonly string[] {
    const { client, say, flags } = this.#options;
    let node: Stored<Node>;
    try {
      node = client.get(kinds.nodes, { namespace: "", name });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      say("E", "main.go:46", `"Error getting node" err=${JSON.stringify(error.message)} name=${JSON.stringify(name)}`);
      return [];
    }
    const of = (type: string): readonly string[] =>
      (node.status?.addresses ?? []).filter((address) => address.type === type).map(({ address }) => address);
    const external = of("ExternalIP");
    return flags.usesInternalAddresses || external.length === 0 ? of("InternalIP") : external;
  }

  #hasOthers(): boolean {
    const labels = Object.entries(this.#options.pod.metadata.labels ?? {}).filter(([name]) => !revisionLabels.includes(name));
    return this.#podsLike(Object.fromEntries(labels)).length > 1;
  }

  #podsLike(labels: { readonly [name: string]: string }): readonly Stored<Pod>[] {
    const { client, pod } = this.#options;
    const labelSelector = Object.entries(labels)
      .map(([name, value]) => `${name}=${value}`)
      .sort(compareBytes)
      .join(",");
    return client.list(kinds.pods, { namespace: pod.metadata.namespace ?? "", labelSelector }).items;
  }

  #write(points: readonly Point[]): void {
    for (const ingress of this.#options.ingresses()) {
      if (sameValue(sorted(pointsIn(ingress)), points)) continue;
      this.#writeOne(ingress, points);
    }
  }

  #writeOne({ metadata }: Stored<Ingress>, points: readonly Point[]): void {
    const { client, say } = this.#options;
    const { namespace = "", name } = metadata;
    try {
      const current = client.get(kinds.ingresses, { namespace, name });
      const values = `currentValue=${JSON.stringify(current.status?.loadBalancer?.ingress ?? null)} newValue=${JSON.stringify(points)}`;
      say(
        "I",
        "status.go:304",
        `"updating Ingress status" namespace=${JSON.stringify(namespace)} ingress=${JSON.stringify(name)} ${values}`,
      );
      const loadBalancer = points.length === 0 ? {} : { ingress: points.map((point) => ({ ...point })) };
      client.updateStatus(kinds.ingresses, { ...current, status: { ...current.status, loadBalancer } });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      say("W", "status.go:309", `error updating ingress rule: ${error.message}`);
    }
  }
}

function pointsIn({ status }: Stored<Ingress>): readonly Point[] {
  return (status?.loadBalancer?.ingress ?? []).map(({ ip, hostname }) => ({
    ...(ip === undefined ? {} : { ip }),
    ...(hostname === undefined ? {} : { hostname }),
  }));
}

function pointOf(text: string): Point {
  return /^[\d.]+$/.test(text) ? { ip: text } : { hostname: text };
}

function sorted(points: readonly Point[]): readonly Point[] {
  return [...points].sort((a, b) => compareBytes(a.hostname ?? "", b.hostname ?? "") || compareBytes(a.ip ?? "", b.ip ?? ""));
}
