// The cluster that lab.yaml asks for, and the world that comes of it.

import { describe, expect, it } from "vitest";
import { nodes, pods } from "#cluster/api/kinds.ts";
import { readLab } from "#lab/definition.ts";
import { startWorld } from "#lab/lab-world.ts";
import { FileMistake } from "#reading/yaml-fields.ts";
import { Typist } from "../typist.ts";

const read = (text: string) => readLab("lab", "lab.yaml", `sandbox: true\n${text}`, {});
const start = (text: string) => startWorld(read(text), { startMs: Date.UTC(2026, 0, 15, 9), seed: 3 });

describe("the cluster of a lab", () => {
  it("has the nodes that are wished for, each with what is its own", () => {
    const world = start(`nodes:
- name: edge
  zone: paris-1
  labels: {disk: ssd, node-role.kubernetes.io/worker: ""}
  taints: ["gpu=true:NoSchedule"]
  cpu: 4
  memory: 8Gi
  version: v1.35.2
  kubelet: {maxPods: 5, kubeReserved: {cpu: 500m, memory: 1Gi}}
  files: {/srv/site/index.html: hello}
- {}
controlPlane: {labels: {rack: a}, taints: []}
`);
    const [edge, second, first] = ["edge", "node-2", "control-plane"].map((name) =>
      world.client.get(nodes, { namespace: "", name }),
    );
    expect(edge?.metadata.labels).toMatchObject({
      disk: "ssd",
      "node-role.kubernetes.io/worker": "",
      "topology.kubernetes.io/zone": "paris-1",
    });
    expect(edge?.spec?.taints).toEqual([{ key: "gpu", value: "true", effect: "NoSchedule" }]);
    expect(edge?.status).toMatchObject({
      capacity: { cpu: "4", memory: `${8 * 1024 * 1024}Ki`, pods: "5" },
      allocatable: { cpu: "3500m", memory: `${(7 * 1024 - 100) * 1024}Ki`, pods: "5" },
      nodeInfo: { kubeletVersion: "v1.35.2" },
    });
    expect(world.cluster.node("edge")?.machine.files.readText("/srv/site/index.html")).toBe("hello");
    expect(second?.metadata.labels).toMatchObject({ "topology.kubernetes.io/zone": "zone-b" });
    expect(second?.status?.nodeInfo?.kubeletVersion).toBe("v1.36.0");
    expect([first?.spec?.taints, first?.metadata.labels?.["rack"]]).toEqual([undefined, "a"]);
    expect(new Typist(world).run("kubectl get nodes").output).toMatch(/^edge +Ready +worker +\S+ +v1\.35\.2$/m);
  });

  it("starts with components stopped, which come back with their manifests", () => {
    const world = start("nodes: 1\ncontrolPlane: {stopped: [kube-scheduler]}\n");
    const typist = new Typist(world);
    expect(typist.run("kubectl get pods -n kube-system -l component=kube-scheduler").output).toBe(
      "No resources found in kube-system namespace.\n",
    );
    typist.run("kubectl run web --image=nginx");
    world.simulation.advance(30_000);
    const phase = () => world.client.get(pods, { namespace: "default", name: "web" }).status?.phase;
    expect(phase()).toBe("Pending");
    const back = "mv /etc/kubernetes/kube-scheduler.yaml /etc/kubernetes/manifests/";
    expect(typist.run(`ssh control-plane ${back}`)).toMatchObject({ output: "", code: 0 });
    world.simulation.advance(60_000);
    expect(phase()).toBe("Running");
  });

  it("has several control-plane nodes where the lab says so, each as it is wished", () => {
    const world = start("nodes: 1\ncontrolPlane: {nodes: 2, cpu: 4, stopped: [kube-scheduler]}\n");
    const typist = new Typist(world);
    expect(typist.run("kubectl get nodes -o custom-columns=N:.metadata.name,C:.status.capacity.cpu --no-headers").output).toBe(
      "control-plane     4\ncontrol-plane-2   4\nnode-1            2\n",
    );
    expect(typist.run("ssh control-plane-2 ls /etc/kubernetes").output).toContain("kube-scheduler.yaml");
    expect(typist.run("kubectl get leases -n kube-system -o name | grep -c apiserver").output).toBe("2\n");
  });

  it("starts without an API server too", () => {
    const world = start("nodes: 0\ncontrolPlane: {stopped: [kube-apiserver]}\n");
    expect(new Typist(world).run("kubectl get nodes")).toMatchObject({ code: 1 });
  });

  it("has runtimes beside runc where the lab says so", () => {
    const world = start("nodes:\n- {runtimes: {sandboxed: runsc}, shims: [kata]}\n- {}\n");
    const programs = "ls /usr/local/bin; grep runtime_type /etc/containerd/config.toml";
    const typist = new Typist(world);
    expect(typist.run(`ssh node-1 '${programs}'`).output).toBe(
      [
        "containerd-shim-kata-v2",
        "containerd-shim-runsc-v1",
        "          runtime_type = 'io.containerd.runc.v2'",
        "          runtime_type = 'io.containerd.runsc.v1'",
        "",
      ].join("\n"),
    );
    expect(typist.run(`ssh node-2 '${programs}'`).output).toBe("          runtime_type = 'io.containerd.runc.v2'\n");
  });

  it("knows images that are nowhere and images that are slow", () => {
    const world = start("nodes: 1\nimages: {missing: [nginx:1.28], slow: {nginx:1.27: 90}}\n");
    const typist = new Typist(world);
    typist.run("kubectl run slow --image=nginx:1.27; kubectl run missing --image=nginx:1.28");
    world.simulation.advance(85_000);
    const state = (name: string) => world.client.get(pods, { namespace: "default", name }).status?.containerStatuses?.[0]?.state;
    expect(state("slow")?.waiting?.reason).toBe("ContainerCreating");
    world.simulation.advance(60_000);
    expect(state("slow")?.running).toBeDefined();
    expect(state("missing")?.waiting?.message).toContain('failed to resolve reference "docker.io/library/nginx:1.28"');
  });

  it.each([
    ["nodes: 2.5", "lab.yaml:2: nodes must be a whole number from 0 to 20"],
    ["nodes:\n- {name: a}\n- {name: a}", 'lab.yaml:3: nodes has two nodes with the name "a"'],
    [
      "nodes:\n- {name: control-plane-2}\ncontrolPlane: {nodes: 2}",
      'lab.yaml:3: nodes has two nodes with the name "control-plane-2"',
    ],
    ["controlPlane: {nodes: 4}", "lab.yaml:2: controlPlane.nodes must be a number from 1 to 3"],
    ["nodes:\n- {version: v1.37.0}", /^lab\.yaml:3: nodes\[0\]\.version must be a version from v1\.33\.0 to v1\.36/],
    ["nodes:\n- {taints: [gpu]}", /^lab\.yaml:3: nodes\[0\]\.taints\[0\] must be a taint as kubectl takes it/],
    ["nodes:\n- {labels: {a b: c}}", /^lab\.yaml:3: nodes\[0\]\.labels has the label "a b=c": name part must consist of/],
    ["nodes:\n- {memory: 1Mi}", 'lab.yaml:3: nodes[0].memory must be at least 512Mi, not "1Mi"'],
    [
      "nodes:\n- {runtimes: {sandboxed: gvisor}}",
      'lab.yaml:3: nodes[0].runtimes.sandboxed must be runc, runsc or kata, not "gvisor"',
    ],
    ["nodes:\n- {shims: [crun]}", 'lab.yaml:3: nodes[0].shims[0] must be runc, runsc or kata, not "crun"'],
    [
      "nodes:\n- {files: {/etc/containerd/config.toml: version}}",
      "lab.yaml:3: nodes[0].files must not hold /etc/containerd/config.toml, which is written from runtimes",
    ],
    ["nodes:\n- {files: {a: b}}", "lab.yaml:3: nodes[0].files.a has a name that must be an absolute path"],
    [
      "nodes:\n- kubelet:\n    maxPod: 3",
      "lab.yaml:4: nodes[0].kubelet.maxPod is not known here; expected containerRuntimeEndpoint, imageServiceEndpoint, maxPods, kubeReserved, systemReserved, serializeImagePulls, maxParallelImagePulls, registryPullQPS, registryBurst, imagePullCredentialsVerificationPolicy",
    ],
    [
      "nodes:\n- kubelet: {crashLoopBackOff: {maxContainerRestartPeriod: 10m}}",
      'lab.yaml:3: nodes[0].kubelet.crashLoopBackOff.maxContainerRestartPeriod must be a duration from 1s to 300s, not "10m"',
    ],
    [
      "controlPlane: {stopped: [scheduler]}",
      'lab.yaml:2: controlPlane.stopped[0] must be etcd, kube-apiserver, kube-controller-manager or kube-scheduler, not "scheduler"',
    ],
    ["images: {missing: [shop:1]}", 'lab.yaml:2: images.missing[0] names the image "shop:1", which is in no registry anyway'],
    ["images: {slow: {nginx:1.27: fast}}", "lab.yaml:2: images.slow.nginx:1.27 must be a number from 1 to 3600"],
  ])("names the mistake in %j", (text, message) => {
    expect(() => read(text)).toThrow(FileMistake);
    expect(() => read(text)).toThrow(message);
  });
});
