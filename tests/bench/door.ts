// What the port takes: small requests over HTTP on kept-alive connections, the server on this thread, the clients in a
// worker of their own.

import type { AddressInfo } from "node:net";
import { Worker } from "node:worker_threads";
import { clusterRoleBindings } from "#cluster/api/kinds.ts";
import { ApiServer } from "#cluster/apiserver/server.ts";
import { Simulation } from "#sim/simulation.ts";
import { provideTools } from "#world/tools.ts";
import { makeCertificates } from "../../src/server/certificates.ts";
import { openDoor } from "../../src/server/door.ts";
import type { Figure } from "./figures.ts";

provideTools();

const connections = 16;
const requests = 30_000;

interface Measured {
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export async function benchDoor(): Promise<readonly Figure[]> {
  return [...(await measure("http", undefined)), ...(await measure("https", makeCertificates(["127.0.0.1"], Date.now())))];
}

async function measure(scheme: string, certificates: ReturnType<typeof makeCertificates> | undefined): Promise<readonly Figure[]> {
  const simulation = new Simulation({ startMs: Date.now(), seed: 1 });
  const server = new ApiServer({ simulation, disableAdmissionPlugins: ["ServiceAccount"] });
  server.start();
  // As kubeadm does: its administrators are no members of system:masters.
  const master = server.clientFor({ name: "kubeadm", groups: ["system:masters"] }, "kubeadm");
  master.create(clusterRoleBindings, {
    metadata: { name: "kubeadm:cluster-admins" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
    subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "Group", name: "kubeadm:cluster-admins" }],
  });
  const administrator = {
    commonName: "kubernetes-admin",
    organizations: ["system:masters"],
    alternativeNames: [],
    issuer: "kubernetes",
    notBeforeMs: 0,
    notAfterMs: Number.MAX_SAFE_INTEGER,
  };
  const door = openDoor({
    handler: server.handler,
    enter: (action) => action(),
    ...(certificates === undefined ? { administrator } : { certificates }),
  });
  await new Promise<void>((resolve) => door.server.listen(0, "127.0.0.1", resolve));
  const { port } = door.server.address() as AddressInfo;
  const client = certificates?.administrator;
  const run = (count: number): Promise<Measured & { readonly cpuMs: number }> =>
    new Promise((resolve, reject) => {
      const worker = new Worker(clientSource, {
        eval: true,
        workerData: { scheme, port, connections, requests: count, cert: client?.certificatePem, key: client?.keyPem },
      });
      let before = process.threadCpuUsage();
      worker.once("message", () => {
        before = process.threadCpuUsage();
        worker.postMessage("go");
        worker.once("message", (measured: Measured) => {
          const used = process.threadCpuUsage(before);
          resolve({ ...measured, cpuMs: (used.user + used.system) / 1000 });
          void worker.terminate();
        });
      });
      worker.once("error", reject);
    });
  await run(requests / 5);
  const { seconds, p50Ms, p99Ms, cpuMs } = await run(requests);
  await new Promise<void>((resolve) => door.close(resolve));
  return [
    { name: `${scheme}: requests`, value: requests / seconds, unit: "per s" },
    { name: `${scheme}: requests a second of the server's processor`, value: requests / (cpuMs / 1000), unit: "per s" },
    { name: `${scheme}: server's processor time a request`, value: (cpuMs * 1000) / requests, unit: "µs CPU", bar: 333 },
    { name: `${scheme}: p50`, value: p50Ms, unit: "ms" },
    { name: `${scheme}: p99`, value: p99Ms, unit: "ms" },
  ];
}

/** Reads of a namespace and writes of a ConfigMap in turn; says it is ready, waits for the word, says what it measured. */
const clientSource = `
const { parentPort, workerData } = require("node:worker_threads");
const { scheme, port, connections, requests, cert, key } = workerData;
const transport = require("node:" + scheme);
const agent = new transport.Agent({ keepAlive: true, maxSockets: connections, cert, key, rejectUnauthorized: false });
const latencies = [];
let sent = 0;
function one(done) {
  const index = sent++;
  const write = index % 4 === 3;
  const name = "bench-" + index + "-" + process.hrtime.bigint();
  const path = write ? "/api/v1/namespaces/default/configmaps" : "/api/v1/namespaces/default";
  const body = write ? JSON.stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { a: "b" } }) : undefined;
  const started = performance.now();
  const headers = write ? { "content-type": "application/json", "content-length": Buffer.byteLength(body) } : {};
  const request = transport.request({ host: "127.0.0.1", port, path, method: write ? "POST" : "GET", agent, headers }, (reply) => {
    if (reply.statusCode >= 300) throw new Error("status " + reply.statusCode);
    reply.on("data", () => {});
    reply.on("end", () => { latencies.push(performance.now() - started); done(); });
  });
  request.end(body);
}
function loop(resolve, limit) {
  if (sent >= limit) resolve(); else one(() => loop(resolve, limit));
}
const all = (limit) => Promise.all(Array.from({ length: connections }, () => new Promise((resolve) => loop(resolve, limit))));
(async () => {
  await all(connections);
  parentPort.once("message", async () => {
    sent = 0;
    latencies.length = 0;
    const started = performance.now();
    await all(requests);
    const seconds = (performance.now() - started) / 1000;
    latencies.sort((a, b) => a - b);
    const at = (part) => latencies[Math.floor(latencies.length * part)];
    parentPort.postMessage({ seconds, p50Ms: at(0.5), p99Ms: at(0.99) });
  });
  parentPort.postMessage("ready");
})();
`;
