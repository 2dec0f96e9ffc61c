// What holds whatever is asked: a list and a watch from its version know the state; garbage is refused, never a fault.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { configMaps } from "#cluster/api/kinds.ts";
import { Simulation } from "#sim/simulation.ts";
import { exchange, type TestReply } from "./http/http-call.test-kit.ts";
import { ApiServer } from "./server.ts";

function start(): { readonly server: ApiServer; readonly simulation: Simulation } {
  const simulation = new Simulation({ startMs: 1_767_225_600_000, seed: 1 });
  const server = new ApiServer({ simulation, disableAdmissionPlugins: ["ServiceAccount"] });
  server.start();
  return { server, simulation };
}

const operation = fc.record({
  act: fc.constantFrom("create", "update", "label", "unlabel", "delete", "pause"),
  name: fc.constantFrom("a", "b", "c"),
  value: fc.string({ maxLength: 3 }),
});

/** The text of a reply that tells of a fault of ours; upstream's own plain 500s, of patches that do not fit, have no reason. */
function faultOf({ text }: TestReply): string {
  return text.includes('"reason":"InternalError"') ? text : "";
}

describe("laws of the API server", () => {
  it("a list and a watch from its version together know the state, selected or not", () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 30 }), fc.nat(30), fc.boolean(), (operations, listAt, selected) => {
        const { server, simulation } = start();
        const client = server.clientFor({ name: "admin", groups: ["system:masters"] }, "test");
        const selection = { namespace: "default", ...(selected ? { labelSelector: "app=x" } : {}) };
        const seen = new Map<string, string>();
        const watch = (): void => {
          const list = client.list(configMaps, selection);
          for (const item of list.items) seen.set(item.metadata.name, item.metadata.resourceVersion);
          client.watch(
            configMaps,
            { ...selection, resourceVersion: list.metadata.resourceVersion ?? "" },
            {
              onEvent: (event) => {
                if (event.type === "ERROR" || event.type === "BOOKMARK") throw new Error(event.type);
                const { name, resourceVersion } = event.object.metadata;
                if (event.type === "ADDED") expect(seen.has(name)).toBe(false);
                else expect(seen.has(name)).toBe(true);
                if (event.type === "DELETED") seen.delete(name);
                else seen.set(name, resourceVersion);
              },
              onClose: () => {},
            },
          );
        };
        for (const [index, { act, name, value }] of operations.entries()) {
          if (index === Math.min(listAt, operations.length - 1)) watch();
          const key = { namespace: "default", name };
          const attempt = (run: () => unknown): void => {
            try {
              run();
            } catch {
              // Refusals (it is there already, it is not there) are part of the game.
            }
          };
          if (act === "create") attempt(() => client.create(configMaps, { metadata: { ...key, labels: { app: "x" } } }));
          else if (act === "update") attempt(() => client.patch(configMaps, key, "merge", { data: { value } }));
          else if (act === "label") attempt(() => client.patch(configMaps, key, "merge", { metadata: { labels: { app: "x" } } }));
          else if (act === "unlabel")
            attempt(() => client.patch(configMaps, key, "merge", { metadata: { labels: { app: null } } }));
          else if (act === "delete") attempt(() => client.delete(configMaps, key));
          else simulation.run({ untilMs: simulation.nowMs });
        }
        if (operations.length === 0) watch();
        simulation.run({ untilMs: simulation.nowMs });
        const state = client.list(configMaps, selection).items.map((item) => [item.metadata.name, item.metadata.resourceVersion]);
        expect([...seen].sort()).toEqual(state);
      }),
      { numRuns: 200 },
    );
  });

  it("pages together are the list of the first page's version, whatever happens meanwhile", () => {
    const collection = "/api/v1/namespaces/default/configmaps";
    fc.assert(
      fc.property(
        fc.array(operation, { maxLength: 12 }),
        fc.integer({ min: 1, max: 3 }),
        fc.boolean(),
        (operations, limit, selected) => {
          const { server } = start();
          const change = ({ act, name, value }: (typeof operations)[number], prefix = ""): void => {
            const draft = { metadata: { name: prefix + name, labels: act === "unlabel" ? {} : { app: "x" } }, data: { value } };
            if (act === "delete") exchange(server, "DELETE", `${collection}/${prefix}${name}`);
            else exchange(server, "POST", collection, draft);
          };
          for (const one of operations) for (const prefix of ["", "p-", "q-"]) change(one, prefix);
          const query = selected ? "&labelSelector=app%3Dx" : "";
          const list = (options: string) => JSON.parse(exchange(server, "GET", `${collection}?${options}${query}`).text);
          const whole = list("").items;
          const found: unknown[] = [];
          let page = list(`limit=${limit}`);
          for (let index = 0; ; index += 1) {
            found.push(...page.items);
            expect(page.items.length).toBeLessThanOrEqual(limit);
            if (page.metadata.continue === undefined) break;
            const next = operations[index % operations.length];
            if (next !== undefined) change({ ...next, act: next.act === "delete" ? "create" : "delete" });
            page = list(`limit=${limit}&continue=${page.metadata.continue}`);
          }
          expect(found).toEqual(whole);
        },
      ),
      { numRuns: 100 },
    );
  });

  it("a list at an old version shows what was there then", () => {
    fc.assert(
      fc.property(fc.array(operation, { minLength: 1, maxLength: 20 }), (operations) => {
        const { server } = start();
        const collection = "/api/v1/namespaces/default/configmaps";
        const past: [string, unknown][] = [];
        for (const { act, name, value } of operations) {
          const draft = { metadata: { name }, data: { value } };
          if (act === "delete") exchange(server, "DELETE", `${collection}/${name}`);
          else if (exchange(server, "POST", collection, draft).status === 409) {
            exchange(server, "PATCH", `${collection}/${name}`, draft, { "content-type": "application/merge-patch+json" });
          }
          const list = JSON.parse(exchange(server, "GET", collection).text);
          past.push([list.metadata.resourceVersion, list.items]);
        }
        for (const [version, items] of past) {
          const list = JSON.parse(
            exchange(server, "GET", `${collection}?resourceVersion=${version}&resourceVersionMatch=Exact`).text,
          );
          expect(list.items).toEqual(items);
        }
      }),
      { numRuns: 50 },
    );
  });

  const word = fc.oneof(
    fc.constantFrom(
      "api",
      "apis",
      "v1",
      "apps",
      "namespaces",
      "default",
      "pods",
      "deployments",
      "web",
      "status",
      "scale",
      "log",
      "exec",
      "watch",
      "binding",
      "token",
      "services",
      "kubernetes",
      "proxy",
      "openapi",
      "healthz",
    ),
    fc.string({ maxLength: 6 }),
  );
  const query = fc.oneof(
    fc.constant(""),
    fc.constantFrom(
      "?watch=1",
      "?limit=x",
      "?limit=1",
      "?continue=abc",
      "?labelSelector=((",
      "?fieldSelector=a%3Db",
      "?dryRun=x",
      "?fieldValidation=no",
      "?resourceVersion=-1",
      "?resourceVersion=999999",
      "?pretty=1",
      "?includeObject=x",
    ),
    fc.string({ maxLength: 10 }).map((text) => `?${text}`),
  );
  const method = fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "BREW");
  const contentType = fc.constantFrom(
    "",
    "application/json",
    "application/yaml",
    "application/merge-patch+json",
    "application/json-patch+json",
    "application/strategic-merge-patch+json",
    "application/apply-patch+yaml",
    "text/plain",
  );
  const accept = fc.constantFrom(
    "",
    "*/*",
    "application/json",
    "application/yaml",
    "application/json;as=Table;v=v1;g=meta.k8s.io",
    "text/html",
  );
  const body = fc.oneof(
    fc.string({ maxLength: 40 }),
    fc.json({ maxDepth: 3 }),
    fc.json({ maxDepth: 4 }).map((value) => `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web"},"spec":${value}}`),
    fc
      .json({ maxDepth: 2 })
      .map((value) => `{"apiVersion":"apps/v1","kind":"Deployment","metadata":${value},"spec":{"template":${value}}}`),
    fc
      .json({ maxDepth: 3 })
      .map(
        (value) =>
          `{"apiVersion":"v1","kind":"Service","metadata":{"name":"s"},"spec":{"ports":[{"port":80}],"selector":${value}}}`,
      ),
  );

  it("garbage in paths, queries, headers and bodies is never a fault of the server", () => {
    const { server, simulation } = start();
    fc.assert(
      fc.property(
        method,
        fc.array(word, { maxLength: 8 }),
        query,
        body,
        fc.tuple(contentType, accept),
        (verb, words, search, text, [type, wanted]) => {
          const headers = { ...(type === "" ? {} : { "content-type": type }), ...(wanted === "" ? {} : { accept: wanted }) };
          const reply = exchange(server, verb, `/${words.join("/")}${search}`, text, headers);
          reply.close?.();
          simulation.run({ untilMs: simulation.nowMs });
          expect([reply.status >= 200 && reply.status < 600, faultOf(reply)]).toEqual([true, ""]);
        },
      ),
      { numRuns: 3000 },
    );
  });

  it("garbage in headers is never a fault of the server", () => {
    const { server, simulation } = start();
    const name = fc.constantFrom(
      "accept",
      "content-type",
      "authorization",
      "user-agent",
      "impersonate-user",
      "x-remote-user",
      "upgrade",
      "connection",
      "sec-websocket-protocol",
      "if-none-match",
    );
    fc.assert(
      fc.property(
        fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE"),
        fc.constantFrom(
          "/api/v1/namespaces/default/pods",
          "/api/v1/namespaces/default/configmaps/a",
          "/apis",
          "/api/v1/namespaces/default/pods/a/exec",
          "/api/v1/pods?watch=1",
        ),
        fc.dictionary(
          name,
          fc.oneof(
            fc.string({ maxLength: 30 }),
            fc.constantFrom("application/json;as=Table;v=;g=", ";;;", "Bearer ", "Basic !!", "websocket"),
          ),
        ),
        body,
        (verb, path, headers, text) => {
          const reply = exchange(server, verb, path, text, headers);
          reply.close?.();
          simulation.run({ untilMs: simulation.nowMs });
          expect(faultOf(reply)).toBe("");
        },
      ),
      { numRuns: 1500 },
    );
  });

  it("garbage in patches of every kind is never a fault of the server", () => {
    const { server } = start();
    const made = new Set<string>();
    for (const { group, version, plural, kind, namespaced } of server.registry.all) {
      const root = group === "" ? "/api/v1" : `/apis/${group}/${version}`;
      const collection = `${root}${namespaced ? "/namespaces/default" : ""}/${plural}`;
      const draft = { apiVersion: group === "" ? version : `${group}/${version}`, kind, metadata: { name: "x" } };
      if (exchange(server, "POST", collection, draft).status === 201) made.add(`${collection}/x`);
    }
    const paths = [...made, "/api/v1/namespaces/default", "/api/v1/namespaces/default/services/kubernetes"];
    const type = fc.constantFrom(
      "application/merge-patch+json",
      "application/strategic-merge-patch+json",
      "application/json-patch+json",
      "application/apply-patch+yaml",
    );
    const change = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.record({ spec: fc.jsonValue({ maxDepth: 3 }) }),
      fc.record({ metadata: fc.jsonValue({ maxDepth: 2 }) }),
      fc.record({
        metadata: fc.dictionary(
          fc.constantFrom("labels", "finalizers", "ownerReferences", "managedFields", "annotations"),
          fc.jsonValue({ maxDepth: 2 }),
        ),
      }),
      fc.array(
        fc.record({
          op: fc.constantFrom("add", "remove", "replace", "move", "copy", "test"),
          path: fc.constantFrom("", "/", "/spec", "/metadata/labels", "/spec/ports/0", "/spec/-", "x"),
          value: fc.jsonValue({ maxDepth: 2 }),
        }),
        { maxLength: 3 },
      ),
    );
    fc.assert(
      fc.property(fc.nat(paths.length - 1), type, change, (index, mediaType, value) => {
        const reply = exchange(server, "PATCH", `${paths[index]}?fieldManager=m`, JSON.stringify(value), {
          "content-type": mediaType,
        });
        expect(faultOf(reply)).toBe("");
      }),
      { numRuns: 1200 },
    );
  });

  it("garbage in the bodies of every kind is never a fault of the server", () => {
    const { server } = start();
    const kinds = server.registry.all;
    fc.assert(
      fc.property(
        fc.nat(kinds.length - 1),
        fc.jsonValue({ maxDepth: 4 }),
        fc.constantFrom("spec", "data", "status", "metadata", "rules", "subsets"),
        (index, value, name) => {
          const { group, version, plural, kind, namespaced } = kinds[index] as (typeof kinds)[number];
          const root = group === "" ? "/api/v1" : `/apis/${group}/${version}`;
          const path = `${root}${namespaced ? "/namespaces/default" : ""}/${plural}`;
          const draft = {
            metadata: { generateName: "x-" },
            apiVersion: group === "" ? version : `${group}/${version}`,
            kind,
            [name]: value,
          };
          const reply = exchange(server, "POST", path, JSON.stringify(draft));
          expect(faultOf(reply)).toBe("");
        },
      ),
      { numRuns: 2000 },
    );
  });
});
