// gRPC's health protocol over the world's HTTP messages, which have no version: what carries gRPC's content type stands for HTTP/2
// (grpc.health.v1, github.com/grpc/grpc, doc/health-checking.md). The status comes in the headers of the reply, not behind its body.

import { type Bytes, concatBytes, decodeUtf8, encodeUtf8, noBytes } from "./bytes.ts";
import type { HttpRequest } from "./http.ts";

const contentType = "application/grpc";
const checkMethod = "/grpc.health.v1.Health/Check";
/** Whether it is compressed, and its length. */
const prefixBytes = 5;
/** Field 1 of HealthCheckRequest, a text, and of HealthCheckResponse, a number. */
const [serviceTag, statusTag] = [0x0a, 0x08];
/** A length below this is one byte of a varint: names of services are shorter. */
const longest = 127;

const servingStatuses = ["UNKNOWN", "SERVING", "NOT_SERVING", "SERVICE_UNKNOWN"] as const;
type ServingStatus = (typeof servingStatuses)[number];

export function healthCheckRequest(authority: string, userAgent: string, service: string): HttpRequest {
  const name = encodeUtf8(service).subarray(0, longest);
  const message = name.length === 0 ? noBytes : concatBytes([Uint8Array.of(serviceTag, name.length), name]);
  const headers = { host: authority, "user-agent": userAgent, "content-type": contentType, te: "trailers" };
  return { method: "POST", target: checkMethod, headers, body: framed(message) };
}

/** The service that is asked for; undefined: this is no such request. */
export function requestedService({ target, headers, body }: HttpRequest): string | undefined {
  if (target !== checkMethod || !isGrpc(headers)) return undefined;
  return decodeUtf8(body.subarray(prefixBytes + 2));
}

export function healthCheckReply(status: ServingStatus): {
  readonly headers: { readonly [name: string]: string };
  readonly body: Bytes;
} {
  const message = Uint8Array.of(statusTag, servingStatuses.indexOf(status));
  return { headers: { "content-type": contentType, "grpc-status": "0" }, body: framed(message) };
}

/** A call that failed: a code of google.rpc.Code. */
export function failedReply(
  code: number,
  message: string,
): { readonly headers: { readonly [name: string]: string }; readonly body: Bytes } {
  return { headers: { "content-type": contentType, "grpc-status": String(code), "grpc-message": message }, body: noBytes };
}

export function isGrpc(headers: { readonly [name: string]: string }): boolean {
  return headers["content-type"] === contentType;
}

export function statusOfReply(body: Bytes): ServingStatus {
  return servingStatuses[body[prefixBytes + 1] ?? 0] ?? "UNKNOWN";
}

function framed(message: Bytes): Bytes {
  return concatBytes([Uint8Array.of(0, 0, 0, 0, message.length), message]);
}
