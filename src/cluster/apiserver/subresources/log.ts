// pods/log: the text that the kubelet of the pod's node hands over, whole or as it comes.

import { badRequest, internalError, notFound } from "#cluster/api/errors.ts";
import type { Pod } from "#cluster/api/generated/types.ts";
import { tryParseTime } from "#cluster/api/time.ts";
import type { ResourceDefinition, Typed } from "#cluster/resources/definition.ts";
import { type Bytes, concatBytes } from "#sim/bytes.ts";
import type { BodyWriter } from "#sim/http.ts";
import { chooseProtocol, isUpgradeRequest } from "#sim/network/websocket.ts";
import type { HttpCall } from "../http/call.ts";
import { isTrue } from "../http/request-info.ts";
import { requestOf } from "../http/request-reading.ts";
import type { LogOptions } from "../kubelet-gateway.ts";
import { base64Of } from "./channels.ts";
import { containerOf } from "./named-container.ts";
import { messageWriter } from "./streaming.ts";

/** Throws 400 where the container cannot be told, NotFound, and what the kubelet says. */
export function serveLog(call: HttpCall, definition: ResourceDefinition): void {
  const { server, info, responder } = call;
  const request = requestOf(call, definition);
  const pod = server.pipeline.run("get", request, 200, () => {
    const { subresource: _log, ...object } = request;
    return server.pipeline.peek({ ...object, subresource: "" });
  }) as Typed<Pod> | undefined;
  if (pod === undefined) throw notFound({ group: "", resource: "pods" }, info.name);
  const container = containerOf(pod, info.query.get("container") ?? "", info.name);
  const node = pod.spec?.nodeName ?? "";
  const headers = { ...call.headers, "content-type": "text/plain" };
  if (node === "") {
    responder.reply(200, headers, new Uint8Array(0));
    return;
  }
  if (server.gateway === undefined) throw internalError("no kubelet can be reached");
  const options = logOptions(info.query, container, server.simulation.nowMs);
  const name = { namespace: info.namespace, name: info.name };
  const asMessages = isUpgradeRequest(call.request.headers);
  if (!options.follow && !asMessages) {
    const parts: Bytes[] = [];
    server.gateway.logs(node, name, options, {
      onData: (bytes) => parts.push(bytes),
      onEnd: () => responder.reply(200, headers, concatBytes(parts)),
    });
    return;
  }
  const writer = { current: undefined as ReturnType<typeof responder.stream> | undefined };
  const early: Bytes[] = [];
  let ended = false;
  const session = server.gateway.logs(node, name, options, {
    onData: (bytes) => {
      if (writer.current === undefined) early.push(bytes);
      else writer.current.write(bytes);
    },
    onEnd: () => {
      ended = true;
      writer.current?.end();
    },
  });
  writer.current = asMessages ? logMessages(call) : responder.stream(200, headers);
  for (const bytes of early) writer.current.write(bytes);
  writer.current.onClose = () => session.stop();
  if (ended) writer.current.end();
}

/** Bytes as they are, or in base64 for clients that read text only. */
function logMessages(call: HttpCall): BodyWriter {
  const asText = chooseProtocol(call.request.headers, ["base64.binary.k8s.io"]) !== undefined;
  return messageWriter(call, (socket, bytes) => socket.send(asText ? base64Of(bytes) : bytes));
}

function logOptions(query: URLSearchParams, container: string, nowMs: number): LogOptions {
  const number = (name: string): number | undefined => {
    const text = query.get(name);
    if (text === null || text === "") return undefined;
    if (!/^-?\d{1,15}$/.test(text)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
    return Number(text);
  };
  const sinceSeconds = number("sinceSeconds");
  const sinceTime = query.get("sinceTime");
  let sinceMs = sinceTime ? tryParseTime(sinceTime) : undefined;
  if (sinceSeconds !== undefined) sinceMs = nowMs - sinceSeconds * 1000;
  return {
    container,
    follow: isTrue(query.get("follow")),
    previous: isTrue(query.get("previous")),
    timestamps: isTrue(query.get("timestamps")),
    tailLines: number("tailLines"),
    limitBytes: number("limitBytes"),
    sinceMs,
  };
}
