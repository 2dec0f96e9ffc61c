// Another Kubernetes for the browser on the same work in the same run: machines differ, a ratio does not. The package is fetched by npm into
// a folder that git does not know, and bundled, since its modules import each other as only a bundler finds them.

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "vite";
import { CannotMeasure, type Figure, medianOf } from "./figures.ts";
import { bootCost, rolloutCost } from "./world.ts";

const name = "@ngrok/webernetes";
const version = "0.3.5";
const cache = resolve("node_modules", ".cache", "pilothouse", "peers");
const starts = 9;
const rollouts = 3;
const replicas = 300;
/** At most this part of what the other uses. */
const ratioFloor = 35;

/** The package's code as one module; its path. Throws CannotMeasure where it cannot be had. */
async function fetchPeer(): Promise<string> {
  const folder = join(cache, "node_modules", name);
  const manifest = join(folder, "package.json");
  const hasIt = existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).version === version;
  if (!hasIt) {
    mkdirSync(cache, { recursive: true });
    const { status, stderr } = spawnSync(
      "npm",
      ["install", "--prefix", cache, "--no-audit", "--no-fund", "--loglevel=error", `${name}@${version}`],
      {
        encoding: "utf8",
      },
    );
    if (status !== 0) throw new CannotMeasure(`npm did not fetch ${name}@${version}: ${stderr?.trim().split("\n")[0] ?? "no npm"}`);
  }
  const bundle = join(cache, `webernetes-${version}.mjs`);
  if (!existsSync(bundle)) {
    await build({
      configFile: false,
      logLevel: "error",
      publicDir: false,
      root: cache,
      build: {
        lib: { entry: join(folder, "dist", "index.js"), formats: ["es"], fileName: () => `webernetes-${version}.mjs` },
        outDir: cache,
        emptyOutDir: false,
        minify: false,
        target: "esnext",
      },
    });
  }
  return bundle;
}

interface PeerCost {
  readonly startMs: readonly number[];
  readonly rolloutMs: readonly number[];
}

function measurePeer(bundle: string): PeerCost {
  const script = join(import.meta.dirname, "peer-webernetes.mjs");
  const args = [script, pathToFileURL(bundle).href, String(starts), String(rollouts), String(replicas)];
  try {
    return JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })) as PeerCost;
  } catch (error) {
    throw new CannotMeasure(`${name}@${version} does not run under Node: ${String(error).split("\n")[0]}`);
  }
}

export async function benchPeers(): Promise<readonly Figure[]> {
  const peer = measurePeer(await fetchPeer());
  const [theirStart, theirRollout] = [medianOf(peer.startMs), medianOf(peer.rolloutMs)];
  const ourStart = medianOf(Array.from({ length: starts }, bootCost));
  const ourRollout = medianOf(Array.from({ length: rollouts }, () => rolloutCost(replicas)));
  return [
    { name: `${name} ${version}: 3 nodes, init`, value: theirStart, unit: "ms CPU" },
    { name: "here: 3 nodes and a control plane, system Pods Ready", value: ourStart, unit: "ms CPU" },
    { name: "  theirs in ours", value: theirStart / ourStart, unit: "times" },
    { name: `${name} ${version}: ${replicas} replicas to Ready`, value: theirRollout, unit: "ms CPU" },
    { name: `here: ${replicas} replicas to Ready`, value: ourRollout, unit: "ms CPU" },
    { name: "  theirs in ours", value: theirRollout / ourRollout, unit: "times", floor: ratioFloor },
  ];
}
