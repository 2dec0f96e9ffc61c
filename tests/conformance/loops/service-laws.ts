// Laws of what stands behind a Service's name.

import * as kinds from "#cluster/api/kinds.ts";
import { isPodReady } from "#cluster/controllers/pods.ts";
import type { Law, Scene } from "./law.test-kit.ts";
import { deletePod, images, labels, meta, now, owned, releasePod, setImage, template, wants } from "./law-parts.ts";
import { deployment, noneTooMany } from "./workload-laws.ts";

export const endpoints: Law = {
  begin(scene) {
    deployment.begin(scene);
    scene.create(kinds.services, { metadata: meta("web"), spec: { selector: labels, ports: [{ port: 80, targetPort: 80 }] } });
  },
  edits: [
    ...deployment.edits.slice(0, 3),
    (scene) => deletePod(scene),
    releasePod,
    (scene) => scene.patch(kinds.services, "web", { spec: { ports: [{ port: scene.pick([80, 81]), targetPort: 80 }] } }),
    (scene) => scene.delete(kinds.services, "web"),
    (scene) =>
      scene.create(kinds.services, { metadata: meta("web"), spec: { selector: labels, ports: [{ port: 80, targetPort: 80 }] } }),
  ],
  end(scene) {
    if (scene.find(kinds.services, "web") === undefined)
      scene.create(kinds.services, { metadata: meta("web"), spec: { selector: labels, ports: [{ port: 80, targetPort: 80 }] } });
  },
  missing(scene) {
    const problems = [...deployment.missing(scene)];
    const service = scene.find(kinds.services, "web");
    const slices = scene.list(kinds.endpointSlices, "kubernetes.io/service-name=web");
    const addresses = slices
      .flatMap((slice) =>
        (slice.endpoints ?? []).flatMap(({ addresses: own, conditions }) => (conditions?.ready === true ? own : [])),
      )
      .sort();
    const wanted = scene
      .podsNow("app=web")
      .filter(isPodReady)
      .map(({ status }) => status?.podIP ?? "")
      .sort();
    wants(problems, now(addresses) === now(wanted), `addresses ${now(addresses)}, wanted ${now(wanted)}`);
    wants(problems, now(readyIn(scene, "web")) === now(wanted), `Endpoints ${now(readyIn(scene, "web"))}, wanted ${now(wanted)}`);
    wants(
      problems,
      slices.every((slice) => owned(slice, service?.metadata.uid ?? "")),
      "a slice of a Service that has gone",
    );
    return problems;
  },
};

/** The ready addresses of an Endpoints object. */
function readyIn(scene: Scene, name: string): readonly string[] {
  const { subsets = [] } = scene.find(kinds.endpoints, name) ?? {};
  return subsets.flatMap(({ addresses = [] }) => addresses.map(({ ip }) => ip)).sort();
}

/** The older loop of replicas, and the older list of addresses. */
export const replication: Law = {
  begin(scene) {
    noneTooMany(scene);
    scene.create(kinds.replicationControllers, {
      metadata: meta("web"),
      spec: { replicas: 3, selector: labels, template: template(images[0] as string) },
    });
    createService(scene);
  },
  edits: [
    (scene) => scene.patch(kinds.replicationControllers, "web", { spec: { replicas: scene.between(0, 6) } }),
    (scene) => scene.patch(kinds.replicationControllers, "web", setImage(scene)),
    (scene) => deletePod(scene),
    releasePod,
    (scene) => {
      const loose = scene.podsNow("app=loose");
      if (loose.length > 0) scene.patch(kinds.pods, scene.pick(loose).metadata.name, { metadata: { labels: { app: "web" } } });
    },
    (scene) => scene.delete(kinds.services, "web"),
    createService,
    (scene) => scene.delete(kinds.endpoints, "web"),
  ],
  end: createService,
  missing(scene) {
    const problems: string[] = [];
    const { metadata, spec, status } = scene.find(kinds.replicationControllers, "web") ?? {};
    const replicas = spec?.replicas ?? 0;
    const figures = [
      status?.replicas,
      status?.readyReplicas ?? 0,
      status?.availableReplicas ?? 0,
      status?.fullyLabeledReplicas ?? 0,
    ];
    wants(
      problems,
      figures.every((figure) => figure === replicas),
      `status ${now(figures)} of ${replicas}`,
    );
    wants(problems, status?.observedGeneration === metadata?.generation, "the generation is not observed");
    const found = scene.podsNow("app=web");
    wants(problems, found.length === replicas, `${found.length} Pods of ${replicas}`);
    wants(
      problems,
      found.every((pod) => isPodReady(pod) && owned(pod, metadata?.uid ?? "")),
      "a Pod is not Ready or not owned",
    );
    const loose = scene.podsNow("app=loose").filter((pod) => owned(pod, metadata?.uid ?? ""));
    wants(problems, loose.length === 0, `${loose.length} are owned and do not match`);
    const wanted = found.map(({ status: own }) => own?.podIP ?? "").sort();
    wants(problems, now(readyIn(scene, "web")) === now(wanted), `Endpoints ${now(readyIn(scene, "web"))}, wanted ${now(wanted)}`);
    return problems;
  },
};

function createService(scene: Scene): void {
  if (scene.podsNow().length > 0 && scene.find(kinds.services, "web") !== undefined) return;
  scene.create(kinds.services, { metadata: meta("web"), spec: { selector: labels, ports: [{ port: 80, targetPort: 80 }] } });
}
