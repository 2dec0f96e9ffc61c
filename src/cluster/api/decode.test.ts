import { describe, expect, it } from "vitest";
import { decodeObject } from "./decode.ts";
import { deepFreeze } from "./equality.ts";
import { parseJson } from "./json-text.ts";
import { fieldsOf } from "./schema.ts";
import { typeNames } from "./type-tables.ts";

describe("decoding", () => {
  it("names unknown fields by their path and drops them", () => {
    const { value, strictErrors } = decodeObject(
      "Deployment",
      deepFreeze({ spec: { replcas: 3, template: { spec: { containers: [{ name: "a", imag: "b" }] } } } }),
    );
    expect(strictErrors).toEqual(['unknown field "spec.replcas"', 'unknown field "spec.template.spec.containers[0].imag"']);
    expect(value).toEqual({
      metadata: {},
      spec: { strategy: {}, template: { metadata: {}, spec: { containers: [{ name: "a", resources: {} }] } } },
      status: {},
    });
  });

  it("puts the keys of maps in order, as Go writes them, and copies no map that is", () => {
    const labels = { a: "1", b: "2" };
    const { value } = decodeObject("ConfigMap", { metadata: { labels }, data: { z: "1", "a.b": "2", B: "3" } });
    expect(JSON.stringify(value["data"])).toBe('{"B":"3","a.b":"2","z":"1"}');
    expect((value["metadata"] as { readonly labels: object }).labels).toBe(labels);
  });

  it.each([[{ "2": "a", "10": "b" }], [{ "2": "a", "10": "b", "+": "c", d: "e" }], [{ "4294967294": "a", "4294967295": "b" }]])(
    "does not copy %j: of keys that are array indexes JavaScript keeps an order of its own",
    (data) => {
      expect(decodeObject("ConfigMap", { data }).value["data"]).toBe(data);
    },
  );

  it("puts the other keys of a map with array indexes in order", () => {
    const { value } = decodeObject("ConfigMap", { data: { b: "1", a: "2", "10": "3", "2": "4", "4294967295": "5", "010": "6" } });
    expect(Object.keys(value["data"] as object)).toEqual(["2", "10", "010", "4294967295", "a", "b"]);
  });

  it("reads a null in a map or list as the empty value", () => {
    const { value } = decodeObject("Secret", { data: { a: null }, stringData: { b: null } });
    expect(value).toEqual({ metadata: {}, data: { a: "" }, stringData: { b: "" } });
  });

  it.each([
    [
      "Deployment",
      { spec: { replicas: "3" } },
      "json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32",
    ],
    [
      "Deployment",
      { spec: { replicas: 1.5 } },
      "json: cannot unmarshal number 1.5 into Go struct field DeploymentSpec.spec.replicas of type int32",
    ],
    [
      "Pod",
      { spec: { containers: {} } },
      "json: cannot unmarshal object into Go struct field PodSpec.spec.containers of type []v1.Container",
    ],
    [
      "Pod",
      { spec: { restartPolicy: 1 } },
      "json: cannot unmarshal number into Go struct field PodSpec.spec.restartPolicy of type v1.RestartPolicy",
    ],
    [
      "Pod",
      { spec: { containers: [{ livenessProbe: { httpGet: { port: true } } }] } },
      "json: cannot unmarshal bool into Go struct field HTTPGetAction.spec.containers.livenessProbe.ProbeHandler.httpGet.port of type int32",
    ],
    ["Pod", [], "json: cannot unmarshal array into Go value of type v1.Pod"],
    ["Secret", { data: { a: "abc" } }, "illegal base64 data at input byte 0"],
    [
      "Pod",
      { metadata: { creationTimestamp: "x" } },
      'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"',
    ],
  ])("refuses a %s with %j", (type, value, message) => {
    expect(() => decodeObject(type, value)).toThrow(new Error(message));
  });

  it("[API-094] refuses labels and annotations that are no strings", () => {
    expect(() => decodeObject("Pod", { metadata: { annotations: { a: 42 } } })).toThrow(
      new Error("json: cannot unmarshal number into Go struct field ObjectMeta.metadata.annotations of type string"),
    );
  });

  it("tells empty lists from absent ones where one is refused and the other filled in", () => {
    const { value } = decodeObject("V2HPAScalingRules", { policies: [] });
    expect(value).toEqual({ policies: [] });
    expect(decodeObject("V2HPAScalingRules", { policies: [] }, { fromStore: true }).value).toEqual({});
    expect(decodeObject("V2HPAScalingRules", { policies: [] }, { fill: "written" }).value).toEqual({});
  });

  it("keeps zeros behind pointers, drops other empty fields and nulls", () => {
    const pod = {
      metadata: { name: "a", labels: {}, creationTimestamp: null },
      spec: {
        hostNetwork: false,
        automountServiceAccountToken: false,
        containers: [{ name: "c", args: [], securityContext: {} }],
        volumes: [{ name: "v", emptyDir: {} }],
      },
    };
    expect(decodeObject("Pod", deepFreeze(pod)).value).toEqual({
      metadata: { name: "a" },
      spec: {
        automountServiceAccountToken: false,
        containers: [{ name: "c", resources: {}, securityContext: {} }],
        volumes: [{ name: "v", emptyDir: {} }],
      },
      status: {},
    });
  });

  it("writes quantities and times in canonical form", () => {
    const { value } = decodeObject("Pod", {
      metadata: { creationTimestamp: "2020-01-02T03:04:05+01:00" },
      spec: { containers: [{ name: "c", resources: { limits: { cpu: 0.5, memory: "1024Mi" } } }] },
    });
    expect(value.metadata).toEqual({ creationTimestamp: "2020-01-02T02:04:05Z" });
    expect(value.spec).toEqual({ containers: [{ name: "c", resources: { limits: { cpu: "500m", memory: "1Gi" } } }] });
  });

  it("does not copy what is right", () => {
    const once = decodeObject("Pod", { metadata: { name: "a" }, spec: { containers: [{ name: "c" }] } }).value;
    expect(decodeObject("Pod", once).value).toBe(once);
  });

  it("knows every type that a field refers to", () => {
    for (const name of typeNames()) {
      for (const field of fieldsOf(name).values()) {
        let type = field.type;
        while (type.kind === "list" || type.kind === "map") type = type.of;
        if (type.kind === "object") expect(fieldsOf(type.name).size).toBeGreaterThanOrEqual(0);
      }
    }
  });
});

describe("JSON text", () => {
  it("notices keys that stand twice", () => {
    expect(parseJson('{"a":1,"a":2,"b":[{"c":1,"c":2}]}')).toEqual({ value: { a: 2, b: [{ c: 2 }] }, duplicates: ["a", "b[0].c"] });
  });

  it.each([
    ['{"a":}', "invalid character '}' looking for beginning of value"],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ["[1 2]", "invalid character '2' after array element"],
    ['{"a":1', "unexpected end of JSON input"],
    ["tru", "invalid character ' ' in literal true (expecting 'e')"],
    ['"a\nb"', "invalid character '\\n' in string literal"],
    ["{} x", "invalid character 'x' after top-level value"],
  ])("refuses %j", (text, message) => {
    expect(() => parseJson(text)).toThrow(expect.objectContaining({ message }));
  });
});
