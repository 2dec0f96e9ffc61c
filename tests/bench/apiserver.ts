// What the API server costs per request, in process, and what a pod weighs in memory.

import { pods } from "#cluster/api/kinds.ts";
import { ApiServer } from "#cluster/apiserver/server.ts";
import type { Client } from "#cluster/client/client.ts";
import { Simulation } from "#sim/simulation.ts";
import { provideTools } from "#world/tools.ts";
import { cpuMs, type Figure, median } from "./figures.ts";

provideTools();

const podCount = 5000;
const watcherCount = 1000;

/** A pod as a ReplicaSet makes it. */
function podDraft(index: number): Parameters<typeof create>[1] {
  return {
    metadata: {
      name: `web-6d4cf56db6-${index.toString(36).padStart(5, "0")}`,
      namespace: "default",
      labels: { app: "web", "pod-template-hash": "6d4cf56db6" },
      ownerReferences: [
        {
          apiVersion: "apps/v1",
          kind: "ReplicaSet",
          name: "web-6d4cf56db6",
          uid: "6b0c5e8f",
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: {
      containers: [
        {
          name: "web",
          image: "nginx:1.27",
          ports: [{ containerPort: 80 }],
          resources: { requests: { cpu: "100m", memory: "64Mi" }, limits: { memory: "128Mi" } },
          readinessProbe: { httpGet: { path: "/", port: 80 } },
        },
      ],
    },
  };
}

function create(client: Client, draft: Parameters<typeof client.create<NonNullable<typeof pods.objectType>>>[1]) {
  return client.create(pods, draft);
}

const batch = 100;

/** The median of batches: a collection of garbage falls into few of them, and the bars are of medians. */
function microsecondsEach(count: number, run: (index: number) => void): number {
  let index = 0;
  const batchMs = median(Math.ceil(count / batch), () =>
    cpuMs(() => {
      for (const end = Math.min(count, index + batch); index < end; index += 1) run(index);
    }),
  );
  return (batchMs * 1000) / Math.min(count, batch);
}

function freshClient(): { readonly simulation: Simulation; readonly client: Client } {
  const simulation = new Simulation({ startMs: 1_767_225_600_000, seed: 1 });
  const server = new ApiServer({ simulation, disableAdmissionPlugins: ["ServiceAccount"] });
  server.start();
  return { simulation, client: server.clientFor({ name: "bench", groups: ["system:masters"] }, "bench/1.0") };
}

export function benchApiServer(): readonly Figure[] {
  const warm = freshClient();
  for (let index = 0; index < 2000; index += 1) create(warm.client, podDraft(index));

  const { simulation, client } = freshClient();
  const collect = (globalThis as { gc?: () => void }).gc;
  collect?.();
  const heapBefore = process.memoryUsage().heapUsed;
  const createTime = microsecondsEach(podCount, (index) => create(client, podDraft(index)));
  collect?.();
  const heapPerPod = (process.memoryUsage().heapUsed - heapBefore) / podCount / 1024;
  const listed = client.list(pods).items;
  const getTime = microsecondsEach(podCount, (index) => {
    const pod = listed[index] as (typeof listed)[number];
    client.get(pods, { namespace: "default", name: pod.metadata.name });
  });
  const updateTime = microsecondsEach(podCount, (index) => {
    const pod = listed[index] as (typeof listed)[number];
    const status = { ...pod.status, phase: "Running", podIP: `10.244.${index >> 8}.${index & 255}` };
    client.updateStatus(pods, { ...pod, status });
  });
  const listTime = microsecondsEach(200, () => client.list(pods));
  simulation.run({ untilMs: simulation.nowMs });

  let delivered = 0;
  for (let index = 0; index < watcherCount; index += 1) {
    client.watch(
      pods,
      { namespace: "default", resourceVersion: client.list(pods, { limit: 1 }).metadata.resourceVersion ?? "" },
      {
        onEvent: () => {
          delivered += 1;
        },
        onClose: () => {},
      },
    );
  }
  simulation.run({ untilMs: simulation.nowMs });
  for (let index = 0; index < 100; index += 1) create(client, podDraft(podCount + index));
  const fanOut = microsecondsEach(1, () => simulation.run({ untilMs: simulation.nowMs })) / Math.max(1, delivered);
  return [
    { name: "create a pod", value: createTime, unit: "µs CPU", bar: 30 },
    { name: "get a pod", value: getTime, unit: "µs CPU", bar: 30 },
    { name: "update a pod's status", value: updateTime, unit: "µs CPU", bar: 30 },
    { name: `list ${podCount} pods`, value: listTime / 1000, unit: "ms CPU", bar: 5 },
    { name: "tell one watcher of one write", value: fanOut, unit: "µs CPU", bar: 2 },
    { name: "heap per pod (history included)", value: heapPerPod, unit: "KiB", bar: 12 },
  ];
}
