// Who may use an image that is on the node already.

import { describe, expect, it } from "vitest";
import { pods, secrets } from "#cluster/api/kinds.ts";
import type { Image } from "#cluster/images/image.ts";
import { publicImages } from "#cluster/images/public-images.ts";
import { createRegistry } from "#cluster/images/registry.ts";
import { SmallCluster } from "../../small-cluster.test-kit.ts";
import { stateOf } from "../kubelet.test-kit.ts";
import type { KubeletOptions } from "../kubelet-options.ts";
import type { VerificationPolicy } from "./pull-records.ts";

const host = "registry.lab.example:5000";
const image = `${host}/team-b/tool:v1`;
const [busybox] = publicImages.filter(({ repository, tag }) => repository.endsWith("/busybox") && tag === "1.36");
const tool: Image = { ...(busybox as Image), repository: `${host}/team-b/tool`, tag: "v1", digest: `sha256:${"7".repeat(64)}` };
const folder = "/var/lib/kubelet/image_manager/pulled";

function started(kubelet: Partial<KubeletOptions> = {}) {
  const registry = createRegistry({
    images: [...publicImages, tool],
    hosts: [{ host, accounts: [{ username: "lab", password: "lab-pass" }], unknownRepository: "notFound" }],
  });
  const cluster = new SmallCluster({ registry, kubelet });
  cluster.startKubelets();
  cluster.simulation.advance(1_000);
  const { files } = cluster.node.machine;
  const auths = JSON.stringify({ auths: { [host]: { username: "lab", password: "lab-pass" } } });
  const addSecret = (name: string, text = auths) =>
    cluster.client.create(secrets, {
      metadata: { name, namespace: "default" },
      type: "kubernetes.io/dockerconfigjson",
      data: { ".dockerconfigjson": btoa(text) },
    });
  const run = (name: string, ...pullSecrets: readonly string[]): string => {
    const container = { name: "c", image, command: ["sleep", "100000"] };
    cluster.createPod(name, { imagePullSecrets: pullSecrets.map((each) => ({ name: each })), containers: [container] });
    cluster.simulation.advance(6_000);
    return stateOf(cluster, name, "c");
  };
  const requests = () => registry.log.entries(host).length;
  const records = () => (files.exists(folder) ? files.readdir(folder).map((name) => files.readText(`${folder}/${name}`)) : []);
  return { cluster, files, registry, addSecret, run, requests, records };
}

const refused = /^waiting: (ErrImagePull|ImagePullBackOff)$/u;
const preloaded: VerificationPolicy["policy"] = "NeverVerifyPreloadedImages";

describe("an image that the kubelet pulled with a Secret", () => {
  it("[POD-059] [POD-060] is pulled again, with what they have, for pods without that Secret", () => {
    const { addSecret, run, requests, cluster } = started();
    addSecret("good");
    expect(run("owner", "good")).toBe("running");
    const before = requests();
    expect(run("friend", "good")).toBe("running");
    expect(requests()).toBe(before);
    expect(cluster.eventsOf("friend")).toContain(
      `Normal Pulled Container image "${image}" already present on machine and can be accessed by the pod`,
    );
    expect(run("stranger")).toMatch(refused);
    expect(requests()).toBeGreaterThan(before);
    expect(cluster.eventsOf("stranger")).toContain(
      `Warning Failed Failed to pull image "${image}": rpc error: code = Unknown desc = failed to pull and unpack image "${image}": failed to resolve reference "${image}": pull access denied, repository does not exist or may require authorization: authorization failed: no basic auth credentials`,
    );
    expect(cluster.node.runtime.findImage(image)).toBeDefined();
  });

  it("[POD-059] is there for another Secret with the same text, and for the same one with another text", () => {
    const { addSecret, run, requests, cluster } = started();
    addSecret("good");
    run("owner", "good");
    const before = requests();
    addSecret("copy");
    expect(run("same-text", "copy")).toBe("running");
    cluster.client.patch(secrets, { namespace: "default", name: "good" }, "merge", {
      data: { ".dockerconfigjson": btoa(JSON.stringify({ auths: { [host]: { username: "lab", password: "changed" } } })) },
    });
    expect(run("same-object", "good")).toBe("running");
    expect(requests()).toBe(before);
    addSecret("other", JSON.stringify({ auths: { [host]: { username: "x", password: "y" } } }));
    expect(run("other", "other")).toMatch(refused);
  });

  it("[POD-060] is not there for those who may not have it and never pull", () => {
    const { addSecret, run, cluster } = started();
    addSecret("good");
    run("owner", "good");
    cluster.createPod("never", { containers: [{ name: "c", image, imagePullPolicy: "Never" }] });
    cluster.simulation.advance(3_000);
    expect(stateOf(cluster, "never", "c")).toBe("waiting: ErrImageNeverPull");
    expect(cluster.eventsOf("never").map((event) => event.replace(/ x\d+$/u, ""))).toContain(
      `Warning ErrImageNeverPull Container image "${image}" is not present with pull policy of Never`,
    );
  });

  it("[POD-061] was for everyone when the node's own credentials brought it", () => {
    const { files, run, requests } = started();
    files.writeFile("/var/lib/kubelet/config.json", JSON.stringify({ auths: { [host]: { auth: btoa("lab:lab-pass") } } }));
    expect(run("first")).toBe("running");
    files.unlink("/var/lib/kubelet/config.json");
    const before = requests();
    expect(run("second")).toBe("running");
    expect(requests()).toBe(before);
  });

  it("[POD-064] is recorded in a file, which the next kubelet goes by", () => {
    const { cluster, addSecret, run, records, files } = started();
    const { uid } = addSecret("good").metadata;
    run("owner", "good");
    const id = cluster.node.runtime.findImage(image)?.id;
    expect(files.readdir(folder)).toEqual([expect.stringMatching(/^sha256-[0-9a-f]{64}$/u)]);
    expect(records().map((text) => JSON.parse(text))).toEqual([
      {
        kind: "ImagePulledRecord",
        apiVersion: "kubelet.config.k8s.io/v1beta1",
        lastUpdatedTime: expect.stringMatching(/^2026-01-01T00:00:0\dZ$/u),
        imageRef: id,
        credentialMapping: {
          [`${host}/team-b/tool`]: {
            kubernetesSecrets: [
              {
                uid,
                namespace: "default",
                name: "good",
                // echo -n '{"username":"lab","password":"lab-pass"}' | sha256sum
                credentialHash: "78d53f23b6adeedea0d8142f7b0445d48b8e37d19e9a60d11ad451904547a527",
              },
            ],
          },
        },
      },
    ]);
    cluster.node.kubelet.stop();
    cluster.node.kubelet.start();
    cluster.simulation.advance(2_000);
    expect(run("stranger")).toMatch(refused);
    expect(run("friend", "good")).toBe("running");
  });

  it("[POD-064] is forgotten when the image is gone", () => {
    const { cluster, addSecret, run, records } = started();
    addSecret("good");
    run("owner", "good");
    cluster.client.delete(pods, { namespace: "default", name: "owner" });
    cluster.simulation.advance(60_000);
    cluster.node.runtime.removeImage(cluster.node.runtime.findImage(image)?.reference ?? "");
    cluster.simulation.advance(301_000);
    expect(records()).toEqual([]);
  });

  it("[POD-064] counts as pulled, by nobody knows whom, when the kubelet ended before it was there", () => {
    const { cluster, addSecret, files, records, run } = started();
    addSecret("good");
    cluster.createPod("owner", {
      imagePullSecrets: [{ name: "good" }],
      containers: [{ name: "c", image, command: ["sleep", "9"] }],
    });
    expect(cluster.simulation.runUntil(() => files.exists("/var/lib/kubelet/image_manager/pulling"), { limitMs: 3_000 })).toBe(
      true,
    );
    const [intent = ""] = files.readdir("/var/lib/kubelet/image_manager/pulling");
    const text = files.readText(`/var/lib/kubelet/image_manager/pulling/${intent}`);
    expect(JSON.parse(text)).toEqual({ kind: "ImagePullIntent", apiVersion: "kubelet.config.k8s.io/v1beta1", image });
    cluster.node.kubelet.stop();
    cluster.simulation.advance(10_000);
    files.writeFile(`/var/lib/kubelet/image_manager/pulling/${intent}`, text);
    cluster.client.delete(pods, { namespace: "default", name: "owner" }, { gracePeriodSeconds: 0 });
    cluster.node.kubelet.start();
    cluster.simulation.advance(1_000);
    expect(records().map((each) => JSON.parse(each).credentialMapping)).toEqual([{}]);
    expect(run("stranger")).toMatch(refused);
  });
});

describe("which images are verified", () => {
  it.each<readonly [string, VerificationPolicy, boolean, boolean]>([
    ["[POD-062] the default: those that the kubelet pulled", { policy: preloaded, allowlist: [] }, true, false],
    ["[POD-063] none", { policy: "NeverVerify", allowlist: [] }, true, true],
    ["[POD-063] all", { policy: "AlwaysVerify", allowlist: [] }, false, false],
    [
      "[POD-063] those that are not listed",
      { policy: "NeverVerifyAllowlistedImages", allowlist: [`${host}/other/*`] },
      false,
      false,
    ],
    [
      "[POD-063] not those below a listed path",
      { policy: "NeverVerifyAllowlistedImages", allowlist: [`${host}/team-b/*`] },
      true,
      true,
    ],
    ["[POD-063] not a listed one", { policy: "NeverVerifyAllowlistedImages", allowlist: [`${host}/team-b/tool`] }, true, true],
  ])("%s", (_title, imageVerification, usesPreloaded, usesPulled) => {
    const loaded = started({ imageVerification });
    loaded.cluster.node.runtime.importImage(tool);
    expect(loaded.run("p")).toMatch(usesPreloaded ? /^running$/u : refused);
    const pulled = started({ imageVerification });
    pulled.addSecret("good");
    pulled.run("owner", "good");
    expect(pulled.run("p")).toMatch(usesPulled ? /^running$/u : refused);
  });
});
