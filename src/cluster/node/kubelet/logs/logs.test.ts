// Container logs as files of the node.

import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { pods } from "#cluster/api/kinds.ts";
import { configOf, type Image } from "#cluster/images/image.ts";
import { publicImages } from "#cluster/images/public-images.ts";
import { decodeUtf8, encodeUtf8 } from "#sim/bytes.ts";
import type { Program } from "#sim/program.ts";
import { NodeGateway } from "../../gateway.ts";
import type { SmallCluster } from "../../small-cluster.test-kit.ts";
import { instancesOf, logOf, shell, startedCluster } from "../kubelet.test-kit.ts";
import { GzipWriter } from "./gzip.ts";

function filesBelow(cluster: SmallCluster, directory: string): readonly string[] {
  const { files } = cluster.node.machine;
  return files.readdir(directory).flatMap((name) => {
    const path = `${directory}/${name}`;
    return files.lstat(path).type === "directory" ? filesBelow(cluster, path) : [path];
  });
}

function kubectlLogs(cluster: SmallCluster, pod: string, container: string, more: object = {}): string {
  const gateway = new NodeGateway();
  gateway.add(cluster.node.kubelet);
  let text = "";
  const options = { container, follow: false, previous: false, timestamps: false, tailLines: undefined, sinceMs: undefined };
  const sink = {
    onData: (bytes: Uint8Array) => {
      text += decodeUtf8(bytes);
    },
    onEnd: () => {},
  };
  gateway.logs("node-1", { namespace: "default", name: pod }, { ...options, limitBytes: undefined, ...more }, sink);
  return text;
}

/** A pod that reads its node's logs, as agents of DaemonSets do. */
function agent(cluster: SmallCluster, script: string): void {
  const mount = { volumeMounts: [{ name: "log", mountPath: "/var/log" }] };
  cluster.createPod("agent", {
    containers: [shell("agent", script, mount)],
    volumes: [{ name: "log", hostPath: { path: "/var/log" } }],
  });
  cluster.untilReady("agent");
}

/** A program that says things which are put together late; how often they were is counted. */
function lateTeller(count: { made: number }): Program {
  const words = (text: string) => () => {
    count.made += 1;
    return text;
  };
  return function* (self) {
    self.writeLater(1, words("one\ntwo\n"));
    yield* self.sleep(5_000);
    self.writeLater(2, words("three\n"));
    yield* self.sleep(10_000);
    yield* self.write(1, "four\n");
    yield* self.sleep(3_600_000);
    return 0;
  };
}

describe("log files", () => {
  it("[POD-614] are below /var/log/pods, with a link to each in /var/log/containers", () => {
    const cluster = startedCluster();
    cluster.createPod("p", { containers: [shell("c", "echo out; echo err >&2; sleep 3600")] });
    cluster.untilReady("p");
    const { uid } = cluster.pod("p").metadata;
    const [container] = instancesOf(cluster, "p", "c");
    const path = `/var/log/pods/default_p_${uid}/c/0.log`;
    expect(filesBelow(cluster, "/var/log")).toEqual([`/var/log/containers/p_default_c-${container?.id}.log`, path]);
    const { files } = cluster.node.machine;
    expect(files.readlink(`/var/log/containers/p_default_c-${container?.id}.log`)).toBe(path);
    expect(files.lstat(path)).toMatchObject({ type: "file", permissions: 0o640, uid: 0, gid: 0 });
    expect(files.readText(path)).toMatch(/^\S+ stdout F out\n\S+ stderr F err\n$/u);
  });

  it("[POD-615] have a line for each line, in pieces of 16 KiB marked P", () => {
    const cluster = startedCluster();
    const script = "head -c 16384 /dev/zero | tr '\\0' a; echo; head -c 40000 /dev/zero | tr '\\0' b; echo; printf end; exit 0";
    cluster.createPod("p", { containers: [shell("c", script)], restartPolicy: "Never" });
    cluster.simulation.runUntil(() => cluster.pod("p").status?.phase === "Succeeded", { limitMs: 30_000 });
    const { files } = cluster.node.machine;
    const path = `/var/log/pods/default_p_${cluster.pod("p").metadata.uid}/c/0.log`;
    const lines = files.readText(path).split("\n").slice(0, -1);
    expect(lines.map((line) => [line.slice(31, 39), line.length - 40])).toEqual([
      ["stdout F", 16_384],
      ["stdout P", 16_384],
      ["stdout P", 16_384],
      ["stdout F", 7_232],
      ["stdout P", 3],
    ]);
    const times = lines.map((line) => line.slice(0, 30));
    for (const time of times) expect(time).toMatch(/^2026-01-01T00:00:\d\d\.\d{9}Z$/u);
    expect(times).toEqual([...times].sort());
    expect(kubectlLogs(cluster, "p", "c")).toBe(`${"a".repeat(16_384)}\n${"b".repeat(40_000)}\nend`);
  });

  it("[POD-616] kubectl logs strips time and stream, and keeps the time of the file when asked", () => {
    const cluster = startedCluster();
    cluster.createPod("p", { containers: [shell("c", "echo one; sleep 0.002; echo two >&2; sleep 3600")] });
    cluster.untilReady("p");
    const path = `/var/log/pods/default_p_${cluster.pod("p").metadata.uid}/c/0.log`;
    const file = cluster.node.machine.files.readText(path);
    expect(kubectlLogs(cluster, "p", "c")).toBe("one\ntwo\n");
    expect(kubectlLogs(cluster, "p", "c", { timestamps: true })).toBe(file.replace(/ std(?:out|err) F /gu, " "));
  });

  it("[POD-617] the counter example writes a line each second", () => {
    const cluster = startedCluster();
    const script = 'i=0; while true; do echo "$i: $(date)"; i=$((i+1)); sleep 1; done';
    cluster.createPod("counter", { containers: [shell("count", script)] });
    cluster.untilReady("counter");
    cluster.simulation.advance(2_000);
    const lines = kubectlLogs(cluster, "counter", "count").split("\n");
    expect(lines.slice(0, 2).join("\n")).toMatch(/^0: Thu Jan {2}1 00:00:0(\d) UTC 2026\n1: Thu Jan {2}1 00:00:0\d UTC 2026$/u);
    const seconds = lines.slice(0, 3).map((line) => Number(/:(\d\d) UTC/u.exec(line)?.[1]));
    expect(seconds.map((second) => second - (seconds[0] as number))).toEqual([0, 1, 2]);
  });

  it("[POD-623] [POD-629] a restart begins a new file; of the earlier ones the newest is kept", () => {
    const cluster = startedCluster();
    cluster.createPod("p", { containers: [shell("c", "echo run; exit 1")] });
    cluster.simulation.runUntil(() => (instancesOf(cluster, "p", "c")[0]?.config.attempt ?? 0) === 2, { limitMs: 120_000 });
    cluster.simulation.advance(2_000);
    const directory = `/var/log/pods/default_p_${cluster.pod("p").metadata.uid}/c`;
    expect(cluster.node.machine.files.readdir(directory)).toEqual(["1.log", "2.log"]);
    const ids = instancesOf(cluster, "p", "c").map(({ id }) => `p_default_c-${id}.log`);
    expect(cluster.node.machine.files.readdir("/var/log/containers")).toEqual([...ids].sort());
    expect(kubectlLogs(cluster, "p", "c")).toBe("run\n");
    expect(kubectlLogs(cluster, "p", "c", { previous: true })).toBe("run\n");
  });

  it("[POD-585] [POD-629] go with the Pod, dangling links too", () => {
    const cluster = startedCluster();
    cluster.createPod("p", { containers: [shell("c", "echo x; sleep 3600"), shell("d", "echo y; sleep 3600")] });
    cluster.untilReady("p");
    const before = cluster.node.machine.disk.usedBytes;
    const [removed] = instancesOf(cluster, "p", "d");
    cluster.node.runtime.removeContainer(removed?.id ?? "");
    cluster.client.delete(pods, { namespace: "default", name: "p" }, { gracePeriodSeconds: 1 });
    cluster.simulation.advance(5_000);
    expect(cluster.hasPod("p")).toBe(false);
    expect(filesBelow(cluster, "/var/log")).toEqual([]);
    expect(cluster.node.machine.files.readdir("/var/log/pods")).toEqual([]);
    expect(cluster.node.machine.disk.usedBytes).toBeLessThan(before);
  });

  it("a directory removed by hand is made again with the next container", () => {
    const cluster = startedCluster();
    cluster.node.machine.files.removeAll("/var/log/pods");
    cluster.createPod("p", { containers: [shell("c", "echo x; sleep 3600")] });
    cluster.untilReady("p");
    expect(filesBelow(cluster, "/var/log/pods").length).toBe(1);
    expect(kubectlLogs(cluster, "p", "c")).toBe("x\n");
  });

  it("[POD-636] an agent with hostPath /var/log reads the logs of all containers of its node", () => {
    const cluster = startedCluster();
    cluster.createPod("app", { containers: [shell("c", "while true; do echo tick; sleep 1; done")] });
    cluster.untilReady("app");
    agent(cluster, "tail -n 0 -F /var/log/containers/app_default_c-*.log");
    cluster.simulation.advance(3_500);
    expect(logOf(cluster, "agent", "agent")).toMatch(/^(?:\S+ stdout F tick\n){2,4}$/u);
  });
});

describe("logs by ways of sidecars", () => {
  const volumes = [{ name: "varlog", emptyDir: {} }];
  const volumeMounts = [{ name: "varlog", mountPath: "/var/log" }];
  const writer =
    'i=0; while true; do echo "$i: one" >> /var/log/1.log; echo "$i: two" >> /var/log/2.log; i=$((i+1)); sleep 1; done';

  it("[POD-637] [POD-638] streaming sidecars give two streams, each kept twice", () => {
    const cluster = startedCluster();
    const streams = ["1", "2"].map((number) =>
      shell(`count-log-${number}`, `tail -n+1 -F /var/log/${number}.log`, { volumeMounts }),
    );
    cluster.createPod("counter", { volumes, containers: [shell("count", writer, { volumeMounts }), ...streams] });
    cluster.untilReady("counter");
    cluster.simulation.advance(5_000);
    expect(kubectlLogs(cluster, "counter", "count")).toBe("");
    expect(kubectlLogs(cluster, "counter", "count-log-1")).toMatch(/^(?:tail: .*\n)*0: one\n1: one\n/u);
    expect(kubectlLogs(cluster, "counter", "count-log-2")).toMatch(/^(?:tail: .*\n)*0: two\n1: two\n/u);
    const { uid } = cluster.pod("counter").metadata;
    const { files } = cluster.node.machine;
    expect(files.readText(`/var/lib/kubelet/pods/${uid}/volumes/kubernetes.io~empty-dir/varlog/1.log`)).toContain(
      "0: one\n1: one\n",
    );
    expect(files.readText(`/var/log/pods/default_counter_${uid}/count-log-1/0.log`)).toMatch(/ stdout F 0: one\n/u);
  });

  it("[POD-639] what an app writes to its own file is in no log of the node", () => {
    const cluster = startedCluster();
    cluster.createPod("counter", { volumes, containers: [shell("count", writer, { volumeMounts })] });
    cluster.untilReady("counter");
    cluster.simulation.advance(3_000);
    expect(kubectlLogs(cluster, "counter", "count")).toBe("");
    const { files } = cluster.node.machine;
    for (const path of filesBelow(cluster, "/var/log/pods")) expect(files.readText(path)).not.toContain("one");
  });

  it("[POD-643] a log file that is a link to /dev/stdout needs no sidecar", () => {
    const cluster = startedCluster();
    cluster.createPod("p", { containers: [shell("c", "ln -s /dev/stdout /tmp/app.log; echo hello > /tmp/app.log; sleep 3600")] });
    cluster.untilReady("p");
    expect(kubectlLogs(cluster, "p", "c")).toBe("hello\n");
  });

  it("[POD-624] between restarts the log is that of the instance that ended last", () => {
    const cluster = startedCluster();
    cluster.createPod("p", { containers: [shell("c", "echo run; exit 1")] });
    cluster.simulation.advance(9_000);
    expect(cluster.pod("p").status?.containerStatuses?.[0]?.state?.waiting?.reason).toBe("CrashLoopBackOff");
    expect(kubectlLogs(cluster, "p", "c")).toBe("run\n");
  });
});

describe("rotation", () => {
  const policy = { maximumBytes: 4_096, maximumFiles: 3 };
  /** About 100 bytes a line in the file, 100 lines a second. */
  const chatty = `while true; do echo ${"x".repeat(60)}; sleep 0.01; done`;

  it("[POD-627] every 10 s renames a file over the limit, compresses older ones and keeps so many", () => {
    const cluster = startedCluster({ kubelet: { containerLogs: policy } });
    cluster.createPod("p", { containers: [shell("c", chatty)] });
    cluster.untilReady("p");
    const directory = `/var/log/pods/default_p_${cluster.pod("p").metadata.uid}/c`;
    const { files } = cluster.node.machine;
    const until = (time: string) => cluster.simulation.advance(Date.parse(time) - cluster.simulation.nowMs);
    until("2026-01-01T00:00:09.900Z");
    expect(files.readdir(directory)).toEqual(["0.log"]);
    until("2026-01-01T00:00:10.100Z");
    expect(files.readdir(directory)).toEqual(["0.log", "0.log.20260101-000010"]);
    const first = files.readText(`${directory}/0.log.20260101-000010`);
    until("2026-01-01T00:00:20.500Z");
    expect(files.readdir(directory)).toEqual(["0.log", "0.log.20260101-000010.gz", "0.log.20260101-000020"]);
    expect(decodeUtf8(gunzipSync(files.readFile(`${directory}/0.log.20260101-000010.gz`)))).toBe(first);
    expect(files.stat(`${directory}/0.log.20260101-000010.gz`).sizeBytes).toBeLessThan(first.length / 3);
    until("2026-01-01T00:00:30.500Z");
    expect(files.readdir(directory)).toEqual(["0.log", "0.log.20260101-000020.gz", "0.log.20260101-000030"]);
  });

  it("[POD-628] leaves kubectl logs only what came since", () => {
    const cluster = startedCluster({ kubelet: { containerLogs: policy } });
    cluster.createPod("p", {
      containers: [shell("c", 'i=0; while [ $i -lt 100 ]; do echo "line $i"; i=$((i+1)); done; sleep 20; echo last; sleep 3600')],
    });
    cluster.untilReady("p");
    expect(kubectlLogs(cluster, "p", "c").split("\n").length).toBe(101);
    cluster.simulation.advance(10_000);
    expect(kubectlLogs(cluster, "p", "c")).toBe("");
    cluster.simulation.advance(15_000);
    expect(kubectlLogs(cluster, "p", "c")).toBe("last\n");
  });

  it("[POD-636] is followed by an agent's tail -F", () => {
    const cluster = startedCluster({ kubelet: { containerLogs: policy } });
    const count = 'i=0; while true; do echo "line $i of many, so that the file is soon full"; i=$((i+1)); sleep 0.1; done';
    cluster.createPod("app", { containers: [shell("c", count)] });
    cluster.untilReady("app");
    agent(cluster, "tail -n +1 -F /var/log/pods/default_app_*/c/0.log > /var/log/seen 2>&1");
    cluster.simulation.advance(25_000);
    const text = cluster.node.machine.files.readText("/var/log/seen");
    const seen = [...text.matchAll(/line (\d+) of many/gu)].map(([, number]) => Number(number));
    expect(text).toContain("has been replaced; following new file");
    expect(seen.length).toBeGreaterThan(150);
    expect(new Set(seen).size).toBe(seen.length);
  });

  it("what nobody rotates is bounded: a file of twice the limit begins anew", () => {
    const cluster = startedCluster({ kubelet: { containerLogs: { maximumBytes: 1_000, maximumFiles: 5 } } });
    cluster.createPod("p", { containers: [shell("c", chatty)] });
    cluster.untilReady("p");
    cluster.node.kubelet.stop();
    cluster.simulation.advance(60_000);
    expect(instancesOf(cluster, "p", "c")[0]?.log.sizeBytes).toBeLessThan(2_200);
  });
});

describe("text that is put together when somebody reads it", () => {
  function teller() {
    const count = { made: 0 };
    const image: Image = {
      repository: "docker.io/library/teller",
      tag: "1",
      digest: "sha256:1",
      sizeBytes: 1,
      config: configOf(["/teller"]),
      files: new Map([["/teller", { type: "program", program: lateTeller(count) }]]),
    };
    const cluster = startedCluster({ images: [...publicImages, image] });
    cluster.createPod("p", { containers: [{ name: "c", image: "docker.io/library/teller:1" }] });
    cluster.untilReady("p");
    return { cluster, count };
  }
  const path = "/var/log/pods/default_p_*/c/0.log";

  it("costs nothing until then, and has the times of its writing", () => {
    const { cluster, count } = teller();
    cluster.simulation.advance(6_000);
    expect(count.made).toBe(0);
    expect(kubectlLogs(cluster, "p", "c")).toBe("one\ntwo\nthree\n");
    const lines = kubectlLogs(cluster, "p", "c", { timestamps: true }).trim().split("\n");
    const [first = 0, second = 0, third = 0] = lines.map((line) => Date.parse(line.slice(0, 24)));
    expect([second - first, third - first]).toEqual([0, 5_000]);
    expect(count.made).toBe(2);
  });

  it("comes before what is written after it, and into the same file for all readers", () => {
    const { cluster, count } = teller();
    cluster.simulation.advance(20_000);
    expect(count.made).toBe(2);
    agent(cluster, `cut -d' ' -f2- ${path} > /var/log/seen; sleep 3600`);
    cluster.simulation.advance(2_000);
    expect(cluster.node.machine.files.readText("/var/log/seen")).toBe(
      "stdout F one\nstdout F two\nstderr F three\nstdout F four\n",
    );
  });

  it("reaches those who follow at once", () => {
    const { cluster } = teller();
    const seen: string[] = [];
    instancesOf(cluster, "p", "c")[0]?.log.follow(
      ({ bytes }) => seen.push(decodeUtf8(bytes)),
      () => {},
    );
    cluster.simulation.advance(6_000);
    expect(seen).toEqual(["three\n"]);
    expect(kubectlLogs(cluster, "p", "c")).toBe("one\ntwo\nthree\n");
  });
});

describe("gzip", () => {
  it.each([
    ["nothing", [""]],
    ["a letter", ["a"]],
    ["repetitions", ["abcabcabcabcabc".repeat(1000), "abc"]],
    ["all bytes", [String.fromCharCode(...Array.from({ length: 256 }, (_, index) => index)).repeat(300)]],
  ])("is read by others: %s", (_, pieces) => {
    const writer = new GzipWriter();
    const output = [writer.header(), ...pieces.map((piece) => writer.write(encodeUtf8(piece))), writer.end()];
    expect(decodeUtf8(gunzipSync(Buffer.concat(output)))).toBe(pieces.join(""));
  });
});
