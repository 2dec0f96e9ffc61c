// Numbers beyond 2^53 on their way through the API server: they come out as they went in.

import { describe, expect, it } from "vitest";
import { parseJson } from "#cluster/api/json-text.ts";
import type { JsonValue } from "#cluster/api/objects.ts";
import { crds, crontabCrd, crontabs } from "../custom-resources/crontabs.test-kit.ts";
import { startServer } from "../test-server.test-kit.ts";
import { exchange } from "./http-call.test-kit.ts";

const revisions = "/apis/apps/v1/namespaces/default/controllerrevisions";
const revision = (number: string) => `{"metadata":{"name":"a"},"data":{"n":9007199254740995},"revision":${number}}`;

function start() {
  const { server, simulation } = startServer();
  const send = (method: string, path: string, body?: string, type = "application/json", accept?: string) =>
    exchange(server, method, path, body, { "content-type": type, ...(accept === undefined ? {} : { accept }) });
  return { simulation, send };
}

describe("a number of 64 bits", () => {
  it("stays what it is when it is written, read, listed, shown in a table and watched", () => {
    const { simulation, send } = start();
    const watch = send("GET", `${revisions}?watch=true`);
    expect(send("POST", revisions, revision("9007199254740993")).text).toContain('"revision":9007199254740993');
    const read = send("GET", `${revisions}/a`);
    expect(read.text).toContain('"revision":9007199254740993');
    expect(read.text).toContain('"data":{"n":9007199254740995}');
    expect(send("GET", `${revisions}/a?pretty=true`).text).toContain('\n  "revision": 9007199254740993');
    expect(send("GET", revisions).text).toContain('"revision":9007199254740993');
    expect(send("GET", revisions, undefined, "", "application/yaml").text).toContain("revision: 9007199254740993\n");
    const table = send("GET", revisions, undefined, "", "application/json;as=Table;v=v1;g=meta.k8s.io");
    expect(table.text).toContain('"cells":["a","\\u003cnone\\u003e",9007199254740993,');
    simulation.run({ untilMs: simulation.nowMs + 1_000 });
    expect(watch.lines.at(-1)).toContain('"revision":9007199254740993');
  });

  it.each([
    ["application/merge-patch+json", '{"revision":9223372036854775807}'],
    ["application/strategic-merge-patch+json", '{"revision":9223372036854775807}'],
    [
      "application/json-patch+json",
      '[{"op":"test","path":"/revision","value":9007199254740993},{"op":"replace","path":"/revision","value":9223372036854775807}]',
    ],
    [
      "application/apply-patch+yaml",
      "apiVersion: apps/v1\nkind: ControllerRevision\nmetadata: {name: a}\nrevision: 9223372036854775807\n",
    ],
  ])("is patched exactly by %s", (type, patch) => {
    const { send } = start();
    send("POST", revisions, revision("9007199254740993"));
    const reply = send("PATCH", `${revisions}/a?fieldManager=me${type.includes("apply") ? "&force=true" : ""}`, patch, type);
    expect([reply.status, parseJson(reply.text).value]).toMatchObject([200, { revision: 2n ** 63n - 1n }]);
    const other = send(
      "PATCH",
      `${revisions}/a`,
      '[{"op":"test","path":"/revision","value":9223372036854775806}]',
      "application/json-patch+json",
    );
    expect(other.status).toBe(422);
  });

  it("is refused beyond 64 bits, in the words of the text", () => {
    const { send } = start();
    const reply = send("POST", revisions, revision("9223372036854775808"));
    expect([reply.status, (parseJson(reply.text).value as { readonly message: string }).message]).toEqual([
      400,
      'ControllerRevision in version "v1" cannot be handled as a ControllerRevision: json: cannot unmarshal number 9223372036854775808 into Go struct field ControllerRevision.revision of type int64',
    ]);
    expect(send("POST", revisions, revision("-9007199254740993")).text).toContain(
      "revision: Invalid value: -9007199254740993: must be greater than or equal to 0",
    );
  });

  it("stays exact in custom resources, in their rules, defaults and columns; larger ones are floats", () => {
    const { simulation, send } = start();
    const spec = {
      properties: {
        count: { type: "integer", format: "int64", minimum: 9007199254740992 },
        given: { type: "integer", default: "DEFAULT" },
        wide: { type: "number" },
      },
      "x-kubernetes-validations": [{ rule: "self.count != 9007199254740994 && self.given == 9007199254740997" }],
    } as unknown as { readonly [field: string]: JsonValue };
    const columns = { additionalPrinterColumns: [{ name: "Count", type: "integer", jsonPath: ".spec.count" }] };
    const crd = JSON.stringify(crontabCrd(spec, columns)).replace('"DEFAULT"', "9007199254740997");
    expect(send("POST", crds, crd).status).toBe(201);
    simulation.run({ untilMs: simulation.nowMs + 3_000 });
    const object = (count: string) =>
      `{"apiVersion":"stable.example.com/v1","kind":"CronTab","metadata":{"name":"a"},"spec":{"count":${count},"wide":18446744073709551615}}`;
    expect(send("POST", crontabs, object("9007199254740994")).status).toBe(422);
    const made = send("POST", crontabs, object("9007199254740993"));
    expect(made.text).toContain('"spec":{"count":9007199254740993,"wide":18446744073709552000,"given":9007199254740997}');
    const table = send("GET", crontabs, undefined, "", "application/json;as=Table;v=v1;g=meta.k8s.io");
    expect(table.text).toContain('"cells":["a",9007199254740993]');
    const small = send("PATCH", `${crontabs}/a`, '{"spec":{"count":-9223372036854775808}}', "application/merge-patch+json");
    expect(small.text).toContain("spec.count in body should be greater than or equal to 9007199254740992");
  });
});
