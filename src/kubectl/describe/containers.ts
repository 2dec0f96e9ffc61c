// The containers of a Pod or of a Pod template.

import type {
  Container,
  ContainerPort,
  ContainerState,
  ContainerStatus,
  EnvFromSource,
  EnvVar,
  Pod,
  Probe,
  ResourceRequirements,
} from "#cluster/api/generated/types.ts";
import { canonicalQuantity } from "#cluster/api/quantity.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import { compareTexts } from "#sim/compare-texts.ts";
import { type Description, orNone } from "./description.ts";
import { fieldOfPod, resourceOfContainer } from "./references.ts";
import { longTime } from "./when.ts";

export interface ContainerSection {
  readonly title: string;
  readonly containers: readonly Container[];
  readonly statuses: readonly ContainerStatus[];
  /** For the values of downward API fields; a template has none. */
  readonly pod: Pod | undefined;
  /** Templates stand two spaces to the right. */
  readonly inTemplate: boolean;
}

export function describeContainers(out: Description, section: ContainerSection): void {
  const { containers, inTemplate } = section;
  out.line(`${inTemplate ? "  " : ""}${section.title}:${containers.length === 0 ? " <none>" : ""}`);
  for (const container of containers) {
    const status = section.statuses.find(({ name }) => name === container.name);
    out.line(`${inTemplate ? " " : ""}${container.name}:`, 1);
    describeIdentity(out, container, status);
    describeWords(out, "Command", container.command);
    describeWords(out, "Args", container.args);
    if (status !== undefined) describeStatus(out, status);
    describeResources(out, container.resources);
    for (const [title, probe] of [
      ["Liveness", container.livenessProbe],
      ["Readiness", container.readinessProbe],
      ["Startup", container.startupProbe],
    ] as const) {
      if (probe !== undefined) out.field(title, probeText(probe), 2);
    }
    describeEnvironmentSources(out, container.envFrom ?? []);
    describeEnvironment(out, container, section.pod);
    describeMounts(out, container);
  }
}

function describeIdentity(out: Description, container: Container, status: ContainerStatus | undefined): void {
  if (status !== undefined) out.field("Container ID", status.containerID ?? "", 2);
  out.field("Image", container.image ?? "", 2);
  if (status !== undefined) out.field("Image ID", status.imageID, 2);
  describePorts(out, "Port", container.ports, (port) => port.containerPort);
  describePorts(out, "Host Port", container.ports, (port) => port.hostPort ?? 0);
  const profile = container.securityContext?.seccompProfile;
  if (profile === undefined) return;
  out.field("SeccompProfile", profile.type, 2);
  if (profile.type === "Localhost") out.field("LocalhostProfile", profile.localhostProfile ?? "", 3);
}

function describePorts(
  out: Description,
  title: string,
  ports: readonly ContainerPort[] | undefined,
  number: (port: ContainerPort) => number,
): void {
  const texts = (ports ?? []).map((port) => {
    const text = `${number(port)}/${port.protocol ?? ""}`;
    return port.name === undefined || port.name === "" ? text : `${text} (${port.name})`;
  });
  if (texts.length > 1) out.field(`${title}s`, texts.join(", "), 2);
  else out.field(title, orNone(texts[0]), 2);
}

function describeWords(out: Description, title: string, words: readonly string[] | undefined): void {
  if (words === undefined || words.length === 0) return;
  out.line(`${title}:`, 2);
  for (const line of words.flatMap((word) => word.split("\n"))) out.line(line, 3);
}

function describeStatus(out: Description, status: ContainerStatus): void {
  describeState(out, "State", status.state);
  if (status.lastState?.terminated !== undefined) describeState(out, "Last State", status.lastState);
  out.field("Ready", status.ready ? "True" : "False", 2);
  out.field("Restart Count", status.restartCount, 2);
}

function describeState(out: Description, title: string, state: ContainerState | undefined): void {
  if (state?.running !== undefined) {
    out.field(title, "Running", 2);
    out.field("Started", longTime(state.running.startedAt), 3);
  } else if (state?.terminated !== undefined) {
    const { reason, message, exitCode, signal, startedAt, finishedAt } = state.terminated;
    out.field(title, "Terminated", 2);
    if (reason) out.field("Reason", reason, 3);
    if (message) out.field("Message", message, 3);
    out.field("Exit Code", exitCode, 3);
    if (signal !== undefined && signal > 0) out.field("Signal", signal, 3);
    out.field("Started", longTime(startedAt), 3);
    out.field("Finished", longTime(finishedAt), 3);
  } else {
    out.field(title, "Waiting", 2);
    if (state?.waiting?.reason) out.field("Reason", state.waiting.reason, 3);
  }
}

export function describeResources(out: Description, resources: ResourceRequirements | undefined, level = 2): void {
  for (const [title, list] of [
    ["Limits", resources?.limits],
    ["Requests", resources?.requests],
  ] as const) {
    const entries = Object.entries(list ?? {}).sort(([a], [b]) => compareTexts(a, b));
    if (entries.length > 0) out.line(`${title}:`, level);
    for (const [name, quantity] of entries) out.field(name, canonicalQuantity(quantity), level + 1);
  }
}

/** One line: what is asked, and how often. */
export function probeText(probe: Probe): string {
  const timing =
    `delay=${probe.initialDelaySeconds ?? 0}s timeout=${probe.timeoutSeconds ?? 0}s period=${probe.periodSeconds ?? 0}s ` +
    `#success=${probe.successThreshold ?? 0} #failure=${probe.failureThreshold ?? 0}`;
  if (probe.exec !== undefined) return `exec [${(probe.exec.command ?? []).join(" ")}] ${timing}`;
  if (probe.httpGet !== undefined) {
    const { scheme = "", host = "", port, path = "" } = probe.httpGet;
    const slash = path === "" || path.startsWith("/") ? "" : "/";
    return `http-get ${asciiLowerCase(scheme)}://${host}:${port}${slash}${path} ${timing}`;
  }
  if (probe.tcpSocket !== undefined) return `tcp-socket ${probe.tcpSocket.host ?? ""}:${probe.tcpSocket.port} ${timing}`;
  if (probe.grpc !== undefined) return `grpc <pod>:${probe.grpc.port} ${probe.grpc.service ?? ""} ${timing}`;
  return `unknown ${timing}`;
}

function describeEnvironmentSources(out: Description, sources: readonly EnvFromSource[]): void {
  if (sources.length === 0) return;
  out.line("Environment Variables from:", 2);
  for (const { configMapRef, secretRef, prefix } of sources) {
    const reference = configMapRef ?? secretRef;
    let kind = "";
    if (configMapRef !== undefined) kind = "ConfigMap";
    else if (secretRef !== undefined) kind = "Secret";
    const behind = prefix === undefined || prefix === "" ? "" : ` with prefix '${prefix}'`;
    out.line(`${reference?.name ?? ""}\t${kind}${behind}\tOptional: ${reference?.optional === true}`, 3);
  }
}

function describeEnvironment(out: Description, container: Container, pod: Pod | undefined): void {
  const variables = container.env ?? [];
  out.line(`Environment:${variables.length === 0 ? "\t<none>" : ""}`, 2);
  for (const variable of variables) {
    for (const [index, text] of variableTexts(variable, container, pod).entries())
      out.line(`${index === 0 ? `${variable.name}:` : ""}\t${text}`, 3);
  }
}

function variableTexts({ value, valueFrom }: EnvVar, container: Container, pod: Pod | undefined): readonly string[] {
  if (valueFrom === undefined) return (value ?? "").split("\n");
  const { fieldRef, resourceFieldRef, secretKeyRef, configMapKeyRef } = valueFrom;
  if (fieldRef !== undefined)
    return [
      `${pod === undefined ? "" : fieldOfPod(pod, fieldRef.fieldPath)} (${fieldRef.apiVersion ?? "v1"}:${fieldRef.fieldPath})`,
    ];
  if (resourceFieldRef !== undefined) {
    const { resource } = resourceFieldRef;
    const amount = resourceOfContainer(container, resourceFieldRef);
    const unlimited = amount === "0" && (resource === "limits.cpu" || resource === "limits.memory");
    return [`${unlimited ? "node allocatable" : amount} (${resource})`];
  }
  if (secretKeyRef !== undefined) {
    return [
      `<set to the key '${secretKeyRef.key}' in secret '${secretKeyRef.name ?? ""}'>\tOptional: ${secretKeyRef.optional === true}`,
    ];
  }
  if (configMapKeyRef !== undefined) {
    return [
      `<set to the key '${configMapKeyRef.key}' of config map '${configMapKeyRef.name ?? ""}'>\tOptional: ${configMapKeyRef.optional === true}`,
    ];
  }
  return [];
}

function describeMounts(out: Description, container: Container): void {
  const mounts = [...(container.volumeMounts ?? [])].sort((a, b) => compareTexts(a.mountPath, b.mountPath));
  out.line(`Mounts:${mounts.length === 0 ? "\t<none>" : ""}`, 2);
  for (const { mountPath, name, readOnly, subPath } of mounts) {
    const flags = [
      readOnly === true ? "ro" : "rw",
      ...(subPath === undefined || subPath === "" ? [] : [`path=${JSON.stringify(subPath)}`]),
    ];
    out.line(`${mountPath} from ${name} (${flags.join(",")})`, 3);
  }
  const devices = [...(container.volumeDevices ?? [])].sort((a, b) => compareTexts(a.devicePath, b.devicePath));
  if (devices.length > 0) out.line("Devices:", 2);
  for (const { devicePath, name } of devices) out.line(`${devicePath} from ${name}`, 3);
}
