// A world that follows the wall clock, with its API server on a loopback port.

import type { AddressInfo } from "node:net";
import { docs } from "#cluster/api/generated/docs.ts";
import type { LabDefinition } from "#lab/definition.ts";
import { startWorld } from "#lab/lab-world.ts";
import { RealTimeDriver, type Wall } from "#sim/real-time.ts";
import { usualAddons } from "#world/cluster-shape.ts";
import { provideTools } from "#world/tools.ts";
import { World } from "#world/world.ts";
import { makeCertificates } from "./certificates.ts";
import { openDoor } from "./door.ts";
import { kubeconfigFor } from "./kubeconfig.ts";
import { RealTls } from "./real-tls.ts";

provideTools();

export interface LiveClusterOptions {
  /** 0: any free one. */
  readonly port: number;
  /** Workers beside the control plane. */
  readonly nodes: number;
  /** Nodes of the control plane; 1 unless stated. */
  readonly controlPlanes?: number;
  readonly seed: number;
  /** Plain HTTP without credentials instead of HTTPS. */
  readonly insecureHttp: boolean;
  /** Nothing runs beyond what kubeadm gives a cluster. */
  readonly withoutAddons: boolean;
  /** Its cluster, as its learner finds it, in place of `nodes`, `controlPlanes` and `withoutAddons`. */
  readonly lab?: LabDefinition | undefined;
}

export interface LiveCluster {
  readonly port: number;
  /** `https://127.0.0.1:6443` */
  readonly address: string;
  readonly kubeconfig: string;
  readonly world: World;
  /** Lets something happen to the world from outside, at the present time. */
  enter(action: () => void): void;
  /** Ends watches, then closes what is open; `done` when all is closed. */
  close(done: () => void): void;
}

/** Names that the serving certificate holds beside those inside the cluster. */
const reachedBy = ["localhost", "127.0.0.1", "::1", "172.18.0.2", "control-plane"];

/** A world whose time is now. Throws when a lab's set-up fails. */
function presentWorld({ seed, nodes, controlPlanes = 1, withoutAddons, lab }: LiveClusterOptions): World {
  const nowMs = Math.floor(Date.now() / 1000) * 1000;
  if (lab !== undefined) {
    // Its learner comes when the set-up is done: a first world says how long that takes.
    const setupMs = startWorld(lab, { startMs: nowMs, seed }).simulation.nowMs - nowMs;
    return startWorld(lab, { startMs: nowMs - Math.ceil(setupMs / 1000) * 1000, seed });
  }
  const addons = withoutAddons ? [] : usualAddons;
  const world = new World({ startMs: nowMs, seed, nodes, controlPlane: { nodes: controlPlanes }, addons, files: {} });
  world.boot();
  return world;
}

/** Rejects with Node's error when the port cannot be opened. Throws when a lab's set-up fails. */
export function startLiveCluster(options: LiveClusterOptions): Promise<LiveCluster> {
  const { insecureHttp } = options;
  const world = presentWorld(options);
  world.simulation.faults.contain(({ room, subject, error }) => {
    console.error(`pilothouse: a mistake of the simulator in ${room} (${subject}); the cluster goes on:`, error);
  });
  for (const server of world.cluster.apiServers) server.docs = docs;
  const wall: Wall = {
    now: () => performance.now(),
    schedule: (callback, delayMs) => {
      if (delayMs === 0) setImmediate(callback);
      else setTimeout(callback, delayMs);
    },
  };
  const driver = new RealTimeDriver(world.simulation, wall, { maximumDebtMs: Number.POSITIVE_INFINITY });
  const certificates = insecureHttp ? undefined : makeCertificates(reachedBy, Date.now());
  const enter = (action: () => void): void => driver.input(action);
  const clientAuthorities = [world.cluster.authorityPem];
  const ownAuthorities = certificates === undefined ? [] : [certificates.authorityPem];
  world.simulation.readTls = new RealTls(enter, [...ownAuthorities, ...clientAuthorities]).receive;
  const door = openDoor({
    handler: (...call) => world.cluster.apiServer.handler(...call),
    enter,
    clientAuthorities,
    ...(certificates === undefined ? { administrator: world.adminCertificate } : { certificates }),
  });
  return new Promise((resolve, reject) => {
    door.server.once("error", reject);
    door.server.listen(options.port, "127.0.0.1", () => {
      const { port } = door.server.address() as AddressInfo;
      driver.setPaused(false);
      // The time that the start took: the cluster's clock is the wall's.
      driver.skip(Math.max(0, Date.now() - world.simulation.nowMs));
      resolve({
        port,
        address: `${insecureHttp ? "http" : "https"}://127.0.0.1:${port}`,
        kubeconfig: kubeconfigFor(port, certificates),
        world,
        enter,
        close(done) {
          // Watches end first: clients see the end of a stream, not a broken one.
          driver.input(() => {
            for (const server of world.cluster.apiServers) server.stop();
          });
          door.close(() => {
            driver.close();
            done();
          });
        },
      });
    });
  });
}
