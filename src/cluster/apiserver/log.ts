// What the API server logs of itself: klog's lines, for each the place that logs it upstream.

import { release } from "#cluster/api/generated/release.ts";
import type { ServiceSpec } from "#cluster/api/generated/types.ts";
import { klogText } from "#cluster/api/klog.ts";
import type { KubeObject } from "#cluster/api/objects.ts";
import type { LogMoment } from "#cluster/images/log-line.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";
import type { AskedPlugins } from "./admission/chain.ts";

/** Where a server logs: `words` are put together when somebody reads them. */
export type ServerLog = (words: (at: LogMoment) => string) => void;

type Line = readonly [severity: "I" | "W" | "E", place: string, message: string];

function written(at: LogMoment, lines: readonly Line[]): string {
  return lines.map(([severity, place, message]) => `${klogText(at, severity, place, message)}\n`).join("");
}

/** Upstream's do all of their work in the first pass. */
const mutatingOnly: readonly string[] = ["NamespaceLifecycle", "NodeRestriction", "MutatingAdmissionWebhook"];

/** Once the command line is right; `advertised`: `172.18.0.2:6443`. */
export function beginLines(at: LogMoment, advertised: string, plugins: AskedPlugins): string {
  const host = advertised.slice(0, advertised.lastIndexOf(":"));
  const loaded = (kind: string, of: AskedPlugins["mutating"]): string => {
    const names = of.map(({ name }) => name).join(",");
    return `Loaded ${of.length} ${kind} admission controller(s) successfully in the following order: ${names}.`;
  };
  return written(at, [
    ["I", "options.go:249", `external host was not specified, using ${host}`],
    ["I", "server.go:147", `Version: v${release}.0`],
    ["I", "server.go:149", '"Golang settings" GOGC="" GOMAXPROCS="" GOTRACEBACK=""'],
    ["I", "plugins.go:157", loaded("mutating", plugins.mutating)],
    [
      "I",
      "plugins.go:160",
      loaded(
        "validating",
        plugins.validating.filter(({ name }) => !mutatingOnly.includes(name)),
      ),
    ],
    ["I", "instance.go:233", "Using reconciler: lease"],
  ]);
}

/** What runs from its start to its end, in the order of starting. */
const loops: readonly (readonly [place: string, name: string, endPlace: string])[] = [
  ["apf_controller.go:377", "API Priority and Fairness config controller", ""],
  ["customresource_discovery_controller.go:294", "DiscoveryController", "customresource_discovery_controller.go:295"],
  ["local_available_controller.go:156", "LocalAvailability controller", "local_available_controller.go:157"],
  ["remote_available_controller.go:434", "RemoteAvailability controller", "remote_available_controller.go:435"],
  ["apiservice_controller.go:100", "APIServiceRegistrationController", "apiservice_controller.go:101"],
  ["naming_controller.go:299", "NamingConditionController", "naming_controller.go:300"],
  ["establishing_controller.go:81", "EstablishingController", "establishing_controller.go:82"],
  ["nonstructuralschema_controller.go:195", "NonStructuralSchemaConditionController", "nonstructuralschema_controller.go:196"],
  ["crd_finalizer.go:269", "CRDFinalizer", "crd_finalizer.go:270"],
  ["crdregistration_controller.go:114", "crd-autoregister controller", "crdregistration_controller.go:115"],
  ["autoregister_controller.go:144", "autoregister controller", "autoregister_controller.go:145"],
];

/** When it has found etcd, and answers: `served` are its kinds. */
export function servingLines(at: LogMoment, served: readonly ResourceDefinition[]): string {
  const versions = [...new Set(served.map(({ group, version }) => `${group} ${version}`))];
  return written(at, [
    ...versions.map((each): Line => ["I", "handler.go:304", `Adding GroupVersion ${each} to ResourceManager`]),
    ["I", "secure_serving.go:214", "Serving securely on [::]:6443"],
    ...loops.map(([place, name]): Line => ["I", place, `Starting ${name}`]),
    ["I", "apf_controller.go:382", "Running API Priority and Fairness config worker"],
    ["I", "cache.go:39", "Caches are synced for APIServiceRegistrationController controller"],
    ["I", "cache.go:39", "Caches are synced for LocalAvailability controller"],
    ["I", "cache.go:39", "Caches are synced for RemoteAvailability controller"],
    ["I", "cache.go:39", "Caches are synced for autoregister controller"],
    ["I", "storage_scheduling.go:111", "all system priority classes are created successfully or already exist."],
  ]);
}

/** After TERM. */
export function endLines(at: LogMoment): string {
  return written(at, [
    ["I", "controller.go:128", "Shutting down kubernetes service endpoint reconciler"],
    ...[...loops].reverse().flatMap(([, name, place]): Line[] => (place === "" ? [] : [["I", place, `Shutting down ${name}`]])),
    ["I", "apf_controller.go:389", "Shutting down API Priority and Fairness config worker"],
    ["I", "secure_serving.go:262", "Stopped listening on [::]:6443"],
  ]);
}

/** Of credentials that are there and do not count. */
export function unauthenticatedLine(at: LogMoment, cause: string): string {
  return written(at, [["E", "authentication.go:75", `"Unable to authenticate the request" err=${JSON.stringify(cause)}`]]);
}

/** A webhook that has not answered, or not as it should: the request goes on without it, or not. */
export function webhookFailureLine(
  at: LogMoment,
  name: string,
  cause: string,
  { isMutating, isOpen }: { readonly isMutating: boolean; readonly isOpen: boolean },
): string {
  const [open, closed] = isMutating ? [210, 225] : [205, 217];
  const text = `Failed calling webhook, failing ${isOpen ? "open" : "closed"} ${name}: ${cause}`;
  return written(at, [["W", `dispatcher.go:${isOpen ? open : closed}`, text]]);
}

/** Of a Service that was given an address; otherwise nothing. */
export function allocatedLine(
  at: LogMoment,
  { metadata: { namespace, name } }: KubeObject,
  { clusterIP = "" }: ServiceSpec,
  old: KubeObject | undefined,
): string {
  const before = (old?.["spec"] as ServiceSpec | undefined)?.clusterIP;
  if (clusterIP === "" || clusterIP === "None" || clusterIP === before) return "";
  const addresses = JSON.stringify({ [clusterIP.includes(":") ? "IPv6" : "IPv4"]: clusterIP });
  return written(at, [["I", "alloc.go:328", `"allocated clusterIPs" service="${namespace}/${name}" clusterIPs=${addresses}`]]);
}
