// `npm run cluster -- --port 6443 --nodes 3 --kubeconfig FILE [--seed N] [--insecure-http]`: the simulated cluster
// in real time, its API server on a port of this machine for real clients.

import { writeFileSync } from "node:fs";
import { docs } from "#cluster/api/generated/docs.ts";
import { RealTimeDriver } from "#sim/real-time.ts";
import { World } from "#world/world.ts";
import { readArguments } from "./arguments.ts";
import { makeCertificates } from "./certificates.ts";
import { openDoor } from "./door.ts";
import { kubeconfigFor } from "./kubeconfig.ts";

function giveUp(sentence: string): never {
  console.error(`pilothouse: ${sentence}`);
  process.exit(1);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function parse(): ReturnType<typeof readArguments> {
  try {
    return readArguments(process.argv.slice(2));
  } catch (error) {
    return giveUp(reasonOf(error));
  }
}

const { port, nodes, kubeconfig, seed, insecureHttp } = parse();
const world = new World({ startMs: Math.floor(Date.now() / 1000) * 1000, seed, nodes, files: {} });
world.kernel.onProgramError = (program, error) => console.error(`pilothouse: ${program.argv.join(" ")} failed:`, error);
world.cluster.apiServer.docs = docs;
world.boot();

const driver = new RealTimeDriver(world.simulation, {
  now: () => performance.now(),
  schedule: (callback, delayMs) => {
    if (delayMs === 0) setImmediate(callback);
    else setTimeout(callback, delayMs);
  },
});
const certificates = insecureHttp
  ? undefined
  : makeCertificates(["localhost", "127.0.0.1", "::1", "172.18.0.2", "control-plane"], Date.now());
const door = openDoor({
  handler: world.cluster.apiServer.handler,
  enter: (action) => driver.input(action),
  ...(certificates === undefined ? { administrator: world.adminCertificate } : { certificates }),
});
const { server } = door;
server.on("error", (error: NodeJS.ErrnoException) => {
  giveUp(
    error.code === "EADDRINUSE"
      ? `port ${port} is in use; choose another one with --port`
      : `port ${port} cannot be opened: ${error.message}`,
  );
});
server.listen(port, "127.0.0.1", () => {
  try {
    writeFileSync(kubeconfig, kubeconfigFor(port, certificates), { mode: 0o600 });
  } catch (error) {
    giveUp(`${kubeconfig} cannot be written: ${reasonOf(error)}`);
  }
  driver.setPaused(false);
  console.log(
    `pilothouse: ready at ${insecureHttp ? "http" : "https"}://127.0.0.1:${port} with ${nodes + 1} nodes; kubectl --kubeconfig ${kubeconfig} get nodes`,
  );
});
let stopping = false;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    if (stopping) process.exit(1);
    stopping = true;
    // Watches end first: clients see the end of a stream, not a broken one.
    driver.input(() => world.cluster.apiServer.stop());
    door.close(() => {
      driver.close();
      process.exit(0);
    });
  });
}
