import { describe, expect, it } from "vitest";
import { exchange, json } from "./http/http-call.test-kit.ts";
import { startServer } from "./test-server.test-kit.ts";

const deployments = "/apis/apps/v1/namespaces/default/deployments";
const template =
  '"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"x"}]}}';

function post(body: string, query = "", type = "application/json") {
  const { server } = startServer();
  const reply = exchange(server, "POST", `${deployments}${query}`, body, { "content-type": type });
  return reply.status === 201
    ? { status: 201, warning: reply.headers["warning"], spec: json(reply)["spec"] as { replicas?: number } }
    : { status: reply.status, message: json(reply)["message"] };
}

function deployment(spec: string): string {
  return `{"metadata":{"name":"web"},"spec":{${spec}${spec === "" ? "" : ","}${template}}}`;
}

const handled = 'Deployment in version "v1" cannot be handled as a Deployment: ';

it.each([
  ['{"name":"v","emptyDir":null}', { name: "v", emptyDir: {} }],
  ['{"name":"v","hostPath":null}', { name: "v", emptyDir: {} }],
  ['{"name":"v","emptyDir":null,"hostPath":{"path":"/srv"}}', { name: "v", hostPath: { path: "/srv", type: "" } }],
])("[NET-246] a null is no source of a volume, and a volume without one an empty directory: %s", (text, volume) => {
  // Upstream's defaults fill in the emptyDir before anybody validates: `emptyDir:` does what `emptyDir: {}` does.
  const spec = `${template.slice(0, -2)},"volumes":[${text}]}}`;
  const { server } = startServer();
  const reply = exchange(server, "POST", deployments, `{"metadata":{"name":"web"},"spec":{${spec}}}`);
  expect(json(reply)).toMatchObject({ spec: { template: { spec: { volumes: [volume] } } } });
});

describe("unknown and repeated fields", () => {
  it("[API-107] refuse the request when validation is strict", () => {
    expect(post(deployment('"replica":2'), "?fieldValidation=Strict")).toEqual({
      status: 400,
      message: `${handled}strict decoding error: unknown field "spec.replica"`,
    });
    expect(post(deployment('"replicas":2,"replicas":3,"x":1'), "?fieldValidation=Strict")).toEqual({
      status: 400,
      message: `${handled}strict decoding error: duplicate field "spec.replicas", unknown field "spec.x"`,
    });
  });

  it("[API-107] are told of in the order of the text, but for what is in or repeats an unknown field", () => {
    const name = '"name":"web","name":"web","unknownMeta":"m"';
    const spec = `"unknown1":"a","unknownDupe":{"a":1,"a":2},"unknownDupe":"c","paused":true,"paused":false,${template}`;
    expect(post(`{"metadata":{${name}},"spec":{${spec}}}`, "?fieldValidation=Strict").message).toBe(
      `${handled}strict decoding error: duplicate field "metadata.name", unknown field "metadata.unknownMeta", unknown field "spec.unknown1", unknown field "spec.unknownDupe", duplicate field "spec.paused"`,
    );
  });

  it("[API-108] [API-110] are warned of otherwise, and the last of two counts", () => {
    expect(post(deployment('"replicas":2,"replicas":3,"x":1'))).toMatchObject({
      status: 201,
      warning: '299 - "duplicate field \\"spec.replicas\\"", 299 - "unknown field \\"spec.x\\""',
      spec: { replicas: 3 },
    });
  });

  it("[API-109] are dropped in silence when they are to be ignored", () => {
    const { spec, ...rest } = post(deployment('"replicas":2,"replicas":3,"x":1'), "?fieldValidation=Ignore");
    expect([rest, spec?.replicas]).toEqual([{ status: 201, warning: undefined }, 3]);
  });

  it("[API-110] are noticed in YAML too", () => {
    const text = [
      "metadata: {name: web}",
      "spec:",
      "  replicas: 1",
      "  replicas: 2",
      "  selector: {matchLabels: {a: b}}",
      "  template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: x}]}}",
    ].join("\n");
    expect(post(text, "?fieldValidation=Strict", "application/yaml").message).toContain("strict decoding error: ");
    expect(post(text, "", "application/yaml").status).toBe(201);
  });

  it("a value of fieldValidation that is none is refused", () => {
    expect(post("{}", "?fieldValidation=strict")).toEqual({
      status: 422,
      message:
        'CreateOptions.meta.k8s.io "" is invalid: fieldValidation: Unsupported value: "strict": supported values: "", "Ignore", "Strict", "Warn"',
    });
  });
});

describe("what cannot be read", () => {
  it.each<[string, string, string]>([
    [
      "[API-111] a wrong type",
      deployment('"replicas":"3"'),
      `${handled}json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32`,
    ],
    [
      "text",
      "hello",
      "the object provided is unrecognized (must be of type Deployment): couldn't get version/kind; json parse error: invalid character 'h' looking for beginning of value (68656c6c6f)",
    ],
    [
      "[API-025] another kind",
      '{"apiVersion":"apps/v1","kind":"Service"}',
      'Service in version "v1" cannot be handled as a Deployment: no kind "Service" is registered for version "apps/v1" in scheme "pkg/api/legacyscheme/scheme.go:30"',
    ],
  ])("%s", (_title, body, message) => {
    expect(post(body)).toEqual({ status: 400, message });
  });
});

describe("plain maps", () => {
  it("[API-118] hold texts only", () => {
    const { server } = startServer();
    const body = { metadata: { name: "s" }, spec: { selector: { matchLabels: { a: "b" } } } };
    const reply = exchange(server, "POST", "/api/v1/namespaces/default/services", body);
    expect([reply.status, json(reply)["message"]]).toEqual([
      400,
      'Service in version "v1" cannot be handled as a Service: json: cannot unmarshal object into Go struct field ServiceSpec.spec.selector of type string',
    ]);
  });
});
