// Laws of what stands behind a Service's name.

import * as kinds from "#cluster/api/kinds.ts";
import { isPodReady } from "#cluster/controllers/pods.ts";
import type { Law } from "./law.test-kit.ts";
import { deletePod, labels, meta, now, owned, releasePod, wants } from "./law-parts.ts";
import { deployment } from "./workload-laws.ts";

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
    wants(
      problems,
      slices.every((slice) => owned(slice, service?.metadata.uid ?? "")),
      "a slice of a Service that has gone",
    );
    return problems;
  },
};
