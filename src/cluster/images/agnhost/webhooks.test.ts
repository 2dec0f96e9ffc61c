// agnhost's webhooks: the reviews that they answer, and those that they refuse.

import { describe, expect, it } from "vitest";
import { decodeBase64 } from "#sim/base64.ts";
import { decodeUtf8 } from "#sim/bytes.ts";
import { readCertificates } from "#x509/certificate.ts";
import type { Image } from "../image.ts";
import { imageMachine } from "../image-machine.test-kit.ts";
import { suiteImages } from "../suite-images.ts";
import { localhostCertificate } from "./localhost-pair.ts";

const image = suiteImages.find(({ repository, tag }) => repository.endsWith("/agnhost") && tag === "2.63.0") as Image;
const tlsFlags = ["--tls-cert-file=/localhost.crt", "--tls-private-key-file=/localhost.key"];
const tls = { serverName: "127.0.0.1", authorities: readCertificates(localhostCertificate) };
const pods = { group: "", version: "v1", resource: "pods" };
const configMaps = { group: "", version: "v1", resource: "configmaps" };

function webhookMachine(...flags: readonly string[]) {
  const made = imageMachine(image);
  made.serve("/agnhost", "webhook", "--port=8444", ...tlsFlags, ...flags);
  const post = (path: string, body: string) =>
    made.ask(8444, { method: "POST", target: path, headers: { "content-type": "application/json" }, body }, { tls });
  const review = (path: string, request: object, version = "v1") => {
    const asked = { apiVersion: `admission.k8s.io/${version}`, kind: "AdmissionReview", request: { uid: "u-1", ...request } };
    const answer = post(path, JSON.stringify(asked));
    expect(answer).toMatch(/^200 /u);
    const { apiVersion, response } = JSON.parse(answer.slice(4));
    expect([apiVersion, response.uid]).toEqual([`admission.k8s.io/${version}`, "u-1"]);
    const { allowed, status, patch } = response;
    if (patch !== undefined) return JSON.parse(decodeUtf8(decodeBase64(patch).bytes));
    return status === undefined ? allowed : [allowed, status.message ?? status.reason];
  };
  return { ...made, post, review };
}

describe("agnhost webhook", () => {
  it("is ready over TLS, and knows its paths only", () => {
    const { ask } = webhookMachine();
    expect(ask(8444, { target: "/readyz" }, { tls })).toBe("200 ok");
    expect(ask(8444, { target: "/nope" }, { tls })).toBe("404 404 page not found\n");
  });

  it("denies Pods and attachments that it does not like", () => {
    const { review } = webhookMachine();
    const pod = (labels: object, name = "c") => ({
      resource: pods,
      object: { metadata: { labels }, spec: { containers: [{ name }] } },
    });
    expect([
      review("/pods", pod({})),
      review("/pods", pod({ "webhook-e2e-test": "webhook-disallow" }, "webhook-disallow")),
      review("/pods", { resource: configMaps, object: {} }),
    ]).toEqual([
      true,
      [false, "the pod contains unwanted label; the pod contains unwanted container name;"],
      [false, "expect resource to be /v1, Resource=pods"],
    ]);
    const attach = (name: string, object: object) => ({ resource: pods, subResource: "attach", name, object });
    expect([
      review("/pods/attach", attach("to-be-attached-pod", { stdin: true, container: "container1" })),
      review("/pods/attach", attach("to-be-attached-pod", { stdin: true, container: "other" })),
      review("/pods/attach", attach("other", { stdin: true, container: "container1" })),
    ]).toEqual([[false, "attaching to pod 'to-be-attached-pod' is not allowed"], true, true]);
  });

  it("decides on the data of ConfigMaps and custom resources, and on labels of definitions", () => {
    const { review } = webhookMachine();
    const data = (value: string) => ({ data: { "webhook-e2e-test": value } });
    expect([
      review("/configmaps", { resource: configMaps, operation: "CREATE", object: data("webhook-disallow") }),
      review("/configmaps", { resource: configMaps, operation: "DELETE", oldObject: data("webhook-nondeletable") }),
      review("/configmaps", { resource: configMaps, operation: "CREATE", object: {} }),
      review("/custom-resource", { operation: "UPDATE", object: data("webhook-disallow") }, "v1beta1"),
      review("/custom-resource", { operation: "DELETE", oldObject: data("webhook-nondeletable") }),
    ]).toEqual([
      [false, "the configmap contains unwanted key and value"],
      [false, "the configmap cannot be deleted because it contains unwanted key and value"],
      true,
      [false, "the custom resource contains unwanted data"],
      [false, "the custom resource cannot be deleted because it contains unwanted key and value"],
    ]);
    const crd = { group: "apiextensions.k8s.io", version: "v1", resource: "customresourcedefinitions" };
    const labelled = { metadata: { labels: { "webhook-e2e-test": "webhook-disallow" } } };
    expect([review("/crd", { resource: crd, object: labelled }), review("/crd", { resource: pods, object: labelled })]).toEqual([
      [false, "the crd contains unwanted label"],
      [
        false,
        "expect resource to be one of [apiextensions.k8s.io/v1beta1, Resource=customresourcedefinitions, apiextensions.k8s.io/v1, Resource=customresourcedefinitions] but got /v1, Resource=pods",
      ],
    ]);
  });

  it("patches in stages, once each", () => {
    const { review } = webhookMachine("--sidecar-image=busybox:1");
    const stage = (data: object) => review("/mutating-configmaps", { resource: configMaps, object: { data } });
    const added = (path: string, value: unknown) => [{ op: "add", path, value }];
    expect([
      stage({ "mutation-start": "yes" }),
      stage({ "mutation-start": "yes", "mutation-stage-1": "yes" }),
      stage({}),
      review("/mutating-custom-resource", { object: { data: { "mutation-start": "yes" } } }),
    ]).toEqual([
      added("/data/mutation-stage-1", "yes"),
      added("/data/mutation-stage-2", "yes"),
      true,
      added("/data/mutation-stage-1", "yes"),
    ]);
    const label = (labels: object) => review("/add-label", { object: { metadata: { labels } } });
    expect([label({}), label({ a: "b" }), label({ "added-label": "no" }), label({ "added-label": "yes" })]).toEqual([
      added("/metadata/labels", { "added-label": "yes" }),
      added("/metadata/labels/added-label", "yes"),
      [{ op: "replace", path: "/metadata/labels/added-label", value: "yes" }],
      true,
    ]);
    const pod = (name: string, containers: readonly object[]) => ({
      resource: pods,
      object: { metadata: { name }, spec: { containers } },
    });
    expect([
      review("/mutating-pods", pod("webhook-to-be-mutated", [])),
      review("/mutating-pods", pod("other", [])),
      review("/mutating-pods-sidecar", pod("p", [])),
      review("/mutating-pods-sidecar", pod("p", [{ name: "webhook-added-sidecar" }])),
    ]).toEqual([
      added("/spec/initContainers", [{ image: "webhook-added-image", name: "webhook-added-init-container", resources: {} }]),
      true,
      added("/spec/containers/-", { image: "busybox:1", name: "webhook-added-sidecar", resources: {} }),
      true,
    ]);
  });

  it("takes its time where it is asked to, and refuses what is no review", () => {
    const { review, post, simulation, log } = webhookMachine("-v=4");
    const beganMs = simulation.nowMs;
    expect(review("/always-allow-delay-5s", {})).toEqual([true, "this webhook allows all requests"]);
    expect(simulation.nowMs - beganMs).toBeGreaterThanOrEqual(5000);
    expect(review("/always-deny", {})).toEqual([false, "this webhook denies all requests"]);
    expect(post("/always-deny", "{}")).toBe("400 Unsupported group version kind: , Kind=\n");
    expect(post("/always-deny", "x")).toMatch(/^400 Request could not be decoded: /u);
    expect(log.text()).toContain('handling request: {"apiVersion":"admission.k8s.io/v1"');
  });

  it("does not start without its certificate", () => {
    expect(imageMachine(image).runProgram("/agnhost", "webhook")).toEqual({
      code: 255,
      stdout: "",
      stderr: "F0101 00:00:00.000000       2 config.go:34] open : no such file or directory\n",
    });
  });
});

describe("agnhost crd-conversion-webhook", () => {
  it("converts between v1 and v2 of the tests' resource, and nothing else", () => {
    const made = imageMachine(
      image,
      new Map([["/var/run/secrets/kubernetes.io/serviceaccount/token", { type: "file", content: "t" }]]),
    );
    made.env.set("KUBERNETES_SERVICE_HOST", "10.96.0.1").set("KUBERNETES_SERVICE_PORT", "443");
    made.serve("/agnhost", "crd-conversion-webhook", "--port=9443", ...tlsFlags);
    const convert = (to: string, ...objects: readonly object[]) => {
      const request = { uid: "u-2", desiredAPIVersion: `stable.example.com/${to}`, objects };
      const body = JSON.stringify({ apiVersion: "apiextensions.k8s.io/v1", kind: "ConversionReview", request });
      const asked = { method: "POST", target: "/crdconvert", headers: { "content-type": "application/json" }, body };
      return JSON.parse(made.ask(9443, asked, { tls }).slice(4)).response;
    };
    const [v1, v2] = ["stable.example.com/v1", "stable.example.com/v2"];
    const success = { metadata: {}, status: "Success" };
    expect(convert("v2", { apiVersion: v1, kind: "E", hostPort: "localhost:7070" })).toEqual({
      uid: "u-2",
      convertedObjects: [{ apiVersion: v2, kind: "E", host: "localhost", port: "7070" }],
      result: success,
    });
    expect(convert("v1", { apiVersion: v2, host: "h", port: "1" }, { apiVersion: v2 })).toEqual({
      uid: "u-2",
      convertedObjects: [{ apiVersion: v1, hostPort: "h:1" }, { apiVersion: v1 }],
      result: success,
    });
    expect(convert("v2", { apiVersion: v1, hostPort: "nonsense" })).toEqual({
      uid: "u-2",
      convertedObjects: null,
      result: { metadata: {}, status: "Failure", message: "invalid hostPort value `nonsense`" },
    });
    expect(convert("v1", { apiVersion: v1 }).result.message).toBe(
      "conversion from a version to itself should not call the webhook: stable.example.com/v1",
    );
  });

  it("needs an account", () => {
    expect(imageMachine(image).runProgram("/agnhost", "crd-conversion-webhook").stderr).toContain(
      "unable to load in-cluster configuration, KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must be defined\n",
    );
  });
});
