// A world's API server on a port, for a client that runs in real time while the world's time stands: requests are handled at once,
// and while the client waits for something (an open watch, a running exec, the next round of a poll) virtual time moves on. Whether it
// waits is seen by its sleep, not by a clock: a machine that is busy changes nothing.

import type { AddressInfo } from "node:net";
import { openDoor } from "#server/door.ts";
import type { World } from "#world/world.ts";
import type { Result, RunningLine } from "./shells.ts";

/** The client is looked at as often. */
const lookMs = 4;
/** Asleep at so many looks, without traffic between them, a client that has a request open waits for the world. */
const patience = 3;
/** A client that has asked before and has no request open polls: it sleeps for a while of its own. */
const pollPatience = 100;
/** A client that has not asked yet is still starting. */
const startPatience = 2500;
/** Virtual time a look: a waiting client sees 50 virtual seconds in a second. */
const stepMs = 200;

export interface PacedDoor {
  readonly port: number;
  /** The world that requests go to. */
  open(world: World): void;
  /** Lets the present world move while `client` waits; one that still waits after `limitMs` of virtual time is ended. */
  during(client: RunningLine, limitMs: number): Promise<Result>;
  /** What the server answered that a client should never see, since last asked. */
  takeRefusals(): readonly string[];
  close(): void;
}

/** Statuses by which the server says that it lacks something. */
const unexpected = new Set([415, 500, 501, 502]);

export async function openPacedDoor(): Promise<PacedDoor> {
  let world: World | undefined;
  /** Requests that the line has open; none of a line before it. */
  const open = new Set<object>();
  let hasAsked = false;
  /** Looks at which the client slept, since the last traffic. */
  let slept = 0;
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
      slept = 0;
      action();
      runNow();
    },
  });
  server.prependListener("request", (incoming, outgoing) => {
    open.add(outgoing);
    hasAsked = true;
    // Node packs beside this thread: on a busy machine a client would sleep through looks because of that, not of the world.
    delete incoming.headers["accept-encoding"];
    outgoing.on("close", () => {
      open.delete(outgoing);
      slept = 0;
      if (unexpected.has(outgoing.statusCode)) refusals.push(`${outgoing.statusCode} ${incoming.method} ${incoming.url}`);
    });
  });
  server.prependListener("upgrade", (_incoming, socket) => {
    open.add(socket);
    hasAsked = true;
    socket.on("close", () => open.delete(socket));
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
      slept = 0;
      hasAsked = false;
      open.clear();
      const timer = setInterval(() => {
        slept = client.asleep() ? slept + 1 : 0;
        const idlePatience = hasAsked ? pollPatience : startPatience;
        if (slept < (open.size > 0 ? patience : idlePatience)) return;
        if (simulation.nowMs < endMs) simulation.run({ untilMs: simulation.nowMs + stepMs });
        else client.kill();
      }, lookMs);
      try {
        return await client.ended;
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
