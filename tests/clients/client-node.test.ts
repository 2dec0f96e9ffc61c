// The official JavaScript client against the port: a second independent reader of what the API server says.

import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import * as k8s from "@kubernetes/client-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LiveCluster, startLiveCluster } from "../../src/server/live-cluster.ts";
import { until as hold } from "./port.test-kit.ts";

let cluster: LiveCluster;
const config = new k8s.KubeConfig();
let core: k8s.CoreV1Api;
let apps: k8s.AppsV1Api;

beforeAll(async () => {
  cluster = await startLiveCluster({ port: 0, nodes: 2, seed: 11, insecureHttp: false, withoutAddons: true });
  config.loadFromString(cluster.kubeconfig);
  core = config.makeApiClient(k8s.CoreV1Api);
  apps = config.makeApiClient(k8s.AppsV1Api);
});

afterAll(() => new Promise<void>((resolve) => cluster.close(resolve)));

const namespace = "default";

async function until<T>(read: () => Promise<T | undefined> | T | undefined): Promise<T> {
  let answer: T | undefined;
  await hold("an answer", async () => {
    answer = await read();
    return answer !== undefined;
  });
  return answer as T;
}

function podNamed(name: string, image = "nginx", command?: string[]): k8s.V1Pod {
  const container = { name: "main", image, ...(command === undefined ? {} : { command }) };
  return { metadata: { name, labels: { app: name } }, spec: { containers: [container] } };
}

function running(name: string): Promise<k8s.V1Pod> {
  return until(async () => {
    const pod = await core.readNamespacedPod({ name, namespace });
    return pod.status?.phase === "Running" ? pod : undefined;
  });
}

/** What a stream has carried, as text. */
function collector(): { readonly stream: PassThrough; readonly text: () => string } {
  const stream = new PassThrough();
  const parts: Buffer[] = [];
  stream.on("data", (part: Buffer) => parts.push(part));
  return { stream, text: () => Buffer.concat(parts).toString() };
}

/** What a command in a Pod prints. */
async function output(pod: string, ...command: readonly string[]): Promise<string> {
  const out = collector();
  await new Promise<void>((resolve, reject) => {
    const done = () => resolve();
    new k8s.Exec(config).exec(namespace, pod, "main", [...command], out.stream, null, null, false, done).catch(reject);
  });
  return out.text();
}

describe("the JavaScript client", () => {
  it("[API-017] creates, reads, replaces and deletes typed objects", async () => {
    const made = await core.createNamespacedConfigMap({ namespace, body: { metadata: { name: "typed" }, data: { a: "1" } } });
    expect([made.data, made.metadata?.creationTimestamp instanceof Date]).toEqual([{ a: "1" }, true]);
    const replaced = await core.replaceNamespacedConfigMap({ name: "typed", namespace, body: { ...made, data: { a: "2" } } });
    expect(replaced.data).toEqual({ a: "2" });
    await expect(core.replaceNamespacedConfigMap({ name: "typed", namespace, body: made })).rejects.toMatchObject({ code: 409 });
    const gone = await core.deleteNamespacedConfigMap({ name: "typed", namespace });
    expect(gone.status).toBe("Success");
    await expect(core.readNamespacedConfigMap({ name: "typed", namespace })).rejects.toMatchObject({ code: 404 });
  });

  it("[API-035] patches in every way there is", async () => {
    await core.createNamespacedConfigMap({ namespace, body: { metadata: { name: "patched" }, data: { a: "1" } } });
    const patch = async (body: object, type: string, more: object = {}) => {
      const options = k8s.setHeaderOptions("Content-Type", type);
      return (await core.patchNamespacedConfigMap({ name: "patched", namespace, body, ...more }, options)).data;
    };
    expect(await patch([{ op: "add", path: "/data/b", value: "2" }], k8s.PatchStrategy.JsonPatch)).toEqual({ a: "1", b: "2" });
    expect(await patch({ data: { a: null } }, k8s.PatchStrategy.MergePatch)).toEqual({ b: "2" });
    expect(await patch({ data: { c: "3" } }, k8s.PatchStrategy.StrategicMergePatch)).toEqual({ b: "2", c: "3" });
    const applied = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "patched" }, data: { d: "4" } };
    expect(await patch(applied, k8s.PatchStrategy.ServerSideApply, { fieldManager: "test" })).toEqual({ b: "2", c: "3", d: "4" });
  });

  it("[API-132] lists page by page", async () => {
    for (let index = 0; index < 5; index += 1) {
      await core.createNamespacedSecret({ namespace, body: { metadata: { name: `page-${index}`, labels: { paged: "yes" } } } });
    }
    const names: (string | undefined)[] = [];
    let _continue: string | undefined;
    let pages = 0;
    do {
      const page = await core.listNamespacedSecret({
        namespace,
        labelSelector: "paged=yes",
        limit: 2,
        ...(_continue === undefined ? {} : { _continue }),
      });
      names.push(...page.items.map(({ metadata }) => metadata?.name));
      _continue = page.metadata?._continue || undefined;
      pages += 1;
    } while (_continue !== undefined);
    expect([pages, names]).toEqual([3, ["page-0", "page-1", "page-2", "page-3", "page-4"]]);
  });

  it("[API-123] [API-125] keeps an informer's cache up to date", async () => {
    const seen: string[] = [];
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    const list = () => core.listNamespacedConfigMap({ namespace, labelSelector: "informed=yes" });
    const informer = k8s.makeInformer(config, path, list, "informed=yes");
    for (const verb of ["add", "update", "delete"] as const) {
      informer.on(verb, (object) => void seen.push(`${verb} ${object.metadata?.name} ${object.data?.["v"]}`));
    }
    await informer.start();
    const body = { metadata: { name: "watched", labels: { informed: "yes" } }, data: { v: "1" } };
    const made = await core.createNamespacedConfigMap({ namespace, body });
    await core.replaceNamespacedConfigMap({ name: "watched", namespace, body: { ...made, data: { v: "2" } } });
    await core.deleteNamespacedConfigMap({ name: "watched", namespace });
    await until(() => (seen.length >= 3 ? true : undefined));
    await informer.stop();
    expect(seen).toEqual(["add watched 1", "update watched 2", "delete watched 2"]);
  });

  it("[API-130] ends a watch when its time is up", async () => {
    const types: string[] = [];
    const ended = new Promise((resolve) => {
      void new k8s.Watch(config).watch(
        "/api/v1/namespaces",
        { timeoutSeconds: 1 },
        (type) => types.push(type),
        (error) => resolve(error),
      );
    });
    expect([await ended, types]).toEqual([null, ["ADDED", "ADDED", "ADDED", "ADDED"]]);
  });

  it("[API-105] scales and reads status of a Deployment, each through its own door", async () => {
    await apps.createNamespacedDeployment({
      namespace,
      body: {
        metadata: { name: "web" },
        spec: {
          replicas: 1,
          selector: { matchLabels: { app: "scaled" } },
          template: { metadata: { labels: { app: "scaled" } }, spec: { containers: [{ name: "web", image: "nginx" }] } },
        },
      },
    });
    const { spec, metadata } = await apps.readNamespacedDeploymentScale({ name: "web", namespace });
    expect(spec).toEqual({ replicas: 1 });
    const { resourceVersion: _, ...unversioned } = metadata ?? {};
    const body = { metadata: unversioned, spec: { replicas: 2 } };
    await apps.replaceNamespacedDeploymentScale({ name: "web", namespace, body });
    const ready = await until(async () => {
      const { status } = await apps.readNamespacedDeploymentStatus({ name: "web", namespace });
      return status?.readyReplicas === 2 ? status : undefined;
    });
    expect(ready.availableReplicas).toBe(2);
    const name = "web";
    const settled = await apps.readNamespacedDeployment({ name, namespace });
    const changed = (replicas: number, collisionCount: number): k8s.V1Deployment => ({
      metadata: { name, namespace },
      spec: { ...(settled.spec as k8s.V1DeploymentSpec), replicas },
      status: { ...settled.status, collisionCount },
    });
    const written = [
      await apps.replaceNamespacedDeploymentStatus({ name, namespace, body: changed(7, 3) }),
      await apps.replaceNamespacedDeployment({ name, namespace, body: changed(1, 5) }),
    ];
    expect(written.map(({ spec: made, status }) => [made?.replicas, status?.collisionCount])).toEqual([
      [2, 3],
      [1, 3],
    ]);
  });

  it("[API-055] runs commands, with input, output, errors and exit code", async () => {
    await core.createNamespacedPod({ namespace, body: podNamed("shell") });
    await running("shell");
    const exec = new k8s.Exec(config);
    const out = collector();
    const err = collector();
    const input = new PassThrough();
    const status = new Promise<k8s.V1Status>((resolve, reject) => {
      const command = ["sh", "-c", "read line; echo got $line; echo oops >&2; exit 3"];
      exec.exec(namespace, "shell", "main", command, out.stream, err.stream, input, false, resolve).catch(reject);
    });
    input.write("hello\n");
    expect(await status).toMatchObject({ status: "Failure", reason: "NonZeroExitCode", details: { causes: [{ message: "3" }] } });
    expect([out.text(), err.text()]).toEqual(["got hello\n", "oops\n"]);
  });

  it("follows a log to its end, and attaches to a running container", async () => {
    // It does not talk before somebody listens.
    const command = ["sh", "-c", "until [ -f /tmp/go ]; do sleep 1; done; for n in 1 2 3 4; do echo line $n; sleep 1; done"];
    await core.createNamespacedPod({ namespace, body: podNamed("talker", "busybox", command) });
    await running("talker");
    const log = collector();
    const attached = collector();
    await new k8s.Attach(config).attach(namespace, "talker", "main", attached.stream, null, null, false);
    await new k8s.Log(config).log(namespace, "talker", "main", log.stream, { follow: true });
    await output("talker", "touch", "/tmp/go");
    await until(() => (log.text().includes("line 4") ? true : undefined));
    expect(log.text()).toBe("line 1\nline 2\nline 3\nline 4\n");
    await until(() => (attached.text().includes("line 4") ? true : undefined));
  });

  it("forwards a port to a Pod", async () => {
    await core.createNamespacedPod({ namespace, body: podNamed("page") });
    await running("page");
    const out = collector();
    const input = new PassThrough();
    await new k8s.PortForward(config).portForward(namespace, "page", [80], out.stream, null, input);
    input.write("GET / HTTP/1.1\r\nHost: page\r\nConnection: close\r\n\r\n");
    const answer = await until(() => (out.text().includes("</html>") ? out.text() : undefined));
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*Welcome to nginx!/);
  });

  it("copies files to a container and back", async () => {
    await core.createNamespacedPod({ namespace, body: podNamed("copied") });
    await running("copied");
    const folder = mkdtempSync(join(tmpdir(), "pilothouse-cp-"));
    try {
      writeFileSync(join(folder, "note.txt"), "a note\n");
      chmodSync(join(folder, "note.txt"), 0o640);
      const cp = new k8s.Cp(config);
      // The client's copying does not tell when it is done.
      await cp.cpToPod(namespace, "copied", "main", folder, "/tmp");
      await until(async () => ((await output("copied", "ls", "/tmp")).includes("note.txt") ? true : undefined));
      const back = join(folder, "back");
      await cp.cpFromPod(namespace, "copied", "main", "note.txt", back, "/tmp");
      const note = join(back, "note.txt");
      // Its mode is the last thing that a file is given.
      await until(() => (existsSync(note) && (statSync(note).mode & 0o777) === 0o640 ? true : undefined));
      expect(readFileSync(note, "utf8")).toBe("a note\n");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("[API-059] [API-040] reads discovery and the version", async () => {
    const groups = await config.makeApiClient(k8s.ApisApi).getAPIVersions();
    expect(groups.groups.map(({ name }) => name)).toContain("apps");
    expect((await config.makeApiClient(k8s.VersionApi).getCode()).gitVersion).toMatch(/^v1\.36\./);
    const resources = await apps.getAPIResources();
    expect(resources.resources.map(({ name }) => name)).toContain("deployments/scale");
  });

  it("[API-045] is refused with a wrong token", async () => {
    const stranger = new k8s.KubeConfig();
    stranger.loadFromString(cluster.kubeconfig);
    stranger.users = [{ name: "kubernetes-admin", token: "wrong" }];
    await expect(stranger.makeApiClient(k8s.CoreV1Api).listNode()).rejects.toMatchObject({ code: 401 });
  });

  it("acts as the service account whose token it brings", async () => {
    const { status } = await core.createNamespacedServiceAccountToken({
      name: "default",
      namespace,
      body: { spec: { audiences: [] as string[], expirationSeconds: 3600 } },
    });
    const account = new k8s.KubeConfig();
    account.loadFromString(cluster.kubeconfig);
    account.users = [{ name: "kubernetes-admin", token: status?.token ?? "" }];
    await expect(account.makeApiClient(k8s.CoreV1Api).listNode()).rejects.toMatchObject({
      code: 403,
      body: expect.stringContaining('User \\"system:serviceaccount:default:default\\" cannot list resource'),
    });
  });
});
