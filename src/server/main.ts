// `npm run cluster -- --port 6443 --nodes 3 [--control-planes N] --kubeconfig FILE [--seed N] [--insecure-http] [--no-addons] [--lab NAME] [--terminal]`:
// the simulated cluster in real time, its API server on a port of this machine for real clients.

import { writeFileSync } from "node:fs";
import { labFromSources, labIds } from "#lab/catalog.ts";
import type { LabDefinition } from "#lab/definition.ts";
import { type ClusterArguments, helpText, readArguments } from "./arguments.ts";
import { readLabSources } from "./lab-files.ts";
import { type LiveCluster, startLiveCluster } from "./live-cluster.ts";
import { openTerminal } from "./terminal.ts";

function giveUp(sentence: string): never {
  console.error(`pilothouse: ${sentence}`);
  process.exit(1);
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function parse(): ClusterArguments {
  try {
    const read = readArguments(process.argv.slice(2));
    if (read !== "help") return read;
  } catch (error) {
    return giveUp(reasonOf(error));
  }
  console.log(helpText);
  process.exit(0);
}

function readLab(name: string): LabDefinition {
  const sources = readLabSources();
  if (!labIds(sources).includes(name)) giveUp(`there is no lab "${name}"; labs/ has one folder for each`);
  try {
    return labFromSources(sources, name);
  } catch (error) {
    return giveUp(reasonOf(error));
  }
}

const { kubeconfig, lab, terminal, ...options } = parse();
let cluster: LiveCluster;
try {
  cluster = await startLiveCluster({ ...options, lab: lab === undefined ? undefined : readLab(lab) });
} catch (error) {
  const { port } = options;
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) giveUp(reasonOf(error));
  giveUp(
    code === "EADDRINUSE"
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
  `pilothouse: ready at ${cluster.address} with ${cluster.world.cluster.nodes.length} nodes; kubectl --kubeconfig ${kubeconfig} get nodes`,
);
let stopping = false;
function stop(): void {
  if (stopping) process.exit(1);
  stopping = true;
  cluster.close(() => process.exit(0));
}
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, stop);
if (terminal) openTerminal(cluster, process, stop);
