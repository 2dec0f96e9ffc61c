// One process of the suite's binary: a few tests one after the other against one cluster.

import type { ChildProcess } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { spawnOwn } from "./own-process.ts";
import { focusOn, type Result, readSuiteReport } from "./suite-report.ts";

export interface Player {
  readonly suite: string;
  readonly kubectl: string;
  /** For reports and what the tests write. */
  readonly folder: string;
  /** After this time a test is broken off. */
  readonly testLimitMs: number;
  /** Ends everything at once. */
  readonly signal: AbortSignal;
}

export interface BatchOutcome {
  readonly results: readonly Result[];
  /** Tests that were not come to, since one before them was broken off. */
  readonly left: readonly string[];
  /** Why the process played nothing; undefined when it did. */
  readonly failure: string | undefined;
}

/** A test that was broken off cleans up after itself; a process that does not end then is killed. */
const cleanupLimitMs = 180_000;
/** Before the first test the suite waits for nodes and system Pods. */
const setupLimitMs = 900_000;

let started = 0;

export async function playBatch(player: Player, kubeconfig: string, names: readonly string[]): Promise<BatchOutcome> {
  started += 1;
  const folder = join(player.folder, `batch-${started}`);
  mkdirSync(folder, { recursive: true });
  const report = join(folder, "report.json");
  const child = spawnOwn(player.suite, suiteArguments(player, kubeconfig, report, names), {
    cwd: folder,
    env: { ...process.env, HOME: folder, KUBECONFIG: kubeconfig },
    stdio: ["ignore", "pipe", "pipe"],
    signal: player.signal,
  });
  const watched = new Watch(child, names, player.testLimitMs);
  await new Promise<void>((resolve) => {
    child.on("error", () => resolve());
    child.on("close", () => resolve());
  });
  watched.end();
  try {
    return outcomeOf(names, readFileSync(report, "utf8"), watched);
  } catch {
    return brokenOff(names, watched);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function suiteArguments(player: Player, kubeconfig: string, report: string, names: readonly string[]): string[] {
  return [
    `--kubeconfig=${kubeconfig}`,
    `--kubectl-path=${player.kubectl}`,
    "--provider=skeleton",
    // On a failure it would ask each node for minutes of metrics.
    "--dump-logs-on-failure=false",
    "--disable-log-dump=true",
    `--ginkgo.focus=${focusOn(names)}`,
    `--ginkgo.json-report=${report}`,
    "--ginkgo.v",
    "--ginkgo.no-color",
    "--ginkgo.silence-skips",
    "--ginkgo.seed=1",
    "--ginkgo.timeout=24h",
  ];
}

function outcomeOf(names: readonly string[], text: string, watched: Watch): BatchOutcome {
  const { results, setupFailure } = readSuiteReport(text);
  if (setupFailure !== undefined && results.length === 0) return { results: [], left: names, failure: setupFailure };
  const played = new Set(results.map(({ name }) => name));
  const left = names.filter((name) => !played.has(name));
  return { results: results.map((result) => watched.explain(result)), left, failure: undefined };
}

/** Of a process that left no report, the test at which it ended has failed. */
function brokenOff(names: readonly string[], watched: Watch): BatchOutcome {
  const { current, tail } = watched;
  if (current === undefined) return { results: [], left: names, failure: tail.trim() };
  const reason = watched.limitPassed ? "no end within the limit, nor after it was broken off" : "the suite's process ended in it";
  const result: Result = { name: current, state: "interrupted", seconds: 0, reason, log: tail };
  // What passed before it was told to nobody: it is played once more.
  return { results: [result], left: names.filter((name) => name !== current), failure: undefined };
}

const tailLength = 100_000;

/** Follows what the process prints: which test is played, and for how long. */
class Watch {
  current: string | undefined;
  limitPassed = false;
  tail = "";
  readonly #child: ChildProcess;
  readonly #names: readonly string[];
  readonly #limitMs: number;
  #line = "";
  #timer: NodeJS.Timeout;

  constructor(child: ChildProcess, names: readonly string[], limitMs: number) {
    this.#child = child;
    this.#names = names;
    this.#limitMs = limitMs;
    this.#timer = setTimeout(() => this.#breakOff(), setupLimitMs);
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", (text: string) => this.#read(text));
  }

  /** A result that the limit brought about says so. */
  explain(result: Result): Result {
    if (result.state !== "interrupted") return result;
    return { ...result, reason: `broken off after ${Math.round(this.#limitMs / 1000)} s\n${result.reason}` };
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #read(text: string): void {
    this.tail = (this.tail + text).slice(-tailLength);
    const lines = (this.#line + text).split("\n");
    this.#line = lines.pop() ?? "";
    for (const line of lines) {
      if (!line.startsWith("[sig-")) continue;
      const begun = this.#names.find((name) => line.startsWith(name));
      if (begun !== undefined && begun !== this.current) this.#begin(begun);
    }
  }

  #begin(name: string): void {
    this.current = name;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#breakOff(), this.#limitMs);
  }

  #breakOff(): void {
    this.limitPassed = true;
    this.#child.kill("SIGINT");
    this.#timer = setTimeout(() => this.#child.kill("SIGKILL"), cleanupLimitMs);
  }
}
