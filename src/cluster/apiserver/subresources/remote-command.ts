// pods/exec and pods/attach over a WebSocket: v5.channel.k8s.io, where the first byte of a message names its stream.

import { ApiError, badRequest } from "#cluster/api/errors.ts";
import type { JsonValue } from "#cluster/api/objects.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";
import { type Bytes, decodeUtf8, encodeUtf8 } from "#sim/bytes.ts";
import type { WebSocket } from "#sim/network/websocket.ts";
import type { HttpCall } from "../http/call.ts";
import { isTrue } from "../http/request-info.ts";
import type { ExecSession } from "../kubelet-gateway.ts";
import { containerOf } from "./log.ts";
import { onChannel, requireUpgrade, streamTarget, upgrade } from "./streaming.ts";

const protocols = ["v5.channel.k8s.io", "v4.channel.k8s.io"];
const channels = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4, close: 255 } as const;

export function serveRemoteCommand(call: HttpCall, definition: ResourceDefinition): void {
  const { query, name, subresource } = call.info;
  const target = streamTarget(call, definition);
  const container = containerOf(target.pod, query.get("container") ?? "", name);
  const asked = (stream: string): boolean => isTrue(query.get(stream));
  const streams = { container, stdin: asked("stdin"), stdout: asked("stdout"), stderr: asked("stderr"), tty: asked("tty") };
  if (!streams.stdin && !streams.stdout && !streams.stderr) {
    throw badRequest("you must specify at least 1 of stdin, stdout, stderr");
  }
  const command = query.getAll("command");
  if (subresource === "exec" && command.length === 0) throw badRequest("you must specify at least 1 command for exec");
  const protocol = requireUpgrade(call, protocols);
  const start = (): ExecSession =>
    subresource === "exec"
      ? target.gateway.exec(target.node, target.key, { ...streams, command })
      : target.gateway.attach(target.node, target.key, streams);
  let session: ExecSession;
  try {
    session = start();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    refuse(upgrade(call, protocol), error);
    return;
  }
  connect(upgrade(call, protocol), session);
}

/**
 * The WebSocket is open before the kubelet is asked: what goes wrong there comes over the error channel, with the
 * server's own prefix before the runtime's (`Internal error occurred: Internal error occurred: error executing …`).
 */
function refuse(socket: WebSocket, error: ApiError): void {
  const prefix = error.message.startsWith("Internal error occurred: error executing") ? "Internal error occurred: " : "";
  const status: JsonValue = {
    metadata: {},
    status: "Failure",
    message: `${prefix}${error.message}`,
    reason: "InternalError",
    details: { causes: [{ message: error.message }] },
    code: 500,
  };
  socket.send(onChannel(channels.error, encodeUtf8(JSON.stringify(status))));
  socket.close();
}

function connect(socket: WebSocket, session: ExecSession): void {
  let over = false;
  session.onStdout = (bytes) => void socket.send(onChannel(channels.stdout, bytes));
  session.onStderr = (bytes) => void socket.send(onChannel(channels.stderr, bytes));
  session.onExit = (code) => {
    over = true;
    socket.send(onChannel(channels.error, encodeUtf8(JSON.stringify(exitStatus(code)))));
    socket.close();
  };
  socket.onMessage = (message) => receive(message, session);
  socket.onClose = () => {
    if (!over) session.abort();
    over = true;
  };
}

function receive(message: Bytes, session: ExecSession): void {
  const payload = message.subarray(1);
  switch (message[0]) {
    case channels.stdin:
      session.writeStdin(payload);
      return;
    case channels.resize: {
      const size = resizeOf(payload);
      if (size !== undefined) session.resize(size.Width, size.Height);
      return;
    }
    case channels.close:
      if (payload[0] === channels.stdin) session.closeStdin();
      return;
    default:
      return;
  }
}

function resizeOf(payload: Bytes): { readonly Width: number; readonly Height: number } | undefined {
  try {
    const size = JSON.parse(decodeUtf8(payload)) as { readonly Width?: unknown; readonly Height?: unknown } | null;
    const { Width, Height } = size ?? {};
    return typeof Width === "number" && typeof Height === "number" ? { Width, Height } : undefined;
  } catch {
    return undefined;
  }
}

/** How the error channel tells the end of a command. */
function exitStatus(code: number): JsonValue {
  if (code === 0) return { metadata: {}, status: "Success" };
  return {
    metadata: {},
    status: "Failure",
    message: `command terminated with non-zero exit code: command terminated with exit code ${code}`,
    reason: "NonZeroExitCode",
    details: { causes: [{ reason: "ExitCode", message: String(code) }] },
  };
}
