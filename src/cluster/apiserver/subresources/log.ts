// pods/log: the text that the kubelet of the pod's node hands over, whole or as it comes.

import { badRequest, internalError, invalid, notFound } from "#cluster/api/errors.ts";
import type { Pod } from "#cluster/api/generated/types.ts";
import { timeFault } from "#cluster/api/scalar-faults.ts";
import { tryParseTime } from "#cluster/api/time.ts";
import type { ResourceDefinition, Typed } from "#cluster/resources/definition.ts";
import { FieldErrors, field } from "#cluster/resources/field-errors.ts";
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
  const asked: { options?: ReturnType<typeof logOptions> } = {};
  const pod = server.pipeline.run("get", request, 200, () => {
    asked.options = logOptions(call);
    const { subresource: _log, ...object } = request;
    return server.pipeline.peek({ ...object, subresource: "" });
  }) as Typed<Pod> | undefined;
  if (pod === undefined || asked.options === undefined) throw notFound({ group: "", resource: "pods" }, info.name);
  const container = containerOf(pod, info.query.get("container") ?? "", info.name);
  const node = pod.spec?.nodeName ?? "";
  const headers = { ...call.headers, "content-type": "text/plain" };
  if (node === "") {
    responder.reply(200, headers, new Uint8Array(0));
    return;
  }
  if (server.gateway === undefined) throw internalError("no kubelet can be reached");
  const { sinceSeconds, ...rest } = asked.options;
  const { nowMs } = server.simulation;
  const options = { ...rest, container, ...(sinceSeconds === undefined ? {} : { sinceMs: nowMs - sinceSeconds * 1000 }) };
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

function logOptions({ info }: HttpCall): Omit<LogOptions, "container"> & { readonly sinceSeconds: number | undefined } {
  const { query } = info;
  const sinceTime = query.get("sinceTime");
  const options = {
    follow: isTrue(query.get("follow")),
    previous: isTrue(query.get("previous")),
    timestamps: isTrue(query.get("timestamps")),
    tailLines: wholeNumber(query.get("tailLines")),
    limitBytes: wholeNumber(query.get("limitBytes")),
    sinceSeconds: wholeNumber(query.get("sinceSeconds")),
    sinceMs: sinceTime === null ? undefined : timeOf(sinceTime),
  };
  const errors = new FieldErrors();
  validate(options, query, errors);
  if (!errors.isEmpty) throw invalid({ group: "", resource: "PodLogOptions" }, info.name, errors.causes);
  return options;
}

/** As Go reads it. */
function wholeNumber(text: string | null): number | undefined {
  if (text === null) return undefined;
  if (!/^[-+]?\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  const value = BigInt(text.replace(/^\+/, ""));
  if (BigInt.asIntN(64, value) !== value) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: value out of range`);
  return Number(value);
}

/** An empty time is the earliest one. */
function timeOf(text: string): number {
  if (text === "" || text === "null") return Number.NEGATIVE_INFINITY;
  const ms = tryParseTime(text);
  if (ms === undefined) throw badRequest(timeFault("time", text));
  return ms;
}

/** As ValidatePodLogOptions in pkg/apis/core/validation. */
function validate(options: ReturnType<typeof logOptions>, query: URLSearchParams, errors: FieldErrors): void {
  const { tailLines, limitBytes, sinceSeconds } = options;
  if (tailLines !== undefined && tailLines < 0) {
    errors.invalid(field("tailLines"), tailLines, "must be greater than or equal to 0");
  }
  if (limitBytes !== undefined && limitBytes < 1) errors.invalid(field("limitBytes"), limitBytes, "must be greater than 0");
  if (sinceSeconds !== undefined && query.has("sinceTime")) {
    errors.forbidden(field(""), "at most one of `sinceTime` or `sinceSeconds` may be specified");
  } else if (sinceSeconds !== undefined && sinceSeconds < 1) {
    errors.invalid(field("sinceSeconds"), sinceSeconds, "must be greater than 0");
  }
  if (query.has("stream")) errors.forbidden(field("stream"), "may not be specified");
}
