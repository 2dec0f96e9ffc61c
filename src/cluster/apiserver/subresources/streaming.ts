// What exec, attach and port-forward share: the pod, its node, the kubelet, and the upgrade to a WebSocket.

import { badRequest, forbidden, internalError, notFound } from "#cluster/api/errors.ts";
import type { Pod } from "#cluster/api/generated/types.ts";
import type { ResourceDefinition, Typed } from "#cluster/resources/definition.ts";
import type { BodyWriter } from "#sim/http.ts";
import { chooseProtocol, isUpgradeRequest, upgradeReplyHeaders, WebSocket } from "#sim/network/websocket.ts";
import type { HttpCall } from "../http/call.ts";
import { requestOf } from "../http/request-reading.ts";
import type { KubeletGateway } from "../kubelet-gateway.ts";
import type { ResourceRequest } from "../resource-request.ts";
import { admitConnect } from "./connect-options.ts";

export interface StreamTarget {
  readonly pod: Typed<Pod>;
  readonly node: string;
  readonly gateway: KubeletGateway;
  readonly key: { readonly namespace: string; readonly name: string };
}

/** Authorizes the subresource and finds the pod and its node. Throws NotFound, 400 for a pod without a node or an ended one. */
export function streamTarget(call: HttpCall, definition: ResourceDefinition): StreamTarget {
  const { server, info } = call;
  const request = requestOf(call, definition);
  const pod = server.pipeline.run(info.verb, request, 101, () => {
    requireCreate(call, request);
    admitConnect(call, request);
    return server.pipeline.peek(request);
  }) as Typed<Pod> | undefined;
  if (pod === undefined) throw notFound({ group: "", resource: "pods" }, info.name);
  const phase = pod.status?.phase;
  if (phase === "Succeeded" || phase === "Failed") {
    throw badRequest(`cannot exec into a container in a completed pod; current phase is ${phase}`);
  }
  const node = pod.spec?.nodeName ?? "";
  if (node === "") throw badRequest(`pod ${info.name} does not have a host assigned`);
  if (server.gateway === undefined) throw internalError("no kubelet can be reached");
  return { pod, node, gateway: server.gateway, key: { namespace: info.namespace, name: info.name } };
}

/** A GET must not be enough to run commands: `create` is asked for too (pkg/registry/core/pod/rest, since 1.35). */
function requireCreate({ server, info }: HttpCall, { user, namespace, name }: ResourceRequest): void {
  const { group, resource, subresource } = info;
  const { allowed, reason } = server.authorizer.decide({ user, verb: "create", group, resource, subresource, namespace, name });
  if (!allowed) throw forbidden({ group, resource }, name, reason);
}

/** Throws 400 for a request that asks for no upgrade, or for none of `protocols`. */
export function requireUpgrade(call: HttpCall, protocols: readonly string[]): string {
  const { headers } = call.request;
  if (!isUpgradeRequest(headers)) throw badRequest("Upgrade request required");
  const chosen = chooseProtocol(headers, protocols);
  if (chosen === undefined)
    throw badRequest(
      `unable to negotiate a protocol: client supports [${headers["sec-websocket-protocol"] ?? ""}], server accepts [${protocols.join(" ")}]`,
    );
  return chosen;
}

/** `protocol` may be "": none. */
export function upgrade(call: HttpCall, protocol: string): WebSocket {
  return new WebSocket(call.responder.upgrade(upgradeReplyHeaders(protocol || undefined)));
}

/** A message of one channel: its number, then the bytes. */
export function onChannel(channel: number, bytes: Uint8Array): Uint8Array {
  const message = new Uint8Array(bytes.length + 1);
  message[0] = channel;
  message.set(bytes, 1);
  return message;
}

/** A reply's body as messages, for clients that watch or follow a log through a WebSocket. Its `write` takes whole pieces. */
export function messageWriter(call: HttpCall, send: (socket: WebSocket, bytes: Uint8Array) => boolean): BodyWriter {
  const [offered = ""] = (call.request.headers["sec-websocket-protocol"] ?? "").split(",");
  const socket = new WebSocket(call.responder.upgrade(upgradeReplyHeaders(offered.trim() || undefined)));
  const writer: BodyWriter = {
    write: (bytes) => send(socket, bytes),
    end: () => socket.close(),
    onClose: undefined,
    onDrain: undefined,
  };
  socket.onClose = () => writer.onClose?.();
  socket.onDrain = () => writer.onDrain?.();
  return writer;
}
