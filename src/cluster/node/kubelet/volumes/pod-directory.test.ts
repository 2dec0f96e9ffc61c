// What is below /var/lib/kubelet/pods.

import { describe, expect, it } from "vitest";
import { configMaps, pods } from "#cluster/api/kinds.ts";
import type { SmallCluster } from "../../small-cluster.test-kit.ts";
import { shell, startedCluster } from "../kubelet.test-kit.ts";

/** Paths below a directory; directories end with a slash. */
function tree(cluster: SmallCluster, directory: string): readonly string[] {
  const { files } = cluster.node.machine;
  const below = (path: string): readonly string[] =>
    files.readdir(path).flatMap((name) => {
      const own = `${path}/${name}`;
      return files.lstat(own).type === "directory" ? [`${own}/`, ...below(own)] : [own];
    });
  return below(directory).map((path) => path.slice(directory.length + 1));
}

const volumes = [
  { name: "scratch", emptyDir: {} },
  { name: "fast", emptyDir: { medium: "Memory" } },
  { name: "settings", configMap: { name: "settings" } },
];
const volumeMounts = [
  { name: "scratch", mountPath: "/scratch" },
  { name: "fast", mountPath: "/fast" },
  { name: "settings", mountPath: "/settings" },
];

function started(script: string): { readonly cluster: SmallCluster; readonly directory: string } {
  const cluster = startedCluster();
  cluster.client.create(configMaps, { metadata: { name: "settings", namespace: "default" }, data: { color: "red" } });
  cluster.createPod("p", { volumes, restartPolicy: "Never", containers: [shell("c", script, { volumeMounts })] });
  cluster.simulation.advance(5_000);
  return { cluster, directory: `/var/lib/kubelet/pods/${cluster.pod("p").metadata.uid}` };
}

describe("a pod's directory on its node", () => {
  it("[POD-569] holds containers, etc-hosts, plugins and the volumes' files", () => {
    const { cluster, directory } = started("echo on disk > /scratch/a; echo in memory > /fast/b; sleep 3600");
    const { files } = cluster.node.machine;
    expect(files.readdir(directory)).toEqual(["containers", "etc-hosts", "plugins", "volumes"]);
    expect(
      tree(cluster, directory).map((path) => path.replace(/[0-9a-f]{8}$/u, "HASH").replace(/\.\.\d[\d_.]+/u, "..DATE")),
    ).toEqual([
      "containers/",
      "containers/c/",
      "containers/c/HASH",
      "etc-hosts",
      "plugins/",
      "plugins/kubernetes.io~empty-dir/",
      "plugins/kubernetes.io~empty-dir/fast/",
      "plugins/kubernetes.io~empty-dir/fast/ready",
      "plugins/kubernetes.io~empty-dir/scratch/",
      "plugins/kubernetes.io~empty-dir/scratch/ready",
      "plugins/kubernetes.io~empty-dir/wrapped_settings/",
      "plugins/kubernetes.io~empty-dir/wrapped_settings/ready",
      "volumes/",
      "volumes/kubernetes.io~configmap/",
      "volumes/kubernetes.io~configmap/settings/",
      "volumes/kubernetes.io~configmap/settings/..DATE/",
      "volumes/kubernetes.io~configmap/settings/..DATE/color",
      "volumes/kubernetes.io~configmap/settings/..data",
      "volumes/kubernetes.io~configmap/settings/color",
      "volumes/kubernetes.io~empty-dir/",
      "volumes/kubernetes.io~empty-dir/fast/",
      "volumes/kubernetes.io~empty-dir/fast/b",
      "volumes/kubernetes.io~empty-dir/scratch/",
      "volumes/kubernetes.io~empty-dir/scratch/a",
    ]);
    expect(files.readText(`${directory}/volumes/kubernetes.io~empty-dir/fast/b`)).toBe("in memory\n");
    expect(files.readText(`${directory}/etc-hosts`)).toContain(`${cluster.pod("p").status?.podIP}\tp\n`);
    files.writeFile(`${directory}/volumes/kubernetes.io~empty-dir/scratch/a`, "from the node\n");
    const { runtime } = cluster.node;
    const [container] = runtime.containersOf(cluster.pod("p").metadata.uid);
    let text = "";
    const result = runtime.exec(container?.id ?? "", { argv: ["cat", "/scratch/a"], tty: false, stdin: false });
    if (!result.ok) throw new Error(result.message);
    result.value.onStdout = (bytes) => {
      text += new TextDecoder().decode(bytes);
    };
    cluster.simulation.advance(1_000);
    expect(text).toBe("from the node\n");
  });

  it("[POD-569] [NET-305] loses its volumes when the Pod has ended, and goes with the Pod", () => {
    const { cluster, directory } = started("echo x > /scratch/a; echo x > /fast/b; echo why > /dev/termination-log");
    const { files } = cluster.node.machine;
    cluster.simulation.advance(5_000);
    expect(cluster.pod("p").status?.phase).toBe("Succeeded");
    expect(tree(cluster, directory).map((path) => path.replace(/[0-9a-f]{8}$/u, "HASH"))).toEqual([
      "containers/",
      "containers/c/",
      "containers/c/HASH",
      "etc-hosts",
      "plugins/",
      "volumes/",
    ]);
    expect(cluster.node.machine.mounts.mounts.length).toBe(startedCluster().node.machine.mounts.mounts.length);
    cluster.client.delete(pods, { namespace: "default", name: "p" }, {});
    cluster.simulation.advance(5_000);
    expect(files.readdir("/var/lib/kubelet/pods")).toEqual([]);
  });

  it("[POD-569] [NET-306] keeps what is in memory over a restart of the kubelet, and until the Pod ends", () => {
    const { cluster, directory } = started("echo in memory > /fast/b; sleep 3600");
    cluster.node.kubelet.stop();
    cluster.node.kubelet.start();
    cluster.simulation.advance(10_000);
    expect(cluster.node.machine.files.readText(`${directory}/volumes/kubernetes.io~empty-dir/fast/b`)).toBe("in memory\n");
    // The Pod's object waits for its volumes (WaitForUnmount comes before the last status), its directory goes after it.
    cluster.client.delete(pods, { namespace: "default", name: "p" }, {});
    cluster.simulation.runUntil(() => !cluster.hasPod("p"), { limitMs: 60_000 });
    expect(tree(cluster, directory).filter((path) => path.startsWith("volumes/"))).toEqual(["volumes/"]);
    expect(cluster.node.machine.mounts.mounts.filter(({ path }) => path.startsWith(directory))).toEqual([]);
    cluster.simulation.advance(10_000);
    expect(cluster.node.machine.files.readdir("/var/lib/kubelet/pods")).toEqual([]);
  });
});
