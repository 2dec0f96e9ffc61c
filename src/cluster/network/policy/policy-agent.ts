// The network plugin's knowledge of what policies are about: Pods, their namespaces, and the rules of the policies that select them, each
// put together when a connection first asks for it.

import type { NetworkPolicy, Pod } from "#cluster/api/generated/types.ts";
import { namespaces, pods } from "#cluster/api/kinds.ts";
import type { Stored } from "#cluster/api/objects.ts";
import type { Client } from "#cluster/client/client.ts";
import { Informer } from "#cluster/client/informer.ts";
import type { Simulation } from "#sim/simulation.ts";
import type { AdmitOpening, Direction, End, Opening } from "./opening.ts";
import { admits, type CompiledPolicy, compilePolicy, type Isolation, isolationOf, type KnownPod } from "./verdict.ts";

interface NamespacePolicies {
  readonly compiled: readonly CompiledPolicy[];
  /** By Pod as it is stored: another label, another object. */
  readonly isolations: WeakMap<Stored<Pod>, Isolation>;
}

export class PolicyAgent {
  readonly #policies: Informer<NetworkPolicy>;
  readonly #pods: Informer<Pod>;
  readonly #namespaces;
  readonly #byNamespace = new Map<string, NamespacePolicies>();

  constructor(simulation: Simulation, client: Client, policies: Informer<NetworkPolicy>) {
    this.#policies = policies;
    this.#pods = new Informer(simulation, client, pods);
    this.#namespaces = new Informer(simulation, client, namespaces);
    this.#pods.start();
    this.#namespaces.start();
  }

  /** A policy of the namespace came, changed or went. */
  changed(namespace: string): void {
    this.#byNamespace.delete(namespace);
  }

  readonly admits: AdmitOpening = (direction: Direction, { source, destination, port, protocol }: Opening) => {
    const [near, far] = direction === "egress" ? [source, destination] : [destination, source];
    const isolated = this.#podAt(near);
    if (isolated === undefined) return true;
    const isolation = this.#isolationOf(isolated);
    if (isolation[direction] === undefined) return true;
    const farPod = this.#podAt(far);
    return admits(isolation, direction, {
      far: { address: far.address, known: farPod && this.#known(farPod) },
      destination: direction === "egress" ? farPod : isolated,
      port,
      protocol,
    });
  };

  #podAt({ pod }: End): Stored<Pod> | undefined {
    return pod === undefined ? undefined : this.#pods.get(pod);
  }

  #known(pod: Stored<Pod>): KnownPod {
    return { pod, namespaceLabels: this.#namespaces.get(pod.metadata.namespace ?? "")?.metadata.labels };
  }

  #isolationOf(pod: Stored<Pod>): Isolation {
    const { compiled, isolations } = this.#policiesOf(pod.metadata.namespace ?? "");
    const known = isolations.get(pod);
    if (known !== undefined) return known;
    const made = isolationOf(compiled, pod.metadata.labels);
    isolations.set(pod, made);
    return made;
  }

  #policiesOf(namespace: string): NamespacePolicies {
    const present = this.#byNamespace.get(namespace);
    if (present !== undefined) return present;
    const compiled = [...this.#policies.listNamespace(namespace)].map(compilePolicy);
    const made = { compiled, isolations: new WeakMap<Stored<Pod>, Isolation>() };
    this.#byNamespace.set(namespace, made);
    return made;
  }
}
