import { describe, expect, it } from "vitest";
import type { Image, RegistryCredentials } from "./image.ts";
import { publicImages } from "./public-images.ts";
import { parseReference } from "./reference.ts";
import { createRegistry, type RegistryAccount } from "./registry.ts";
import { suiteImages } from "./suite-images.ts";

describe("names of images", () => {
  it.each([
    ["[POD-002] a name alone", "redis", { host: "docker.io", path: "library/redis", tag: "latest", digest: undefined }],
    ["[POD-002] a user's image", "lab/app", { host: "docker.io", path: "lab/app", tag: "latest", digest: undefined }],
    ["[POD-003] busybox", "busybox", { host: "docker.io", path: "library/busybox", tag: "latest", digest: undefined }],
    [
      "[POD-003] busybox:1.32.0",
      "busybox:1.32.0",
      { host: "docker.io", path: "library/busybox", tag: "1.32.0", digest: undefined },
    ],
    [
      "[POD-001] a port",
      "registry.example:10443/name",
      { host: "registry.example:10443", path: "name", tag: "latest", digest: undefined },
    ],
    [
      "[POD-004] tag and digest",
      `nginx:1.27@sha256:${"a".repeat(64)}`,
      { host: "docker.io", path: "library/nginx", tag: "1.27", digest: `sha256:${"a".repeat(64)}` },
    ],
  ])("%s", (_title, name, reference) => {
    expect(parseReference(name)).toMatchObject({ ok: true, reference });
  });

  it.each([
    ["Busybox:1", "invalid reference format: repository name (library/Busybox) must be lowercase"],
    ["http://nginx", "invalid reference format"],
    ["nginx:", "invalid reference format"],
  ])("refuses %s", (name, message) => {
    expect(parseReference(name)).toEqual({ ok: false, message });
  });
});

describe("pulls", () => {
  const registry = createRegistry({ images: publicImages });

  it.each(["nginx:1.91", "nginx:1.161", "nginx:sometag"])("[POD-026] has no %s", (name) => {
    const full = `docker.io/library/${name}`;
    expect(registry.pull(name, undefined)).toMatchObject({
      ok: false,
      code: "NotFound",
      message: `failed to pull and unpack image "${full}": failed to resolve reference "${full}": ${full}: not found`,
    });
  });

  it("[POD-029] words a host that does not exist", () => {
    expect(registry.pull("nowhere.example/app:v1", undefined)).toMatchObject({
      ok: false,
      message:
        'failed to pull and unpack image "nowhere.example/app:v1": failed to resolve reference "nowhere.example/app:v1": failed to do request: Head "https://nowhere.example/v2/app/manifests/v1": dial tcp: lookup nowhere.example on 10.0.0.2:53: no such host',
    });
  });

  const host = "registry.lab.example:5000";
  const privateRegistry = (accounts: readonly RegistryAccount[]) => {
    const [nginx] = publicImages.filter(({ repository, tag }) => repository === "docker.io/library/nginx" && tag === "1.27");
    const image = { ...(nginx as Image), repository: `${host}/team-a/app`, tag: "v1" };
    return createRegistry({ images: [image], hosts: [{ host, accounts, unknownRepository: "notFound" }] });
  };
  const lab = { username: "lab", password: "lab-pass" };
  const guest = { username: "guest", password: "guest-pass", repositories: ["team-b/*"] };
  const name = `${host}/team-a/app:v1`;
  const denied = "pull access denied, repository does not exist or may require authorization:";
  it.each<readonly [string, readonly RegistryAccount[], RegistryCredentials | undefined, string]>([
    ["[NET-416] nobody", [lab], undefined, `${denied} authorization failed: no basic auth credentials`],
    [
      "[NET-416] a wrong password",
      [lab],
      { ...lab, password: "no" },
      `unexpected status from HEAD request to https://${host}/v2/team-a/app/manifests/v1: 401 Unauthorized`,
    ],
    [
      "[POD-027] nobody, at one that gives tokens",
      [lab, guest],
      undefined,
      `${denied} server message: insufficient_scope: authorization failed`,
    ],
    ["[POD-027] a user without rights", [lab, guest], guest, `${denied} server message: insufficient_scope: authorization failed`],
    [
      "[POD-027] a wrong password, at one that gives tokens",
      [lab, guest],
      { ...lab, password: "no" },
      `failed to authorize: failed to fetch oauth token: unexpected status from GET request to https://${host}/service/token?account=lab&scope=repository%3Ateam-a%2Fapp%3Apull&service=registry.lab.example%3A5000: 401 Unauthorized`,
    ],
  ])("%s is refused by a private registry", (_title, users, credentials, cause) => {
    expect(privateRegistry(users).pull(name, credentials)).toEqual({
      ok: false,
      code: "Unknown",
      durationMs: 480,
      message: `failed to pull and unpack image "${name}": failed to resolve reference "${name}": ${cause}`,
    });
    expect(privateRegistry(users).pull(name, lab)).toMatchObject({ ok: true });
    expect(privateRegistry(users).pull(`${host}/team-b/app:v1`, lab)).toMatchObject({ ok: false, code: "NotFound" });
  });

  it("[POD-027] hides what Docker Hub does not have", () => {
    const full = "docker.io/nobody/nothing:latest";
    expect(registry.pull("nobody/nothing", undefined)).toMatchObject({
      message: `failed to pull and unpack image "${full}": failed to resolve reference "${full}": ${denied} server message: insufficient_scope: authorization failed`,
    });
  });

  it("names what has a tag and a digest by its digest alone", () => {
    const digest = `sha256:${"a".repeat(64)}`;
    const full = `docker.io/library/nginx@${digest}`;
    expect(registry.pull(`nginx:1.27@${digest}`, undefined)).toMatchObject({
      message: `failed to pull and unpack image "${full}": failed to resolve reference "${full}": ${full}: not found`,
    });
  });

  it("moves tags, and keeps by its digest what they named", () => {
    const here = createRegistry({ images: publicImages });
    const pull = (reference: string) => here.pull(reference, undefined);
    const [old, fresh] = [pull("nginx:1.27"), pull("nginx:1.28")];
    if (!old.ok || !fresh.ok) throw new Error("they are there");
    here.push({ ...fresh.image, tag: "1.27" });
    expect(pull("nginx:1.27")).toMatchObject({ image: { digest: fresh.image.digest } });
    expect(pull(`nginx@${old.image.digest}`)).toMatchObject({ image: { digest: old.image.digest }, byDigest: true });
  });

  it("[POD-019] a host that does not answer", () => {
    const here = createRegistry({ images: publicImages });
    const hostsEntry = (name: string) => (name === "registry-1.docker.io" ? "127.0.0.1" : undefined);
    expect(here.pull("nginx:1.27", undefined, { address: "172.18.0.3", architecture: "amd64", hostsEntry })).toMatchObject({
      message:
        'failed to pull and unpack image "docker.io/library/nginx:1.27": failed to resolve reference "docker.io/library/nginx:1.27": failed to do request: Head "https://registry-1.docker.io/v2/library/nginx/manifests/1.27": dial tcp 127.0.0.1:443: connect: connection refused',
    });
  });
});

describe("what images bring", () => {
  const commands = ["bash", "sh", "curl", "wget", "ps", "kill"];
  it.each([
    ["nginx:1.14.2", ["bash", "sh"]],
    ["nginx:1.27", ["bash", "sh", "curl"]],
    ["nginx:1.27-alpine", ["sh", "curl", "wget", "ps", "kill"]],
    ["httpd:2.4", ["bash", "sh"]],
    ["httpd:2.4-alpine", ["sh", "wget", "ps", "kill"]],
    ["alpine:3.22", ["sh", "wget", "ps", "kill"]],
  ])("%s: %j", (name, expected) => {
    const [repository = "", tag] = name.split(":");
    const files = publicImages.find((image) => image.repository.endsWith(`/${repository}`) && image.tag === tag)?.files;
    const has = (command: string) => files?.has(`/bin/${command}`) === true || files?.has(`/usr/bin/${command}`) === true;
    expect(commands.filter(has)).toEqual(expected);
  });
});

describe("images whose declarations come late", () => {
  const late = (tag: string): Image => ({ ...suiteImages[0], tag }) as Image;
  const repository = "registry.k8s.io/e2e-test-images/agnhost";

  it("are asked for once, when somebody wants one that is not there", () => {
    let asked = 0;
    const registry = createRegistry({
      images: publicImages,
      lateImages: () => {
        asked += 1;
        return suiteImages;
      },
    });
    expect([registry.pull("nginx:1.27", undefined).ok, registry.pull("nginx:0.1", undefined).ok, asked]).toEqual([true, false, 0]);
    expect(registry.pull(`${repository}:2.63.0`, undefined)).toMatchObject({ ok: true, image: { tag: "2.63.0" } });
    expect(registry.pull(`${repository}:9`, undefined)).toMatchObject({ ok: false, code: "NotFound" });
    expect([registry.tags("registry.k8s.io/e2e-test-images/nautilus"), asked]).toEqual([["1.8"], 1]);
  });

  it("come from hosts that hide what they do not have, too", () => {
    const registry = createRegistry({ images: publicImages, lateImages: () => suiteImages });
    expect(registry.pull("pilothouse/mock-kms-plugin:1.0", undefined)).toMatchObject({ ok: true, image: { tag: "1.0" } });
    expect(registry.pull("pilothouse/other:1.0", undefined)).toMatchObject({ ok: false, code: "Unknown" });
    expect(registry.pull("pilothouse/mock-kms-plugin:2.0", undefined)).toMatchObject({ ok: false, code: "NotFound" });
  });

  it("are among the repositories of their host", () => {
    const registry = createRegistry({ images: publicImages, lateImages: () => suiteImages });
    expect(registry.repositories("docker.io")).toContain("pilothouse/mock-kms-plugin");
  });

  it("leave what was pushed under their name", () => {
    const registry = createRegistry({ images: [], lateImages: () => [late("1"), late("2")] });
    const pushed = { ...late("1"), sizeBytes: 7 };
    registry.push(pushed);
    expect(registry.tags(repository)).toEqual(["1", "2"]);
    expect(registry.pull(`${repository}:1`, undefined)).toMatchObject({ image: { sizeBytes: 7 } });
  });
});
