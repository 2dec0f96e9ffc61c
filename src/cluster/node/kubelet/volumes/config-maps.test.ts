// Volumes made of ConfigMaps, and variables from them: what is in them, what they refuse, and how they follow changes.

import { describe, expect, it } from "vitest";
import { configMaps, pods } from "#cluster/api/kinds.ts";
import type { SmallCluster } from "../../small-cluster.test-kit.ts";
import { instancesOf, logOf, shell, startedCluster, statusOf } from "../kubelet.test-kit.ts";

const named = { name: "settings", namespace: "default" };

function withSettings(data: { readonly [key: string]: string } = { color: "red\n", size: "big\n" }): SmallCluster {
  const cluster = startedCluster();
  cluster.client.create(configMaps, { metadata: named, data });
  return cluster;
}

function change(cluster: SmallCluster, data: { readonly [key: string]: string }): void {
  cluster.client.update(configMaps, { ...cluster.client.get(configMaps, named), data });
}

/** A Pod whose only volume is mounted at /mnt. */
function mounted(cluster: SmallCluster, source: object, script: string, mount: object = {}): void {
  cluster.createPod("p", {
    volumes: [{ name: "v", ...source }],
    containers: [shell("c", script, { volumeMounts: [{ name: "v", mountPath: "/mnt", ...mount }] })],
  });
  cluster.simulation.advance(20_000);
}

const settings = (more: object = {}) => ({ configMap: { name: "settings", ...more } });
const volumeMounts = [{ name: "v", mountPath: "/mnt" }];
const follow = "while true; do echo $(cat /mnt/color); sleep 1; done";
const variable = (name: string, key: string, more: object = {}) => ({
  name,
  valueFrom: { configMapKeyRef: { name: "settings", key, ...more } },
});

function printed(cluster: SmallCluster, script: string, more: object): string {
  cluster.createPod("p", { restartPolicy: "Never", containers: [shell("c", script, more)] });
  cluster.simulation.advance(10_000);
  return logOf(cluster, "p", "c");
}

/** Seconds from the change to the file's. */
function delayOf(cluster: SmallCluster, color: string): number {
  const changedMs = cluster.simulation.nowMs;
  change(cluster, { color });
  cluster.simulation.runUntil(() => logOf(cluster, "p", "c").includes(color), { limitMs: 200_000 });
  return (cluster.simulation.nowMs - changedMs) / 1000;
}

describe("a volume of a ConfigMap", () => {
  it.each([
    ["a ConfigMap", settings()],
    ["projected sources", { projected: { sources: [settings()] } }],
    ["the downward API", { downwardAPI: { items: [{ path: "color", fieldRef: { fieldPath: "metadata.name" } }] } }],
  ])("[NET-285] [NET-286] is read-only to containers, whatever the mount says: %s", (_, source) => {
    const cluster = withSettings();
    mounted(cluster, source, "echo x > /mnt/new; echo x > /mnt/color; rm /mnt/color; sleep 1000", { readOnly: false });
    expect(logOf(cluster, "p", "c").trimEnd().split("\n")).toEqual([
      "sh: can't create /mnt/new: Read-only file system",
      "sh: can't create /mnt/color: Read-only file system",
      expect.stringMatching(/^rm: .*Read-only file system$/),
    ]);
  });

  it("[NET-283] has links through ..data to a dated directory, and the files that items name only", () => {
    const cluster = withSettings();
    mounted(cluster, settings({ items: [{ key: "color", path: "paint/name" }] }), "find /mnt; readlink /mnt/paint; sleep 1000");
    expect(
      logOf(cluster, "p", "c")
        .replace(/\.\.\d{4}(_\d\d){5}\.\d{9}/gu, "..DATE")
        .trimEnd()
        .split("\n")
        .sort(),
    ).toEqual(["..data/paint", "/mnt", "/mnt/..DATE", "/mnt/..DATE/paint", "/mnt/..DATE/paint/name", "/mnt/..data", "/mnt/paint"]);
  });

  it("[NET-278] [NET-272] [NET-268] is waited for, ever longer; the Pod starts when the ConfigMap is there", () => {
    const cluster = startedCluster();
    mounted(cluster, settings(), "cat /mnt/color; sleep 1000");
    expect(statusOf(cluster, "p", "c")?.state?.waiting).toEqual({ reason: "ContainerCreating" });
    expect(cluster.eventsOf("p")[0]).toContain(
      'Warning FailedMount MountVolume.SetUp failed for volume "v" : configmap "settings" not found',
    );
    cluster.client.create(configMaps, { metadata: named, data: { color: "red\n" } });
    cluster.untilReady("p");
    expect(logOf(cluster, "p", "c")).toBe("red\n");
  });

  it("[NET-270] has the later of two items at one path", () => {
    const cluster = withSettings();
    const items = ["color", "size"].map((key) => ({ key, path: "same" }));
    mounted(cluster, settings({ items }), "ls /mnt; cat /mnt/same; sleep 1000");
    expect(logOf(cluster, "p", "c")).toBe("same\nbig\n");
  });

  it("[NET-279] names the key that an item asks for in vain", () => {
    const cluster = withSettings();
    mounted(cluster, settings({ items: [{ key: "nope", path: "a" }] }), "sleep 1000");
    expect(cluster.eventsOf("p")[0]).toContain(
      'Warning FailedMount MountVolume.SetUp failed for volume "v" : references non-existent config key: nope',
    );
  });

  it("[NET-281] is empty where the ConfigMap is optional and missing, and filled once it is made", () => {
    const cluster = startedCluster();
    mounted(cluster, settings({ optional: true }), "ls /mnt | wc -l; sleep 200; cat /mnt/color; sleep 1000");
    cluster.client.create(configMaps, { metadata: named, data: { color: "red\n" } });
    cluster.simulation.advance(250_000);
    expect(logOf(cluster, "p", "c")).toBe("0\nred\n");
  });

  it("[NET-287] follows a change within a minute and a half, and with the next sync for another cause at once", () => {
    const cluster = withSettings();
    mounted(cluster, settings(), follow);
    const delays = ["one", "two", "three"].map((color) => delayOf(cluster, color));
    expect(Math.max(...delays)).toBeGreaterThan(5);
    expect(Math.max(...delays)).toBeLessThan(91);
    change(cluster, { color: "four" });
    cluster.simulation.advance(100);
    const pod = cluster.pod("p");
    cluster.client.update(pods, { ...pod, metadata: { ...pod.metadata, annotations: { sync: "now" } } });
    cluster.simulation.advance(4_000);
    expect(logOf(cluster, "p", "c")).toContain("four");
  });

  it("[NET-288] [NET-287] never changes what a subPath mounted", () => {
    const cluster = withSettings();
    mounted(cluster, settings(), "while true; do echo $(cat /color); sleep 1; done", { mountPath: "/color", subPath: "color" });
    change(cluster, { color: "green" });
    cluster.simulation.advance(300_000);
    expect(logOf(cluster, "p", "c")).not.toContain("green");
  });

  it("[NET-400] outlives the ConfigMap, which the kubelet misses ever more seldom; when it is there again, the files follow", () => {
    const cluster = withSettings();
    mounted(cluster, settings(), follow);
    const warnings = () => cluster.eventsOf("p").filter((event) => event.includes("FailedMount"));
    cluster.client.delete(configMaps, named);
    expect(warnings()).toEqual([]);
    cluster.simulation.advance(200_000);
    expect(logOf(cluster, "p", "c").trimEnd().split("\n").at(-1)).toBe("red");
    const [warning = "", ...others] = warnings();
    expect(others).toEqual([]);
    expect(warning).toMatch(/^Warning FailedMount MountVolume\.SetUp failed for volume "v" : configmap "settings" not found x\d+$/);
    // After 0.5 s, 1, 2 … 64 s: eight or nine times since the sync that found it missing.
    expect(Number(/\d+$/.exec(warning)?.[0])).toBeGreaterThanOrEqual(8);
    expect(Number(/\d+$/.exec(warning)?.[0])).toBeLessThanOrEqual(9);
    cluster.client.create(configMaps, { metadata: named, data: { color: "blue\n" } });
    cluster.simulation.advance(122_000);
    expect(logOf(cluster, "p", "c").trimEnd().split("\n").at(-1)).toBe("blue");
    cluster.client.delete(configMaps, named);
    cluster.simulation.advance(100);
    expect(warnings().length).toBe(1);
  });

  it("is missed by a Pod that waits for it ever more seldom, at last every 122 s, however long that takes", () => {
    const cluster = withSettings();
    cluster.client.delete(configMaps, named);
    mounted(cluster, settings(), follow);
    cluster.simulation.advance(1_300_000);
    const [warning = "", ...others] = cluster.eventsOf("p").filter((event) => event.includes("FailedMount"));
    expect(others).toEqual([]);
    // Nine times in the first 128 s, then every 122 s.
    expect(Number(/\d+$/.exec(warning)?.[0])).toBeGreaterThanOrEqual(17);
    expect(Number(/\d+$/.exec(warning)?.[0])).toBeLessThanOrEqual(19);
    cluster.client.create(configMaps, { metadata: named, data: { color: "blue\n" } });
    cluster.simulation.advance(130_000);
    expect(logOf(cluster, "p", "c").trimEnd().split("\n").at(-1)).toBe("blue");
  });

  it("[NET-278] says of each projected source that it is missing", () => {
    const cluster = withSettings();
    const sources = [
      { secret: { name: "login" } },
      settings(),
      settings({ items: [{ key: "nope", path: "a" }] }),
      { configMap: { name: "gone" } },
      { configMap: { name: "gone" } },
      { secret: { name: "maybe", optional: true } },
    ];
    mounted(cluster, { projected: { sources } }, "sleep 1000");
    expect(cluster.eventsOf("p")[0]).toMatch(
      /^Warning FailedMount MountVolume\.SetUp failed for volume "v" : \[secret "login" not found, references non-existent config key: nope, configmap "gone" not found\] x\d+$/,
    );
  });
});

describe("an immutable ConfigMap", () => {
  it.each([
    ["that was deleted and made anew", true, "red"],
    ["unlike one that may change", false, "green"],
  ])("[NET-401] is not watched: its Pods keep what they mounted of one %s", (_, immutable, color) => {
    const cluster = startedCluster();
    cluster.client.create(configMaps, { metadata: named, data: { color: "red" }, immutable });
    mounted(cluster, settings(), follow);
    cluster.client.delete(configMaps, named);
    cluster.client.create(configMaps, { metadata: named, data: { color: "green" } });
    cluster.simulation.advance(200_000);
    const later = { volumes: [{ name: "v", ...settings() }], containers: [shell("c", follow, { volumeMounts })] };
    cluster.createPod("later", later);
    cluster.simulation.advance(10_000);
    const last = (pod: string) => logOf(cluster, pod, "c").trimEnd().split("\n").at(-1);
    expect([last("p"), last("later")]).toEqual([color, color]);
    for (const name of ["p", "later"]) cluster.client.delete(pods, { name, namespace: "default" });
    cluster.simulation.advance(60_000);
    cluster.createPod("new", later);
    cluster.simulation.advance(10_000);
    expect(last("new")).toBe("green");
  });
});

describe("variables from a ConfigMap", () => {
  it("[NET-392] are waited for where the key is missing; [NET-393] the container starts when it is there", () => {
    const cluster = withSettings();
    cluster.createPod("p", { containers: [shell("c", "echo $C; sleep 1000", { env: [variable("C", "nope")] })] });
    cluster.simulation.advance(20_000);
    expect(statusOf(cluster, "p", "c")?.state?.waiting).toEqual({
      reason: "CreateContainerConfigError",
      message: "couldn't find key nope in ConfigMap default/settings",
    });
    const { uid } = cluster.pod("p").metadata;
    change(cluster, { nope: "there" });
    cluster.untilReady("p");
    expect([logOf(cluster, "p", "c"), statusOf(cluster, "p", "c")?.restartCount, cluster.pod("p").metadata.uid]).toEqual([
      "there\n",
      0,
      uid,
    ]);
  });

  it("[NET-394] are not set where they are optional and missing", () => {
    const env = [variable("C", "nope", { optional: true }), variable("D", "color")];
    expect(printed(withSettings(), "env | grep -e ^C= -e ^D=", { env })).toBe("D=red\n");
  });

  it("[NET-395] are waited for where envFrom names a ConfigMap that is not there", () => {
    const cluster = startedCluster();
    printed(cluster, "true", { envFrom: [{ configMapRef: { name: "settings" } }] });
    expect(statusOf(cluster, "p", "c")?.state?.waiting).toEqual({
      reason: "CreateContainerConfigError",
      message: 'configmap "settings" not found',
    });
  });

  it("[NET-397] [NET-396] have any key's name behind the prefix; later sources win, and env wins over all", () => {
    const cluster = withSettings({ a: "1", b: "1", c: "1", "1bad.key": "kept" });
    cluster.client.create(configMaps, { metadata: { name: "more", namespace: "default" }, data: { b: "2", c: "2" } });
    const envFrom = [
      { prefix: "X_", configMapRef: { name: "settings" } },
      { configMapRef: { name: "settings" } },
      { configMapRef: { name: "more" } },
    ];
    const text = printed(cluster, "env | grep -e ^X_ -e ^.= -e ^1 | sort", { envFrom, env: [{ name: "c", value: "3" }] });
    expect(text.trimEnd().split("\n")).toEqual([
      "1bad.key=kept",
      "X_1bad.key=kept",
      "X_a=1",
      "X_b=1",
      "X_c=1",
      "a=1",
      "b=2",
      "c=3",
    ]);
  });

  it("[NET-398] keep the newline at the end of a value", () => {
    expect(printed(withSettings(), 'printf "[%s]" "$D"', { env: [variable("D", "color")] })).toBe("[red\n]");
  });

  it("[NET-399] stay as they were until the container starts anew", () => {
    const cluster = withSettings({ color: "red" });
    const container = shell("c", "echo $D; sleep 200; exit 1", { env: [variable("D", "color")] });
    cluster.createPod("p", { containers: [container] });
    cluster.simulation.advance(20_000);
    change(cluster, { color: "green" });
    cluster.simulation.advance(150_000);
    expect(instancesOf(cluster, "p", "c").map(({ log }) => log.tailText(10, 1000))).toEqual(["red\n"]);
    cluster.simulation.advance(60_000);
    expect(instancesOf(cluster, "p", "c")[0]?.log.tailText(10, 1000)).toBe("green\n");
  });
});

it.each([
  ["default.conf", "can not modify /etc/nginx/conf.d/default.conf (read-only file system?)"],
  ["site.conf", "/etc/nginx/conf.d/default.conf is not a file or does not exist"],
])(
  "an nginx whose conf.d is a ConfigMap with %s serves what it says, and says why its start script changed nothing",
  (key, said) => {
    const cluster = startedCluster();
    cluster.client.create(configMaps, { metadata: named, data: { [key]: "server { listen 80; return 200 hello; }" } });
    const web = { name: "c", image: "nginx:1.27", volumeMounts: [{ name: "v", mountPath: "/etc/nginx/conf.d" }] };
    cluster.createPod("p", { volumes: [{ name: "v", ...settings() }], containers: [web] });
    cluster.untilReady("p");
    const log = logOf(cluster, "p", "c");
    expect(log).toContain(`10-listen-on-ipv6-by-default.sh: info: ${said}\n`);
    expect(log).not.toContain("emerg");
  },
);
