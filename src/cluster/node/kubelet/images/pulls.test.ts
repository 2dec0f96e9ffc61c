import { describe, expect, it } from "vitest";
import { nodes, pods, runtimeClasses, secrets } from "#cluster/api/kinds.ts";
import type { Image } from "#cluster/images/image.ts";
import { publicImages } from "#cluster/images/public-images.ts";
import { createRegistry } from "#cluster/images/registry.ts";
import { SmallCluster, type SmallClusterOptions } from "../../small-cluster.test-kit.ts";
import { stateOf } from "../kubelet.test-kit.ts";

const host = "registry.lab.example:5000";
const [nginx] = publicImages.filter(({ repository, tag }) => repository === "docker.io/library/nginx" && tag === "1.27");
const privateImage: Image = { ...(nginx as Image), repository: `${host}/team/web`, tag: "v1" };
const image = `${host}/team/web:v1`;

function started(options: SmallClusterOptions = {}): SmallCluster {
  const registry = createRegistry({
    images: [...publicImages, privateImage],
    hosts: [{ host, accounts: [{ username: "lab", password: "lab-pass" }], unknownRepository: "notFound" }],
  });
  return new SmallCluster({ registry, ...options });
}

function auths(password: string, key = host): string {
  return JSON.stringify({ auths: { [key]: { auth: btoa(`lab:${password}`) } } });
}

function addSecret(cluster: SmallCluster, name: string, json: string, more: object = {}): void {
  cluster.client.create(secrets, {
    metadata: { name, namespace: "default" },
    type: "kubernetes.io/dockerconfigjson",
    data: { ".dockerconfigjson": btoa(json) },
    ...more,
  });
}

function run(cluster: SmallCluster, ...names: readonly string[]): string {
  cluster.startKubelets();
  cluster.simulation.advance(1_000);
  cluster.createPod("p", { imagePullSecrets: names.map((name) => ({ name })), containers: [{ name: "c", image }] });
  cluster.simulation.advance(8_000);
  return stateOf(cluster, "p", "c");
}

describe("pulls from a registry that asks for a password", () => {
  it("[POD-023] fail without one", () => {
    const cluster = started();
    expect(run(cluster)).toMatch(/^waiting: (ErrImagePull|ImagePullBackOff)$/);
    const seen = new Map<string, string>();
    for (let second = 0; second < 60; second += 1) {
      cluster.simulation.advance(1_000);
      const { reason = "", message = "" } = cluster.pod("p").status?.containerStatuses?.[0]?.state?.waiting ?? {};
      seen.set(reason, message);
    }
    expect([...seen.keys()].toSorted()).toEqual(["ErrImagePull", "ImagePullBackOff"]);
    expect(seen.get("ImagePullBackOff")).toBe(`Back-off pulling image "${image}": ErrImagePull: ${seen.get("ErrImagePull")}`);
  });

  it("[POD-042] take a docker secret of the pod", () => {
    const cluster = started();
    addSecret(cluster, "good", auths("lab-pass"));
    expect(run(cluster, "good")).toBe("running");
  });

  it("[POD-042] take one of the older form", () => {
    const cluster = started();
    const map = JSON.stringify({ [host]: { auth: btoa("lab:lab-pass") } });
    addSecret(cluster, "old", "", { type: "kubernetes.io/dockercfg", data: { ".dockercfg": btoa(map) } });
    expect(run(cluster, "old")).toBe("running");
  });

  it("[POD-042] [NET-414] do not look into other secrets", () => {
    const cluster = started();
    addSecret(cluster, "opaque", auths("lab-pass"), { type: "Opaque" });
    expect(run(cluster, "opaque")).toMatch(/^waiting: (ErrImagePull|ImagePullBackOff)$/);
  });

  it("[POD-043] [POD-044] try all that fit until one works", () => {
    const cluster = started();
    addSecret(cluster, "bad", auths("wrong", `${host}/team`));
    addSecret(cluster, "good", auths("lab-pass"));
    expect(run(cluster, "bad", "good")).toBe("running");
  });

  it.each<readonly [string, string]>([
    ["the host", host],
    ["the host and the beginning of the path", `${host}/te`],
    ["a glob for a label", "registry.*.example:5000"],
    ["a glob in each", "reg*.l?b.[ae]xample:5000/team"],
  ])("[NET-415] fit by %s, among others that do not, and after one that is refused", (_title, key) => {
    const cluster = started();
    addSecret(cluster, "refused", auths("wrong", `${host}/team/web`));
    const others = ["registry.lab.example", "*.example:5000", `${host}/other`, "*:5000"];
    const entries = [...others.map((other) => [other, "other"] as const), [key, "lab-pass"] as const];
    const json = { auths: Object.fromEntries(entries.map(([at, password]) => [at, { username: "lab", password }])) };
    addSecret(cluster, "several", JSON.stringify(json));
    expect(run(cluster, "refused", "several")).toBe("running");
  });

  it.each(["registry.lab.example", "*.example:5000", `${host}/other`, `${host}/te*`, "registry.lab.example:*"])(
    "[NET-415] do not fit by %s",
    (key) => {
      const cluster = started();
      addSecret(cluster, "beside", auths("lab-pass", key));
      expect(run(cluster, "beside")).toMatch(/^waiting: (ErrImagePull|ImagePullBackOff)$/);
    },
  );

  const missing =
    "Warning FailedToRetrieveImagePullSecret Unable to retrieve some image pull secrets (nope); attempting to pull the image may not succeed.";

  it("[POD-041] [POD-040] are tried without a secret that is not in the pod's namespace", () => {
    const cluster = started();
    addSecret(cluster, "nope", auths("lab-pass"), { metadata: { name: "nope", namespace: "kube-system" } });
    expect(run(cluster, "nope")).toMatch(/^waiting: /);
    expect(cluster.eventsOf("p").some((event) => event.startsWith(missing))).toBe(true);
    expect(cluster.eventsOf("p").some((event) => event.startsWith(`Normal Pulling Pulling image "${image}"`))).toBe(true);
  });

  it.each(["/var/lib/kubelet/config.json", "/root/.docker/config.json", "/.docker/config.json"])(
    "[POD-052] [POD-055] take the node's own from %s",
    (path) => {
      const cluster = started();
      cluster.node.machine.files.makeDirectories(path.slice(0, path.lastIndexOf("/")));
      cluster.node.machine.files.writeFile(path, auths("lab-pass"));
      expect(run(cluster)).toBe("running");
    },
  );

  it("[POD-054] fail on a node that has none", () => {
    const cluster = started({ nodes: 2 });
    cluster.node.machine.files.makeDirectories("/var/lib/kubelet");
    cluster.node.machine.files.writeFile("/var/lib/kubelet/config.json", auths("lab-pass"));
    expect(run(cluster)).toBe("running");
    cluster.createPod("q", { nodeName: "node-2", containers: [{ name: "c", image }] });
    cluster.simulation.advance(5_000);
    expect(stateOf(cluster, "q", "c")).toMatch(/^waiting: (ErrImagePull|ImagePullBackOff)$/);
  });
});

describe("credentials that are looked for", () => {
  it("[POD-043] are all named in the failure, each once", () => {
    const cluster = started();
    addSecret(cluster, "one", auths("wrong", `${host}/team`));
    addSecret(cluster, "two", auths("wronger"));
    run(cluster, "one", "two");
    const url = `https://${host}/v2/team/web/manifests/v1`;
    const message = `rpc error: code = Unknown desc = failed to pull and unpack image "${image}": failed to resolve reference "${image}": unexpected status from HEAD request to ${url}: 401 Unauthorized`;
    expect(cluster.eventsOf("p").map((event) => event.replace(/ x\d+$/u, ""))).toContain(
      `Warning Failed Failed to pull image "${image}": ${message}`,
    );
  });

  it("that cannot be read are the reason why a container waits", () => {
    const cluster = started();
    addSecret(cluster, "odd", JSON.stringify({ auths: { [host]: { auth: btoa("lab") } } }));
    const reason = "unable to parse auth field, must be formatted as base64(username:password)";
    expect(run(cluster, "odd")).toBe(`waiting: ${reason}`);
    expect(cluster.eventsOf("p").some((event) => event.startsWith(`Warning Failed Error: ${reason}`))).toBe(true);
  });

  it("[POD-052] on the node are read anew after five minutes, or by the next kubelet", () => {
    const cluster = started();
    expect(run(cluster)).toMatch(/^waiting: (ErrImagePull|ImagePullBackOff)$/u);
    const { files } = cluster.node.machine;
    files.makeDirectories("/var/lib/kubelet");
    files.writeFile("/var/lib/kubelet/config.json", auths("lab-pass"));
    cluster.simulation.advance(240_000);
    expect(stateOf(cluster, "p", "c")).toMatch(/^waiting: /u);
    cluster.simulation.advance(240_000);
    expect(stateOf(cluster, "p", "c")).toBe("running");
    const other = started();
    run(other);
    other.node.machine.files.makeDirectories("/var/lib/kubelet");
    other.node.machine.files.writeFile("/var/lib/kubelet/config.json", auths("lab-pass"));
    other.node.kubelet.stop();
    other.node.kubelet.start();
    other.simulation.advance(5_000);
    expect(stateOf(other, "p", "c")).toBe("running");
  });

  it("[POD-052] come from the first file that can be read", () => {
    const cluster = started();
    const { files } = cluster.node.machine;
    files.makeDirectories("/var/lib/kubelet");
    files.makeDirectories("/root/.docker");
    files.writeFile("/var/lib/kubelet/config.json", "{");
    files.writeFile("/root/.docker/config.json", auths("lab-pass"));
    expect(run(cluster)).toBe("running");
  });

  it("[POD-041] [NET-413] that are missing are told of as long as the pod runs", () => {
    const cluster = started();
    cluster.node.runtime.importImage(privateImage);
    expect(run(cluster, "nope")).toBe("running");
    expect(cluster.eventsOf("p").some((event) => event.startsWith("Warning FailedToRetrieveImagePullSecret"))).toBe(true);
  });
});

describe("pulls of a node", () => {
  it("[POD-033] [POD-034] go at once where they may, and no more than so many", () => {
    const waits = (maxParallelImagePulls: number): readonly number[] => {
      const cluster = started({ kubelet: { maxParallelImagePulls } });
      cluster.startKubelets();
      cluster.simulation.advance(1_000);
      for (const [index, tag] of ["1.27", "1.28", "1.29"].entries())
        cluster.createPod(`p${index}`, { containers: [{ name: "c", image: `nginx:${tag}` }] });
      cluster.simulation.advance(30_000);
      return [0, 1, 2].map((index) => {
        const [, own, all] = /in ([\d.]+)s \(([\d.]+)s including waiting\)/u.exec(cluster.eventsOf(`p${index}`).join("\n")) ?? [];
        return Number(all) - Number(own);
      });
    };
    expect(waits(Number.POSITIVE_INFINITY)).toEqual([0, 0, 0]);
    expect(waits(2).filter((seconds) => seconds > 0.5)).toHaveLength(1);
    expect(waits(1).filter((seconds) => seconds > 0.5)).toHaveLength(2);
  });

  it("[POD-034] go on when a pod that waited for its turn is deleted", () => {
    const cluster = started({ kubelet: { maxParallelImagePulls: 1 } });
    cluster.startKubelets();
    cluster.simulation.advance(1_000);
    const names = ["a", "b", "c"];
    const create = (name: string): void => {
      cluster.createPod(name, { containers: [{ name: "c", image: "nginx:1.28" }] });
    };
    for (const name of names) create(name);
    cluster.simulation.advance(2_000);
    cluster.client.delete(pods, { namespace: "default", name: "b" }, { gracePeriodSeconds: 1 });
    cluster.simulation.runUntil(() => !cluster.hasPod("b"), { limitMs: 20_000 });
    create("b");
    cluster.simulation.advance(60_000);
    expect(names.map((name) => stateOf(cluster, name, "c"))).toEqual(["running", "running", "running"]);
  });

  it("[POD-036] that are too many at once fail, and are tried again", () => {
    const cluster = started({ kubelet: { maxParallelImagePulls: 20, pullThrottle: { perSecond: 1, burst: 2 } } });
    cluster.startKubelets();
    cluster.simulation.advance(1_000);
    const names = ["a", "b", "c", "d"];
    for (const name of names)
      cluster.createPod(name, { containers: [{ name: "c", image: "nginx:1.27", imagePullPolicy: "Always" }] });
    cluster.simulation.advance(5_000);
    const exceeded = names.filter((name) =>
      cluster.eventsOf(name).includes('Warning Failed Failed to pull image "nginx:1.27": pull QPS exceeded'),
    );
    expect(exceeded.length).toBeGreaterThanOrEqual(1);
    cluster.simulation.advance(30_000);
    expect(names.map((name) => stateOf(cluster, name, "c"))).toEqual(names.map(() => "running"));
  });

  it("[POD-039] name an image alone, whatever runtime its pod wants", () => {
    const cluster = started();
    cluster.startKubelets();
    cluster.simulation.advance(1_000);
    cluster.client.create(runtimeClasses, { metadata: { name: "other" }, handler: "runc" });
    cluster.createPod("p", { containers: [{ name: "c", image: "nginx:1.27" }] });
    cluster.untilReady("p");
    cluster.createPod("q", { runtimeClassName: "other", containers: [{ name: "c", image: "nginx:1.27" }] });
    cluster.untilReady("q");
    expect(cluster.eventsOf("q")).toContain(
      'Normal Pulled Container image "nginx:1.27" already present on machine and can be accessed by the pod',
    );
  });

  it("[POD-018] [POD-062] with Always the registry is asked, and nothing is loaded again", () => {
    const cluster = started();
    cluster.node.runtime.importImage(cluster.image("nginx:1.27"));
    cluster.startKubelets();
    cluster.simulation.advance(1_000);
    cluster.createPod("p", { containers: [{ name: "c", image: "nginx:1.27", imagePullPolicy: "Always" }] });
    cluster.untilReady("p");
    expect(cluster.eventsOf("p").find((event) => event.startsWith("Normal Pulled"))).toMatch(
      /^Normal Pulled Successfully pulled image "nginx:1.27" in \d{3}ms \(\d{3}ms including waiting\)\. Image size: \d+ bytes\.$/,
    );
  });

  it("[POD-031] [POD-035] go one after the other", () => {
    const cluster = started();
    cluster.startKubelets();
    cluster.simulation.advance(1_000);
    cluster.createPod("p", {
      containers: [
        { name: "a", image: "nginx:1.27" },
        { name: "b", image: "nginx:1.28" },
      ],
    });
    cluster.createPod("q", { containers: [{ name: "c", image: "nginx:1.29" }] });
    cluster.simulation.advance(30_000);
    const waits = ["p", "q"].flatMap((pod) =>
      cluster.eventsOf(pod).flatMap((event) => {
        const [, own = "", all = ""] = /in ([\d.]+)s \(([\d.]+)s including waiting\)/.exec(event) ?? [];
        return own === "" ? [] : [Number(all) - Number(own)];
      }),
    );
    expect(waits.length).toBe(3);
    expect(waits.filter((seconds) => seconds > 0.5).length).toBeGreaterThan(0);
  });

  it("[POD-032] do not wait for another node's", () => {
    const cluster = started({ nodes: 2 });
    cluster.startKubelets();
    cluster.simulation.advance(1_000);
    for (const [index, name] of ["p", "q"].entries()) {
      cluster.createPod(name, { nodeName: `node-${index + 1}`, containers: [{ name: "c", image: "nginx:1.27" }] });
    }
    cluster.simulation.advance(30_000);
    for (const name of ["p", "q"]) {
      const [, own, all] = /in ([\d.]+)s \(([\d.]+)s including waiting\)/.exec(cluster.eventsOf(name).join("\n")) ?? [];
      expect(own).toBe(all);
    }
  });

  it("[POD-038] [POD-607] show in the node's status", () => {
    const cluster = started();
    cluster.startKubelets();
    cluster.createPod("p", { containers: ["busybox:1.36", "nginx:1.27"].map((image, index) => ({ name: `c${index}`, image })) });
    cluster.simulation.advance(400_000);
    const { images = [] } = cluster.client.get(nodes, { namespace: "", name: "node-1" }).status ?? {};
    const tagged = images.flatMap(({ names = [] }) => names.filter((name) => /(nginx|busybox):/.test(name)));
    expect(tagged).toEqual(["docker.io/library/nginx:1.27", "docker.io/library/busybox:1.36"]);
    const sizes = images.map(({ sizeBytes = 0 }) => sizeBytes);
    expect(sizes).toEqual(sizes.toSorted((a, b) => Number(b) - Number(a)));
  });

  it("[POD-599] an image that was removed is missed by pods that never pull", () => {
    const cluster = started();
    const { reference } = cluster.node.runtime.importImage(cluster.image("nginx:1.27"));
    cluster.node.runtime.removeImage(reference);
    cluster.startKubelets();
    cluster.simulation.advance(1_000);
    cluster.createPod("p", { containers: [{ name: "c", image: "nginx:1.27", imagePullPolicy: "Never" }] });
    cluster.simulation.advance(5_000);
    expect(stateOf(cluster, "p", "c")).toBe("waiting: ErrImageNeverPull");
  });
});
