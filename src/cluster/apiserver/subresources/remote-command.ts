// pods/exec and pods/attach over a WebSocket, in the protocols of channels.ts.

import { AnsweredLater } from "#cluster/api/answered-later.ts";
import { ApiError, badRequest } from "#cluster/api/errors.ts";
import type { JsonValue } from "#cluster/api/objects.ts";
import type { ResourceDefinition } from "#cluster/resources/definition.ts";
import { type Bytes, decodeUtf8, encodeUtf8 } from "#sim/bytes.ts";
import { isUpgradeRequest, type WebSocket } from "#sim/network/websocket.ts";
import type { HttpCall } from "../http/call.ts";
import { isTrue } from "../http/request-info.ts";
import type { ExecSession } from "../kubelet-gateway.ts";
import { type ChannelProtocol, channelMessage, channelProtocols, firstVersion, readMessage } from "./channels.ts";
import { containerOf } from "./named-container.ts";
import { requireUpgrade, streamTarget, upgrade } from "./streaming.ts";

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
  const protocol = agreedProtocol(call);
  const socket = (): Channels => new Channels(upgrade(call, protocol), channelProtocols[protocol] ?? firstVersion);
  const start = (): ExecSession =>
    subresource === "exec"
      ? target.gateway.exec(target.node, target.key, { ...streams, command })
      : target.gateway.attach(target.node, target.key, streams);
  const open = (opened: Channels | undefined): void => {
    let session: ExecSession;
    try {
      session = start();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (opened === undefined && error instanceof AnsweredLater) wait(socket(), error);
      else refuse(opened ?? socket(), error);
      return;
    }
    connect(opened ?? socket(), session, subresource === "attach");
  };
  /** For the kubelet, as long as the client does. */
  const wait = (opened: Channels, { wait: { begin } }: AnsweredLater): void => {
    let isLeft = false;
    opened.socket.onClose = () => {
      isLeft = true;
    };
    begin(() => {
      if (!isLeft) open(opened);
    });
  };
  open(undefined);
}

/** "" for a client that names none. Throws 400. */
function agreedProtocol(call: HttpCall): string {
  const namesNone = (call.request.headers["sec-websocket-protocol"] ?? "") === "";
  if (namesNone && isUpgradeRequest(call.request.headers)) return "";
  return requireUpgrade(call, Object.keys(channelProtocols));
}

/** The socket with its protocol. */
class Channels {
  readonly socket: WebSocket;
  readonly protocol: ChannelProtocol;

  constructor(socket: WebSocket, protocol: ChannelProtocol) {
    this.socket = socket;
    this.protocol = protocol;
  }

  send(channel: number, bytes: Bytes): void {
    this.socket.send(channelMessage(this.protocol, channel, bytes));
  }

  /** The last word: a Status, or in the first version a sentence where something went wrong. */
  close(status: JsonValue, text: string): void {
    if (this.protocol.hasStatus) this.send(channels.error, encodeUtf8(JSON.stringify(status)));
    else if (text !== "") this.send(channels.error, encodeUtf8(text));
    this.socket.close();
  }
}

/**
 * The WebSocket is open before the kubelet is asked: what goes wrong there comes over the error channel, with the
 * server's own prefix before the runtime's (`Internal error occurred: Internal error occurred: error executing …`).
 */
function refuse(target: Channels, error: ApiError): void {
  const prefix = error.message.startsWith("Internal error occurred: error executing") ? "Internal error occurred: " : "";
  const status: JsonValue = {
    metadata: {},
    status: "Failure",
    message: `${prefix}${error.message}`,
    reason: "InternalError",
    details: { causes: [{ message: error.message }] },
    code: 500,
  };
  target.close(status, error.message);
}

/** The end of an attached container's output is no failure of attaching, whatever the container ends with. */
function connect(target: Channels, session: ExecSession, isAttached: boolean): void {
  const { socket, protocol } = target;
  let over = false;
  session.onStdout = (bytes) => target.send(channels.stdout, bytes);
  session.onStderr = (bytes) => target.send(channels.stderr, bytes);
  session.onExit = (exitCode) => {
    over = true;
    const code = isAttached ? 0 : exitCode;
    target.close(exitStatus(code), code === 0 ? "" : `command terminated with exit code ${code}`);
  };
  socket.onMessage = (message) => {
    const read = readMessage(protocol, message);
    if (read !== undefined) receive(read[0], read[1], session);
  };
  socket.onClose = () => {
    if (!over) session.detach();
    over = true;
  };
}

function receive(channel: number, payload: Bytes, session: ExecSession): void {
  switch (channel) {
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
