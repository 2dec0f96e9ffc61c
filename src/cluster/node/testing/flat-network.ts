// A network for tests of this room: every address reaches every other, without services, DNS or policies.

import type { ClusterNetwork, NodeNetwork } from "#cluster/network/network.ts";
import { SysError } from "#sim/errors.ts";
import type { ListenOptions, NetworkStack } from "#sim/net.ts";
import { openConnection, sendRequest } from "#sim/network/listener.ts";
import { PortTable } from "#sim/network/ports.ts";
import type { Simulation } from "#sim/simulation.ts";

export class FlatNetwork implements ClusterNetwork {
  readonly #simulation: Simulation;
  readonly #tables = new Map<string, PortTable>();
  #nodes = 0;

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
  }

  addNode(nodeName: string, address: string): NodeNetwork & { podCidr: string | undefined } {
    const host = this.#stack(address);
    const prefix = `10.244.${this.#nodes++}`;
    let next = 2;
    return {
      nodeName,
      address,
      host,
      podCidr: `${prefix}.0/24`,
      addPod: () => {
        const podAddress = `${prefix}.${next++}`;
        return {
          address: podAddress,
          stack: this.#stack(podAddress),
          remove: () => {
            this.#tables.delete(podAddress);
          },
        };
      },
    };
  }

  removeNode(): void {}

  addHost(_name: string, address: string): NetworkStack {
    return this.#stack(address);
  }

  #stack(address: string): NetworkStack {
    const own = new PortTable();
    this.#tables.set(address, own);
    const find = (target: { readonly address: string; readonly port: number }): ListenOptions | undefined =>
      (target.address.startsWith("127.") ? own : this.#tables.get(target.address))?.find(target.address, target.port);
    const simulation = this.#simulation;
    return {
      addresses: ["127.0.0.1", address],
      listen: (options) => own.listen(options),
      connect: (target, options, done) => {
        simulation.after(0, () => {
          const listener = find(target);
          if (listener === undefined) done({ ok: false, error: "ECONNREFUSED" });
          else openConnection(simulation, listener, { address, port: own.ephemeral() }, target, options.tls, 0, done);
        });
      },
      request: (target, request, options, done) => {
        simulation.after(0, () => {
          const listener = find(target);
          if (listener === undefined) done({ ok: false, error: "ECONNREFUSED" });
          else sendRequest(simulation, listener, { address, port: own.ephemeral() }, target, request, options, 0, done);
        });
      },
      query: (_server, _question, done) => {
        simulation.after(0, () => done(undefined));
      },
      serveDns: () => {
        throw new SysError("EADDRINUSE");
      },
    };
  }
}
