// busybox's httpd: the files of a directory, and programs below /cgi-bin/ (`httpd-cgi.ts`).

import { encodeUtf8, noBytes } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { HttpPeer, HttpRequest, HttpResponder } from "#sim/http.ts";
import type { Process, Sys } from "#sim/program.ts";
import { formatDate } from "../text/date-text.ts";
import { type CommandDefinition, ToolFailure } from "../toolkit/tool.ts";
import { answerByProgram, isCgi } from "./httpd-cgi.ts";

const types: { readonly [extension: string]: string } = {
  txt: "text/plain",
  h: "text/plain",
  c: "text/plain",
  cc: "text/plain",
  cpp: "text/plain",
  htm: "text/html",
  html: "text/html",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  png: "image/png",
  svg: "image/svg+xml",
  css: "text/css",
  js: "application/javascript",
  wav: "audio/wav",
  avi: "video/x-msvideo",
  mp3: "audio/mpeg",
};

const errors: { readonly [status: number]: readonly [title: string, text: string] } = {
  403: ["Forbidden", ""],
  404: ["Not Found", "The requested URL was not found"],
  501: ["Not Implemented", "The requested method is not recognized"],
};

export const httpd: CommandDefinition = {
  name: "httpd",
  options: "i f v c= p= u= r= h= m= e= d=",
  unsupported: "i c u r m e d",
  usage:
    "httpd [-ifv[v]] [-c CONFFILE] [-p [IP:]PORT] [-u USER[:GRP]] [-r REALM] [-h HOME]\nor httpd -d/-e/-m STRING\n\nListen for incoming HTTP requests",
  *run(tool) {
    const { self } = tool;
    const home = tool.value("h") ?? ".";
    try {
      self.chdir(home);
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
      throw new ToolFailure(`can't change directory to '${home}': ${error.message}`);
    }
    const match = /^(?:(.*):)?(\d+)$/u.exec(tool.value("p") ?? "80");
    if (match === null) throw new ToolFailure(`bad port '${tool.value("p")}'`);
    const address = match[1];
    const where = { port: Number(match[2]), ...(address === undefined ? {} : { address }) };
    const server = function* (own: Process): Sys<number> {
      try {
        own.serveHttp({ ...where, handler: (request, peer, responder) => answer(own, request, peer, responder, tool.has("v")) });
      } catch (error) {
        if (!(error instanceof SysError)) throw error;
        yield* own.write(2, `httpd: bind: ${error.message}\n`);
        return 1;
      }
      for (;;) yield* own.pause();
    };
    if (tool.has("f")) return yield* server(self);
    self.spawn({ run: server, argv: self.argv, newSession: true });
    return 0;
  },
};

function answer(self: Process, request: HttpRequest, peer: HttpPeer, responder: HttpResponder, isVerbose: boolean): void {
  const date = (ms: number) => formatDate("%a, %d %b %Y %H:%M:%S GMT", ms);
  const reply = (status: number, body = noBytes, headers: { readonly [name: string]: string } = {}): void => {
    if (isVerbose) log(self, `[::ffff:${peer.address.address}]:${peer.address.port}: response:${status}\n`);
    const all = { date: date(self.nowMs), connection: "close", "content-type": "text/html", ...headers };
    responder.reply(status, all, request.method === "HEAD" ? noBytes : body);
  };
  const serveFile = (path: string): void => {
    const isDirectory = self.stat(path).type === "directory";
    if (isDirectory && !path.endsWith("/")) {
      reply(302, noBytes, { location: `${path.slice(1)}/` });
      return;
    }
    const file = isDirectory ? `${path}index.html` : path;
    const { modifiedMs, sizeBytes } = self.stat(file);
    const stamp = Math.floor(modifiedMs / 1000).toString(16);
    reply(200, self.readFile(file), {
      "content-type": types[file.slice(file.lastIndexOf(".") + 1)] ?? "application/octet-stream",
      "accept-ranges": "bytes",
      "last-modified": date(modifiedMs),
      etag: `"${stamp}-${sizeBytes.toString(16)}"`,
    });
  };
  const fail = (status: 403 | 404 | 501): void => {
    const [title, text] = errors[status] as readonly [string, string];
    const page = `<HTML><HEAD><TITLE>${status} ${title}</TITLE></HEAD>\n<BODY><H1>${status} ${title}</H1>\n${text}\n</BODY></HTML>\n`;
    reply(status, encodeUtf8(page));
  };
  const path = `.${decoded(request.target.split("?")[0] as string)}`;
  if (isCgi(path.slice(1)) && /^(?:GET|HEAD|POST)$/u.test(request.method) && !path.split("/").includes("..")) {
    answerByProgram(self, request, peer, (answered) => {
      if (typeof answered === "number") fail(answered);
      else {
        if (isVerbose) log(self, `[::ffff:${peer.address.address}]:${peer.address.port}: response:${answered.status}\n`);
        responder.reply(answered.status, { connection: "close", ...answered.headers }, answered.body);
      }
    });
  } else if (request.method !== "GET" && request.method !== "HEAD") fail(501);
  else if (path.split("/").includes("..")) fail(404);
  else {
    try {
      serveFile(path);
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
      fail(error.code === "EACCES" ? 403 : 404);
    }
  }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** From inside a handler, which must not wait: what does not fit is lost. */
function log(self: Process, text: string): void {
  const writing = self.write(2, text);
  if (writing.next().done !== true) writing.next();
}
