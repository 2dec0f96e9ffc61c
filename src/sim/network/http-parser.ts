// An incremental parser of HTTP/1.1 messages: takes bytes cut anywhere.

import { asciiLowerCase } from "../ascii.ts";
import { type Bytes, concatBytes, decodeUtf8, noBytes } from "../bytes.ts";
import { type HttpHeaders, joinedHeader } from "../http.ts";

export interface MessageHead {
  /** Method of a request, version of a response. */
  readonly first: string;
  /** Target of a request, status of a response. */
  readonly second: string;
  readonly headers: HttpHeaders;
}

export interface HttpParserEvents {
  /** The reply of a HEAD request: no body, whatever its headers say. */
  readonly bodyless?: boolean;
  onHead(head: MessageHead): void;
  onBody(bytes: Bytes): void;
  onEnd(): void;
}

const maximumHeadBytes = 65_536;
const maximumLineBytes = 8192;

type State = "head" | "length" | "untilClose" | "chunkSize" | "chunkData" | "chunkEnd" | "trailer" | "done" | "upgraded" | "failed";

export class HttpParser {
  readonly #kind: "request" | "response";
  readonly #events: HttpParserEvents;
  #state: State = "head";
  #rest: Bytes = noBytes;
  #missing = 0;

  constructor(kind: "request" | "response", events: HttpParserEvents) {
    this.#kind = kind;
    this.#events = events;
  }

  /** False when the bytes are not HTTP. */
  push(bytes: Bytes): boolean {
    this.#rest = this.#rest.length === 0 ? bytes : concatBytes([this.#rest, bytes]);
    while (this.#step());
    return this.#state !== "failed";
  }

  /** The stream ended: ends a body that reaches until then. */
  finish(): void {
    if (this.#state === "untilClose") this.#end();
  }

  /** Bytes after the end of the message, or after a 101. */
  takeRest(): Bytes {
    const rest = this.#rest;
    this.#rest = noBytes;
    return rest;
  }

  /** True while more can be made of the bytes at hand. */
  #step(): boolean {
    switch (this.#state) {
      case "head":
        return this.#readHead();
      case "length":
      case "chunkData":
        return this.#readCounted();
      case "untilClose":
        if (this.#rest.length > 0) this.#events.onBody(this.takeRest());
        return false;
      case "chunkSize":
        return this.#readChunkSize();
      case "chunkEnd":
        return this.#readLine(() => {
          this.#state = "chunkSize";
        });
      case "trailer":
        return this.#readLine((line) => {
          if (line === "") this.#end();
        });
      case "done":
      case "upgraded":
      case "failed":
        return false;
    }
  }

  #readHead(): boolean {
    const end = headEnd(this.#rest);
    if (end < 0) {
      // Servers and clients judge the first line when it is there; the rest may never come.
      if (this.#rest.length > maximumHeadBytes || hasWrongFirstLine(this.#rest, this.#kind)) this.#state = "failed";
      return false;
    }
    const head = parseHead(decodeUtf8(this.#rest.subarray(0, end)), this.#kind);
    this.#rest = this.#rest.subarray(end);
    if (head === undefined) {
      this.#state = "failed";
      return false;
    }
    const status = Number(head.second);
    if (this.#kind === "response" && status === 100) return true;
    this.#state = this.#bodyState(head, status);
    this.#events.onHead(head);
    if (this.#state === "done") {
      this.#events.onEnd();
      return false;
    }
    return true;
  }

  #bodyState(head: MessageHead, status: number): State {
    if (this.#events.bodyless === true) return "done";
    if (this.#kind === "response" && (status === 204 || status === 304)) return "done";
    // What follows is no longer HTTP; nobody waits for an end.
    if (this.#kind === "response" && status === 101) return "upgraded";
    if (asciiLowerCase(head.headers["transfer-encoding"] ?? "").includes("chunked")) return "chunkSize";
    const length = head.headers["content-length"];
    if (length !== undefined) {
      this.#missing = Number.parseInt(length, 10);
      if (!(this.#missing >= 0)) return "failed";
      return this.#missing === 0 ? "done" : "length";
    }
    return this.#kind === "response" ? "untilClose" : "done";
  }

  #readCounted(): boolean {
    if (this.#rest.length === 0) return false;
    const piece = this.#rest.subarray(0, this.#missing);
    this.#rest = this.#rest.subarray(piece.length);
    this.#missing -= piece.length;
    this.#events.onBody(piece);
    if (this.#missing > 0) return false;
    if (this.#state === "chunkData") {
      this.#state = "chunkEnd";
      return true;
    }
    this.#end();
    return false;
  }

  #readChunkSize(): boolean {
    return this.#readLine((line) => {
      this.#missing = /^[0-9a-fA-F]+/.test(line) ? Number.parseInt(line, 16) : -1;
      if (this.#missing < 0) this.#state = "failed";
      else this.#state = this.#missing === 0 ? "trailer" : "chunkData";
    });
  }

  #readLine(use: (line: string) => void): boolean {
    const newline = this.#rest.indexOf(0x0a);
    if (newline < 0) {
      if (this.#rest.length > maximumLineBytes) this.#state = "failed";
      return false;
    }
    const line = decodeUtf8(this.#rest.subarray(0, newline)).replace(/\r$/, "");
    this.#rest = this.#rest.subarray(newline + 1);
    use(line);
    return true;
  }

  #end(): void {
    this.#state = "done";
    this.#events.onEnd();
  }
}

/** Length of the head with its empty line; -1 when that has not come yet. */
function headEnd(bytes: Bytes): number {
  let lineStart = 0;
  for (let newline = bytes.indexOf(0x0a); newline >= 0; newline = bytes.indexOf(0x0a, newline + 1)) {
    const length = newline - lineStart;
    if (lineStart > 0 && (length === 0 || (length === 1 && bytes[lineStart] === 0x0d))) return newline + 1;
    lineStart = newline + 1;
  }
  return -1;
}

const firstLines = {
  request: /^([!-~]+) (\S+) HTTP\/1\.[01]$/,
  response: /^(HTTP\/1\.[01]) (\d{3})(?: .*)?$/,
} as const;

function hasWrongFirstLine(bytes: Bytes, kind: "request" | "response"): boolean {
  const newline = bytes.indexOf(0x0a);
  return newline >= 0 && !firstLines[kind].test(decodeUtf8(bytes.subarray(0, newline)).replace(/\r$/, ""));
}

function parseHead(text: string, kind: "request" | "response"): MessageHead | undefined {
  const [firstLine, ...lines] = text.split(/\r?\n/);
  const match = firstLines[kind].exec(firstLine ?? "");
  if (match === null) return undefined;
  const headers: { [name: string]: string } = {};
  for (const line of lines) {
    if (line === "") continue;
    const colon = line.indexOf(":");
    if (colon <= 0) return undefined;
    const name = asciiLowerCase(line.slice(0, colon));
    const value = line.slice(colon + 1).trim();
    headers[name] = headers[name] === undefined ? value : joinedHeader(name, [headers[name], value]);
  }
  return { first: match[1] as string, second: match[2] as string, headers };
}
