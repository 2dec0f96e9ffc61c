import { describe, expect, it } from "vitest";
import { pods } from "#cluster/api/kinds.ts";
import type { Image } from "#cluster/images/image.ts";
import { publicImages } from "#cluster/images/public-images.ts";
import { createRegistry } from "#cluster/images/registry.ts";
import { SmallCluster } from "../../small-cluster.test-kit.ts";
import { evictionPolicyOf } from "../eviction/thresholds.ts";
import type { ImageGcPolicy } from "./image-gc.ts";

const gibibyte = 1024 ** 3;
const busybox = publicImages.find(({ repository, tag }) => repository.endsWith("/busybox") && tag === "1.36") as Image;

/** Images of 3 GiB each, a to f; the disk has 20. */
const large: readonly Image[] = ["a", "b", "c", "d", "e", "f"].map((letter) => ({
  ...busybox,
  repository: `docker.io/library/${letter}`,
  tag: "1",
  digest: `sha256:${letter.charCodeAt(0).toString(16).repeat(32)}`,
  sizeBytes: 3 * gibibyte,
}));

function start(imageGc: ImageGcPolicy = {}) {
  const registry = createRegistry({ images: [...large, ...publicImages] });
  // With the usual thresholds of the disk a full one would cost all unused images at once.
  const eviction = evictionPolicyOf({ evictionHard: { "memory.available": "100Mi" } });
  const cluster = new SmallCluster({ registry, kubelet: { imageGc, eviction } });
  cluster.startKubelets();
  const { runtime } = cluster.node;
  const bring = (letter: string): void => {
    runtime.importImage(large.find(({ repository }) => repository.endsWith(`/${letter}`)) as Image);
  };
  const there = (): string => {
    const letters = runtime.images().flatMap(({ image }) => /\/([a-f])$/u.exec(image.repository)?.[1] ?? []);
    return letters.sort().join("");
  };
  const wait = (minutes: number) => cluster.simulation.advance(minutes * 60_000);
  return { cluster, runtime, bring, there, wait };
}

describe("unused images", () => {
  it("[POD-589] [POD-590] [POD-591] go when the disk is full, the longest unused first, until there is room", () => {
    const { bring, there, wait } = start();
    for (const letter of "abc") bring(letter);
    wait(6);
    for (const letter of "def") bring(letter);
    // 18 of 20 GiB: down to 16, one image of 3.
    wait(9);
    expect(there()).toBe("bcdef");
  });

  it("[POD-589] are looked at every 5 minutes, counted from the kubelet's start", () => {
    const { bring, there, wait } = start({ highThresholdPercent: 10, lowThresholdPercent: 5, minimumAgeSeconds: 0 });
    bring("a");
    wait(4.9);
    expect(there()).toBe("a");
    wait(0.2);
    expect(there()).toBe("");
    bring("b");
    wait(4.7);
    expect(there()).toBe("b");
    wait(0.3);
    expect(there()).toBe("");
  });

  it("stay while the disk has room", () => {
    const { bring, there, wait } = start();
    for (const letter of "abcde") bring(letter);
    wait(60);
    expect(there()).toBe("abcde");
  });

  it("[POD-592] that a container uses stay, and so do young and pinned ones", () => {
    const { cluster, runtime, bring, there, wait } = start({ highThresholdPercent: 10, lowThresholdPercent: 5 });
    bring("a");
    cluster.createPod("user", { containers: [{ name: "c", image: "a:1", command: ["sleep", "100000"] }] });
    cluster.untilReady("user");
    runtime.importImage(large[1] as Image, { pinned: true });
    bring("c");
    wait(12);
    expect(there()).toBe("ab");
    wait(4);
    bring("d");
    cluster.simulation.advance(30_000);
    expect(there()).toBe("abd");
  });

  it("[POD-593] go at any level when they were not used for too long, counted from the kubelet's start", () => {
    const { cluster, bring, there, wait } = start({ maximumAgeSeconds: 12 * 3600 });
    bring("a");
    wait(11 * 60);
    cluster.node.kubelet.stop();
    cluster.node.kubelet.start();
    wait(11 * 60);
    expect(there()).toBe("a");
    wait(70);
    expect(there()).toBe("");
  });

  it("[POD-594] stay where the threshold is 100", () => {
    const { bring, there, wait } = start({ highThresholdPercent: 100 });
    for (const letter of "abcdef") bring(letter);
    wait(30);
    expect(there()).toBe("abcdef");
  });

  it("[POD-595] say when their removal is not enough", () => {
    const { cluster, bring, there, wait } = start({ highThresholdPercent: 10, lowThresholdPercent: 5 });
    cluster.createPod("user", { containers: [{ name: "c", image: "b:1", command: ["sleep", "100000"] }] });
    cluster.untilReady("user");
    bring("a");
    wait(11);
    expect(there()).toBe("b");
    const message =
      "Insufficient free disk space on the node's image filesystem (31% of 20.0 GiB used). Failed to free sufficient space by deleting unused images (freed 3221225472 bytes). Investigate disk usage, as it could be used by active images, logs, volumes, or other data.";
    expect(cluster.eventsOf("node-1")).toContain(`Warning FreeDiskSpaceFailed ${message}`);
    expect(cluster.eventsOf("node-1").some((event) => event.startsWith("Warning ImageGCFailed"))).toBe(true);
  });

  it("[POD-598] are pulled again by the next Pod", () => {
    const { cluster, there, wait } = start({ maximumAgeSeconds: 600 });
    cluster.createPod("one", { containers: [{ name: "c", image: "a:1", command: ["true"] }], restartPolicy: "Never" });
    wait(5);
    cluster.client.delete(pods, { namespace: "default", name: "one" });
    wait(30);
    expect(there()).toBe("");
    cluster.createPod("two", { containers: [{ name: "c", image: "a:1", command: ["sleep", "100000"] }] });
    cluster.untilReady("two", 300_000);
    expect(cluster.eventsOf("two").some((event) => event.includes("Successfully pulled image"))).toBe(true);
  });
});
