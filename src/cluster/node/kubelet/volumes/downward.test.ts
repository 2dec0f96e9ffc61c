// What a Pod's containers learn of it from files.

import { describe, expect, it } from "vitest";
import { nodes, pods } from "#cluster/api/kinds.ts";
import { logOf, shell, startedCluster } from "../kubelet.test-kit.ts";

const field = (path: string, fieldPath: string) => ({ path, fieldRef: { fieldPath } });
const volumeMounts = [{ name: "about", mountPath: "/about" }];

describe("files of the downward API", () => {
  it("[NET-293] hold labels in order, one a line in quotes; amounts rounded up, and the node's where there is no limit", () => {
    const cluster = startedCluster();
    const amount = (path: string, containerName: string, resource: string, divisor?: string) => ({
      path,
      resourceFieldRef: { containerName, resource, ...(divisor === undefined ? {} : { divisor }) },
    });
    const items = [
      field("labels", "metadata.labels"),
      amount("cpu", "c", "limits.cpu"),
      amount("millicores", "c", "limits.cpu", "1m"),
      amount("memory", "c", "limits.memory"),
      amount("mebibytes", "c", "limits.memory", "1Mi"),
      amount("asked", "c", "requests.cpu", "1m"),
      amount("all-cpu", "free", "limits.cpu"),
      amount("all-memory", "free", "limits.memory"),
      amount("nothing", "free", "requests.memory"),
    ];
    const resources = { limits: { cpu: "1250m", memory: "65000k" }, requests: { cpu: "250m" } };
    cluster.createPod(
      "p",
      {
        volumes: [{ name: "about", downwardAPI: { items } }],
        containers: [
          shell("c", 'cat /about/labels; for f in /about/*; do echo "$(basename $f) $(tail -n 1 $f)"; done; sleep 3600', {
            volumeMounts,
            resources,
          }),
          shell("free", "sleep 3600"),
        ],
      },
      { labels: { zone: "b", app: "web", "example.com/tier": "back" } },
    );
    cluster.simulation.advance(10_000);
    const { cpu, memory = "" } = cluster.client.get(nodes, { namespace: "", name: "node-1" }).status?.allocatable ?? {};
    expect(logOf(cluster, "p", "c").split("\n")).toEqual([
      'app="web"',
      'example.com/tier="back"',
      `zone="b"all-cpu ${cpu}`,
      `all-memory ${Number.parseInt(memory, 10) * 1024}`,
      "asked 250",
      "cpu 2",
      'labels zone="b"',
      "mebibytes 62",
      "memory 65000000",
      "millicores 1250",
      "nothing 0",
      "",
    ]);
  });

  it("[NET-294] follow labels and annotations; variables do not", () => {
    const cluster = startedCluster();
    cluster.createPod(
      "p",
      {
        volumes: [
          {
            name: "about",
            downwardAPI: { items: [field("labels", "metadata.labels"), field("note", "metadata.annotations['note']")] },
          },
        ],
        containers: [
          shell("c", "while sleep 1; do echo $(cat /about/labels) $(cat /about/note) $APP; done", {
            volumeMounts,
            env: [{ name: "APP", valueFrom: { fieldRef: { fieldPath: "metadata.labels['app']" } } }],
          }),
        ],
      },
      { labels: { app: "web" }, annotations: { note: "one" } },
    );
    cluster.simulation.advance(10_000);
    const metadata = { labels: { app: "db" }, annotations: { note: "two" } };
    cluster.client.patch(pods, { namespace: "default", name: "p" }, "merge", { metadata });
    cluster.simulation.advance(95_000);
    const lines = new Set(logOf(cluster, "p", "c").trim().split("\n"));
    expect([...lines]).toEqual(['app="web" one web', 'app="db" two web']);
  });
});
