// Ingresses with the endpoints behind their backends, and ingress classes.

import type { EndpointSlice, Ingress, IngressBackend, IngressClass, Service } from "#cluster/api/generated/types.ts";
import type { Stored } from "#cluster/api/objects.ts";
import type { Sys } from "#sim/program.ts";
import type { Describer, Lookup } from "./describer.ts";
import { Description } from "./description.ts";
import { describeEvents } from "./events.ts";
import { describeHead, subjectOf, withEvents } from "./from-object.ts";
import { endpointsText } from "./service.ts";

export const describeIngress: Describer<Stored<Ingress>> = function* (ingress, lookup) {
  const { metadata, spec, status } = ingress;
  const namespace = metadata.namespace ?? "";
  const fallback = spec?.defaultBackend === undefined ? "<default>" : yield* backendText(spec.defaultBackend, namespace, lookup);
  const out = new Description();
  out.field("Name", metadata.name);
  out.labels("Labels", metadata.labels);
  out.field("Namespace", namespace);
  const addresses = (status?.loadBalancer?.ingress ?? [])
    .map(({ ip, hostname }) => ip || (hostname ?? ""))
    .filter((text) => text !== "");
  out.field("Address", [...new Set(addresses)].sort().join(","));
  out.field("Ingress Class", spec?.ingressClassName ?? "<none>");
  out.field("Default backend", fallback);
  const tls = spec?.tls ?? [];
  if (tls.length > 0) out.line("TLS:");
  for (const { secretName = "", hosts = [] } of tls)
    out.line(secretName === "" ? `SNI routes ${hosts.join(",")}` : `${secretName} terminates ${hosts.join(",")}`, 1);
  out.line("Rules:");
  out.line("Host\tPath\tBackends", 1);
  out.line("----\t----\t--------", 1);
  const rules = (spec?.rules ?? []).filter(({ http }) => http !== undefined);
  for (const { host = "", http } of rules) {
    out.line(`${host === "" ? "*" : host}\t`, 1);
    for (const { path = "", backend } of http?.paths ?? [])
      out.line(`\t${path} \t${yield* backendText(backend, namespace, lookup)}`, 2);
  }
  if (rules.length === 0) out.line(`*\t*\t${fallback}`, 1);
  out.annotations("Annotations", metadata.annotations);
  const events = yield* lookup.events(subjectOf(ingress));
  if (lookup.showEvents) describeEvents(out, events, lookup.nowMs);
  return out.finish();
};

/** `web:80 (10.244.1.2:80)` */
function* backendText({ service, resource }: IngressBackend, namespace: string, lookup: Lookup): Sys<string> {
  if (service !== undefined) {
    const { number = 0, name: portName = "" } = service.port ?? {};
    const text = `${service.name}:${number === 0 ? portName : number}`;
    const found = (yield* lookup.get({ group: "", version: "v1", plural: "services" }, namespace, service.name)) as
      | Stored<Service>
      | undefined;
    if (found === undefined) return `${text} (<error: services ${JSON.stringify(service.name)} not found>)`;
    const slices = yield* lookup.list(
      { group: "discovery.k8s.io", version: "v1", plural: "endpointslices" },
      { namespace, labelSelector: `kubernetes.io/service-name=${service.name}` },
    );
    const port = found.spec?.ports?.find((one) => (number === 0 ? one.name === portName : one.port === number));
    return `${text} (${endpointsText(slices as readonly Stored<EndpointSlice>[], port?.name ?? "")})`;
  }
  if (resource === undefined) return "";
  return `APIGroup: ${resource.apiGroup ?? "<none>"}, Kind: ${resource.kind}, Name: ${resource.name}`;
}

export const describeIngressClass = withEvents<IngressClass>((out, ingressClass) => {
  describeHead(out, ingressClass);
  out.field("Controller", ingressClass.spec?.controller ?? "");
  const parameters = ingressClass.spec?.parameters;
  if (parameters === undefined) return;
  out.line("Parameters:");
  if (parameters.apiGroup !== undefined) out.field("APIGroup", parameters.apiGroup, 1);
  out.field("Kind", parameters.kind, 1);
  out.field("Name", parameters.name, 1);
});
