import { describe, expect, it } from "vitest";
import { FileMistake } from "#reading/yaml-fields.ts";
import { readLab, readLabTexts } from "./definition.ts";

const step = (id: string): string => `- id: ${id}
  checks:
  - id: there
    that: exists("pods", "default", "${id}")
    values: {count: 'objects("pods").size()'}
  solution: kubectl run ${id} --image=nginx
  wrong:
  - id: other
    commands: kubectl run other --image=nginx
    fails: [there]
`;
const whole = `files: [pod.yaml]\nsteps:\n${["a", "b", "c", "d"].map(step).join("")}`;
const files = { "pod.yaml": "kind: Pod\n" };
const texts = (sentence: string): string => `title: T
goal: G
steps:
${["a", "b", "c", "d"]
  .map(
    (id) =>
      `  ${id}:\n    title: t\n    task: t\n    hints: [1a, 2a, 3a]\n    solution: s\n    missing:\n      there: ${sentence}\n`,
  )
  .join("")}`;

function mistake(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof FileMistake) return error.message;
    throw error;
  }
  return "no mistake";
}

describe("lab files", () => {
  it("are read whole", () => {
    const lab = readLab("first", "labs/first/lab.yaml", whole, files);
    expect(lab.cluster).toMatchObject({ nodes: 3, addons: ["metrics-server", "local-path-provisioner"] });
    expect(lab.files).toEqual(files);
    expect(lab.steps[1]).toEqual({
      id: "b",
      observe: {},
      checks: [{ id: "there", that: 'exists("pods", "default", "b")', values: { count: 'objects("pods").size()' } }],
      record: {},
      solution: "kubectl run b --image=nginx",
      ways: [],
      wrong: [{ id: "other", commands: "kubectl run other --image=nginx", fails: ["there"] }],
    });
    expect(readLabTexts(lab, "labs/first/fr.yaml", texts("'{count} Pods'")).steps["a"]?.missing).toEqual({ there: "{count} Pods" });
  });

  it("say which tags move when a step's turn comes", () => {
    const registries = "registries: [{host: r.example, images: {'app:v1': nginx:1.27, 'app:v2': nginx:1.28}}]\n";
    const withTags = (id: string, tags: string): string =>
      whole.replace(`- id: ${id}\n`, `- id: ${id}\n  tags: {"${tags.replace(": ", '": "')}"}\n`);
    const read = (id: string, tags: string) =>
      readLab("first", "lab.yaml", registries + withTags(id, tags), files).steps.map((each) => each.tags);
    expect(read("c", "r.example/app:v1: r.example/app:v2")).toEqual([
      undefined,
      undefined,
      { "r.example/app:v1": "r.example/app:v2" },
      undefined,
    ]);
    expect(mistake(() => read("c", "r.example/app:v1: r.example/app:v3"))).toContain(
      'names the image "r.example/app:v3", which is in no registry',
    );
    expect(mistake(() => read("a", "r.example/app:v1: r.example/app:v2"))).toContain(
      "must not be there: what tags name at the start is said by registries",
    );
  });

  it("say which nodes are switched off and on when a step's turn comes", () => {
    const read = (id: string, power: string) =>
      readLab("first", "lab.yaml", whole.replace(`- id: ${id}\n`, `- id: ${id}\n  power: {${power}}\n`), files).steps.map(
        (each) => each.power,
      );
    expect(read("b", "node-1: off")).toEqual([undefined, { "node-1": "off" }, undefined, undefined]);
    expect(mistake(() => read("b", "node-9: off"))).toContain('is said of "node-9", which is none of control-plane, node-1');
    expect(mistake(() => read("b", "node-1: away"))).toContain('must be off, on or reset, not "away"');
    const cables = whole.replace("- id: b\n", "- id: b\n  cables: {node-1: off}\n");
    expect(mistake(() => readLab("first", "lab.yaml", cables, files))).toContain('must be cut or mend, not "off"');
    expect(mistake(() => read("a", "node-1: off"))).toContain("must not be there: what is amiss at the start");
  });

  it("say which copies lag when a step's turn comes", () => {
    const read = (id: string, watches: string) =>
      readLab("first", "lab.yaml", whole.replace(`- id: ${id}\n`, `- id: ${id}\n  watches: {${watches}}\n`), files).steps.map(
        (each) => each.watches,
      );
    const copy = "kube-controller-manager/pods";
    expect(read("b", `${copy}: 10s`)).toEqual([undefined, { [copy]: "10s" }, undefined, undefined]);
    expect(read("b", `${copy}: 0s`)[1]).toEqual({ [copy]: "0s" });
    expect(mistake(() => read("b", "kubelet/pods: 10s"))).toContain(
      'is said of "kubelet/pods", which is no kube-controller-manager/RESOURCE',
    );
    expect(mistake(() => read("b", `${copy}: late`))).toContain('must be a duration such as 10s, or 0s, not "late"');
    expect(mistake(() => read("a", `${copy}: 10s`))).toContain("must not be there: what lags at the start");
  });

  it("say how nodes pull", () => {
    const read = (node: string) => readLab("first", "lab.yaml", `sandbox: true\nnodes: [${node}]\n`, {}).cluster.nodes;
    expect(
      read("{kubelet: {registryPullQPS: 1, registryBurst: 2, imagePullCredentialsVerificationPolicy: AlwaysVerify}}"),
    ).toMatchObject([
      { kubelet: { registryPullQPS: 1, registryBurst: 2, imagePullCredentialsVerificationPolicy: "AlwaysVerify" } },
    ]);
    expect(mistake(() => read("{kubelet: {imagePullCredentialsVerificationPolicy: Never}}"))).toContain(
      'must be NeverVerify, NeverVerifyPreloadedImages, NeverVerifyAllowlistedImages or AlwaysVerify, not "Never"',
    );
    expect(mistake(() => read("{files: {/etc/default/kubelet: x}}"))).toContain(
      "must not hold /etc/default/kubelet, which the kubelet reads when it starts again: use kubelet, or write it in setup",
    );
  });

  it("say how fast a node's disk writes", () => {
    const read = (speed: string) =>
      readLab("first", "lab.yaml", `sandbox: true\nnodes: [{diskSpeed: ${speed}}]\n`, {}).cluster.nodes;
    expect(read("1Mi")).toMatchObject([{ diskBytesPerSecond: 1_048_576 }]);
    expect(mistake(() => read("500m"))).toContain('must be at least 1Ki, not "500m"');
    expect(mistake(() => read("slow"))).toContain('must be a quantity such as "500m" or "4Gi"');
  });

  it("[API-217] say with which version of control groups a worker boots", () => {
    const read = (nodes: string) => readLab("first", "lab.yaml", `sandbox: true\n${nodes}\n`, {}).cluster.nodes;
    expect(read("nodes: [{cgroup: v1, kubelet: {failCgroupV1: false}}, {cgroup: v2}, {}]")).toMatchObject([
      { cgroupVersion: 1, kubelet: { failCgroupV1: false } },
      { cgroupVersion: 2 },
      {},
    ]);
    expect(mistake(() => read("nodes: [{cgroup: v3}]"))).toContain("must be v1 or v2");
    expect(mistake(() => read("controlPlane: {cgroup: v1}"))).toContain("cgroup");
  });

  it("say which images take long, of their own registries too", () => {
    const head = "sandbox: true\nregistries: [{host: r.example, images: {'app:v1': nginx:1.27}}]\nimages: {slow: {";
    const read = (name: string) => readLab("first", "lab.yaml", `${head}'${name}': 90}}\n`, {}).cluster.images?.slow;
    expect(read("r.example/app:v1")).toEqual({ "r.example/app:v1": 90 });
    expect(read("nginx:1.27")).toEqual({ "nginx:1.27": 90 });
    expect(mistake(() => read("r.example/app:v2"))).toContain('names the image "r.example/app:v2", which is in no registry');
  });

  it("[NET-241] say whether the network plugin acts on NetworkPolicies", () => {
    const read = (key: string) => readLab("first", "lab.yaml", `sandbox: true\n${key}`, {}).cluster.networkPolicies;
    expect(read("")).toBeUndefined();
    expect(read("networkPolicies: ignored\n")).toBe("ignored");
    expect(read("networkPolicies: enforced\n")).toBe("enforced");
    expect(mistake(() => read("networkPolicies: false\n"))).toContain("networkPolicies");
  });

  it("[API-298] say whether the machines are those of a cloud, and whom the cluster does not know yet", () => {
    const read = (key: string) => readLab("first", "lab.yaml", `sandbox: true\n${key}`, {}).cluster.cloud;
    expect(read("")).toBeUndefined();
    expect(read("cloud: false\n")).toBeUndefined();
    expect(read("cloud: true\n")).toEqual({});
    expect(read("cloud: {uninitialized: [node-3], routeLimit: 2}\n")).toEqual({ uninitialized: ["node-3"], routeLimit: 2 });
    expect(mistake(() => read("cloud: {uninitialized: [node-4]}\n"))).toContain(
      'names "node-4", which is no worker: there are node-1, node-2, node-3',
    );
  });

  it("say which machines stand outside the cluster, at addresses that it does not use, with an image that there is", () => {
    const read = (host: string) =>
      readLab("first", "lab.yaml", `sandbox: true\nhosts: [{name: db, image: nginx:1.27, ${host}}]\n`, {}).cluster.hosts;
    expect(readLab("first", "lab.yaml", "sandbox: true\n", {}).cluster.hosts).toBeUndefined();
    expect(read("address: 192.0.2.42, names: [db.example.net], files: {/etc/motd: hello}")).toEqual([
      { name: "db", image: "nginx:1.27", address: "192.0.2.42", names: ["db.example.net"], files: { "/etc/motd": "hello" } },
    ]);
    for (const address of ["10.0.0.1", "172.18.0.9", "203.0.113.9", "192.0.2.256", "db.example.net"])
      expect(mistake(() => read(`address: ${address}`))).toContain("must be an address of 192.0.2.0/24");
    expect(mistake(() => read("address: 192.0.2.42, names: [db]"))).toContain("must be a name with a dot");
    expect(mistake(() => read("address: 192.0.2.42}, {name: web, image: nginx:1.27, address: 192.0.2.42"))).toContain(
      'has two hosts with the address "192.0.2.42"',
    );
    const other = "sandbox: true\nhosts: [{name: db, address: 192.0.2.42, image: nginx:0.1}]\n";
    expect(mistake(() => readLab("first", "lab.yaml", other, {}))).toContain(
      'names the image "nginx:0.1", which is in no registry',
    );
  });

  it("say which registries there are", () => {
    const lab = (registries: string): string => `sandbox: true\nnodes: [{architecture: arm64}]\nregistries: ${registries}\n`;
    const read = (registries: string) => readLab("first", "lab.yaml", lab(registries), {}).cluster.registries;
    expect(
      read(
        "[{host: 'r.example:5000', users: {a: x, b: {password: y, repositories: [t/*]}}, images: {'t/app:v1': nginx:1.27, 't/b:1': {from: httpd, architectures: [arm64]}}}]",
      ),
    ).toEqual([
      {
        host: "r.example:5000",
        accounts: [
          { username: "a", password: "x" },
          { username: "b", password: "y", repositories: ["t/*"] },
        ],
        images: { "t/app:v1": { from: "nginx:1.27" }, "t/b:1": { from: "httpd", files: undefined, architectures: ["arm64"] } },
      },
    ]);
    const wrong = (registries: string) => mistake(() => read(registries));
    expect(wrong("[{host: r.example, images: {'app:v1': nginx:7}}]")).toContain(
      'names the image "nginx:7", which is in no registry',
    );
    expect(wrong("[{host: r.example, images: {app: nginx}}]")).toContain(
      'has a name that must be a path with a tag, "team-a/app:v1"',
    );
    expect(wrong("[{host: docker.io, users: {a: b}, images: {}}]")).toContain("everyone may pull from docker.io");
    expect(wrong("[{host: r.example, images: {'app:v1': {from: nginx, architectures: [s390x]}}}]")).toContain(
      'must be amd64 or arm64, not "s390x"',
    );
  });

  it("may be a sandbox: a cluster to type into, without steps", () => {
    const lab = readLab("sandbox", "lab.yaml", "sandbox: true\nnodes: 2\naddons: [metrics-server]\n", {});
    expect(lab).toEqual({
      id: "sandbox",
      cluster: { nodes: 2, addons: ["metrics-server"] },
      picture: [],
      traffic: [],
      files: {},
      setup: "",
      steps: [],
    });
    expect(readLab("sandbox", "lab.yaml", "sandbox: true\naddons: []\n", {}).cluster.addons).toEqual([]);
    expect(readLabTexts(lab, "fr.yaml", "title: T\ngoal: G\n")).toEqual({ title: "T", goal: "G", steps: {} });
  });

  it("may name what the picture shows beside the usual", () => {
    const picture = "picture: [configmaps, secrets/shop, crontabs.stable.example.com]\n";
    expect(readLab("first", "lab.yaml", picture + whole, files).picture).toEqual([
      { resource: "configmaps", name: "" },
      { resource: "secrets", name: "shop" },
      { resource: "crontabs.stable.example.com", name: "" },
    ]);
    const mistakes = ["picture: [pods, configmap]\n", "picture: [ConfigMap/shop]\n", "picture: [configmaps/]\n"];
    expect(mistakes.map((text) => mistake(() => readLab("first", "lab.yaml", text + whole, files)))).toEqual([
      'lab.yaml:1: picture[1] names "configmap", which is no plural of a built-in kind (a custom kind has its group: crontabs.example.com)',
      'lab.yaml:1: picture[0] must be a resource or resource/name, not "ConfigMap/shop"',
      'lab.yaml:1: picture[0] must be a resource or resource/name, not "configmaps/"',
    ]);
  });

  it("may have steady clients and timed checks", () => {
    const traffic = "traffic: [{name: shop, from: node-2, url: http://web.default, everyMs: 500}]\n";
    const timed = whole.replace(
      "    values:",
      "    within: 2m\n    since: exists('pods', 'default', 'x')\n    for: 30s\n    values:",
    );
    const lab = readLab("first", "lab.yaml", traffic + timed, files);
    expect(lab.traffic).toEqual([{ name: "shop", from: "node-2", url: "http://web.default", everyMs: 500 }]);
    expect(lab.steps[0]?.checks[0]).toMatchObject({ withinMs: 120_000, since: "exists('pods', 'default', 'x')", forMs: 30_000 });
    const mistakes = [
      traffic.replace("node-2", "node-4") + whole,
      whole.replace("    values:", "    for: soon\n    values:"),
      whole.replace("    values:", "    since: 'true'\n    values:"),
    ];
    expect(mistakes.map((text) => mistake(() => readLab("first", "lab.yaml", text, files)))).toEqual([
      'lab.yaml:1: traffic[0].from must be one of workstation, control-plane, node-1, node-2, node-3, or "namespace/pod", not "node-4"',
      'lab.yaml:7: steps[0].checks[0].for must be a duration such as 30s or 2m, not "soon"',
      'lab.yaml:7: steps[0].checks[0].since counts for "within", which is not there',
    ]);
  });

  it.each([
    [
      whole.replace("solution: kubectl run b", "solutoin: kubectl run b"),
      /^lab\.yaml:\d+: steps\[1\]\.solutoin is not known here; expected id, observe, checks, record, tags, power, cables, watches, points, lesson, solution, ways, wrong$/,
    ],
    [
      whole.replace("[pod.yaml]", "[web.yaml]"),
      /^lab\.yaml:1: files\[0\] names "web\.yaml", which is not in the lab's files folder$/,
    ],
    [
      whole.replace("fails: [there]", "fails: [gone]"),
      /^lab\.yaml:12: steps\[0\].wrong\[0\]\.fails\[0\] names "gone", which is no check of this step$/,
    ],
    [whole.replace("- id: b\n", "- id: a\n"), /^lab\.yaml:1: the file has two steps with the id "a"$/],
    [
      whole.replace(`    that: exists("pods", "default", "a")\n`, ""),
      /^lab\.yaml:5: steps\[0\]\.checks\[0\] needs "that": that is missing$/,
    ],
    [
      whole.replace("- id: a\n", "- id: a\n  observe: {least: {value: '1', keep: middle}}\n"),
      /^lab\.yaml:4: steps\[0\]\.observe\.least\.keep must be least, most or always, not "middle"$/,
    ],
    ["steps: [", /^lab\.yaml:1: /],
    ["steps: []", /^lab\.yaml:1: the file must have 4 to 8 steps, not 0$/],
    [
      "sandbox: true\naddons: [metrics]",
      /^lab\.yaml:2: addons\[0\] names "metrics", which is none of metrics-server, local-path-provisioner, ingress-controller, csi-driver$/,
    ],
    ["sandbox: false", /^lab\.yaml:1: sandbox must be true, or left out$/],
    [`sandbox: true\n${whole}`, /^lab\.yaml:1: sandbox is true, and a sandbox has no steps, not 4$/],
  ])("name path, line and what is expected (%#)", (text, message) => {
    expect(mistake(() => readLab("first", "lab.yaml", text, files))).toMatch(message);
  });

  it("refuse texts that do not fit the lab", () => {
    const lab = readLab("first", "lab.yaml", whole, files);
    expect(mistake(() => readLabTexts(lab, "fr.yaml", texts("'{size} Pods'")))).toBe(
      "fr.yaml:10: steps.a.missing.there uses {size}, which the check does not offer",
    );
    expect(mistake(() => readLabTexts(lab, "fr.yaml", texts("x").replace("hints: [1a, 2a, 3a]", "hints: [1a]")))).toBe(
      "fr.yaml:7: steps.a.hints must hold three hints, from a nudge to almost the answer, not 1",
    );
    expect(mistake(() => readLabTexts(lab, "fr.yaml", texts("x").replace("  d:\n", "  e:\n")))).toMatch(
      /^fr\.yaml:\d+: steps\.e is not known here; expected a, b, c, d$/,
    );
  });
});

describe("a capstone", () => {
  const ids = ["a", "b", "c", "d", "e", "f"];
  const task = (id: string): string => step(id).replace("  checks:", "  points: 10\n  lesson: labels\n  checks:");
  const capstone = `capstone: true\nexam: {minutes: 30, pass: 66}\nsteps:\n${ids.map(task).join("")}`;
  const told = (hints: string): string =>
    `title: T\ngoal: G\nsteps:\n${ids
      .map((id) => `  ${id}:\n    title: t\n    task: t\n${hints}    solution: s\n    missing:\n      there: s\n`)
      .join("")}`;
  const read = (text: string) => readLab("capstone-one", "lab.yaml", text, {});

  it("has tasks with points and the lesson to read again, a clock, and no hints", () => {
    const lab = read(capstone);
    expect(lab.capstone).toBe(true);
    expect(lab.steps.map(({ points, lesson }) => `${points} ${lesson}`)).toEqual(ids.map(() => "10 labels"));
    expect(readLabTexts(lab, "fr.yaml", told("")).steps["a"]?.hints).toEqual([]);
    expect(mistake(() => readLabTexts(lab, "fr.yaml", told("    hints: [x, y, z]\n")))).toBe(
      "fr.yaml:7: steps.a.hints must not be there: a capstone has none",
    );
  });

  it.each([
    ["no clock", capstone.replace("exam: {minutes: 30, pass: 66}\n", ""), 'must say "exam": a capstone has a clock'],
    ["no points", capstone.replace("  points: 10\n", ""), `must say "points": it is a capstone's task`],
    ["no lesson", capstone.replace("  lesson: labels\n", ""), `must say "lesson": it is a capstone's task`],
    [
      "a record",
      capstone.replace("  points: 10\n", "  points: 10\n  record: {uid: 'x'}\n"),
      "must not be there: a capstone's tasks",
    ],
    ["five tasks", capstone.slice(0, capstone.indexOf("- id: f")), "must have 6 to 8 steps, not 5"],
    ["points without being one", whole.replace("  checks:", "  points: 10\n  checks:"), "is said of a capstone's tasks"],
  ])("is refused with %s", (_case, text, message) => {
    expect(mistake(() => readLab("first", "lab.yaml", text, files))).toContain(message);
  });
});
