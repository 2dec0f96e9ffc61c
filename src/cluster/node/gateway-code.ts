// What `gateway.ts` stands for. A kubelet that is stopped refuses the connection, one whose machine is off is not reached, one whose
// certificate the server does not trust is not asked, in the API server's words.

import { AnsweredLater } from "#cluster/api/answered-later.ts";
import { dialFailure, dialTimeoutMs } from "#cluster/api/dial-failure.ts";
import { type ApiError, badRequest, internalError, notFound, otherFailure } from "#cluster/api/errors.ts";
import type { ContainerStatus } from "#cluster/api/generated/types.ts";
import type { ExecOptions, ExecSession, LogOptions, LogSink } from "#cluster/apiserver/kubelet-gateway.ts";
import { encodeUtf8 } from "#sim/bytes.ts";
import type { Errno } from "#sim/errors.ts";
import type { ByteStream, TlsFailure } from "#sim/net.ts";
import { verifyServer } from "#sim/network/tls.ts";
import type { GatewayPlace, NodeGateway, PodName } from "./gateway.ts";
import type { Kubelet } from "./kubelet/kubelet.ts";
import type { StoredPod } from "./kubelet/pod-spec.ts";
import { sendLog } from "./log-sending.ts";
import type { ExecStream, RuntimeContainer } from "./runtime/cri.ts";

interface Found {
  readonly kubelet: Kubelet;
  readonly pod: StoredPod;
}

const kubeletPort = 10250;

/** What the server says when a kubelet could not be asked. */
type Refusal = (dial: string, address: string) => ApiError;

const dialing: Refusal = (dial) => otherFailure(500, "", `error dialing backend: ${dial}`);

/** Streams of exec and attach are passed on by a client of the server's own (StreamTranslatorHandler). */
function posting(
  action: string,
  { namespace, name }: PodName,
  options: Omit<ExecOptions, "command">,
  command: readonly string[],
): Refusal {
  const { container, stdin, stdout, stderr, tty } = options;
  const asked: readonly (readonly [string, boolean])[] = [
    ["error", stderr],
    ["input", stdin],
    ["output", stdout],
    ["tty", tty],
  ];
  const query = new URLSearchParams([
    ...command.map((word) => ["command", word]),
    ...asked.flatMap(([stream, isAsked]) => (isAsked ? [[stream, "1"]] : [])),
  ]);
  return (dial, address) =>
    internalError(
      `error sending request: Post "https://${address}:${kubeletPort}/${action}/${namespace}/${name}/${container}?${query}": ${dial}`,
    );
}

export function logs(gateway: NodeGateway, node: string, pod: PodName, options: LogOptions, sink: LogSink): { stop(): void } {
  const path = `/containerLogs/${pod.namespace}/${pod.name}/${options.container}`;
  const found = find(gateway, node, pod, (dial, address) =>
    otherFailure(500, "", `Get "https://${address}:${kubeletPort}${path}": ${dial}`),
  );
  const container = logContainer(found, options);
  if (typeof container !== "string") return sendLog(container.log, options, sink);
  // The kubelet has begun its answer by then: it tells this as if it were the log (kuberuntime: GetContainerLogs).
  sink.onData(encodeUtf8(`unable to retrieve container logs for ${container}`));
  sink.onEnd();
  return { stop() {} };
}

export function exec(gateway: NodeGateway, node: string, pod: PodName, options: ExecOptions): ExecSession {
  const found = find(gateway, node, pod, posting("exec", pod, options, options.command));
  const container = runningContainer(found, options.container, `container not found ("${options.container}")`);
  const { command, tty, stdin } = options;
  const started = found.kubelet.options.runtime.exec(container.id, { argv: command, tty, stdin });
  if (!started.ok) throw internalError(`error executing command in container: failed to exec in container: ${started.message}`);
  return sessionOf(started.value);
}

export function attach(gateway: NodeGateway, node: string, pod: PodName, options: Omit<ExecOptions, "command">): ExecSession {
  const found = find(gateway, node, pod, posting("attach", pod, options, []));
  const container = runningContainer(
    found,
    options.container,
    `container ${options.container} not found in pod ${pod.name}_${pod.namespace}`,
  );
  const attached = found.kubelet.options.runtime.attach(container.id, { stdin: options.stdin });
  if (!attached.ok) throw internalError(`error attaching to container: ${attached.message}`);
  return sessionOf(attached.value);
}

export function requireKubelet(gateway: NodeGateway, node: string, pod: PodName): void {
  find(gateway, node, pod, dialing);
}

export function portForward(
  gateway: NodeGateway,
  node: string,
  pod: PodName,
  port: number,
  done: (stream: ByteStream | string) => void,
): void {
  const { kubelet, pod: known } = find(gateway, node, pod, dialing);
  const sandbox = kubelet.options.runtime.sandboxesOf(known.metadata.uid).find((each) => each.state === "ready");
  if (sandbox === undefined) {
    done(`pod not running: ${pod.name}_${pod.namespace}`);
    return;
  }
  sandbox.stack.connect({ address: "127.0.0.1", port }, {}, (result) => {
    if (result.ok) {
      done(result.stream);
      return;
    }
    const namespace = `/var/run/netns/cni-${sandbox.id.slice(0, 8)}-${sandbox.id.slice(8, 12)}-${sandbox.id.slice(12, 16)}-${sandbox.id.slice(16, 20)}-${sandbox.id.slice(20, 32)}`;
    done(
      `error forwarding port ${port} to pod ${sandbox.id}, uid : failed to execute portforward in network namespace "${namespace}": failed to connect to localhost:${port} inside namespace "${sandbox.id}", IPv4: dial tcp4 127.0.0.1:${port}: connect: connection refused IPv6 dial tcp6 [::1]:${port}: connect: connection refused `,
    );
  });
}

/** Throws ApiError when the node's kubelet does not answer, or does not know the pod; AnsweredLater where packets get lost on the way. */
function find({ kubelets, place }: NodeGateway, node: string, name: PodName, refused: Refusal): Found {
  const kubelet = kubelets.get(node);
  if (kubelet === undefined) throw otherFailure(500, "", `error dialing backend: dial tcp: lookup ${node}: no such host`);
  const { address, isReachable } = kubelet.options.machine.network;
  const error = isReachable ? failureAt(kubelet, address, place) : "EHOSTUNREACH";
  if (error !== undefined) {
    const failure = refused(dialFailure(`${address}:${kubeletPort}`, error), address);
    const simulation = place?.simulation;
    if (error !== "ETIMEDOUT" || simulation === undefined) throw failure;
    const begin = (resume: () => void): void => void simulation.after(dialTimeoutMs, resume);
    throw new AnsweredLater(failure.status, { begin, tries: 2, isRefusedMeanwhile: false });
  }
  const pod = kubelet.findPod(name.namespace, name.name);
  if (pod === undefined) throw notFound({ group: "", resource: "pods" }, name.name);
  return { kubelet, pod };
}

function failureAt(
  { isRunning, servingCertificate }: Kubelet,
  address: string,
  place: GatewayPlace | undefined,
): Errno | TlsFailure | undefined {
  const lost = place?.dial({ address, port: kubeletPort });
  if (lost !== undefined) return lost;
  if (!isRunning) return "ECONNREFUSED";
  const authorities = place?.authorities();
  if (authorities === undefined || servingCertificate === undefined) return undefined;
  return verifyServer({ serverName: address, authorities }, servingCertificate, place?.simulation.nowMs ?? 0);
}

function statusOf({ kubelet, pod }: Found, name: string): ContainerStatus | undefined {
  const status = kubelet.statusOf(pod);
  const all = [
    ...(status.containerStatuses ?? []),
    ...(status.initContainerStatuses ?? []),
    ...(status.ephemeralContainerStatuses ?? []),
  ];
  return all.find((each) => each.name === name);
}

/** The container whose log is asked for; the ID of one that has been removed. Throws ApiError in the kubelet's words when there is none. */
function logContainer(found: Found, { container: name, previous }: LogOptions): RuntimeContainer | string {
  const podName = found.pod.metadata.name;
  const own = found.kubelet.options.runtime.containersOf(found.pod.metadata.uid).filter((each) => each.config.name === name);
  if (previous) {
    const ended = own[0]?.state === "exited" && isWaiting(found, name) ? own[0] : own[1];
    const goneId = statusOf(found, name)?.lastState?.terminated?.containerID ?? "";
    if (ended === undefined && goneId !== "") return goneId;
    if (ended === undefined) throw badRequest(`previous terminated container "${name}" in pod "${podName}" not found`);
    return ended;
  }
  const current = own.find((each) => each.state !== "created");
  const status = statusOf(found, name);
  if (current?.state === "running" && status?.state?.waiting !== undefined) {
    // It runs, but its postStart hook has not ended: its log cannot be read yet, only that of the container before it.
    const before = own.find((each) => each.state === "exited");
    if (before === undefined) throw waitingError(status, name, podName);
    return before;
  }
  if (current !== undefined && (current.state === "running" || current.startedMs > 0)) return current;
  const goneId = status?.state?.terminated?.containerID ?? "";
  if (goneId !== "") return goneId;
  throw waitingError(status, name, podName);
}

function isWaiting(found: Found, name: string): boolean {
  return statusOf(found, name)?.state?.waiting !== undefined;
}

function waitingError(status: ContainerStatus | undefined, name: string, podName: string): ApiError {
  if (status === undefined) return badRequest(`container "${name}" in pod "${podName}" is not available`);
  if (status.state?.terminated !== undefined) return badRequest(`container "${name}" in pod "${podName}" is terminated`);
  const reason = status.state?.waiting?.reason ?? "ContainerCreating";
  const known: { readonly [reason: string]: string } = {
    ErrImagePull: "image can't be pulled",
    ImagePullBackOff: "trying and failing to pull image",
  };
  return badRequest(`container "${name}" in pod "${podName}" is waiting to start: ${known[reason] ?? reason}`);
}

/** `missing`: what the kubelet says when no such container runs; exec and attach have words of their own. */
function runningContainer({ kubelet, pod }: Found, name: string, missing: string): RuntimeContainer {
  const containers = kubelet.options.runtime.containersOf(pod.metadata.uid);
  const running = containers.find((each) => each.config.name === name && each.state === "running");
  if (running === undefined) throw internalError(`unable to upgrade connection: ${missing}`);
  return running;
}

/** The runtime's stream with the names that the API server uses. */
function sessionOf(stream: ExecStream): ExecSession {
  const session: ExecSession = {
    writeStdin: (bytes) => stream.write(bytes),
    closeStdin: () => stream.closeStdin(),
    resize: (columns, rows) => stream.resize(columns, rows),
    detach: () => stream.detach(),
    onStdout: undefined,
    onStderr: undefined,
    onExit: undefined,
  };
  stream.onStdout = (bytes) => session.onStdout?.(bytes);
  stream.onStderr = (bytes) => session.onStderr?.(bytes);
  stream.onExit = (code) => session.onExit?.(code);
  return session;
}
