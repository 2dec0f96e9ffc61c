// The same load on upstream's API server (with etcd, as processes of their own) and on `npm run cluster`, in turn, from one client: what
// costs how much here, beside the real thing. Neither has anything else to do; ours runs a whole cluster of one node all the while.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { Agent, type AgentOptions, type RequestOptions, request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { OwnCluster } from "../oracle/conformance/own-cluster.ts";
import { findPrograms, ProgramsError } from "../oracle/control-plane/find-programs.ts";
import { RealSide } from "../oracle/control-plane/real-side.ts";
import { CannotMeasure, type Figure, medianOf } from "./figures.ts";

const connections = 16;
const objects = 5_000;
const gets = 10_000;
const lists = 5;
const watches = 50;
const changes = 500;
const configMaps = "/api/v1/namespaces/default/configmaps";
const protobuf = "application/vnd.kubernetes.protobuf";

/** A server under load. */
interface Loaded {
  readonly name: string;
  readonly port: number;
  /** How the client says who it is. */
  readonly options: RequestOptions;
  readonly pids: readonly number[];
}

export async function benchUpstream(): Promise<readonly Figure[]> {
  const figures = [...(await loadOurs()), ...(await loadTheirs())];
  // Pairs side by side.
  return figures.toSorted((a, b) => figures.findIndex(isSame(a)) - figures.findIndex(isSame(b)));
}

const isSame =
  ({ name }: Figure) =>
  (other: Figure): boolean =>
    other.name.split(", ")[0] === name.split(", ")[0];

async function loadTheirs(): Promise<readonly Figure[]> {
  const side = await RealSide.start({ programs: programs(), withoutLoops: true });
  try {
    const { port, authorization } = side.access;
    const options = { headers: { authorization } };
    return await load({ name: "upstream", port, options, pids: [...side.pids.values()] });
  } finally {
    await side.stop();
  }
}

function programs(): string {
  try {
    return findPrograms();
  } catch (error) {
    if (error instanceof ProgramsError) throw new CannotMeasure(error.message);
    throw error;
  }
}

async function loadOurs(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "pilothouse-bench-"));
  const cluster = await OwnCluster.start({ nodes: 1, seed: 1, folder, signal: new AbortController().signal });
  try {
    const { clusters, users } = parse(readFileSync(cluster.kubeconfig, "utf8"));
    const pem = (name: string): Buffer => Buffer.from(users[0].user[name], "base64");
    const options = { cert: pem("client-certificate-data"), key: pem("client-key-data") };
    const port = Number(new URL(clusters[0].cluster.server).port);
    return await load({ name: "ours", port, options, pids: [cluster.pid] });
  } finally {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function load(loaded: Loaded): Promise<readonly Figure[]> {
  const client = new Client(loaded);
  const figure = (name: string, value: number, unit: string): Figure => ({ name: `${name}, ${loaded.name}`, value, unit });
  const path = (index: number): string => `${configMaps}/load-${index % objects}`;
  await client.many(200, () => client.ask("GET", "/api/v1/namespaces/default"));
  const creates = await client.many(objects, (index) => client.ask("POST", configMaps, { body: configMap(index) }));
  const reads = await client.many(gets, (index) => client.ask("GET", path(index)));
  const json = await client.lists("application/json");
  const proto = await client.lists(protobuf);
  const events = await client.watched(path);
  const memory = loaded.pids.reduce((sum, pid) => sum + residentBytes(pid), 0);
  client.end();
  return [
    figure("creates", creates, "per s"),
    figure("gets", reads, "per s"),
    figure(`list of ${objects}`, json.ms, "ms"),
    figure(`list of ${objects}: size`, json.bytes / 1e6, "MB"),
    figure(`list of ${objects} in protobuf`, proto.ms, "ms"),
    figure(`list of ${objects} in protobuf: size`, proto.bytes / 1e6, "MB"),
    figure(`events to ${watches} watches`, events, "per s"),
    figure("memory after it", memory / 2 ** 20, "MiB"),
  ];
}

function configMap(index: number): string {
  const metadata = { name: `load-${index}`, labels: { app: "load", part: String(index % 10) } };
  return JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata, data: { key: "v".repeat(200) } });
}

function residentBytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? Number.NaN) * 1024;
}

interface Asked {
  readonly body?: string;
  readonly accept?: string;
  readonly contentType?: string;
}

class Client {
  readonly #options: RequestOptions;
  readonly #agent: Agent;

  constructor({ port, options }: Loaded) {
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections, rejectUnauthorized: false, ...credentials(options) });
    this.#options = { host: "127.0.0.1", port, ...options };
  }

  /** The bytes of the answer. Rejects for all but success. */
  ask(
    method: string,
    path: string,
    { body, accept = "application/json", contentType = "application/json" }: Asked = {},
  ): Promise<number> {
    const headers = { ...this.#options.headers, accept, ...(body === undefined ? {} : { "content-type": contentType }) };
    return new Promise((resolve, reject) => {
      const outgoing = request({ ...this.#options, agent: this.#agent, method, path, headers }, (answer) => {
        let bytes = 0;
        answer.on("data", (piece: Buffer) => {
          bytes += piece.length;
        });
        answer.on("end", () => {
          if ((answer.statusCode ?? 0) < 300) resolve(bytes);
          else reject(new Error(`${method} ${path}: ${answer.statusCode}`));
        });
      });
      outgoing.on("error", reject);
      outgoing.end(body);
    });
  }

  /** So many on all connections; how many a second. */
  async many(count: number, one: (index: number) => Promise<unknown>): Promise<number> {
    let next = 0;
    const started = performance.now();
    const connection = async (): Promise<void> => {
      while (next < count) await one(next++);
    };
    await Promise.all(Array.from({ length: connections }, connection));
    return count / ((performance.now() - started) / 1000);
  }

  async lists(accept: string): Promise<{ readonly ms: number; readonly bytes: number }> {
    const times: number[] = [];
    let bytes = 0;
    for (let index = 0; index < lists; index += 1) {
      const started = performance.now();
      bytes = await this.ask("GET", configMaps, { accept });
      times.push(performance.now() - started);
    }
    return { ms: medianOf(times), bytes };
  }

  /** Events a second that all watches together were told of changes, until each had each. */
  async watched(path: (index: number) => string): Promise<number> {
    const agent = new Agent({ rejectUnauthorized: false, ...credentials(this.#options) });
    const from = `${configMaps}?watch=true&resourceVersion=${await this.#resourceVersion()}`;
    let left = watches * changes;
    let told: () => void = () => {};
    const all = new Promise<void>((resolve) => {
      told = resolve;
    });
    const open = Array.from({ length: watches }, () => {
      const outgoing = request({ ...this.#options, agent, path: from, method: "GET" });
      const answered = new Promise<void>((resolve, reject) => {
        outgoing.on("error", reject);
        outgoing.on("response", (answer) => {
          answer.on("error", () => {});
          answer.on("data", (piece: Buffer) => {
            for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) left -= 1;
            if (left <= 0) told();
          });
          resolve();
        });
      });
      outgoing.end();
      return { outgoing, answered };
    });
    await Promise.all(open.map(({ answered }) => answered));
    const started = performance.now();
    const contentType = "application/merge-patch+json";
    await this.many(changes, (index) =>
      this.ask("PATCH", path(index), { body: JSON.stringify({ data: { changed: String(index) } }), contentType }),
    );
    await all;
    const seconds = (performance.now() - started) / 1000;
    for (const { outgoing } of open) outgoing.destroy();
    agent.destroy();
    return (watches * changes) / seconds;
  }

  async #resourceVersion(): Promise<string> {
    return new Promise((resolve, reject) => {
      const asked = request({ ...this.#options, agent: this.#agent, path: `${configMaps}?limit=1` }, (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (piece: string) => {
          text += piece;
        });
        answer.on("end", () => resolve(JSON.parse(text).metadata.resourceVersion));
      });
      asked.on("error", reject);
      asked.end();
    });
  }

  end(): void {
    this.#agent.destroy();
  }
}

function credentials({ cert, key }: RequestOptions): AgentOptions {
  return cert === undefined || key === undefined ? {} : { cert, key };
}
