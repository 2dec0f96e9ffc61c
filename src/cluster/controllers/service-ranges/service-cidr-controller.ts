// Guards ServiceCIDRs by a finalizer, says that they are ready, and lets those go that no address of a Service needs (`leaving.ts`;
// pkg/controller/servicecidrs). Upstream applies the status server-side; here it is updated, which costs less.

import { ApiError } from "#cluster/api/errors.ts";
import type { IPAddress, ServiceCIDR } from "#cluster/api/generated/types.ts";
import { ipAddresses, serviceCidrs } from "#cluster/api/kinds.ts";
import type { Stored } from "#cluster/api/objects.ts";
import { formatTime } from "#cluster/api/time.ts";
import { isReason } from "#cluster/client/retry.ts";
import type { ControllerContext, ControllerDefinition } from "../context.ts";
import { watchRule } from "../controller.ts";
import { latePasses } from "../late-passes.ts";

const name = "service-cidr-controller";
export const rangeFinalizer = "networking.k8s.io/service-cidr-finalizer";

export const serviceCidrController: ControllerDefinition = {
  name,
  serviceAccount: "service-cidrs-controller",
  create(context) {
    const { events, informers } = context;
    const ranges = informers.informer(serviceCidrs);
    const addresses = informers.informer(ipAddresses);
    /** Those that a further range or a change of an address may let go, or keep. */
    const leaving = (): readonly string[] =>
      Array.from(ranges.list(), ({ metadata }) => (metadata.deletionTimestamp === undefined ? "" : metadata.name)).filter(Boolean);
    return {
      name,
      watches: [
        watchRule<ServiceCIDR>({
          resource: serviceCidrs,
          keys: ({ metadata }, previous) => (previous === undefined ? [metadata.name, ...leaving()] : [metadata.name]),
        }),
        watchRule<IPAddress>({ resource: ipAddresses, keys: leaving }),
      ],
      reconcile(key) {
        const range = ranges.get(key);
        if (range === undefined) return undefined;
        const { deletionTimestamp, finalizers = [] } = range.metadata;
        if (deletionTimestamp !== undefined) return latePasses.code.leave(context, range, ranges.list(), addresses.list());
        const held = finalizers.includes(rangeFinalizer) ? range : holdRange(context, range, [...finalizers, rangeFinalizer]);
        try {
          sayReady(context, held, "True", "", "Kubernetes Service CIDR is ready");
        } catch (error) {
          if (error instanceof ApiError && !isReason(error, "Conflict"))
            events.warning(range, "KubernetesServiceCIDRError", "The ServiceCIDR Status can not be set to Ready=True");
          throw error;
        }
        return undefined;
      },
    };
  },
};

export function holdRange(
  { client }: ControllerContext,
  range: Stored<ServiceCIDR>,
  finalizers: readonly string[],
): Stored<ServiceCIDR> {
  return client.update(serviceCidrs, { ...range, metadata: { ...range.metadata, finalizers } });
}

/** Writes the condition Ready unless it is so. */
export function sayReady(
  { client, simulation }: ControllerContext,
  range: Stored<ServiceCIDR>,
  status: "True" | "False",
  reason: string,
  message: string,
): void {
  const { conditions = [] } = range.status ?? {};
  const former = conditions.find(({ type }) => type === "Ready");
  if (former?.status === status && former.reason === reason && former.message === message) return;
  const ready = { type: "Ready", status, reason, message, lastTransitionTime: formatTime(simulation.nowMs) };
  const changed = { ...range, status: { conditions: [...conditions.filter((one) => one !== former), ready] } };
  client.update(serviceCidrs, changed, { subresource: "status", fieldManager: name });
}
