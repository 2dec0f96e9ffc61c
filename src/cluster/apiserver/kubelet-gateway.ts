// What the API server asks of kubelets: the node side of log, exec, attach, port-forward and proxy. Implemented by
// `cluster/node`, handed to the API server by the composition root.

import type { Bytes } from "#sim/bytes.ts";
import type { ByteStream } from "#sim/net.ts";

export interface LogOptions {
  readonly container: string;
  readonly follow: boolean;
  readonly previous: boolean;
  readonly timestamps: boolean;
  readonly tailLines: number | undefined;
  readonly sinceMs: number | undefined;
  readonly limitBytes: number | undefined;
}

export interface LogSink {
  onData(bytes: Bytes): void;
  onEnd(): void;
}

export interface ExecOptions {
  readonly container: string;
  readonly command: readonly string[];
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
}

/** A running exec or attach, seen from the API server. */
export interface ExecSession {
  writeStdin(bytes: Bytes): void;
  closeStdin(): void;
  resize(columns: number, rows: number): void;
  /** The client went away; the command does not. */
  detach(): void;
  onStdout: ((bytes: Bytes) => void) | undefined;
  onStderr: ((bytes: Bytes) => void) | undefined;
  /** Exit code of the command; for attach the stream's end. */
  onExit: ((code: number) => void) | undefined;
}

/** Thrown as ApiError with the text that the real kubelet sends (`container not found ("x")`, connection refused …). */
export interface KubeletGateway {
  logs(
    node: string,
    pod: { readonly namespace: string; readonly name: string },
    options: LogOptions,
    sink: LogSink,
  ): { stop(): void };
  exec(node: string, pod: { readonly namespace: string; readonly name: string }, options: ExecOptions): ExecSession;
  attach(
    node: string,
    pod: { readonly namespace: string; readonly name: string },
    options: Omit<ExecOptions, "command">,
  ): ExecSession;
  /** Throws as the others do when the kubelet cannot be asked: an answer, while there is none yet. */
  requireKubelet(node: string, pod: { readonly namespace: string; readonly name: string }): void;
  /** A byte stream to a port inside the pod's network namespace. */
  portForward(
    node: string,
    pod: { readonly namespace: string; readonly name: string },
    port: number,
    done: (stream: ByteStream | string) => void,
  ): void;
}
