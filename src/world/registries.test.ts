// Registries of a lab: images that are made from public ones, users, tags that move, and nodes of two architectures.

import { beforeAll, describe, expect, it } from "vitest";
import { sitDown, type TypingLearner } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

const host = "registry.lab.example:5000";
let world: World;
let learner: TypingLearner;

beforeAll(() => {
  world = new World({
    startMs: Date.UTC(2026, 0, 15, 9),
    seed: 7,
    nodes: [{}, { architecture: "arm64" }],
    files: {},
    registries: [
      {
        host,
        accounts: [{ username: "lab", password: "lab-pass" }],
        images: {
          "team-a/app:v1": { from: "nginx:1.27", files: { "/usr/share/nginx/html/index.html": "one\n" } },
          "team-a/app:v2": { from: "nginx:1.27", files: { "/usr/share/nginx/html/index.html": "two\n" } },
          "team-a/mirror:1.27": { from: "nginx:1.27" },
        },
      },
      { host: "open.lab.example", images: { "app:v1": { from: "nginx:1.27" } } },
      { host: "docker.io", images: { "lab/amd:v1": { from: "busybox:1.36", architectures: ["amd64"] } } },
    ],
  });
  world.boot();
  learner = sitDown(world);
});

const wait = (seconds: number) => world.simulation.advance(seconds * 1000);
const pod = (name: string, image: string, node: string, command = "") =>
  learner.run(
    `kubectl run ${name} --image=${image} --overrides='{"spec":{"nodeName":"${node}"}}' ${command === "" ? "" : `-- ${command}`}`,
  );

describe("nodes of two architectures", () => {
  it("[POD-014] pull their own manifest under the same name", () => {
    for (const node of ["node-1", "node-2"]) pod(`pause-${node}`, "registry.k8s.io/pause:3.10.2", node);
    wait(10);
    const ids = learner.run(
      "kubectl get pods pause-node-1 pause-node-2 -o jsonpath='{.items[*].status.containerStatuses[0].imageID}'; echo",
    );
    const [first, second] = ids.trim().split(" ");
    expect(first).toMatch(/^registry\.k8s\.io\/pause@sha256:[0-9a-f]{64}$/u);
    expect(second).toBe(first);
    const inspected = (node: string) =>
      learner.run(`ssh ${node} crictl inspecti registry.k8s.io/pause:3.10.2 | jq -r '.info.imageSpec.architecture, .status.id'`);
    const [amd, arm] = ["node-1", "node-2"].map((node) => inspected(node).trim().split("\n"));
    expect([amd?.[0], arm?.[0]]).toEqual(["amd64", "arm64"]);
    expect(amd?.[1]).not.toBe(arm?.[1]);
    expect(learner.run("ssh node-2 uname -mr; ssh node-1 uname -m; ssh node-2 arch")).toBe(
      "6.12.48+deb13-arm64 aarch64\nx86_64\naarch64\n",
    );
    expect(
      learner.run(
        "kubectl get node node-2 -o jsonpath='{.status.nodeInfo.architecture} {.metadata.labels.kubernetes\\.io/arch}'; echo",
      ),
    ).toBe("arm64 arm64\n");
  });

  it("[POD-015] find no manifest in an index that has none for them", () => {
    for (const node of ["node-1", "node-2"]) pod(`amd-${node}`, "lab/amd:v1", node, "sleep 1000");
    wait(8);
    expect(learner.run("kubectl get pod amd-node-1 amd-node-2 --no-headers | awk '{print $3}'")).toMatch(
      /^Running\n(ErrImagePull|ImagePullBackOff)\n$/u,
    );
    const name = "docker.io/lab/amd:v1";
    expect(learner.run("kubectl describe pod amd-node-2")).toContain(
      `Failed to pull image "lab/amd:v1": rpc error: code = NotFound desc = failed to pull and unpack image "${name}": no match for platform in manifest: not found\n`,
    );
  });

  it("[POD-014] run what was named by the digest of another platform's manifest as little as the real ones", () => {
    const digest = learner.run("crane digest --platform linux/amd64 lab/amd:v1").trim();
    pod("foreign", `lab/amd@${digest}`, "node-2", "sleep 1000");
    wait(5);
    expect(learner.run("kubectl logs foreign")).toBe("exec /bin/sleep: exec format error\n");
    expect(
      learner
        .run("kubectl get pod foreign -o jsonpath='{.status.containerStatuses[0].lastState.terminated.exitCode}'; echo")
        .trim(),
    ).toBe("255");
  });
});

describe("images and tags", () => {
  it("[POD-004] a digest decides, whatever the tag beside it", () => {
    const digest = learner.run("crane digest busybox:1.36").trim();
    pod("tagged", "busybox:1.36", "node-1", "sleep 1000");
    pod("both", `busybox:0.0@${digest}`, "node-1", "sleep 1000");
    wait(10);
    const ids = learner
      .run("kubectl get pods tagged both -o jsonpath='{.items[*].status.containerStatuses[0].imageID}'; echo")
      .trim()
      .split(" ");
    expect(ids).toEqual([`docker.io/library/busybox@${digest}`, `docker.io/library/busybox@${digest}`]);
  });

  it("are shown, tagged and copied by crane, for whoever may", () => {
    expect(learner.run(`crane ls ${host}/team-a/app; echo $?`)).toBe(
      `Error: GET https://${host}/v2/team-a/app/tags/list: UNAUTHORIZED: authentication required; [map[Action:pull Class: Name:team-a/app Type:repository]]\n1\n`,
    );
    expect(learner.run(`crane auth login ${host} -u lab -p lab-pass`)).toMatch(
      /^2026\/01\/15 09:\d\d:\d\d logged in via \/home\/learner\/\.docker\/config\.json\n$/u,
    );
    expect(learner.run("jq -c . ~/.docker/config.json")).toBe(`{"auths":{"${host}":{"auth":"bGFiOmxhYi1wYXNz"}}}\n`);
    expect(learner.run(`crane catalog ${host}; crane ls ${host}/team-a/app`)).toBe("team-a/app\nteam-a/mirror\nv1\nv2\n");
    expect(learner.run(`crane digest ${host}/team-a/mirror:1.27`)).toBe(learner.run("crane digest nginx:1.27"));
    expect(learner.run(`crane digest ${host}/team-a/app:v1`)).not.toBe(learner.run(`crane digest ${host}/team-a/app:v2`));
    const manifest = learner.run(`crane manifest ${host}/team-a/app:v1 | jq -c '[.manifests[].platform.architecture]'`);
    expect(manifest).toBe('["amd64","arm64"]\n');
    const digest = learner.run(`crane digest ${host}/team-a/app:v2`).trim();
    expect(learner.run(`crane tag ${host}/team-a/app:v2 latest`)).toMatch(
      new RegExp(String.raw`^\S+ \S+ ${host}/team-a/app:latest: digest: ${digest} size: \d+\n$`, "u"),
    );
    expect(learner.run(`crane cp nginx:1.28 ${host}/team-b/web:v1; crane ls ${host}/team-b/web`)).toMatch(
      new RegExp(String.raw`^\S+ \S+ Copying from nginx:1\.28 to ${host}/team-b/web:v1\n.*: digest: .*\nv1\n$`, "u"),
    );
    expect(learner.run("crane tag open.lab.example/app:v1 v2 2> /dev/null; crane ls open.lab.example/app")).toBe("v1\nv2\n");
    expect(learner.run(`crane digest ${host}/team-a/app:v9; crane tag nginx:1.27 mine; crane push x y`)).toBe(
      [
        `Error: GET https://${host}/v2/team-a/app/manifests/v9: MANIFEST_UNKNOWN: manifest unknown; map[Tag:v9]`,
        "Error: PUT https://index.docker.io/v2/library/nginx/manifests/mine: UNAUTHORIZED: authentication required; [map[Action:pull Class: Name:library/nginx Type:repository] map[Action:push Class: Name:library/nginx Type:repository]]",
        "Error: crane push: not simulated; there are auth login, catalog, ls, digest, manifest, tag, copy, cp, delete",
        "",
      ].join("\n"),
    );
  });

  it("that were deleted are there for whoever has them, and for nobody else", () => {
    const name = "open.lab.example/gone:v1";
    learner.run(`crane cp open.lab.example/app:v1 ${name}`);
    pod("had", name, "node-1");
    wait(8);
    const digest = learner.run(`crane digest ${name}`).trim();
    expect(learner.run(`crane delete ${name}; echo $?; crane ls open.lab.example/gone`)).toBe("0\n");
    expect(learner.run(`crane delete ${name}; crane delete nginx:1.27`)).toBe(
      [
        "Error: DELETE https://open.lab.example/v2/gone/manifests/v1: MANIFEST_UNKNOWN: manifest unknown; map[Tag:v1]",
        "Error: DELETE https://index.docker.io/v2/library/nginx/manifests/1.27: UNAUTHORIZED: authentication required; [map[Action:pull Class: Name:library/nginx Type:repository] map[Action:delete Class: Name:library/nginx Type:repository]]",
        "",
      ].join("\n"),
    );
    pod("has", name, "node-1");
    pod("wants", name, "node-2");
    wait(8);
    expect(learner.run("kubectl get pods has wants --no-headers | awk '{print $3}'")).toMatch(
      /^Running\n(ErrImagePull|ImagePullBackOff)\n$/u,
    );
    expect(learner.run(`crane digest open.lab.example/gone@${digest}; crane delete open.lab.example/gone@${digest}`)).toBe(
      `${digest}\n`,
    );
    expect(learner.run(`crane digest open.lab.example/gone@${digest} 2>&1`)).toContain("MANIFEST_UNKNOWN");
    expect(learner.run("crane digest open.lab.example/app:v1").trim()).toBe(digest);
  });

  it("that moved are other images for Pods that ask again, and the same by digest", () => {
    learner.run(
      "kubectl create secret generic lab --type=kubernetes.io/dockerconfigjson --from-file=.dockerconfigjson=.docker/config.json",
    );
    const run = (name: string, image: string) => {
      const spec = `{"spec":{"nodeName":"node-1","imagePullSecrets":[{"name":"lab"}]}}`;
      learner.run(`kubectl run ${name} --image=${image} --image-pull-policy=Always --overrides='${spec}'`);
      wait(10);
      return learner.run(`kubectl exec ${name} -- curl -s localhost`);
    };
    const name = `${host}/team-a/app`;
    const digest = learner.run(`crane digest ${name}:v1`).trim();
    expect(run("before", `${name}:v1`)).toBe("one\n");
    learner.run(`crane tag ${name}:v2 v1`);
    expect(run("after", `${name}:v1`)).toBe("two\n");
    expect(run("fixed", `${name}@${digest}`)).toBe("one\n");
    expect(learner.run("ssh node-1 crictl images | grep team-a/app | awk '{print $2}'")).toBe("v1\n<none>\n");
  });

  it("[POD-019] that cannot be asked for are no use, although they are there, to whoever always asks", () => {
    learner.run("ssh node-1 'cp /etc/hosts /tmp/hosts; echo 127.0.0.1 registry-1.docker.io >> /etc/hosts'");
    const spec = `--overrides='{"spec":{"nodeName":"node-1"}}'`;
    learner.run(`kubectl run asks --image=busybox:1.36 --image-pull-policy=Always ${spec} -- sleep 1000`);
    learner.run(`kubectl run uses --image=busybox:1.36 ${spec} -- sleep 1000`);
    wait(5);
    expect(learner.run("kubectl get pods asks uses --no-headers | awk '{print $3}'")).toMatch(
      /^(ErrImagePull|ImagePullBackOff)\nRunning\n$/u,
    );
    expect(learner.run("kubectl describe pod asks")).toContain(
      'failed to do request: Head "https://registry-1.docker.io/v2/library/busybox/manifests/1.36": dial tcp 127.0.0.1:443: connect: connection refused',
    );
    learner.run("ssh node-1 cp /tmp/hosts /etc/hosts");
  });

  it("[POD-018] every request of a node is in the registry's log: with Always only the name is looked up", () => {
    const name = `${host}/team-a/app`;
    const since = world.simulation.nowMs;
    const spec = (node: string) => `--overrides='{"spec":{"nodeName":"${node}","imagePullSecrets":[{"name":"lab"}]}}'`;
    learner.run(`kubectl run again --image=${name}:v1 ${spec("node-1")}`);
    wait(5);
    const requests = () =>
      world.observable
        .requests(host)
        .filter(({ timeMs }) => timeMs >= since)
        .map(({ method, path, status, from, user }) => [method, path.replace(/[0-9a-f]{64}/u, "…"), status, from, user]);
    expect(requests()).toEqual([]);
    learner.run("kubectl delete pod again --now");
    learner.run(`kubectl run again --image=${name}:v1 --image-pull-policy=Always ${spec("node-1")}`);
    wait(5);
    const head = ["HEAD", "/v2/team-a/app/manifests/v1", 200, "node-1", "lab"];
    expect(requests()).toEqual([head]);
    learner.run(`kubectl run fresh --image=${name}:v1 ${spec("node-2")}`);
    wait(8);
    const get = (path: string) => ["GET", `/v2/team-a/app/${path}/sha256:…`, 200, "node-2", "lab"];
    expect(requests().slice(1)).toEqual([
      ["HEAD", "/v2/team-a/app/manifests/v1", 200, "node-2", "lab"],
      get("manifests"),
      get("manifests"),
      get("blobs"),
      get("blobs"),
    ]);
  });
});
