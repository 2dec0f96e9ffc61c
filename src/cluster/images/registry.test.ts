import { describe, expect, it } from "vitest";
import { publicImages } from "./public-images.ts";
import { parseReference } from "./reference.ts";
import { createRegistry } from "./registry.ts";

describe("names of images", () => {
  it.each([
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
  const accounts = [{ username: "lab", password: "lab-pass" }];
  const registry = createRegistry({
    images: publicImages,
    hosts: [{ host: "registry.lab.example:5000", accounts, unknownRepository: "notFound" }],
  });

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

  it("asks for credentials where a host wants them", () => {
    expect(registry.pull("registry.lab.example:5000/app:v1", undefined)).toMatchObject({ ok: false, code: "Unknown" });
    expect(registry.pull("registry.lab.example:5000/app:v1", accounts[0])).toMatchObject({ ok: false, code: "NotFound" });
  });
});

describe("what images bring", () => {
  const commands = ["bash", "sh", "curl", "wget", "ps"];
  it.each([
    ["nginx:1.14.2", ["bash", "sh"]],
    ["nginx:1.27", ["bash", "sh", "curl"]],
    ["nginx:1.27-alpine", ["sh", "curl", "wget", "ps"]],
    ["httpd:2.4", ["bash", "sh"]],
    ["httpd:2.4-alpine", ["sh", "wget", "ps"]],
    ["alpine:3.22", ["sh", "wget", "ps"]],
  ])("%s: %j", (name, expected) => {
    const [repository = "", tag] = name.split(":");
    const files = publicImages.find((image) => image.repository.endsWith(`/${repository}`) && image.tag === tag)?.files;
    const has = (command: string) => files?.has(`/bin/${command}`) === true || files?.has(`/usr/bin/${command}`) === true;
    expect(commands.filter(has)).toEqual(expected);
  });
});
