// A cluster for the suite: `npm run cluster`'s program as a process of its own, watched for what it complains of.

import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../free-port.ts";
import { spawnOwn } from "./own-process.ts";

export interface ClusterOptions {
  /** Workers; the suite's tests need two that take Pods. */
  readonly nodes: number;
  readonly seed: number;
  /** For the kubeconfig. */
  readonly folder: string;
  /** Ends everything at once. */
  readonly signal: AbortSignal;
}

export class OwnCluster {
  readonly kubeconfig: string;
  /** What it wrote to stderr: mistakes of the simulator, which are faults whatever the tests say. */
  complaints = "";
  /** How it ended, in words, when nobody had asked it to. */
  died: string | undefined;
  readonly #process: ChildProcess;
  readonly #gone = new AbortController();
  readonly #ended: Promise<void>;
  #stopping = false;

  private constructor(child: ChildProcess, kubeconfig: string) {
    this.#process = child;
    this.kubeconfig = kubeconfig;
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.complaints += text;
    });
    // Told by its end.
    child.on("error", () => {});
    this.#ended = new Promise((resolve) => {
      child.on("close", (code, signal) => {
        if (!this.#stopping) this.died = signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`;
        this.#gone.abort();
        resolve();
      });
    });
  }

  /** Rejects when the program ends before it is ready. */
  static async start({ nodes, seed, folder, signal }: ClusterOptions): Promise<OwnCluster> {
    const port = await freePort();
    const kubeconfig = join(folder, `kubeconfig-${port}`);
    const args = ["--port", port, "--nodes", nodes, "--seed", seed, "--kubeconfig", kubeconfig].map(String);
    const child = spawnOwn("node", ["src/server/main.ts", ...args], { stdio: ["ignore", "pipe", "pipe"], signal });
    const cluster = new OwnCluster(child, kubeconfig);
    await new Promise<void>((resolve) => {
      child.stdout?.once("data", () => resolve());
      void cluster.#ended.then(resolve);
    });
    if (cluster.died !== undefined) throw new Error(`the cluster did not start: ${cluster.died}\n${cluster.complaints}`);
    return cluster;
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  /** For those who play on it: they would wait long for a cluster that has died. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** The most memory that it held so far, where the system tells (Linux). */
  get peakBytes(): number | undefined {
    try {
      const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${this.#process.pid}/status`, "utf8"))?.[1];
      return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
    } catch {
      return undefined;
    }
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#process.kill("SIGINT");
    const patience = setTimeout(() => this.#process.kill("SIGKILL"), 20_000);
    await this.#ended;
    clearTimeout(patience);
  }
}
