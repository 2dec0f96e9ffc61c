// Costs of the kernel's basic operations. Run alone: `node --expose-gc tests/bench/sim.ts`.

import { encodeUtf8, noBytes } from "#sim/bytes.ts";
import type { HttpHandler } from "#sim/http.ts";
import { Kernel } from "#sim/kernel.ts";
import { LoopbackNetwork } from "#sim/network/loopback.ts";
import type { Program } from "#sim/program.ts";
import { Simulation } from "#sim/simulation.ts";

export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
}

const files = new Map([
  ["/bin/true", { type: "program", program: returnZero } as const],
  ["/etc/hosts", { type: "file", content: "127.0.0.1 localhost\n" } as const],
]);

function* returnZero() {
  return 0;
}

function world() {
  const simulation = new Simulation({ startMs: 1_767_225_600_000, seed: 1 });
  const kernel = new Kernel(simulation);
  const mounts = kernel.createMountNamespace(kernel.createDisk(files));
  const network = new LoopbackNetwork(simulation);
  const start = (run: Program) =>
    kernel.start({ run, argv: ["bench"], hostname: "bench", pidNamespace: kernel.createPidNamespace(), mounts, network });
  return { simulation, kernel, start };
}

function timed(work: () => void): number {
  const before = performance.now();
  work();
  return performance.now() - before;
}

/** Best of a few runs: the machine is shared. */
function best(work: () => number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 5; round += 1) least = Math.min(least, work());
  return least;
}

function queueEvents(): Figure {
  const count = 200_000;
  const ms = best(() => {
    const simulation = new Simulation({ startMs: 0, seed: 1 });
    let left = count;
    const tick = (): void => {
      left -= 1;
      if (left >= 1000) simulation.after(left % 97, tick);
    };
    for (let index = 0; index < 1000; index += 1) simulation.after(index, tick);
    return timed(() => {
      while (simulation.step());
    });
  });
  return { name: "events through the queue, 1,000 pending", value: count / ms / 1000, unit: "million/s" };
}

function spawnCost(): Figure {
  const count = 5000;
  const ms = best(() => {
    const { simulation, start } = world();
    start(function* (self) {
      for (let index = 0; index < count; index += 1) yield* self.wait(self.spawn({ run: "/bin/true", argv: ["true"] }));
      return 0;
    });
    return timed(() => simulation.advance(1e7));
  });
  return { name: "spawn, run and wait for a process", value: (ms / count) * 1000, unit: "µs" };
}

function pipeCost(): Figure {
  const count = 50_000;
  const data = encodeUtf8("x".repeat(100));
  const ms = best(() => {
    const { simulation, start } = world();
    start(function* (self) {
      const [read, write] = self.pipe();
      for (let index = 0; index < count; index += 1) {
        yield* self.write(write, data);
        yield* self.read(read);
      }
      return 0;
    });
    return timed(() => simulation.advance(1e7));
  });
  return { name: "write to and read from a pipe", value: (ms / count) * 1000, unit: "µs" };
}

function pingPongCost(): Figure {
  const count = 20_000;
  const data = encodeUtf8("x");
  const ms = best(() => {
    const { simulation, start } = world();
    start(function* (self) {
      const [readHere, writeThere] = self.pipe();
      const [readThere, writeHere] = self.pipe();
      const echo: Program = function* (child) {
        for (;;) {
          const bytes = yield* child.read(0);
          if (bytes.length === 0) return 0;
          yield* child.write(1, bytes);
        }
      };
      self.spawn({
        run: echo,
        argv: ["echo"],
        fds: new Map([
          [0, readThere],
          [1, writeThere],
        ]),
      });
      for (let index = 0; index < count; index += 1) {
        yield* self.write(writeHere, data);
        yield* self.read(readHere);
      }
      return 0;
    });
    return timed(() => simulation.advance(1e7));
  });
  return { name: "byte to another process and back", value: (ms / count) * 1000, unit: "µs" };
}

const handler: HttpHandler = (_request, _peer, responder) => responder.reply(200, {}, noBytes);

function httpCost(): Figure {
  const count = 20_000;
  const ms = best(() => {
    const { simulation, start } = world();
    start(function* (self) {
      self.serveHttp({ port: 80, handler });
      const request = { method: "GET", target: "/", headers: {}, body: noBytes, address: "127.0.0.1", port: 80 };
      for (let index = 0; index < count; index += 1) self.close((yield* self.http(request)).fd);
      return 0;
    });
    return timed(() => simulation.advance(1e7));
  });
  return { name: "HTTP exchange between programs", value: (ms / count) * 1000, unit: "µs" };
}

function parkedBytes(): Figure[] {
  const collect = (globalThis as { gc?: () => void }).gc;
  if (collect === undefined) return [];
  const count = 5000;
  const simulation = new Simulation({ startMs: 0, seed: 1 });
  const kernel = new Kernel(simulation);
  const nginx: Program = function* (self) {
    self.serveHttp({ port: 80, handler });
    return yield* self.pause();
  };
  const image = new Map([["/usr/sbin/nginx", { type: "program", program: nginx } as const]]);
  const host = kernel.createPidNamespace();
  const env = new Map([["PATH", "/usr/sbin:/usr/bin"]]);
  const kept: unknown[] = [];
  const networks = Array.from({ length: count }, () => new LoopbackNetwork(simulation));
  const before = usedAfter(collect);
  for (const network of networks) {
    kept.push(
      kernel.start({
        run: "nginx",
        argv: ["nginx"],
        env,
        hostname: "web",
        pidNamespace: kernel.createPidNamespace(host),
        mounts: kernel.createMountNamespace(kernel.createOverlay(image)),
        network,
      }),
    );
  }
  simulation.advance(1000);
  return [{ name: "heap of a parked container process", value: (usedAfter(collect) - before) / kept.length, unit: "bytes" }];
}

function usedAfter(collect: () => void): number {
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

export function benchSim(): readonly Figure[] {
  return [queueEvents(), spawnCost(), pipeCost(), pingPongCost(), httpCost(), ...parkedBytes()];
}

if (import.meta.main) {
  for (const { name, value, unit } of benchSim()) console.log(`${name.padEnd(45)} ${value.toFixed(2).padStart(10)} ${unit}`);
}
