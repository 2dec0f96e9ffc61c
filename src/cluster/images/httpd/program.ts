// Apache with its one page.

import { decodeUtf8, encodeUtf8, noBytes } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { HttpPeer, HttpRequest, HttpResponder } from "#sim/http.ts";
import type { Process, Sys } from "#sim/program.ts";
import { apacheDate, apacheErrorPage, apacheUntilTold } from "../apache.ts";
import { commonLogDate, httpDate } from "../http-dates.ts";
import { writeWithoutWaiting } from "../log-line.ts";
import { atTheCostOf, ProcessorTime } from "../processor-time.ts";
import { httpdRoot as root, httpdVersion as version } from "./release.ts";

const configurationFile = "/usr/local/apache2/conf/httpd.conf";
const residentBytes = 9_437_184;
/** Microseconds of a processor. */
const unitsPerAnswer = 120;

function noticePrefix(self: Process, module: string): string {
  return `[${apacheDate(self.nowMs)}] [${module}:notice] [pid 1:tid 1]`;
}

function answer(
  self: Process,
  request: HttpRequest,
): { readonly status: number; readonly type: string; readonly body: Uint8Array } {
  const path = (request.target.split("?")[0] ?? "/").replace(/\/$/, "/index.html");
  if (path.includes(".."))
    return {
      status: 400,
      type: "text/html; charset=iso-8859-1",
      body: encodeUtf8(
        apacheErrorPage(400, "Bad Request", "Your browser sent a request that this server could not understand.<br />"),
      ),
    };
  try {
    const type = path.endsWith(".html") ? "text/html" : "text/plain";
    return { status: 200, type, body: self.readFile(`${root}${path}`) };
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    const body = apacheErrorPage(404, "Not Found", "The requested URL was not found on this server.");
    return { status: 404, type: "text/html; charset=iso-8859-1", body: encodeUtf8(body) };
  }
}

export function* httpd(self: Process): Sys<number> {
  const handler = (request: HttpRequest, peer: HttpPeer, responder: HttpResponder): void => {
    const { status, type, body } = answer(self, request);
    const headers = { date: httpDate(self.nowMs), server: `Apache/${version} (Unix)`, "content-type": type };
    responder.reply(status, headers, request.method === "HEAD" ? noBytes : body);
    const line = `${peer.address.address} - - [${commonLogDate(self.nowMs)}] "${request.method} ${request.target} HTTP/1.1" ${status} ${body.length}\n`;
    writeWithoutWaiting(self, 1, line);
  };
  const listen = /^\s*Listen\s+(?:\S+:)?(\d+)/m.exec(decodeUtf8(self.readFile(configurationFile)));
  const port = Number(listen?.[1] ?? "80");
  try {
    self.serveHttp({ port, handler: atTheCostOf(unitsPerAnswer, new ProcessorTime(self, self.processors), handler) });
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    const reason = `(98)${error.message}: AH00072: make_sock: could not bind to address 0.0.0.0:${port}`;
    yield* self.write(2, `${reason}\nno listening sockets available, shutting down\nAH00015: Unable to open logs\n`);
    return 1;
  }
  self.declareUse({ memoryBytes: residentBytes });
  const address = self.addresses()[1] ?? "127.0.0.1";
  const unnamed = `AH00558: httpd: Could not reliably determine the server's fully qualified domain name, using ${address}. Set the 'ServerName' directive globally to suppress this message\n`;
  const prefix = noticePrefix(self, "mpm_event");
  yield* self.write(
    2,
    `${unnamed}${unnamed}${prefix} AH00489: Apache/${version} (Unix) configured -- resuming normal operations\n${noticePrefix(self, "core")} AH00094: Command line: 'httpd -D FOREGROUND'\n`,
  );
  return yield* apacheUntilTold(self, () => noticePrefix(self, "mpm_event"));
}
