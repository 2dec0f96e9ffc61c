// Which Service a request comes to, by host and path.

import { describe, expect, it } from "vitest";
import { defaultUpstream } from "./configuration.ts";
import { configurationOf, ingress, rules } from "./ingress.test-kit.ts";
import { pickLocation, pickServer, rewritten, WrongPattern } from "./locations.ts";

type Hosts = Parameters<typeof rules>[0];

function found(hosts: Hosts, host: string, path: string, annotations: { readonly [name: string]: string } = {}): string {
  const { configuration } = configurationOf([ingress("web", { rules: rules(hosts) }, annotations)]);
  const upstream = pickLocation(pickServer(configuration, host), path)?.upstream;
  return upstream === defaultUpstream ? "nobody" : (upstream ?? "nothing").replace(/^default-|-80$/g, "");
}

describe("[NET-217] [NET-218] paths", () => {
  it.each<readonly [paths: { readonly [path: string]: string }, path: string, service: string]>([
    [{ "/": "one" }, "/any/thing", "one"],
    [{ "=/foo": "one" }, "/foo", "one"],
    [{ "=/foo": "one" }, "/bar", "nobody"],
    [{ "=/foo": "one" }, "/foo/", "nobody"],
    [{ "=/foo": "one" }, "/FOO", "nobody"],
    [{ "=/foo/": "one" }, "/foo", "nobody"],
    [{ "/foo": "one" }, "/foo", "one"],
    [{ "/foo": "one" }, "/foo/", "one"],
    [{ "/foo/": "one" }, "/foo", "one"],
    [{ "/foo/": "one" }, "/foo/", "one"],
    [{ "/fo": "one" }, "/foo", "nobody"],
    [{ "/aaa/bb": "one" }, "/aaa/bbb", "nobody"],
    [{ "/aaa/bbb": "one" }, "/aaa/bbb", "one"],
    [{ "/aaa/bbb/": "one" }, "/aaa/bbb", "one"],
    [{ "/aaa/bbb": "one" }, "/aaa/bbb/", "one"],
    [{ "/aaa/bbb": "one" }, "/aaa/bbb/ccc", "one"],
    [{ "/aaa/bbb": "one" }, "/aaa/bbbxyz", "nobody"],
    [{ "/": "one", "/aaa": "two" }, "/aaa/ccc", "two"],
    [{ "/": "one", "/aaa": "two", "/aaa/bbb": "three" }, "/aaa/bbb", "three"],
    [{ "/": "one", "/aaa": "two", "/aaa/bbb": "three" }, "/ccc", "one"],
    [{ "/aaa": "one" }, "/ccc", "nobody"],
    [{ "/foo": "one", "=/foo": "two" }, "/foo", "two"],
    [{ "/foo": "one", "=/foo": "two" }, "/foo/x", "one"],
    [{ "/foo": "one", "/foo/": "two" }, "/foo", "one"],
  ])("%j: %s comes to %s", (paths, path, service) => {
    expect(found({ "foo.com": paths }, "foo.com", path)).toBe(service);
  });
});

describe("[NET-218] hosts", () => {
  const hosts: Hosts = { "bar.foo.com": { "/": "one" }, "*.foo.com": { "/": "two" }, "": { "/": "three" } };
  it.each([
    ["bar.foo.com", "one"],
    ["baz.foo.com", "two"],
    ["baz.bar.foo.com", "three"],
    ["foo.com", "three"],
    ["_", "three"],
  ])("%s comes to %s", (host, service) => {
    expect(found(hosts, host, "/")).toBe(service);
  });

  it("nobody but the named one without a rule for all", () => {
    expect(found({ "foo.com": { "/": "one" } }, "other.com", "/")).toBe("nobody");
  });
});

describe("regular expressions", () => {
  const rewrite = { "nginx.ingress.kubernetes.io/rewrite-target": "/$2" };

  it("make all paths of their host begin anywhere in a word, whatever their case", () => {
    const regex = { "nginx.ingress.kubernetes.io/use-regex": "true" };
    expect(found({ "foo.com": { "/fo": "one" } }, "foo.com", "/FOO", regex)).toBe("one");
    expect(found({ "foo.com": { "/f.*x": "one", "/": "two" } }, "foo.com", "/fabx", regex)).toBe("one");
  });

  it.each([
    ["/api", "/"],
    ["/api/", "/"],
    ["/api/v1/users", "/v1/users"],
  ])("groups of the path stand in the target: %s becomes %s", (path, target) => {
    const { configuration } = configurationOf([
      ingress("web", { rules: rules({ "foo.com": { "/api(/|$)(.*)": "one" } }) }, rewrite),
    ]);
    const location = pickLocation(pickServer(configuration, "foo.com"), path);
    expect(location && rewritten(location, path)).toBe(target);
  });

  it("that cannot be read are refused", () => {
    expect(() => configurationOf([ingress("web", { rules: rules({ "foo.com": { "/api(": "one" } }) }, rewrite)])).toThrow(
      WrongPattern,
    );
  });
});
