// busybox's httpd: what lies below /cgi-bin/ are programs that answer. They read the body, and write headers, an empty line and a body.

import { asciiLowerCase, asciiUpperCase } from "#sim/ascii.ts";
import { type Bytes, concatBytes, decodeUtf8 } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { HttpPeer, HttpRequest } from "#sim/http.ts";
import type { Process, Sys } from "#sim/program.ts";

export interface CgiAnswer {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly body: Bytes;
}

export function isCgi(path: string): boolean {
  return path.startsWith("/cgi-bin/");
}

/** Starts the program of a request; `done` gets its answer, or the status that stands for none. */
export function answerByProgram(
  self: Process,
  request: HttpRequest,
  peer: HttpPeer,
  done: (answer: CgiAnswer | 403 | 404) => void,
): void {
  const [path = "", query = ""] = request.target.split(/\?(.*)/su);
  if (path === "/cgi-bin/") {
    done(403);
    return;
  }
  self.startThread(function* () {
    try {
      done(yield* run(self, scriptOf(self, path), { request, peer, query }));
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
      done(404);
    }
  });
}

interface Script {
  readonly file: string;
  readonly name: string;
  /** What the URL has behind the program. */
  readonly rest: string;
}

/** The first part of a path that is no directory. */
function scriptOf(self: Process, path: string): Script {
  const parts = path.slice(1).split("/");
  for (let count = 2; count < parts.length; count += 1) {
    const file = parts.slice(0, count).join("/");
    if (self.stat(file).type !== "directory") return { file, name: `/${file}`, rest: `/${parts.slice(count).join("/")}` };
  }
  return { file: path.slice(1), name: path, rest: "" };
}

interface Call {
  readonly request: HttpRequest;
  readonly peer: HttpPeer;
  readonly query: string;
}

function* run(self: Process, script: Script, call: Call): Sys<CgiAnswer> {
  const directory = script.file.slice(0, script.file.lastIndexOf("/"));
  const name = script.file.slice(directory.length + 1);
  const cwd = self.realpath(directory);
  const [bodyEnd, toProgram] = self.pipe();
  const [fromProgram, answerEnd] = self.pipe();
  let pid: number;
  try {
    pid = self.spawn({
      run: `${cwd}/${name}`,
      argv: [name],
      cwd,
      env: environment(self, script, call),
      fds: new Map([
        [0, bodyEnd],
        [1, answerEnd],
        [2, 2],
      ]),
    });
  } catch (error) {
    for (const fd of [toProgram, fromProgram]) self.close(fd);
    throw error;
  } finally {
    self.close(bodyEnd);
    self.close(answerEnd);
  }
  self.startThread(() => feed(self, toProgram, call.request.body));
  const pieces: Bytes[] = [];
  for (;;) {
    const piece = yield* self.read(fromProgram);
    if (piece.length === 0) break;
    pieces.push(piece);
  }
  self.close(fromProgram);
  yield* self.wait(pid);
  return answerOf(concatBytes(pieces));
}

/** A program need not read what it is given. */
function* feed(self: Process, fd: number, body: Bytes): Sys<void> {
  try {
    if (body.length > 0) yield* self.write(fd, body);
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
  } finally {
    self.close(fd);
  }
}

function environment(self: Process, { file, name, rest }: Script, { request, peer, query }: Call): ReadonlyMap<string, string> {
  const { "content-type": type, "content-length": _length, ...headers } = request.headers;
  return new Map([
    ...self.env,
    ["GATEWAY_INTERFACE", "CGI/1.1"],
    ["SERVER_PROTOCOL", "HTTP/1.1"],
    ["SERVER_SOFTWARE", "busybox httpd/1.37.0"],
    ["REQUEST_METHOD", request.method],
    ["REQUEST_URI", request.target],
    ["SCRIPT_NAME", name],
    ["SCRIPT_FILENAME", self.realpath(file)],
    ["PATH_INFO", rest],
    ["QUERY_STRING", query],
    ["REMOTE_ADDR", peer.address.address],
    ["REMOTE_PORT", String(peer.address.port)],
    ...(request.body.length === 0 ? [] : [["CONTENT_LENGTH", String(request.body.length)] as const]),
    ...(type === undefined ? [] : [["CONTENT_TYPE", type] as const]),
    ...Object.entries(headers).map(([header, value]) => [`HTTP_${asciiUpperCase(header).replaceAll("-", "_")}`, value] as const),
  ]);
}

/** `Status: 404 Not Found` in the first line, or a whole status line, stands for 200. Without an empty line there is no body. */
function answerOf(output: Bytes): CgiAnswer {
  const bodyStart = bodyStartOf(output);
  const lines = decodeUtf8(output.subarray(0, bodyStart)).split(/\r?\n/u);
  const first = /^(?:HTTP\/\d\.\d|Status:) *(\d{3})/u.exec(lines[0] ?? "");
  const headers: { [name: string]: string } = {};
  for (const line of lines) {
    const [, name, value = ""] = /^([\w-]+): *(.*)$/u.exec(line) ?? [];
    if (name !== undefined && name !== "Status") headers[asciiLowerCase(name)] = value;
  }
  return { status: Number(first?.[1] ?? 200), headers, body: output.slice(bodyStart) };
}

const lineFeed = 10;
const carriageReturn = 13;

/** Behind the first empty line; the body may be anything, not only text. */
function bodyStartOf(output: Bytes): number {
  for (let index = output.indexOf(lineFeed); index >= 0; index = output.indexOf(lineFeed, index + 1)) {
    const next = output[index + 1] === carriageReturn ? index + 2 : index + 1;
    if (output[next] === lineFeed) return next + 1;
  }
  return output.length;
}
