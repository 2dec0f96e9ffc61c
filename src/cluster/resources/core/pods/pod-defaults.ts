// Defaults of pods and of the pod templates inside workloads (pkg/apis/core/v1/defaults.go). Some hold for pods only.

import type { Container, PodSpec, PodTemplateSpec } from "#cluster/api/generated/types.ts";
import { changed, each, filled, withoutZero } from "../../filling.ts";
import { volumeDefaults } from "../volumes/volume-defaults.ts";
import { containerDefaults } from "./container-defaults.ts";
import { podLevelDefaults } from "./pod-level-resources.ts";

/** What every pod specification gets, in a pod or in a template. */
export function podSpecDefaults(spec: PodSpec): PodSpec {
  let result = filled(withoutZero(withAccount(spec), "dnsPolicy", "restartPolicy", "schedulerName"), {
    dnsPolicy: "ClusterFirst",
    restartPolicy: "Always",
    schedulerName: "default-scheduler",
    securityContext: {},
    terminationGracePeriodSeconds: 30,
  });
  result = changed(result, "containers", (containers) => each(containers, containerDefaults));
  result = changed(result, "initContainers", (containers) => each(containers, containerDefaults));
  result = changed(result, "ephemeralContainers", (containers) => each(containers, containerDefaults));
  result = changed(result, "volumes", (volumes) => each(volumes, volumeDefaults));
  return result;
}

/** serviceAccount is the old name of serviceAccountName: both are written, and the new one wins. */
function withAccount(spec: PodSpec): PodSpec {
  const name = spec.serviceAccountName || spec.serviceAccount;
  if (!name || (spec.serviceAccountName === name && spec.serviceAccount === name)) return spec;
  return { ...spec, serviceAccountName: name, serviceAccount: name };
}

/** What only pods get beside: requests from limits, service links, a grace period that is none below zero, host ports. */
export function podOnlyDefaults(spec: PodSpec): PodSpec {
  let result = changed(spec, "containers", (containers) => each(containers, requestsFromLimits));
  result = changed(result, "initContainers", (containers) => each(containers, requestsFromLimits));
  result = filled(podLevelDefaults(result), { enableServiceLinks: true });
  // As v1 is read into the API server's own form (pkg/apis/core/v1/conversion.go); templates keep what they have.
  result = changed(result, "terminationGracePeriodSeconds", (seconds) => (seconds < 0 ? 1 : seconds));
  if (result.hostNetwork !== true) return result;
  result = changed(result, "containers", (containers) => each(containers, hostPorts));
  return changed(result, "initContainers", (containers) => each(containers, hostPorts));
}

export function podTemplateDefaults(template: PodTemplateSpec): PodTemplateSpec {
  return changed(template, "spec", podSpecDefaults);
}

function requestsFromLimits(container: Container): Container {
  return changed(container, "resources", (resources) => {
    if (resources.limits === undefined) return resources;
    const requests = filled(resources.requests ?? {}, resources.limits);
    return requests === resources.requests ? resources : { ...resources, requests };
  });
}

function hostPorts(container: Container): Container {
  return changed(container, "ports", (ports) =>
    each(ports, (port) => filled(withoutZero(port, "hostPort"), { hostPort: port.containerPort })),
  );
}
