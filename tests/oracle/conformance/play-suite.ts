// All chosen tests: batches side by side against several clusters, then the tests that want a cluster for themselves.

import { batchesOf } from "./batches.ts";
import { OwnCluster } from "./own-cluster.ts";
import { type Player, playBatch } from "./play-batch.ts";
import { isAlone, type Result } from "./suite-report.ts";

export interface PlayOptions extends Player {
  readonly clusters: number;
  readonly nodes: number;
  /** Processes of the suite beside each other on one cluster. */
  readonly parallel: number;
  readonly tell: (line: string) => void;
  readonly keep: (result: Result) => void;
}

export interface Played {
  readonly results: readonly Result[];
  /** What went wrong beside the tests: clusters that died, mistakes of the simulator, processes that played nothing. */
  readonly faults: readonly string[];
  readonly peakBytes: number;
}

/** So many tests one process plays, or fewer where there are few. */
const batchSize = 6;
/** A batch that could not be played is tried once more, on a new cluster. */
const tries = 2;

interface Batch {
  readonly names: readonly string[];
  readonly tries: number;
}

export async function playSuite(names: readonly string[], options: PlayOptions): Promise<Played> {
  const together = names.filter((name) => !isAlone(name));
  const alone = names.filter(isAlone);
  const first = await playQueue(batchesOf(together, sizeFor(together.length, options)), options);
  // They mostly wait: two clusters for each processor.
  const second = { ...options, parallel: 1, clusters: 2 * options.clusters };
  return joined(first, await playQueue(batchesOf(alone, sizeFor(alone.length, second)), second));
}

function sizeFor(count: number, { clusters, parallel }: PlayOptions): number {
  return Math.max(1, Math.min(batchSize, Math.ceil(count / (clusters * parallel))));
}

/** Each by itself, on a new cluster. */
export function playAgain(names: readonly string[], options: PlayOptions): Promise<Played> {
  const batches = names.map((name) => [name]);
  return playQueue(batches, { ...options, parallel: 1 });
}

export function joined(...parts: readonly Played[]): Played {
  return {
    results: parts.flatMap(({ results }) => results),
    faults: parts.flatMap(({ faults }) => faults),
    peakBytes: Math.max(0, ...parts.map(({ peakBytes }) => peakBytes)),
  };
}

async function playQueue(batches: readonly (readonly string[])[], options: PlayOptions): Promise<Played> {
  const queue: Batch[] = batches.map((names) => ({ names, tries }));
  const lanes = Math.min(options.clusters, Math.ceil(batches.length / options.parallel));
  return joined(...(await Promise.all(Array.from({ length: lanes }, (_, lane) => new Lane(lane, queue, options).play()))));
}

/** One cluster at a time, a new one when it has died, and the processes that play on it. */
class Lane {
  readonly #number: number;
  readonly #queue: Batch[];
  readonly #options: PlayOptions;
  readonly #results: Result[] = [];
  readonly #faults: string[] = [];
  #peakBytes = 0;

  constructor(number: number, queue: Batch[], options: PlayOptions) {
    this.#number = number;
    this.#queue = queue;
    this.#options = options;
  }

  async play(): Promise<Played> {
    const { nodes, folder, parallel, signal } = this.#options;
    while (this.#queue.length > 0 && !signal.aborted) {
      const cluster = await OwnCluster.start({ nodes, folder, signal, seed: this.#number + 1 });
      await Promise.all(Array.from({ length: parallel }, () => this.#playOn(cluster)));
      this.#peakBytes = Math.max(this.#peakBytes, cluster.peakBytes ?? 0);
      await cluster.stop();
      if (cluster.died !== undefined) this.#fault(`a cluster died: ${cluster.died}\n${cluster.complaints}`);
      else if (cluster.complaints.trim() !== "") this.#fault(`a cluster complained:\n${cluster.complaints}`);
    }
    return { results: this.#results, faults: this.#faults, peakBytes: this.#peakBytes };
  }

  async #playOn(cluster: OwnCluster): Promise<void> {
    while (cluster.died === undefined) {
      const batch = this.#queue.shift();
      if (batch === undefined) return;
      await this.#playBatch(cluster, batch);
      this.#peakBytes = Math.max(this.#peakBytes, cluster.peakBytes ?? 0);
    }
  }

  async #playBatch(cluster: OwnCluster, batch: Batch): Promise<void> {
    const player = { ...this.#options, signal: AbortSignal.any([this.#options.signal, cluster.gone]) };
    const { results, left, failure } = await playBatch(player, cluster.kubeconfig, batch.names);
    // Broken off from outside: that says nothing of the tests.
    if (this.#options.signal.aborted) return;
    if (cluster.died !== undefined) {
      // What failed may have failed with the cluster.
      const passed = results.filter(({ state }) => state === "passed" || state === "skipped");
      this.#keep(passed);
      const names = new Set(passed.map(({ name }) => name));
      const missing = batch.names.filter((name) => !names.has(name));
      if (batch.tries > 1) this.#queue.push({ names: missing, tries: batch.tries - 1 });
      else this.#keep(missing.map((name) => failed(name, `the cluster died: ${cluster.died}`)));
      return;
    }
    this.#keep(results);
    if (failure !== undefined) {
      this.#fault(`the suite played nothing: ${failure}`);
      if (batch.tries > 1) this.#queue.push({ names: left, tries: batch.tries - 1 });
      else this.#keep(left.map((name) => failed(name, failure)));
    } else if (left.length > 0 && left.length < batch.names.length) this.#queue.push({ names: left, tries: batch.tries });
    else this.#keep(left.map((name) => failed(name, "the suite ended without a word about it")));
  }

  #keep(results: readonly Result[]): void {
    for (const result of results) {
      this.#results.push(result);
      this.#options.keep(result);
      const { name, state, seconds, reason } = result;
      const why = state === "passed" ? "" : `: ${reason.split("\n", 1)[0]?.slice(0, 200)}`;
      this.#options.tell(`  ${state === "passed" ? "ok" : state.toUpperCase()}  ${name} (${seconds.toFixed(0)} s)${why}`);
    }
  }

  #fault(text: string): void {
    this.#faults.push(text.trim());
    this.#options.tell(`  FAULT  ${text.trim()}`);
  }
}

function failed(name: string, reason: string): Result {
  return { name, state: "failed", seconds: 0, reason, log: "" };
}
