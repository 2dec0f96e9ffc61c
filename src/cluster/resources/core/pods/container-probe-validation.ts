// Probes and lifecycle hooks: one handler each (pkg/apis/core/validation: validateProbe, validateHandler, validateLifecycle).

import type { HTTPGetAction, Lifecycle, LifecycleHandler, Probe } from "#cluster/api/generated/types.ts";
import { portNameReasons, portNumberReasons, regexReason } from "#cluster/api/names.ts";
import type { Int64 } from "#cluster/api/wire.ts";
import type { FieldErrors, Path } from "../../field-errors.ts";

/** Seconds that the pod has to end; undefined when that is missing, which is reported elsewhere. */
type GracePeriod = Int64 | undefined;

const negative = "must be greater than or equal to 0";
const timings = ["initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold"] as const;

export type ProbeName = "livenessProbe" | "readinessProbe" | "startupProbe";

export function validateProbe(probe: Probe, name: ProbeName, grace: GracePeriod, path: Path, errors: FieldErrors): void {
  validateHandler(probe, grace, path, errors);
  for (const timing of timings) {
    const value = probe[timing] ?? 0;
    if (value < 0) errors.invalid(path.child(timing), value, negative);
  }
  const ownGrace = probe.terminationGracePeriodSeconds;
  if (ownGrace !== undefined) {
    const at = path.child("terminationGracePeriodSeconds");
    if (ownGrace <= 0) errors.invalid(at, ownGrace, "must be greater than 0");
    if (name === "readinessProbe") errors.invalid(at, ownGrace, "must not be set for readinessProbes");
  }
  if (name === "readinessProbe") return;
  if ((probe.successThreshold ?? 0) !== 1) {
    errors.invalid(path.child("successThreshold"), probe.successThreshold ?? 0, "must be 1");
  }
}

/** stopSignal is behind the gate ContainerStopSignals, which is off: it never comes this far. */
export function validateLifecycle({ postStart, preStop }: Lifecycle, grace: GracePeriod, path: Path, errors: FieldErrors): void {
  if (postStart !== undefined) validateHandler(postStart, grace, path.child("postStart"), errors);
  if (preStop !== undefined) validateHandler(preStop, grace, path.child("preStop"), errors);
}

function validateHandler(handler: Probe | LifecycleHandler, grace: GracePeriod, path: Path, errors: FieldErrors): void {
  const { exec, httpGet, tcpSocket } = handler;
  const { grpc } = handler as Probe;
  const { sleep } = handler as LifecycleHandler;
  let count = 0;
  const first = (name: string): boolean => {
    count += 1;
    if (count > 1) errors.forbidden(path.child(name), "may not specify more than 1 handler type");
    return count === 1;
  };
  if (exec !== undefined && first("exec") && (exec.command?.length ?? 0) === 0) errors.required(path.child("exec", "command"));
  if (httpGet !== undefined && first("httpGet")) validateHttpGet(httpGet, path.child("httpGet"), errors);
  if (tcpSocket !== undefined && first("tcpSocket")) validatePort(tcpSocket.port, path.child("tcpSocket", "port"), errors);
  if (grpc !== undefined && first("grpc")) validatePort(grpc.port ?? 0, path.child("grpc", "port"), errors);
  if (sleep !== undefined && first("sleep") && grace !== undefined) {
    const { seconds = 0 } = sleep;
    if (seconds < 0 || seconds > grace) {
      errors.invalid(path.child("sleep"), seconds, `must be non-negative and less than terminationGracePeriodSeconds (${grace})`);
    }
  }
  if (count === 0) errors.required(path, "must specify a handler type");
}

function validateHttpGet({ path: target, port, scheme = "", httpHeaders }: HTTPGetAction, path: Path, errors: FieldErrors): void {
  if (!target) errors.required(path.child("path"));
  validatePort(port, path.child("port"), errors);
  if (scheme !== "HTTP" && scheme !== "HTTPS") errors.notSupported(path.child("scheme"), scheme, ["HTTP", "HTTPS"]);
  for (const { name = "" } of httpHeaders ?? []) {
    if (/^[-A-Za-z0-9]+$/.test(name)) continue;
    const message = "a valid HTTP header must consist of alphanumeric characters or '-'";
    errors.invalid(path.child("httpHeaders"), name, regexReason(message, "[-A-Za-z0-9]+", "X-Header-Name"));
  }
}

export function validatePort(port: number | string = 0, path: Path, errors: FieldErrors): void {
  const reasons = typeof port === "number" ? portNumberReasons(port) : portNameReasons(port);
  for (const reason of reasons) errors.invalid(path, port, reason);
}
