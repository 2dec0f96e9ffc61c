// What the components of a fresh cluster log, and what they say of what happens to them.

import { beforeAll, describe, expect, it } from "vitest";
import { usualAddons } from "./cluster-shape.ts";
import { sitDown, type TypingLearner } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

function sitting(nodes = 1): TypingLearner & { readonly world: World } {
  const world = new World({ startMs: 1_768_467_600_000, seed: 1, nodes, files: {}, addons: usualAddons });
  world.boot();
  return { world, ...sitDown(world, { columns: 2000, rows: 80 }) };
}

let fresh: ReturnType<typeof sitting>;

beforeAll(() => {
  fresh = sitting();
});

/** The lines of a Pod of kube-system, named by the beginning of its name. */
function linesOf(learner: TypingLearner, pod: string, more = ""): readonly string[] {
  const name = `$(kubectl get pods -A -o name | grep pod/${pod} | head -1)`;
  const namespace = pod.startsWith("local") ? "local-path-storage" : "kube-system";
  return learner.run(`kubectl logs -n ${namespace} ${name} ${more}`).trimEnd().split("\n");
}

interface ZapLine {
  readonly level: string;
  readonly ts: string;
  readonly caller: string;
  readonly msg: string;
  readonly [field: string]: unknown;
}

function zapLines(lines: readonly string[]): readonly ZapLine[] {
  return lines.map((line) => JSON.parse(line) as ZapLine);
}

it.each([
  "coredns",
  "etcd",
  "kube-apiserver",
  "kube-controller-manager",
  "kube-proxy",
  "kube-scheduler",
  "local-path",
  "metrics-server",
])("the log of %s says something after a cluster's start", (pod) => {
  expect(linesOf(fresh, pod).join("").length).toBeGreaterThan(100);
});

describe("etcd's log", () => {
  it("tells of its start until clients are served, each line as JSON with the world's time", () => {
    const lines = zapLines(linesOf(fresh, "etcd"));
    const begin = lines.filter(({ ts }) => ts === lines[0]?.ts);
    expect(begin[0]?.ts).toMatch(/^2026-01-15T08:5\d:\d\d\.\d{6}Z$/u);
    expect(begin.map(({ level, caller, msg }) => `${level} ${caller} ${msg}`)).toEqual([
      "warn embed/config.go:1209 Running http and grpc server on single port. This is not recommended for production.",
      "info etcdmain/etcd.go:64 Running: ",
      "info etcdmain/etcd.go:124 Initialize and start etcd server",
      "warn embed/config.go:1209 Running http and grpc server on single port. This is not recommended for production.",
      "info embed/etcd.go:138 configuring peer listeners",
      "info embed/etcd.go:544 starting with peer TLS",
      "info embed/etcd.go:146 configuring client listeners",
      "info embed/etcd.go:323 starting an etcd server",
      "info etcdserver/bootstrap.go:499 starting local member",
      "info etcdserver/server.go:598 starting etcd server",
      "info membership/cluster.go:424 added member",
      "info embed/etcd.go:292 now serving peer/client/metrics",
      "info embed/etcd.go:640 serving peer traffic",
      "info embed/etcd.go:890 serving metrics",
      expect.stringMatching(/^info v3@v3\.6\.0\/raft\.go:970 [0-9a-f]+ became leader at term 2$/u),
      expect.stringMatching(/^info v3@v3\.6\.0\/node\.go:370 raft\.node: ([0-9a-f]+) elected leader \1 at term 2$/u),
      "info etcdserver/server.go:1820 published local member to cluster through raft",
      "info membership/cluster.go:682 set initial cluster version",
      "info embed/serve.go:138 ready to serve client requests",
      "info embed/serve.go:138 ready to serve client requests",
      "info embed/serve.go:283 serving client traffic securely",
      "info embed/serve.go:283 serving client traffic securely",
    ]);
    expect(begin.at(-2)).toMatchObject({ traffic: "grpc+http", address: "127.0.0.1:2379" });
    const id = (begin[14] as ZapLine).msg.split(" ")[0];
    const etcdctl = "etcdctl --cacert /etc/kubernetes/pki/etcd/ca.crt --cert /etc/kubernetes/pki/etcd/server.crt";
    expect(fresh.run(`ssh control-plane '${etcdctl} --key /etc/kubernetes/pki/etcd/server.key member list'`)).toContain(
      `${id}, started`,
    );
  });

  it("tells every five minutes of a compaction", () => {
    const { world, ...learner } = sitting(0);
    world.simulation.advance(11 * 60_000);
    const lines = zapLines(linesOf(learner, "etcd")).filter(({ caller }) => caller.startsWith("mvcc/"));
    expect(lines.map(({ msg }) => msg)).toEqual([0, 1].flatMap(() => ["compact tree index", "finished scheduled compaction"]));
    expect(Date.parse(lines[2]?.ts ?? "") - Date.parse(lines[0]?.ts ?? "")).toBeCloseTo(300_000, -4);
    expect(lines[1]?.["compact-revision"]).toBe(lines[0]?.["revision"]);
  });

  it("tells of its end, and that it has data when it starts again", () => {
    const { world, ...learner } = sitting(0);
    learner.run("ssh control-plane 'crictl stop --timeout 10 $(crictl ps -q --name etcd)'");
    world.simulation.advance(60_000);
    const messages = (more: string) => zapLines(linesOf(learner, "etcd", more)).map(({ msg }) => msg);
    expect(messages("--previous --tail=6")).toEqual([
      "received signal; shutting down",
      "closing etcd server",
      "skipped leadership transfer for single voting member cluster",
      "stopping serving peer traffic",
      "stopped serving peer traffic",
      "closed etcd server",
    ]);
    expect(messages("")).toEqual(expect.arrayContaining(["server has already been initialized", "restarting local member"]));
  });
});
