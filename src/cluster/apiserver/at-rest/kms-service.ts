// The KMS plugin API v2 (k8s.io/kms/apis/v2/api.proto): what upstream sends as gRPC over a Unix socket, as calls.

import { asciiLowerCase } from "#sim/ascii.ts";
import type { Bytes } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { SocketService } from "#sim/filesystem/inode.ts";
import type { Process } from "#sim/program.ts";

export interface KmsStatus {
  /** Of the API: `v2`, or `v2beta1`. */
  readonly version: string;
  /** `ok`, or what is wrong. */
  readonly healthz: string;
  /** Of the key that encrypts now. */
  readonly keyId: string;
}

export type KmsAnnotations = ReadonlyMap<string, Bytes>;

export interface KmsSecret {
  readonly ciphertext: Bytes;
  readonly keyId: string;
  readonly annotations: KmsAnnotations;
}

/** What a plugin serves. Its calls throw KmsRefusal. */
export interface KmsPlugin extends SocketService {
  status(): KmsStatus;
  /** `uid` is for the logs of both sides. */
  encrypt(uid: string, plaintext: Bytes): KmsSecret;
  decrypt(uid: string, secret: KmsSecret): Bytes;
}

/** An error that a plugin answers. */
export class KmsRefusal extends Error {}

/** A call that came to nothing, in the words of the gRPC client. */
export class KmsFailure extends Error {
  /** Nothing listened at the socket: upstream's client waits for it as long as the call may take. */
  readonly isAway: boolean;
  /** What the kernel said of the socket; empty for what a plugin answered. */
  readonly dialError: string;

  constructor(message: string, dialError = "") {
    super(message);
    this.isAway = dialError !== "";
    this.dialError = dialError;
  }
}

/** Throws KmsFailure. */
export function callPlugin<Answer>(self: Process, socket: string, call: (plugin: KmsPlugin) => Answer): Answer {
  try {
    return call(connect(self, socket));
  } catch (error) {
    if (error instanceof KmsRefusal) throw new KmsFailure(`rpc error: code = Unknown desc = ${error.message}`);
    throw error;
  }
}

function connect(self: Process, socket: string): KmsPlugin {
  let found: SocketService;
  try {
    found = self.connectSocket(socket);
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    const dialError = `dial unix ${socket}: connect: ${asciiLowerCase(error.message)}`;
    const reason = `latest balancer error: connection error: desc = "transport: Error while dialing: ${dialError}"`;
    throw new KmsFailure(`rpc error: code = DeadlineExceeded desc = ${reason}`, dialError);
  }
  if (!isKmsPlugin(found)) throw new KmsFailure("rpc error: code = Unimplemented desc = unknown service v2.KeyManagementService");
  return found;
}

function isKmsPlugin(service: SocketService): service is KmsPlugin {
  return "status" in service && "encrypt" in service && "decrypt" in service;
}
