// Defaults of containers (pkg/apis/core/v1/defaults.go).

import type {
  Container,
  ContainerPort,
  EnvVar,
  EphemeralContainer,
  HTTPGetAction,
  Lifecycle,
  LifecycleHandler,
  Probe,
  ResourceRequirements,
} from "#cluster/api/generated/types.ts";
import { formatQuantity, quantityMilliValue, tryParseQuantity } from "#cluster/api/quantity.ts";
import { changed, each, filled, withoutZero } from "../../filling.ts";
import { defaultPullPolicy } from "./image-reference.ts";

export function containerDefaults<C extends Container | EphemeralContainer>(container: C): C {
  let result: Container = filled<Container>(
    withoutZero(container as Container, "imagePullPolicy", "terminationMessagePath", "terminationMessagePolicy"),
    {
      imagePullPolicy: defaultPullPolicy(container.image ?? ""),
      terminationMessagePath: "/dev/termination-log",
      terminationMessagePolicy: "File",
    },
  );
  result = changed(result, "ports", (ports) => each(ports, portDefaults));
  result = changed(result, "resources", resourceDefaults);
  result = changed(result, "env", (env) => each(env, environmentDefaults));
  result = changed(result, "livenessProbe", probeDefaults);
  result = changed(result, "readinessProbe", probeDefaults);
  result = changed(result, "startupProbe", probeDefaults);
  result = changed(result, "lifecycle", lifecycleDefaults);
  return result as C;
}

/** Amounts are kept to a thousandth, rounded up (SetDefaults_ResourceList). */
function resourceDefaults(resources: ResourceRequirements): ResourceRequirements {
  return changed(changed(resources, "limits", roundedUp), "requests", roundedUp);
}

function roundedUp(amounts: { readonly [name: string]: string }): { readonly [name: string]: string } {
  let result: { [name: string]: string } | undefined;
  for (const name in amounts) {
    const quantity = tryParseQuantity(amounts[name] as string);
    // What thousandths express exactly is held as a number.
    if (quantity === undefined || typeof quantity.amount === "number" || quantity.amount % 1_000_000n === 0n) continue;
    result ??= { ...amounts };
    result[name] = formatQuantity({ amount: quantityMilliValue(quantity), format: quantity.format });
  }
  return result ?? amounts;
}

function portDefaults(port: ContainerPort): ContainerPort {
  return filled(withoutZero(port, "protocol"), { protocol: "TCP" });
}

function environmentDefaults(variable: EnvVar): EnvVar {
  return changed(variable, "valueFrom", (source) =>
    changed(source, "fieldRef", (reference) => filled(withoutZero(reference, "apiVersion"), { apiVersion: "v1" })),
  );
}

function probeDefaults(probe: Probe): Probe {
  const timed = filled(withoutZero(probe, "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold"), {
    timeoutSeconds: 1,
    periodSeconds: 10,
    successThreshold: 1,
    failureThreshold: 3,
  });
  const overHttp = changed(timed, "httpGet", httpGetDefaults);
  return changed(overHttp, "grpc", (grpc) => filled(grpc, { service: "" }));
}

function httpGetDefaults(action: HTTPGetAction): HTTPGetAction {
  return filled(withoutZero(action, "path", "scheme"), { path: "/", scheme: "HTTP" });
}

function lifecycleDefaults(lifecycle: Lifecycle): Lifecycle {
  const handler = (hook: LifecycleHandler): LifecycleHandler => changed(hook, "httpGet", httpGetDefaults);
  return changed(changed(lifecycle, "postStart", handler), "preStop", handler);
}
