// The sample API server over its etcd: objects, watches, and whom it believes.

import { describe, expect, it } from "vitest";
import type { TreeEntry } from "#sim/files.ts";
import { readCertificates } from "#x509/certificate.ts";
import { localhostCertificate, localhostKey } from "../agnhost/localhost-pair.ts";
import type { Image } from "../image.ts";
import { imageMachine } from "../image-machine.test-kit.ts";
import { suiteImages } from "../suite-images.ts";

const named = (name: string) => suiteImages.find(({ repository }) => repository.endsWith(`/${name}`)) as Image;
const file = (content: string): TreeEntry => ({ type: "file", content });
const tls = { serverName: "127.0.0.1", authorities: readCertificates(localhostCertificate) };
const path = (version: string, rest: string) => `/apis/wardle.example.com/${version}/${rest}`;
const flunders = path("v1alpha1", "namespaces/default/flunders");

function wardle() {
  const made = imageMachine(
    named("sample-apiserver"),
    new Map([...named("etcd").files, ["/tls.crt", file(localhostCertificate)], ["/tls.key", file(localhostKey)]]),
  );
  const url = "http://127.0.0.1:2379";
  const etcd = made.serve("/usr/local/bin/etcd", "--listen-client-urls", url, "--advertise-client-urls", url);
  made.serve("/sample-apiserver", `--etcd-servers=${url}`, "--tls-cert-file=/tls.crt", "--tls-private-key-file=/tls.key");
  made.simulation.advance(2000);
  const headers = { "x-remote-user": "admin", accept: "application/json" };
  const ask = (method: string, target: string, body?: object, more = {}) => {
    const answer = made.ask(443, { method, target, headers: { ...headers, ...more }, body: JSON.stringify(body ?? "") }, { tls });
    const [, status = "", text = ""] = /^(\d+) (.*)$/su.exec(answer) ?? [];
    return [Number(status), text.startsWith("{") ? JSON.parse(text) : text] as const;
  };
  const create = (name: string, spec: object = {}, version = "v1alpha1") =>
    ask("POST", path(version, "namespaces/default/flunders"), {
      apiVersion: `wardle.example.com/${version}`,
      kind: "Flunder",
      metadata: { name, labels: { app: name } },
      spec,
    });
  return { ...made, etcd, ask, create };
}

describe("the sample API server", () => {
  it("is ready when etcd answers, and serves the front proxy only", () => {
    const { ask, etcd, simulation } = wardle();
    expect([ask("GET", "/readyz"), ask("GET", flunders, undefined, { "x-remote-user": "" })[1].message]).toEqual([
      [200, "ok"],
      `forbidden: User "system:anonymous" cannot get path "${flunders}"`,
    ]);
    etcd.signal("TERM");
    simulation.advance(2000);
    expect(ask("GET", "/readyz")[0]).toBe(500);
    expect(ask("GET", flunders)[1]).toMatchObject({ code: 500, reason: "InternalError" });
  });

  it("says what it serves", () => {
    const { ask } = wardle();
    const [, { versions, preferredVersion }] = ask("GET", "/apis/wardle.example.com");
    expect([versions.map(({ version }: { version: string }) => version), preferredVersion.version]).toEqual([
      ["v1beta1", "v1alpha1"],
      "v1beta1",
    ]);
    const [, { resources }] = ask("GET", path("v1alpha1", "").slice(0, -1));
    expect(resources.map(({ name, namespaced }: { name: string; namespaced: boolean }) => [name, namespaced])).toEqual([
      ["fischers", false],
      ["flunders", true],
    ]);
  });

  it("keeps objects in etcd, in every version's form", () => {
    const { ask, create } = wardle();
    const [status, made] = create("a", { reference: "b" });
    expect([status, made]).toEqual([
      201,
      {
        kind: "Flunder",
        apiVersion: "wardle.example.com/v1alpha1",
        metadata: {
          name: "a",
          namespace: "default",
          labels: { app: "a" },
          uid: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/u),
          creationTimestamp: "2026-01-01T00:00:02Z",
          resourceVersion: "2",
        },
        spec: { reference: "b", referenceType: "Flunder" },
        status: {},
      },
    ]);
    expect(ask("GET", path("v1beta1", "namespaces/default/flunders/a"))[1].spec).toEqual({
      flunderReference: "b",
      referenceType: "Flunder",
    });
    expect(create("a")[1]).toMatchObject({ code: 409, reason: "AlreadyExists" });
    create("c");
    const names = (query: string) =>
      ask("GET", `${flunders}${query}`)[1].items.map((each: { metadata: { name: string } }) => each.metadata.name);
    expect([names(""), names("?labelSelector=app%3Dc"), names("?fieldSelector=metadata.name%3Da")]).toEqual([
      ["a", "c"],
      ["c"],
      ["a"],
    ]);
    expect(ask("GET", path("v1alpha1", "namespaces/other/flunders"))[1].items).toEqual([]);
    expect(ask("DELETE", `${flunders}/a`)[1]).toMatchObject({ kind: "Status", status: "Success", details: { name: "a" } });
    expect(ask("GET", `${flunders}/a`)[1].message).toBe('flunders.wardle.example.com "a" not found');
    ask("DELETE", flunders);
    expect(names("")).toEqual([]);
  });

  it("changes what is there and was not changed since", () => {
    const { ask, create } = wardle();
    const [, made] = create("a");
    const merge = { "content-type": "application/merge-patch+json" };
    expect(ask("PATCH", `${flunders}/a`, { metadata: { labels: { more: "yes" } } }, merge)[1].metadata).toMatchObject({
      labels: { app: "a", more: "yes" },
      resourceVersion: "3",
    });
    expect(ask("PUT", `${flunders}/a`, made)[1]).toMatchObject({ code: 409, reason: "Conflict" });
    expect(ask("PUT", `${flunders}/a`, { metadata: { name: "a" } })[1].message).toBe(
      'Flunder.wardle.example.com "a" is invalid: metadata.resourceVersion: Invalid value: "": must be specified for an update',
    );
    expect(ask("PATCH", `${flunders}/a`, {}, { "content-type": "application/apply-patch+yaml" })[0]).toBe(415);
  });

  it("refuses what is wrong, and names that a Fischer forbids", () => {
    const { ask, create } = wardle();
    expect(create("a", { fischerReference: "f" }, "v1beta1")[1].message).toBe(
      'Flunder.wardle.example.com "a" is invalid: spec.fischerReference: Invalid value: "f": cannot be set if referenceType is not Fischer',
    );
    expect(ask("POST", path("v1alpha1", "fischers"), { metadata: { name: "f" }, disallowedFlunders: ["evil"] })[0]).toBe(201);
    expect(create("evil")[1].message).toBe(
      'flunders.wardle.example.com "evil" is forbidden: this name may not be used, please change the resource name',
    );
  });

  it("tells watchers", () => {
    const { create, network, simulation } = wardle();
    let told = "";
    const request = { method: "GET", target: `${flunders}?watch=1`, headers: { "x-remote-user": "admin" }, body: new Uint8Array() };
    network.request({ address: "127.0.0.1", port: 443 }, request, { tls }, (result) => {
      if (!result.ok) throw new Error(String(result.error));
      result.exchange.onData = (bytes) => {
        told += new TextDecoder().decode(bytes);
      };
    });
    simulation.advance(10);
    create("a");
    simulation.advance(10);
    expect(JSON.parse(told)).toMatchObject({ type: "ADDED", object: { kind: "Flunder", metadata: { name: "a" } } });
  });
});

describe("etcd alone", () => {
  it("answers in JSON, and only what it knows", () => {
    const { serve, get, post } = imageMachine(named("etcd"));
    serve("/usr/local/bin/etcd");
    expect([get(2379, "/health"), get(2379, "/v3/other")]).toEqual([
      '200 {"health":"true","reason":""}',
      "404 404 page not found\n",
    ]);
    expect(post(2379, "/v3/kv/txn", '{"compare":[{"target":"VALUE"}]}')).toBe(
      '501 {"code":12,"message":"compare VALUE EQUAL is not supported here"}',
    );
  });
});
