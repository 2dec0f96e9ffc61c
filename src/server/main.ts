// `npm run cluster -- --port 6443 --nodes 3 --kubeconfig FILE [--seed N] [--insecure-http] [--no-addons]`: the simulated cluster
// in real time, its API server on a port of this machine for real clients.

import { writeFileSync } from "node:fs";
import { readArguments } from "./arguments.ts";
import { type LiveCluster, startLiveCluster } from "./live-cluster.ts";

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

const { kubeconfig, ...options } = parse();
let cluster: LiveCluster;
try {
  cluster = await startLiveCluster(options);
} catch (error) {
  const { port } = options;
  giveUp(
    (error as NodeJS.ErrnoException).code === "EADDRINUSE"
      ? `port ${port} is in use; choose another one with --port`
      : `port ${port} cannot be opened: ${reasonOf(error)}`,
  );
}
try {
  writeFileSync(kubeconfig, cluster.kubeconfig, { mode: 0o600 });
} catch (error) {
  giveUp(`${kubeconfig} cannot be written: ${reasonOf(error)}`);
}
console.log(
  `pilothouse: ready at ${cluster.address} with ${options.nodes + 1} nodes; kubectl --kubeconfig ${kubeconfig} get nodes`,
);
let stopping = false;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    if (stopping) process.exit(1);
    stopping = true;
    cluster.close(() => process.exit(0));
  });
}
