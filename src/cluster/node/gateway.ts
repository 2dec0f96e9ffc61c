// The kubelets as an API server reaches them: log, exec, attach and port-forward, by the node's name. Only clients' programs ask for
// any of it: how it is done comes late (`gateway-code.ts`).

import type { ExecOptions, ExecSession, KubeletGateway, LogOptions, LogSink } from "#cluster/apiserver/kubelet-gateway.ts";
import type { Errno } from "#sim/errors.ts";
import type { ByteStream, Certificate, Endpoint } from "#sim/net.ts";
import type { Simulation } from "#sim/simulation.ts";
import type { Kubelet } from "./kubelet/kubelet.ts";
import { lateGateway } from "./late-gateway.ts";

export interface PodName {
  readonly namespace: string;
  readonly name: string;
}

/** Where an API server stands, and whom it trusts. */
export interface GatewayPlace {
  readonly simulation: Simulation;
  /** What the network says to a new connection; undefined: it lets it through. */
  dial(target: Endpoint): Errno | undefined;
  /** Of kubelets' certificates, which are not looked at without any. */
  authorities(): readonly Certificate[] | undefined;
}

export class NodeGateway implements KubeletGateway {
  readonly kubelets: Map<string, Kubelet>;
  readonly place: GatewayPlace | undefined;

  constructor(place?: GatewayPlace, kubelets = new Map<string, Kubelet>()) {
    this.place = place;
    this.kubelets = kubelets;
  }

  /** The same kubelets from elsewhere. */
  seenFrom(place: GatewayPlace): NodeGateway {
    return new NodeGateway(place, this.kubelets);
  }

  add(kubelet: Kubelet): void {
    this.kubelets.set(kubelet.nodeName, kubelet);
  }

  remove(nodeName: string): void {
    this.kubelets.delete(nodeName);
  }

  logs(node: string, pod: PodName, options: LogOptions, sink: LogSink): { stop(): void } {
    return lateGateway.code.logs(this, node, pod, options, sink);
  }

  exec(node: string, pod: PodName, options: ExecOptions): ExecSession {
    return lateGateway.code.exec(this, node, pod, options);
  }

  attach(node: string, pod: PodName, options: Omit<ExecOptions, "command">): ExecSession {
    return lateGateway.code.attach(this, node, pod, options);
  }

  requireKubelet(node: string, pod: PodName): void {
    lateGateway.code.requireKubelet(this, node, pod);
  }

  portForward(node: string, pod: PodName, port: number, done: (stream: ByteStream | string) => void): void {
    lateGateway.code.portForward(this, node, pod, port, done);
  }
}
