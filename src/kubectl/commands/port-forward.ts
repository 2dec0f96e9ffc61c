// kubectl port-forward: local ports whose connections end at ports of a pod; one WebSocket a connection.

import { klogLine } from "#cluster/api/klog.ts";
import type { JsonValue } from "#cluster/api/wire.ts";
import { decodeUtf8 } from "#sim/bytes.ts";
import { isOwnError, SysError } from "#sim/errors.ts";
import type { Sys } from "#sim/program.ts";
import { type ForwardedConnection, openForward } from "../client/forwarded-connection.ts";
import type { Command, Context } from "../context.ts";
import { arrayAt, isObject, type JsonObject, textAt, valueAt } from "../documents.ts";
import { ExitError, KubectlError } from "../errors.ts";
import { podSelectorOf, podsBySelector } from "../resources/pods.ts";
import { select, selectionFromFlags } from "../resources/selection.ts";

interface ForwardedPort {
  /** 0: any free one. */
  readonly local: number;
  readonly remote: number;
}

const firstFreePort = 30_000;
const lastFreePort = 60_999;

export const portForward: Command = {
  path: "port-forward",
  *run(context) {
    const { args, flags } = context;
    const [target = "", ...words] = args;
    if (args.length < 2) throw context.usageError("TYPE/NAME and list of ports are required for port-forward");
    const timeoutMs = flags.durationMs("pod-running-timeout");
    if (timeoutMs <= 0) throw context.usageError("--pod-running-timeout must be higher than zero");
    const { infos } = yield* select(context, { ...selectionFromFlags(context, [target]), defaultType: "pods" });
    const object = infos[0]?.object ?? {};
    const namespace = infos[0]?.namespace ?? "";
    const pod =
      textAt(object, "kind") === "Pod"
        ? object
        : ((yield* podsBySelector(context, namespace, podSelectorOf(object, "attach to"), timeoutMs))[0] ?? {});
    const ports = words.map((word) => portOf(word, object, pod));
    const phase = textAt(pod, "status", "phase");
    if (phase !== "Running") {
      throw new KubectlError(`unable to forward port because pod is not running. Current status=${phase}`);
    }
    yield* requireForwarding(context, pod, ports);
    const [lost, loseAt] = context.self.pipe();
    yield* listenAll(context, pod, ports, loseAt);
    yield* context.self.read(lost);
    throw new KubectlError("lost connection to pod");
  },
};

/** `8080:80`, `80`, `:80`, `8080:http`; ports of a Service are its pods' target ports. */
function portOf(word: string, object: JsonObject, pod: JsonObject): ForwardedPort {
  const [first = "", second, ...rest] = word.split(":");
  if (rest.length > 0) throw new KubectlError(`invalid port format '${word}'`);
  const remoteText = second ?? first;
  if (remoteText === "") throw new KubectlError("remote port cannot be empty");
  const remote = textAt(object, "kind") === "Service" ? servicePort(object, pod, remoteText) : podPort(pod, remoteText);
  let localText = first;
  if (second === undefined && !/^\d+$/.test(first)) localText = String(remote);
  else if (first === "") localText = "0";
  const local = Number(localText);
  if (!/^\d+$/.test(localText) || local > 65_535) {
    throw new KubectlError(`error parsing local port '${localText}': strconv.ParseUint: parsing "${localText}": invalid syntax`);
  }
  return { local, remote };
}

function servicePort(service: JsonObject, pod: JsonObject, text: string): number {
  const isNumber = /^\d+$/.test(text);
  const port = arrayAt(service, "spec", "ports").find((one) =>
    isNumber ? valueAt(one, "port") === Number(text) : textAt(one, "name") === text,
  );
  const name = textAt(service, "metadata", "name");
  if (port === undefined) {
    throw new KubectlError(
      isNumber ? `Service ${name} does not have a service port ${text}` : `Service '${name}' does not have a named port '${text}'`,
    );
  }
  if (textAt(service, "spec", "clusterIP") === "None") return Number(valueAt(port, "port"));
  const target: JsonValue = valueAt(port, "targetPort") ?? 0;
  if (typeof target === "string") return podPort(pod, target);
  return target === 0 ? Number(valueAt(port, "port")) : Number(target);
}

function podPort(pod: JsonObject, text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  const named = arrayAt(pod, "spec", "containers")
    .flatMap((container) => arrayAt(container, "ports"))
    .filter(isObject)
    .find((port) => textAt(port, "name") === text);
  if (named !== undefined) return Number(named["containerPort"]);
  throw new KubectlError(`Pod '${textAt(pod, "metadata", "name")}' does not have a named port '${text}'`);
}

/** The real kubectl opens its one connection before it listens: who may not forward learns it at once. */
function* requireForwarding(context: Context, pod: JsonObject, [first]: readonly ForwardedPort[]): Sys<void> {
  if (first === undefined) return;
  try {
    context.self.close((yield* openForward(context.client(), forwardPath(pod), first.remote)).fd);
  } catch (error) {
    if (!(error instanceof KubectlError)) throw error;
    throw new KubectlError(`error upgrading connection: ${error.message}`);
  }
}

function forwardPath(pod: JsonObject): string {
  return `/api/v1/namespaces/${textAt(pod, "metadata", "namespace")}/pods/${textAt(pod, "metadata", "name")}/portforward`;
}

/** Listens at every address for every port; fails when none can be had. A byte to `loseAt` ends the command. */
function* listenAll(context: Context, pod: JsonObject, ports: readonly ForwardedPort[], loseAt: number): Sys<void> {
  const addresses = context.flags.list("address").map((address) => (address === "localhost" ? "127.0.0.1" : address));
  let listening = 0;
  for (const port of ports) {
    for (const address of addresses) {
      const opened = tryListen(context, address, port.local);
      if (opened === undefined) {
        yield* context.err(
          `Unable to listen on port ${port.local}: Listeners failed to create with the following errors: [unable to create listener: Error listen tcp4 ${address}:${port.local}: bind: address already in use]\n`,
        );
        continue;
      }
      listening += 1;
      yield* context.out(`Forwarding from ${address}:${opened.port} -> ${port.remote}\n`);
      context.self.startThread(() => acceptAll(context, pod, opened.fd, { local: opened.port, remote: port.remote }, loseAt));
    }
  }
  if (listening > 0) return;
  const list = ports.map(({ local, remote }) => `{${local} ${remote}}`).join(" ");
  throw new ExitError(1, `error: unable to listen on any of the requested ports: [${list}]`);
}

function tryListen({ self }: Context, address: string, wanted: number): { readonly fd: number; readonly port: number } | undefined {
  const attempts = wanted === 0 ? 100 : 1;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const port = wanted === 0 ? firstFreePort + self.random.below(lastFreePort - firstFreePort) : wanted;
    try {
      return { fd: self.listen({ port, address }), port };
    } catch (error) {
      if (!(error instanceof SysError) || error.code !== "EADDRINUSE") throw error;
    }
  }
  return undefined;
}

function* acceptAll(context: Context, pod: JsonObject, listener: number, port: ForwardedPort, loseAt: number): Sys<void> {
  for (;;) {
    const { fd } = yield* context.self.accept(listener);
    yield* context.out(`Handling connection for ${port.local}\n`);
    context.self.startThread(() => handle(context, pod, fd, port, loseAt));
  }
}

/** One failure ends the command, as the real one closes what it has to the pod. */
function* handle(context: Context, pod: JsonObject, fd: number, port: ForwardedPort, loseAt: number): Sys<void> {
  const { self } = context;
  const reason = yield* carry(context, pod, fd, port);
  self.close(fd);
  if (reason === "") return;
  const message = `an error occurred forwarding ${port.local} -> ${port.remote}: ${reason}`;
  yield* context.err(klogLine(self, "E", "portforward.go:522", `"Unhandled Error" err=${JSON.stringify(message)}`));
  yield* self.write(loseAt, new Uint8Array(1));
}

/** Carries bytes between one accepted connection and the pod until either side ends; why it failed, or "". */
function* carry(context: Context, pod: JsonObject, fd: number, port: ForwardedPort): Sys<string> {
  const { self } = context;
  let forward: ForwardedConnection;
  try {
    forward = yield* openForward(context.client(), forwardPath(pod), port.remote);
  } catch (error) {
    if (!isOwnError(error)) throw error;
    return error.message;
  }
  try {
    let reading = true;
    for (;;) {
      const ready = yield* self.poll(reading ? [fd, forward.fd] : [forward.fd]);
      if (ready.includes(forward.fd)) {
        const part = yield* forward.receive();
        if (part.data.length > 0) yield* self.write(fd, part.data);
        if (part.error.length > 0) return decodeUtf8(part.error);
        if (part.ended) return "";
      } else if (reading) {
        const input = yield* self.read(fd);
        reading = input.length > 0;
        if (reading) yield* forward.send(input);
      }
    }
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    return "";
  } finally {
    self.close(forward.fd);
  }
}
