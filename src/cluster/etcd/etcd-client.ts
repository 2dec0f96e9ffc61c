// How etcdctl asks a member: TLS with the files that its flags name, and the words of etcd's client when nobody answers.

import { formatMicroTime } from "#cluster/api/time.ts";
import { type Bytes, concatBytes, decodeUtf8, encodeUtf8 } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { Certificate, TlsClient } from "#sim/net.ts";
import { TlsError } from "#sim/network/calls.ts";
import { isIpAddress } from "#sim/network/resolver.ts";
import type { Process, Sys } from "#sim/program.ts";
import { readCertificates } from "#x509/certificate.ts";
import type { CommandLine } from "./command-line.ts";
import { etcdVersion } from "./versions.ts";

/** What ends the program: `log` goes to stderr before `Error: `. */
export class EtcdError extends Error {
  readonly log: string;
  readonly status: number;

  constructor(message: string, { log = "", status = 1 }: { readonly log?: string; readonly status?: number } = {}) {
    super(message);
    this.log = log;
    this.status = status;
  }
}

/** What a call waits for an answer (`--command-timeout`). */
const timeoutMs = 5_000;

interface Endpoint {
  /** As it was given. */
  readonly text: string;
  readonly secure: boolean;
  readonly host: string;
  readonly port: number;
}

export class EtcdClient {
  readonly #self: Process;
  readonly #endpoint: Endpoint;
  readonly #tls: TlsClient | undefined;

  /** Throws EtcdError for files that are not there. */
  constructor(self: Process, line: CommandLine, endpoint: string) {
    this.#self = self;
    const files = { cacert: line.text("cacert"), cert: line.text("cert"), key: line.text("key") };
    const wantsTls = Object.values(files).some((file) => file !== "") || line.has("insecure-skip-tls-verify");
    this.#endpoint = endpointOf(endpoint, wantsTls);
    if (this.#endpoint.secure) this.#tls = tlsOf(self, this.#endpoint.host, files, line.has("insecure-skip-tls-verify"));
  }

  /** Throws EtcdError. `method` as gRPC calls it, for the log. */
  *ask(method: string, path: string, request: object): Sys<string> {
    const fd = yield* this.open(method, path, request);
    const parts: Bytes[] = [];
    for (let bytes = yield* this.#self.read(fd); bytes.length > 0; bytes = yield* this.#self.read(fd)) parts.push(bytes);
    this.#self.close(fd);
    return decodeUtf8(concatBytes(parts));
  }

  /** A reply whose body is read by the caller. Throws EtcdError. */
  *open(method: string, path: string, request: object): Sys<number> {
    const self = this.#self;
    const { host, port } = this.#endpoint;
    const began = self.nowMs;
    try {
      const address = isIpAddress(host) ? host : ((yield* self.resolve(host))[0] ?? "");
      if (address === "") throw this.#timedOut(method, `dial tcp: lookup ${host}: no such host`);
      const { status, fd } = yield* self.http({
        method: "POST",
        target: path,
        headers: { host: `${host}:${port}`, "content-type": "application/json", "user-agent": "etcdctl" },
        body: encodeUtf8(JSON.stringify(request)),
        address,
        port,
        timeoutMs,
        ...(this.#tls === undefined ? {} : { tls: this.#tls }),
      });
      if (status === 200) return fd;
      const { message = "" } = JSON.parse(decodeUtf8(yield* self.read(fd))) as { readonly message?: string };
      self.close(fd);
      if (status !== 503) throw new EtcdError(message);
      yield* self.sleep(Math.max(0, timeoutMs - (self.nowMs - began)));
      throw this.#timedOut(method, message);
    } catch (error) {
      const reason = reasonOf(error, `${host}:${port}`, this.#tls?.certificate !== undefined, this.#endpoint.secure);
      if (reason === undefined) throw error;
      // The client dials again and again until its time is up.
      yield* self.sleep(Math.max(0, timeoutMs - (self.nowMs - began)));
      throw this.#timedOut(method, reason);
    }
  }

  #timedOut(method: string, reason: string): EtcdError {
    const log = {
      level: "warn",
      ts: formatMicroTime(this.#self.nowMs),
      logger: "etcd-client",
      caller: `v3@v${etcdVersion}/retry_interceptor.go:65`,
      msg: "retrying of unary invoker failed",
      target: `etcd-endpoints://0xc000412000/${this.#endpoint.text}`,
      method,
      attempt: 0,
      error: `rpc error: code = DeadlineExceeded desc = latest balancer error: ${reason}`,
    };
    return new EtcdError("context deadline exceeded", { log: `${JSON.stringify(log)}\n` });
  }
}

function endpointOf(text: string, wantsTls: boolean): Endpoint {
  const [, scheme, host = "127.0.0.1", port = "2379"] = /^(?:(https?):\/\/)?(\[[^\]]+\]|[^:/]+)(?::(\d+))?\/?$/.exec(text) ?? [];
  const named = host === "localhost" ? "127.0.0.1" : host;
  return { text, secure: scheme === undefined ? wantsTls : scheme === "https", host: named, port: Number(port) };
}

interface TlsFiles {
  readonly cacert: string;
  readonly cert: string;
  readonly key: string;
}

function tlsOf(self: Process, serverName: string, { cacert, cert, key }: TlsFiles, isInsecure: boolean): TlsClient {
  if ((cert === "") !== (key === "")) throw new EtcdError(`KeyFile and CertFile must both be present[key: ${key}, cert: ${cert}]`);
  const trusted = cacert === "" ? [] : certificatesOf(self, cacert);
  const authorities = isInsecure ? undefined : trusted;
  const certificate = cert === "" ? undefined : certificatesOf(self, cert)[0];
  if (key !== "") self.readText(key);
  return {
    serverName,
    ...(authorities === undefined ? {} : { authorities }),
    ...(certificate === undefined ? {} : { certificate }),
  };
}

function certificatesOf(self: Process, path: string): readonly Certificate[] {
  try {
    return readCertificates(self.readText(path));
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    const reason = error.code === "EACCES" ? "permission denied" : "no such file or directory";
    throw new EtcdError(`open ${path}: ${reason}`, { status: 128 });
  }
}

function reasonOf(error: unknown, place: string, hasCertificate: boolean, secure: boolean): string | undefined {
  const broken = (why: string): string => `connection error: desc = "${why}"`;
  if (error instanceof TlsError)
    return broken(`transport: authentication handshake failed: tls: failed to verify certificate: ${error.message}`);
  if (!(error instanceof SysError) || error.code === "EINTR") return undefined;
  if (error.code === "ECONNREFUSED")
    return broken(`transport: Error while dialing: dial tcp ${place}: connect: connection refused`);
  if (error.code === "ECONNRESET" && secure && !hasCertificate)
    return broken("error reading server preface: remote error: tls: certificate required");
  if (error.code === "ECONNRESET") return broken("error reading server preface: EOF");
  if (error.code === "ETIMEDOUT") return broken(`transport: Error while dialing: dial tcp ${place}: i/o timeout`);
  return broken(`transport: Error while dialing: dial tcp ${place}: connect: ${error.message}`);
}
