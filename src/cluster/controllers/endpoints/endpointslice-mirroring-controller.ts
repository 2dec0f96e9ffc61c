// Mirrors Endpoints that somebody writes for a Service without selector into EndpointSlices (pkg/controller/endpointslicemirroring).
// `mirror-pass.ts` is one pass over what there is to mirror, which comes late: a cluster begins with nothing of the kind.

import type { EndpointSlice, Endpoints, Service } from "#cluster/api/generated/types.ts";
import * as kinds from "#cluster/api/kinds.ts";
import { keyOf, type Stored } from "#cluster/api/objects.ts";
import type { ControllerDefinition } from "../context.ts";
import { watchRule } from "../controller.ts";
import { latePasses } from "../late-passes.ts";

const name = "endpointslice-mirroring-controller";
const byMirrored = "mirrored";

export const endpointSliceMirroringController: ControllerDefinition = {
  name,
  serviceAccount: "endpointslicemirroring-controller",
  eventSource: "endpoint-slice-mirroring-controller",
  create(context) {
    const { informers } = context;
    const endpoints = informers.informer(kinds.endpoints);
    const services = informers.informer(kinds.services);
    const slices = informers.informer(kinds.endpointSlices);
    slices.addIndex(byMirrored, mirroredKeys);
    return {
      name,
      watches: [
        watchRule<Endpoints>({ resource: kinds.endpoints, keys: (object) => [keyOf(object)] }),
        watchRule<Service>({ resource: kinds.services, keys: (object) => [keyOf(object)] }),
        watchRule<EndpointSlice>({
          resource: kinds.endpointSlices,
          keys: (slice, previous) => [...mirroredKeys(slice), ...(previous === undefined ? [] : mirroredKeys(previous))],
        }),
      ],
      reconcile(key) {
        const object = endpoints.get(key);
        const service = services.get(key);
        const origin = service !== undefined && service.spec?.selector === undefined && mayBeMirrored(object) ? object : undefined;
        const existing = [...slices.byIndex(byMirrored, key)];
        if (origin !== undefined || existing.length > 0) latePasses.code.mirrorEndpoints(context, origin, existing);
        return undefined;
      },
    };
  },
};

function mayBeMirrored(endpoints: Stored<Endpoints> | undefined): boolean {
  const { labels, annotations } = endpoints?.metadata ?? {};
  return (
    labels?.["endpointslice.kubernetes.io/skip-mirror"] !== "true" &&
    annotations?.["control-plane.alpha.kubernetes.io/leader"] === undefined
  );
}

function mirroredKeys({ metadata }: Stored<EndpointSlice>): readonly string[] {
  const { labels, namespace } = metadata;
  if (labels?.["endpointslice.kubernetes.io/managed-by"] !== "endpointslicemirroring-controller.k8s.io") return [];
  return [`${namespace}/${labels["kubernetes.io/service-name"]}`];
}
