// Custom and external metrics in a whole cluster: an adapter's Pod behind APIServices, and autoscalers that ask it.

import { beforeAll, describe, expect, it } from "vitest";
import * as kinds from "#cluster/api/kinds.ts";
import { sitDown, type TypingLearner } from "./terminal.test-kit.ts";
import { World } from "./world.ts";

const image = "gcr.io/k8s-staging-custom-metrics/k8s-test-metrics-adapter-amd64:latest";
const service = (group: string, version: string) => `apiVersion: apiregistration.k8s.io/v1
kind: APIService
metadata: { name: ${version}.${group} }
spec: { group: ${group}, version: ${version}, groupPriorityMinimum: 100, versionPriority: 100, insecureSkipTLSVerify: true, service: { name: adapter, namespace: metrics } }
`;
const adapter = [
  `apiVersion: v1
kind: Namespace
metadata: { name: metrics }
`,
  `apiVersion: v1
kind: ServiceAccount
metadata: { name: adapter, namespace: metrics }
`,
  `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: adapter }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view }
subjects: [{ kind: ServiceAccount, name: adapter, namespace: metrics }]
`,
  `apiVersion: apps/v1
kind: Deployment
metadata: { name: adapter, namespace: metrics }
spec:
  selector: { matchLabels: { app: adapter } }
  template:
    metadata: { labels: { app: adapter } }
    spec: { serviceAccountName: adapter, containers: [{ name: adapter, image: "${image}" }] }
`,
  `apiVersion: v1
kind: Service
metadata: { name: adapter, namespace: metrics }
spec: { selector: { app: adapter }, ports: [{ name: https, port: 443, targetPort: 6443 }, { name: http, port: 80, targetPort: 8080 }] }
`,
  service("custom.metrics.k8s.io", "v1beta2"),
  service("external.metrics.k8s.io", "v1beta1"),
].join("---\n");

const autoscaler = (name: string, metric: string) => `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: ${name} }
spec: { maxReplicas: 10, scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: ${name} }, metrics: [${metric}] }
`;
const files = {
  "adapter.yaml": adapter,
  "pods.yaml": autoscaler(
    "web",
    "{ type: Pods, pods: { metric: { name: packets }, target: { type: AverageValue, averageValue: 1k } } }",
  ),
  "object.yaml": autoscaler(
    "shop",
    "{ type: Object, object: { metric: { name: hits }, describedObject: { apiVersion: v1, kind: Service, name: shop }, target: { type: Value, value: 2k } } }",
  ),
  "external.yaml": autoscaler(
    "queue",
    "{ type: External, external: { metric: { name: my-external-metric, selector: { matchLabels: { foo: bar } } }, target: { type: AverageValue, averageValue: '6' } } }",
  ),
};

describe("autoscalers by metrics of an adapter", () => {
  let world: World;
  let learner: TypingLearner;

  beforeAll(() => {
    world = new World({ startMs: 1_767_225_600_000, seed: 1, nodes: 2, addons: [], files });
    world.boot();
    learner = sitDown(world, { columns: 160, rows: 60 });
    for (const name of ["web", "shop", "queue"]) learner.run(`kubectl create deployment ${name} --image=nginx:1.27 --replicas=2`);
    learner.run("kubectl expose deployment shop --port=80");
    learner.run("kubectl run box --image=busybox:1.36 -- sleep 100000; kubectl wait --for=condition=Ready pod/box");
    learner.run("kubectl apply -f adapter.yaml; kubectl rollout status deployment/adapter -n metrics");
    world.simulation.advance(60_000);
  });

  const replicas = (name: string) => world.client.get(kinds.deployments, { namespace: "default", name }).spec?.replicas;
  const write = (path: string, value: string) =>
    learner.run(
      `kubectl exec box -- wget -q -O- --post-data='"${value}"' http://adapter.metrics/write-metrics/namespaces/default/${path}`,
    );

  it("has an adapter whose APIs are available", () => {
    const table = learner.run("kubectl get apiservices | grep metrics.k8s.io");
    expect(table.match(/metrics\/adapter +True/g)?.length).toBe(2);
  });

  it("go by what the Pods of the selector were said to have", () => {
    const pods = world.client.list(kinds.pods, { labelSelector: "app=web" }).items;
    for (const { metadata } of pods) write(`pods/${metadata.name}/packets`, "1900");
    write("pods/box/packets", "90k");
    learner.run("kubectl apply -f pods.yaml");
    world.simulation.advance(20_000);
    expect(learner.run("kubectl get hpa web")).toMatch(/web +Deployment\/web +1900\/1k +1 +10 +2/);
    expect(replicas("web")).toBe(4);
  });

  it("go by what an object was said to have", () => {
    write("services/shop/hits", "3k");
    learner.run("kubectl apply -f object.yaml");
    world.simulation.advance(20_000);
    expect(replicas("shop")).toBe(3);
    expect(learner.run("kubectl get hpa shop")).toContain("3k/2k");
    expect(learner.run("kubectl describe hpa shop")).toContain('"hits" on Service/shop (target value):  3k / 2k');
  });

  it("go by what is told from outside", () => {
    learner.run("kubectl apply -f external.yaml");
    world.simulation.advance(35_000);
    expect(replicas("queue")).toBe(7);
    const series = (selector: string) =>
      learner
        .run(
          `kubectl get --raw '/apis/external.metrics.k8s.io/v1beta1/namespaces/default/my-external-metric?labelSelector=${encodeURIComponent(selector)}'`,
        )
        .match(/"value":"\d+"/g)
        ?.join();
    expect(series("")).toBe('"value":"42","value":"43"');
    expect(series("foo!=bar")).toBe('"value":"43"');
    expect(series("foo notin (bar,baz)")).toBeUndefined();
    expect(series("!foo")).toBeUndefined();
    expect(series("foo")).toBe('"value":"42","value":"43"');
  });

  it("go by the series that the metric's selector takes", () => {
    write("services/shop/calls?labels=verb%3DGET", "4");
    const calls = (selector: string) =>
      learner.run(
        `kubectl get --raw '/apis/custom.metrics.k8s.io/v1beta2/namespaces/default/services/shop/calls?metricLabelSelector=${encodeURIComponent(selector)}'`,
      );
    expect(calls("verb=GET")).toContain('"metric":{"name":"calls","selector":{"matchLabels":{"verb":"GET"}}}');
    expect(calls("verb notin (PUT)")).toContain('"matchExpressions":[{"key":"verb","operator":"NotIn","values":["PUT"]}]');
    expect(calls("verb=PUT").trim()).toBe(
      "Error from server (NotFound): the server could not find the metric calls for services shop with selector verb=PUT",
    );
    expect(write("services/shop/calls?labels=verb", "4")).toContain("400 Bad Request");
  });

  it("say that the adapter does not answer any more, and stay", () => {
    learner.run("kubectl scale deployment adapter -n metrics --replicas=0");
    world.simulation.advance(60_000);
    const why = "the server is currently unable to handle the request (get my-external-metric.external.metrics.k8s.io)";
    expect(learner.run("kubectl describe hpa queue").replace(/\s+/g, " ")).toContain(why);
    expect(replicas("queue")).toBe(7);
  });
});
