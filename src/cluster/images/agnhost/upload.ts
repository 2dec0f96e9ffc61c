// netexec's /upload: keeps the file of a form in /uploads.

import { type Bytes, decodeUtf8, encodeUtf8 } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { HttpRequest } from "#sim/http.ts";
import type { Process } from "#sim/program.ts";
import { logLine } from "../samples/go-server.ts";
import { goJson } from "./go-words.ts";
import { reasonOf } from "./http-client.ts";

export function upload(self: Process, request: HttpRequest, text: (body: string, status?: number) => void): void {
  const failed = (what: string, why: string): void => {
    text(goJson({ error: `${what}.` }));
    logLine(self, `${what}: ${why}`);
  };
  const file = fileOf(request, "file");
  if (typeof file === "string") {
    failed("Unable to upload file", file);
    return;
  }
  const path = `/uploads/upload${self.random.below(4_000_000_000)}`;
  try {
    self.writeFile(path, file, { permissions: 0o600 });
    self.chmod(path, 0o700);
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    text(goJson({ error: "Unable to open file for write" }));
    logLine(self, `Unable to open file for write: open ${path}: ${reasonOf(error)}`);
    return;
  }
  logLine(self, `Wrote upload to ${path}`);
  text(goJson({ output: path }), 201);
}

/** The content of a file in a form (RFC 7578); a text says why there is none. */
function fileOf({ headers, body }: HttpRequest, name: string): Bytes | string {
  const type = headers["content-type"] ?? "";
  if (!/^multipart\/form-data\b/iu.test(type)) return "request Content-Type isn't multipart/form-data";
  const [, quoted, bare] = /boundary=(?:"([^"]+)"|([^;\s]+))/iu.exec(type) ?? [];
  const boundary = quoted ?? bare;
  if (boundary === undefined) return "no multipart boundary param in Content-Type";
  const [delimiter, headEnd] = [encodeUtf8(`--${boundary}`), encodeUtf8("\r\n\r\n")];
  for (let at = indexOf(body, delimiter, 0); at >= 0; ) {
    const next = indexOf(body, delimiter, at + delimiter.length);
    if (next < 0) break;
    const end = indexOf(body, headEnd, at);
    if (end >= 0 && end < next) {
      const head = decodeUtf8(body.subarray(at, end));
      const part = /^content-disposition:[^\r\n]*;\s*name="([^"]*)"([^\r\n]*)/imu.exec(head);
      if (part?.[1] === name && /filename=/iu.test(part[2] ?? "")) return body.slice(end + headEnd.length, next - 2);
    }
    at = next;
  }
  return "http: no such file";
}

function indexOf(bytes: Bytes, wanted: Bytes, from: number): number {
  for (let at = from; at + wanted.length <= bytes.length; at += 1) {
    let length = 0;
    while (length < wanted.length && bytes[at + length] === wanted[length]) length += 1;
    if (length === wanted.length) return at;
  }
  return -1;
}
