// A command or attachment in a container: streams over a WebSocket with the protocol v5.channel.k8s.io.

import { readJson } from "#cluster/api/json-text.ts";
import { type Bytes, concatBytes, decodeUtf8, encodeUtf8 } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import { encodeFrame, FrameDecoder, opcodes } from "#sim/network/websocket.ts";
import type { Process, Sys } from "#sim/program.ts";
import type { TerminalModes } from "#sim/tty.ts";
import { arrayAt, textAt } from "../documents.ts";
import { ExitError, KubectlError } from "../errors.ts";
import type { RestClient } from "./rest-client.ts";
import { openUpgraded } from "./upgraded-stream.ts";

const protocol = "v5.channel.k8s.io";
const channels = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4, close: 255 } as const;
const rawModes: TerminalModes = { canonical: false, echo: false, signals: false, outputCrLf: false };
const mask = new Uint8Array(4);
/** Given input is sent in pieces of this size. */
const chunkBytes = 32_768;

export interface SessionOptions {
  /** Path with its query. */
  readonly path: string;
  readonly stdin: boolean;
  /** Stdin is a terminal that is handed over: raw, with its size. */
  readonly rawTerminal: boolean;
  /** What stands for stdin, instead of descriptor 0. */
  readonly input?: Bytes;
  /** Takes what would go to descriptors 1 and 2. */
  readonly output?: { stdout(bytes: Bytes): void; stderr(bytes: Bytes): void };
}

class RemoteSession {
  readonly #self: Process;
  readonly #fd: number;
  readonly #decoder = new FrameDecoder();
  readonly #output: SessionOptions["output"];
  #status = "";
  #open = true;

  constructor(self: Process, fd: number, output: SessionOptions["output"]) {
    this.#self = self;
    this.#fd = fd;
    this.#output = output;
  }

  *#send(channel: number, data: Bytes): Sys<void> {
    const payload = concatBytes([new Uint8Array([channel]), data]);
    yield* this.#self.write(this.#fd, encodeFrame(opcodes.binary, payload, mask));
  }

  *#sendSize(): Sys<void> {
    const { columns, rows } = this.#self.terminal(0);
    yield* this.#send(channels.resize, encodeUtf8(`{"Width":${columns},"Height":${rows}}\n`));
  }

  *#receive(): Sys<void> {
    const part = yield* this.#self.read(this.#fd);
    if (part.length === 0) this.#open = false;
    for (const frame of this.#decoder.push(part)) {
      if (frame.opcode === opcodes.close) this.#open = false;
      else if (frame.opcode === opcodes.ping) yield* this.#self.write(this.#fd, encodeFrame(opcodes.pong, frame.payload, mask));
      else yield* this.#take(frame.payload);
    }
  }

  *#take(payload: Bytes): Sys<void> {
    const data = payload.subarray(1);
    if (payload[0] === channels.error) this.#status += decodeUtf8(data);
    else if (data.length > 0 && payload[0] === channels.stdout) yield* this.#print(1, data);
    else if (data.length > 0 && payload[0] === channels.stderr) yield* this.#print(2, data);
  }

  *#print(fd: 1 | 2, data: Bytes): Sys<void> {
    if (this.#output === undefined) yield* this.#self.write(fd, data);
    else if (fd === 1) this.#output.stdout(data);
    else this.#output.stderr(data);
  }

  /** Sends what stdin has; false at its end. */
  *#forwardInput(): Sys<boolean> {
    const input = yield* this.#self.read(0);
    if (input.length > 0) yield* this.#send(channels.stdin, input);
    else yield* this.#send(channels.close, new Uint8Array([channels.stdin]));
    return input.length > 0;
  }

  /** Carries bytes both ways until the other side is done. Throws ExitError or KubectlError as it ended. */
  *run(options: SessionOptions): Sys<void> {
    let reading = options.stdin && options.input === undefined;
    if (options.rawTerminal) yield* this.#sendSize();
    if (options.input !== undefined) {
      for (let at = 0; at < options.input.length; at += chunkBytes)
        yield* this.#send(channels.stdin, options.input.subarray(at, at + chunkBytes));
      yield* this.#send(channels.close, new Uint8Array([channels.stdin]));
    }
    while (this.#open) {
      try {
        const ready = yield* this.#self.poll(reading ? [0, this.#fd] : [this.#fd]);
        if (ready.includes(this.#fd)) yield* this.#receive();
        else if (ready.includes(0)) reading = yield* this.#forwardInput();
      } catch (error) {
        if (!(error instanceof SysError) || error.code !== "EINTR") throw error;
        if (this.#self.takeSignals().includes("WINCH") && options.rawTerminal) yield* this.#sendSize();
      }
    }
    this.#finish();
  }

  #finish(): void {
    if (this.#status === "") return;
    const status = readJson(this.#status);
    if (textAt(status, "status") === "Success") return;
    const exit = arrayAt(status, "details", "causes").find((cause) => textAt(cause, "reason") === "ExitCode");
    if (exit === undefined) throw new KubectlError(textAt(status, "message"));
    const code = Number(textAt(exit, "message"));
    throw new ExitError(code, `command terminated with exit code ${code}`);
  }
}

/** Opens the session and stays until it ends. Throws ExitError with the command's exit code, KubectlError for a refusal. */
export function* runRemoteSession(client: RestClient, options: SessionOptions): Sys<void> {
  const { self } = client;
  const fd = yield* openUpgraded(client, { path: options.path, protocol });
  const terminal = options.rawTerminal ? self.terminal(0) : undefined;
  const before = terminal?.modes;
  if (terminal !== undefined) {
    self.setSignal("WINCH", "catch");
    terminal.setModes(rawModes);
  }
  try {
    yield* new RemoteSession(self, fd, options.output).run(options);
  } finally {
    if (terminal !== undefined && before !== undefined) terminal.setModes(before);
    self.close(fd);
  }
}
