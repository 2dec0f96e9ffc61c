// A watch over HTTP: one JSON document a line (or a message of a WebSocket), until the client goes, time is up or the server stops.

import { groupVersionOf, type JsonValue, type KubeObject } from "#cluster/api/objects.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";
import { type Bytes, decodeUtf8, encodeUtf8 } from "#sim/bytes.ts";
import { isUpgradeRequest } from "#sim/network/websocket.ts";
import { partialMetadata, wireObject } from "../encoding.ts";
import type { ResourceRequest } from "../resource-request.ts";
import { messageWriter } from "../subresources/streaming.ts";
import { includeObjectOf, tableOfObjects } from "../tables.ts";
import type { ApiWatchEvent } from "../verbs/watch.ts";
import type { HttpCall } from "./call.ts";
import { negotiateStream, type OutputFormat } from "./negotiation.ts";
import { listOptionsOf } from "./options.ts";
import { kindWarnings } from "./replies.ts";
import type { ServedApi } from "./served-api.ts";
import { escapedJson, warningHeaders } from "./writing.ts";

/** A client that names no time-out is cut off after 30 to 60 minutes (min-request-timeout, doubled at random). */
const minTimeoutMs = 1_800_000;
const bookmarkIntervalMs = 60_000;
/** Shortly before the end there is one more, so that the client goes on from where it is. */
const lastBookmarkMs = 2_000;

export function serveWatch(call: HttpCall, definition: ResourceDefinition, request: ResourceRequest): void {
  const format = negotiateStream(call.request.headers, call.info.query);
  const options = { ...listOptionsOf(call.info.query, "watch"), namespace: request.namespace };
  const named = call.info.name === "" ? options : { ...options, fieldSelector: `metadata.name=${call.info.name}` };
  const frame = frameWriter(call, definition, format);
  const { simulation, pipeline, openWatches } = call.server;

  const queued: Bytes[] = [];
  let writer: ReturnType<typeof call.responder.stream> | undefined;
  const send = (event: ApiWatchEvent): void => {
    const bytes = frame(event);
    if (writer === undefined) queued.push(bytes);
    else writer.write(bytes);
    if (event.type === "ERROR") finish();
  };
  const watch = pipeline.watch(request, named, send);
  const headers = { ...call.headers, "content-type": "application/json", ...warningHeaders(kindWarnings(definition)) };
  writer = isUpgradeRequest(call.request.headers)
    ? messageWriter(call, (socket, bytes) => socket.send(decodeUtf8(bytes)))
    : call.responder.stream(200, headers);
  for (const bytes of queued) writer.write(bytes);

  const timeoutMs =
    options.timeoutSeconds === undefined ? minTimeoutMs * (1 + call.server.random.fraction()) : options.timeoutSeconds * 1000;
  const lastBookmarkAtMs = simulation.nowMs + timeoutMs - lastBookmarkMs;
  const timeout = simulation.after(timeoutMs, () => finish(), { background: true });
  let bookmark = options.allowBookmarks ? scheduleBookmark() : undefined;
  writer.onClose = () => close();
  openWatches.set(finish, definition);

  function scheduleBookmark(): ReturnType<typeof simulation.after> {
    const untilLastMs = lastBookmarkAtMs - simulation.nowMs;
    return simulation.after(
      untilLastMs > 0 ? Math.min(bookmarkIntervalMs, untilLastMs) : bookmarkIntervalMs,
      () => {
        send({ type: "BOOKMARK", resourceVersion: watch.resourceVersion, initialEventsEnd: false });
        bookmark = scheduleBookmark();
      },
      { background: true },
    );
  }
  function close(): void {
    watch.stop();
    simulation.cancel(timeout);
    simulation.cancel(bookmark);
    openWatches.delete(finish);
  }
  function finish(): void {
    close();
    writer?.end();
  }
}

/** Encodes events. */
function frameWriter(call: HttpCall, definition: ResourceDefinition, format: OutputFormat): (event: ApiWatchEvent) => Bytes {
  const includeObject = format.as === "table" ? includeObjectOf(call.info.query) : "Metadata";
  let withColumns = true;
  const represent = (object: KubeObject): JsonValue => {
    if (format.as === "metadata" || format.as === "metadataList") return partialMetadata(object, format.metaVersion);
    if (format.as === "object") return wireObject(definition, object) as JsonValue;
    const nowMs = call.server.simulation.nowMs;
    const metadata = { resourceVersion: object.metadata.resourceVersion ?? "" };
    const table = tableOfObjects(definition, [object], metadata, {
      includeObject,
      metaVersion: format.metaVersion,
      withColumns,
      nowMs,
    });
    withColumns = false;
    return table;
  };
  return (event) => {
    if (event.type === "ERROR") return line({ type: "ERROR", object: event.status as JsonValue });
    if (event.type === "BOOKMARK") {
      const object = bookmarkObject(definition, event.resourceVersion, event.initialEventsEnd);
      return line({ type: "BOOKMARK", object: format.as === "object" ? (object as JsonValue) : represent(object) });
    }
    const { type, object } = event;
    if (format.as !== "object") return line({ type, object: represent(object) });
    const before = latest.get(call.server);
    if (before?.object === object && before.type === type && before.definition === definition) return before.bytes;
    const bytes = line({ type, object: represent(object) });
    latest.set(call.server, { type, object, definition, bytes });
    return bytes;
  };
}

/** All who watch a kind hear of a change one after the other: what the first one got written serves the others. */
const latest = new WeakMap<ServedApi, LatestFrame>();

interface LatestFrame {
  readonly type: string;
  readonly object: KubeObject;
  readonly definition: ResourceDefinition;
  readonly bytes: Bytes;
}

function bookmarkObject(definition: ResourceDefinition, resourceVersion: string, initialEventsEnd: boolean): KubeObject {
  const annotations = initialEventsEnd ? { annotations: { "k8s.io/initial-events-end": "true" } } : {};
  return { kind: definition.kind, apiVersion: groupVersionOf(definition), metadata: { resourceVersion, ...annotations } };
}

function line(value: JsonValue): Bytes {
  return encodeUtf8(`${escapedJson(value, false)}\n`);
}
