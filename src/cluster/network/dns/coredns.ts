// CoreDNS as kubeadm configures it: `kubernetes cluster.local`, and everything else forwarded.

import type { Client } from "#cluster/client/client.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import type { DnsAnswer, DnsQuestion, Endpoint, Listening, NetworkStack } from "#sim/net.ts";
import type { Simulation } from "#sim/simulation.ts";
import { KubernetesPlugin } from "./kubernetes-plugin.ts";

export interface CoreDnsOptions {
  readonly simulation: Simulation;
  readonly client: Client;
  /** Where to listen: the pod's namespace. */
  readonly stack: Pick<NetworkStack, "addresses" | "serveDns">;
  /** Default cluster.local. */
  readonly zone?: string;
  /** Names of the world outside and their addresses, as the node's own resolver knows them. */
  readonly upstream?: ReadonlyMap<string, readonly string[]>;
  /** Told of every query and its answer. */
  readonly onAnswer?: (given: GivenAnswer) => void;
}

export interface GivenAnswer {
  readonly question: DnsQuestion;
  readonly client: Endpoint;
  readonly answer: DnsAnswer;
  /** From the resolver outside, or from the cache of its answers. */
  readonly isForwarded: boolean;
}

/** A few names that exist whatever the lesson: addresses from the ranges that are set aside for documentation. */
export const wellKnownNames: ReadonlyMap<string, readonly string[]> = new Map([
  ["example.com", ["192.0.2.10"]],
  ["www.example.com", ["192.0.2.10"]],
  ["example.org", ["192.0.2.11"]],
  ["kubernetes.io", ["192.0.2.20"]],
  ["registry.k8s.io", ["192.0.2.21"]],
  ["docker.io", ["192.0.2.22"]],
  ["registry-1.docker.io", ["192.0.2.22"]],
]);

const upstreamTtlSeconds = 30;
const maximumAliases = 8;

type Answer = Omit<DnsAnswer, "server"> & { readonly isForwarded?: boolean };

class CoreDns {
  readonly #plugin: KubernetesPlugin;
  readonly #upstream: ReadonlyMap<string, readonly string[]>;
  readonly #simulation: Simulation;
  /** Of each forwarded question. */
  readonly #cachedUntilMs = new Map<string, number>();

  constructor(simulation: Simulation, plugin: KubernetesPlugin, upstream: ReadonlyMap<string, readonly string[]>) {
    this.#simulation = simulation;
    this.#plugin = plugin;
    this.#upstream = upstream;
  }

  answer(question: DnsQuestion, depth = 0): Answer {
    const found = this.#plugin.answer(question);
    switch (found.kind) {
      case "records":
        return { code: "NOERROR", records: found.records, authoritative: true };
      case "nameError":
        return { code: "NXDOMAIN", records: [], authoritative: true };
      case "notSynced":
        return { code: "SERVFAIL", records: [], authoritative: false };
      case "next":
        return this.#forward(question);
      case "alias": {
        const target = found.record.data;
        if (question.type === "CNAME" || depth >= maximumAliases)
          return { code: "NOERROR", records: [found.record], authoritative: true };
        // The target's own answer follows, where there is one.
        const { records } = this.answer({ name: target, type: question.type }, depth + 1);
        return { code: "NOERROR", records: [found.record, ...records], authoritative: true };
      }
    }
  }

  #forward(question: DnsQuestion): Answer {
    const { name, type } = question;
    const authoritative = this.#isCached(`${type} ${asciiLowerCase(name)}`);
    return { ...answerOutside(question, this.#upstream), authoritative, isForwarded: true };
  }

  /** Whether an answer comes from the `cache` plugin, which sets AA on all that it gives (plugin/cache/item.go). */
  #isCached(key: string): boolean {
    const { nowMs } = this.#simulation;
    if (nowMs < (this.#cachedUntilMs.get(key) ?? 0)) return true;
    this.#cachedUntilMs.set(key, nowMs + upstreamTtlSeconds * 1000);
    return false;
  }
}

function answerOutside({ name, type }: DnsQuestion, known: ReadonlyMap<string, readonly string[]>): Answer {
  const addresses = known.get(asciiLowerCase(name));
  if (addresses === undefined) return { code: "NXDOMAIN", records: [], authoritative: false };
  const records = type === "A" ? addresses.map((data) => ({ name, type, ttlSeconds: upstreamTtlSeconds, data })) : [];
  return { code: "NOERROR", records, authoritative: false };
}

/** The name server of the network that machines are on: knows the world outside, and nothing of the cluster. */
export function serveOutsideNames(
  stack: Pick<NetworkStack, "serveDns">,
  server: string,
  known: ReadonlyMap<string, readonly string[]>,
): void {
  stack.serveDns((question, _client, reply) => reply({ ...answerOutside(question, known), server }));
}

export interface RunningCoreDns {
  /** Whether the plugin kubernetes knows the cluster. */
  readonly ready: boolean;
  /** Answers on port 53 of the stack until `stop`. Throws SysError EADDRINUSE when another server has the port. */
  listen(): void;
  stop(): void;
}

/** Follows the cluster at once, and answers when it is told to listen. */
export function makeCoreDns(options: CoreDnsOptions): RunningCoreDns {
  const { simulation, client, stack, zone = "cluster.local", upstream = wellKnownNames, onAnswer } = options;
  const plugin = new KubernetesPlugin(simulation, client, zone);
  const server = new CoreDns(simulation, plugin, upstream);
  const address = stack.addresses.at(-1) ?? "127.0.0.1";
  let listening: Listening | undefined;
  return {
    get ready() {
      return plugin.hasSynced;
    },
    listen: () => {
      listening = stack.serveDns((question, from, reply) => {
        const { isForwarded = false, ...given } = server.answer(question);
        const answer: DnsAnswer = { ...given, server: address };
        onAnswer?.({ question, client: from, answer, isForwarded });
        reply(answer);
      });
    },
    stop: () => {
      listening?.close();
      plugin.stop();
    },
  };
}

/** The same, and listens. Throws SysError EADDRINUSE. */
export function startCoreDns(options: CoreDnsOptions): RunningCoreDns {
  const server = makeCoreDns(options);
  server.listen();
  return server;
}
