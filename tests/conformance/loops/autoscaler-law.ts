// A law of autoscalers: the number follows what is measured, within its bounds, and rests where it fits.

import type { V2HorizontalPodAutoscaler, V2HorizontalPodAutoscalerBehavior } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import type { Draft } from "#cluster/api/objects.ts";
import { encodeUtf8 } from "#sim/bytes.ts";
import { ClusterPki } from "#world/pki/cluster-pki.ts";
import { type Law, namespace, type Scene } from "./law.test-kit.ts";
import { deletePod, images, labels, meta, now, template, wants } from "./law-parts.ts";

const address = "172.18.0.77";
/** What one Pod is to have. */
const share = 100;
const tolerance = 0.1;
/** A controller may act on bounds that it knew so long ago: it asks for a minute, and hears of what changed later still. */
const rememberMs = 180_000;
const behaviours: readonly (V2HorizontalPodAutoscalerBehavior | null)[] = [
  null,
  { scaleDown: { stabilizationWindowSeconds: 0 } },
  {
    scaleUp: { stabilizationWindowSeconds: 30, policies: [{ type: "Pods", value: 2, periodSeconds: 30 }] },
    scaleDown: { stabilizationWindowSeconds: 60, policies: [{ type: "Pods", value: 2, periodSeconds: 30 }] },
  },
];
/** A recommendation counts for so long where no behaviour says otherwise, also for going up. */
const steadinessMs = 300_000;
/** From the last change to the right number: five minutes of steadiness, five steps of 30 s, three rounds. */
const rightWithinMs = steadinessMs + 150_000 + 45_000;

/** A machine beside the cluster that says how much there is to do. */
class Meter {
  total = 150;
  isAway = false;

  constructor(scene: Scene) {
    const { world } = scene;
    const pki = new ClusterPki({ nodeName: "meter", nodeAddress: address, serviceAddress: address, nowMs: scene.nowMs });
    world.cluster.network.addHost("meter", address).listen({
      port: 6443,
      tls: { certificate: pki.apiServer().certificate },
      onHttp: ({ target }, _peer, responder) => {
        const reply = (status: number, body: object) =>
          responder.reply(status, { "content-type": "application/json" }, encodeUtf8(JSON.stringify(body)));
        if (this.isAway) reply(503, { kind: "Status", apiVersion: "v1", status: "Failure", message: "away", code: 503 });
        else if (target.includes("/namespaces/")) reply(200, this.#list(scene.nowMs));
        else
          reply(200, { kind: "APIResourceList", apiVersion: "v1", groupVersion: "external.metrics.k8s.io/v1beta1", resources: [] });
      },
    });
  }

  #list(nowMs: number): object {
    const item = { metricName: "work", metricLabels: {}, timestamp: new Date(nowMs).toISOString(), value: String(this.total) };
    return { kind: "ExternalMetricValueList", apiVersion: "external.metrics.k8s.io/v1beta1", metadata: {}, items: [item] };
  }
}

interface State {
  readonly meter: Meter;
  /** Bounds as they were. */
  readonly bounds: { readonly atMs: number; readonly least: number; readonly most: number }[];
  /** By then the number is right; undefined before the end. */
  dueMs: number | undefined;
  /** From then on nothing counts that was recommended before the last change; undefined before the end. */
  steadyMs: number | undefined;
}

const states = new WeakMap<Scene, State>();
const stateOf = (scene: Scene): State => states.get(scene) as State;

function isRight(scene: Scene, replicas: number): boolean {
  const { meter, bounds } = stateOf(scene);
  const { least, most } = bounds.at(-1) ?? { least: 1, most: 1 };
  if (replicas < least || replicas > most) return false;
  const wanted = Math.min(most, Math.max(least, Math.ceil(meter.total / share)));
  const ratio = meter.total / (share * replicas);
  return replicas === wanted || (ratio >= 1 - tolerance && ratio <= 1 + tolerance);
}

export const autoscaler: Law = {
  begin(scene) {
    const state: State = { meter: new Meter(scene), bounds: [], dueMs: undefined, steadyMs: undefined };
    states.set(scene, state);
    scene.onWrite(kinds.horizontalPodAutoscalers, ({ object: { spec }, deleted, timeMs }) => {
      const { minReplicas = 1, maxReplicas = 1 } = spec ?? {};
      if (!deleted) state.bounds.push({ atMs: timeMs, least: minReplicas, most: maxReplicas });
    });
    scene.onWrite(kinds.deployments, ({ object, previous, deleted }) => {
      const [before, after] = [previous?.spec?.replicas, object.spec?.replicas];
      if (deleted || before === after || after === undefined || before === undefined) return;
      if (scene.world.servedRequest?.user.name !== "system:serviceaccount:kube-system:horizontal-pod-autoscaler") return;
      judge(scene, before, after);
    });
    scene.create(kinds.services, { metadata: meta("meter"), spec: { ports: [{ port: 443, targetPort: 6443 }] } });
    scene.create(kinds.endpointSlices, {
      metadata: { ...meta("meter"), labels: { "kubernetes.io/service-name": "meter" } },
      addressType: "IPv4",
      endpoints: [{ addresses: [address], conditions: { ready: true } }],
      ports: [{ name: "", port: 6443, protocol: "TCP" }],
    });
    scene.create(kinds.apiServices, {
      metadata: { name: "v1beta1.external.metrics.k8s.io" },
      spec: {
        group: "external.metrics.k8s.io",
        version: "v1beta1",
        groupPriorityMinimum: 100,
        versionPriority: 100,
        insecureSkipTLSVerify: true,
        service: { name: "meter", namespace },
      },
    });
    scene.create(kinds.deployments, {
      metadata: meta("web"),
      spec: { replicas: 2, selector: { matchLabels: labels }, template: template(images[0] as string) },
    });
    scene.create(kinds.horizontalPodAutoscalers, {
      metadata: meta("web"),
      spec: {
        minReplicas: 1,
        maxReplicas: 8,
        scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
        metrics: [
          {
            type: "External",
            external: { metric: { name: "work" }, target: { type: "AverageValue", averageValue: String(share) } },
          },
        ],
      },
    } satisfies Draft<V2HorizontalPodAutoscaler>);
  },
  edits: [
    ...Array.from({ length: 4 }, () => measure),
    (scene) =>
      scene.patch(kinds.horizontalPodAutoscalers, "web", {
        spec: { minReplicas: scene.between(1, 3), maxReplicas: scene.between(4, 10) },
      }),
    (scene) => scene.patch(kinds.horizontalPodAutoscalers, "web", { spec: { behavior: scene.pick(behaviours) as never } }),
    (scene) => {
      const { meter } = stateOf(scene);
      meter.isAway = !meter.isAway;
      scene.say(`the meter ${meter.isAway ? "goes" : "comes"}`);
    },
    (scene) => scene.patch(kinds.deployments, "web", { spec: { replicas: scene.between(1, 12) } }),
    (scene) => deletePod(scene),
  ],
  end(scene) {
    const { meter } = stateOf(scene);
    meter.isAway = false;
    scene.world.simulation.runUntil(() => isServing(scene), { limitMs: 900_000 });
    measure(scene);
    stateOf(scene).dueMs = scene.nowMs + rightWithinMs;
    stateOf(scene).steadyMs = scene.nowMs + steadinessMs + 15_000;
  },
  missing(scene) {
    const problems: string[] = [];
    const state = stateOf(scene);
    const web = scene.find(kinds.deployments, "web");
    const replicas = web?.spec?.replicas ?? 0;
    const right = isRight(scene, replicas);
    if (!right && state.dueMs !== undefined && scene.nowMs > state.dueMs) {
      scene.must(false, () => `${replicas} replicas for ${state.meter.total}, ${rightWithinMs / 1000} s after the last change`);
      state.dueMs = undefined;
    }
    wants(problems, scene.nowMs > (state.steadyMs ?? 0), "what was recommended before still counts");
    wants(problems, right, `${replicas} replicas for ${state.meter.total}`);
    wants(problems, web?.status?.readyReplicas === replicas, `${web?.status?.readyReplicas} are ready of ${replicas}`);
    const { status } = scene.find(kinds.horizontalPodAutoscalers, "web") ?? {};
    wants(problems, status?.desiredReplicas === replicas, `${status?.desiredReplicas} are desired, ${replicas} set`);
    for (const type of ["AbleToScale", "ScalingActive"]) {
      const found = status?.conditions?.find((each) => each.type === type);
      wants(problems, found?.status === "True", `${type} is ${now(found)}`);
    }
    return problems;
  },
};

/** The cluster is as it should be, and the meter is heard. */
function isServing(scene: Scene): boolean {
  try {
    const service = scene.find(kinds.apiServices, "v1beta1.external.metrics.k8s.io");
    const isAvailable = service?.status?.conditions?.some(({ type, status }) => type === "Available" && status === "True") === true;
    return isAvailable && scene.world.cluster.isReady();
  } catch {
    return false;
  }
}

function measure(scene: Scene): void {
  const { meter } = stateOf(scene);
  meter.total = scene.between(1, 110) * 10;
  scene.say(`there is ${meter.total} to do`);
}

/** The autoscaler has set another number. */
function judge(scene: Scene, before: number, after: number): void {
  const { bounds, steadyMs } = stateOf(scene);
  const recent = bounds.filter((_, index) => (bounds[index + 1]?.atMs ?? scene.nowMs) >= scene.nowMs - rememberMs);
  const least = Math.min(...recent.map((each) => each.least));
  const most = Math.max(...recent.map((each) => each.most));
  const isBeyond = (after > most && after > before) || (after < least && after < before) || after < 1;
  scene.must(!isBeyond, () => `goes from ${before} to ${after}, between ${least} and ${most}`);
  scene.must(
    !(scene.nowMs > (steadyMs ?? Number.POSITIVE_INFINITY) && isRight(scene, before)),
    () => `goes from ${before}, which is right, to ${after}`,
  );
}
