// A world's API server on a port, for a client that runs in real time while the world's time stands: requests are handled at once,
// and while the client waits for something (an open watch, a running exec, the next round of a poll) virtual time moves on.

import type { AddressInfo } from "node:net";
import { openDoor } from "#server/door.ts";
import type { World } from "#world/world.ts";

/** After so long without traffic, a client that has a request open waits for the world. */
const patienceMs = 12;
/** After so long without any request, a client that has asked before polls: it sleeps for a while of its own. */
const pollPatienceMs = 400;
/** A client that has not asked yet is still starting, which takes long on a busy machine. */
const startPatienceMs = 10_000;
const tickMs = 4;
/** Virtual time a tick: a waiting client sees 50 virtual seconds in a second. */
const stepMs = 200;

export interface PacedDoor {
  readonly port: number;
  /** The world that requests go to. */
  open(world: World): void;
  /** Lets the present world move while `client` runs; at most `limitMs` of virtual time. */
  during<T>(client: Promise<T>, limitMs: number): Promise<T>;
  /** What the server answered that a client should never see, since last asked. */
  takeRefusals(): readonly string[];
  close(): void;
}

/** Statuses by which the server says that it lacks something. */
const unexpected = new Set([415, 500, 501, 502]);

export async function openPacedDoor(): Promise<PacedDoor> {
  let world: World | undefined;
  let openRequests = 0;
  let hasAsked = false;
  let lastTrafficMs = performance.now();
  let refusals: string[] = [];
  const present = (): World => {
    if (world === undefined) throw new Error("no world is open");
    return world;
  };
  const runNow = (): void => {
    const { simulation } = present();
    simulation.run({ untilMs: simulation.nowMs });
  };
  const { server } = openDoor({
    handler: (request, peer, responder) => {
      const isAnonymous = request.headers["authorization"] === undefined;
      const who = isAnonymous ? { ...peer, certificate: present().adminCertificate } : peer;
      present().cluster.apiServer.handler(request, who, responder);
    },
    enter: (action) => {
      lastTrafficMs = performance.now();
      action();
      runNow();
    },
  });
  server.prependListener("request", (incoming, outgoing) => {
    openRequests += 1;
    hasAsked = true;
    outgoing.on("close", () => {
      openRequests -= 1;
      lastTrafficMs = performance.now();
      if (unexpected.has(outgoing.statusCode)) refusals.push(`${outgoing.statusCode} ${incoming.method} ${incoming.url}`);
    });
  });
  server.prependListener("upgrade", (_incoming, socket) => {
    openRequests += 1;
    hasAsked = true;
    socket.on("close", () => {
      openRequests -= 1;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    open: (next) => {
      world = next;
    },
    during: async (client, limitMs) => {
      const { simulation } = present();
      const endMs = simulation.nowMs + limitMs;
      lastTrafficMs = performance.now();
      hasAsked = openRequests > 0;
      const timer = setInterval(() => {
        const idleMs = performance.now() - lastTrafficMs;
        const patience = openRequests > 0 ? patienceMs : hasAsked ? pollPatienceMs : startPatienceMs;
        if (idleMs > patience && simulation.nowMs < endMs) {
          simulation.run({ untilMs: simulation.nowMs + stepMs });
        }
      }, tickMs);
      try {
        return await client;
      } finally {
        clearInterval(timer);
      }
    },
    takeRefusals: () => {
      const taken = refusals;
      refusals = [];
      return taken;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
