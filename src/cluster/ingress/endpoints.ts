// Who is behind a Service's port: the ready endpoints of its slices. The Service's own address is passed by.

import type { EndpointSlice, Service, ServicePort } from "../api/generated/types.ts";
import type { Stored } from "../api/objects.ts";
import type { Endpoint } from "./configuration.ts";

/** What is known of the cluster. */
export interface Services {
  /** `key`: NAMESPACE/NAME */
  service(key: string): Stored<Service> | undefined;
  slices(key: string): Iterable<Stored<EndpointSlice>>;
}

/** Of the port that an Ingress names, by number or name; none where the Service has no such port. */
export function endpointsOfPort(services: Services, service: Stored<Service>, wanted: string): readonly Endpoint[] {
  const { spec } = service;
  if (spec?.type === "ExternalName") return externalEndpoints(service, wanted);
  const port = spec?.ports?.find((one) => isPort(one, wanted));
  return port === undefined ? [] : endpointsOf(services, service, port);
}

function isPort({ port, targetPort, name }: ServicePort, wanted: string): boolean {
  return String(port) === wanted || String(targetPort) === wanted || (name !== undefined && name === wanted);
}

export function endpointsOf(services: Services, service: Stored<Service>, port: ServicePort): readonly Endpoint[] {
  const found = new Map<string, Endpoint>();
  for (const slice of services.slices(`${service.metadata.namespace ?? ""}/${service.metadata.name}`)) {
    const ports = portsOf(slice, port);
    for (const { conditions, addresses } of slice.endpoints ?? []) {
      // Not known is ready. Those that are about to end are not, whether they still serve or not.
      if (conditions?.ready === false) continue;
      for (const number of ports) for (const address of addresses) found.set(`${address}:${number}`, { address, port: number });
    }
  }
  return [...found.values()];
}

function portsOf(slice: Stored<EndpointSlice>, { name = "", targetPort }: ServicePort): readonly number[] {
  const byNumber = typeof targetPort === "number" ? [targetPort] : [];
  if ((slice.ports ?? []).length === 0) return byNumber;
  return (slice.ports ?? []).flatMap(({ name: own = "", port, protocol = "TCP" }) => {
    if (protocol !== "TCP") return [];
    const found = name === "" || name === own ? port : undefined;
    return found === undefined ? byNumber : [found];
  });
}

/** A name outside, which is looked up when somebody asks for it. */
function externalEndpoints({ spec }: Stored<Service>, wanted: string): readonly Endpoint[] {
  const { externalName: address = "", ports = [] } = spec ?? {};
  if (address === "localhost" || address.startsWith("127.")) return [];
  const port = ports.find(({ port: number, name }) => String(number) === wanted || name === wanted);
  const number = port === undefined ? Number(wanted) : Number(port.targetPort ?? port.port);
  return Number.isInteger(number) && number > 0 ? [{ address, port: number }] : [];
}

/** The Service's own address, for who wants it (the annotation service-upstream). */
export function clusterEndpoint({ spec }: Stored<Service>, wanted: string): readonly Endpoint[] {
  const { clusterIP: address = "", ports = [] } = spec ?? {};
  const port = ports.find(({ port: number, name }) => String(number) === wanted || name === wanted);
  return address === "" || address === "None" || port === undefined ? [] : [{ address, port: port.port }];
}
