// registry.k8s.io/hpa-example: Apache with PHP and one page that computes a million square roots.

import { cpuCount } from "#shell/toolkit/machine-figures.ts";
import { encodeUtf8, noBytes } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { HttpPeer, HttpRequest, HttpResponder } from "#sim/http.ts";
import type { Process, Program } from "#sim/program.ts";
import { apacheDate, apacheErrorPage, apacheUntilTold } from "../apache.ts";
import { commonLogDate, httpDate } from "../http-dates.ts";
import { writeWithoutWaiting } from "../log-line.ts";
import { ProcessorTime } from "../processor-time.ts";

const documentRoot = "/var/www/html";
const residentBytes = 9_437_184;
/** Microseconds of a processor: of any answer, and of a turn of the page's loop under PHP 5. */
const unitsPerAnswer = 150;
const unitsPerTurn = 0.06;

interface Page {
  readonly status: number;
  readonly type: string;
  readonly text: string;
  readonly units: number;
}

function pageOf(self: Process, target: string): Page {
  const path = target.replace(/\?.*/s, "").replace(/\/$/, "/index.php");
  const error = (status: number, title: string, text: string): Page => ({
    status,
    type: "text/html; charset=iso-8859-1",
    text: apacheErrorPage(status, title, text),
    units: unitsPerAnswer,
  });
  try {
    const text = self.readText(`${documentRoot}${path}`);
    if (!path.endsWith(".php")) return { status: 200, type: "text/plain", text, units: unitsPerAnswer };
    const turns = /for\s*\(\s*\$\w+\s*=\s*0\s*;\s*\$\w+\s*<=?\s*(\d+)\s*;/.exec(text)?.[1] ?? "0";
    const said = [...text.matchAll(/echo\s+(?:"([^"]*)"|'([^']*)')\s*;/g)].map(([, double = "", single = ""]) => double || single);
    const units = unitsPerAnswer + Number(turns) * unitsPerTurn;
    return { status: 200, type: "text/html; charset=UTF-8", text: said.join(""), units };
  } catch (thrown) {
    if (!(thrown instanceof SysError)) throw thrown;
    if (thrown.code === "EACCES")
      return error(403, "Forbidden", `You don't have permission to access ${path}\non this server.<br />`);
    return error(404, "Not Found", `The requested URL ${path} was not found on this server.`);
  }
}

export const hpaExample: Program = function* (self) {
  const time = new ProcessorTime(self, cpuCount(self));
  const answer = (page: Page, request: HttpRequest, peer: HttpPeer, responder: HttpResponder): void => {
    const body = encodeUtf8(page.text);
    const php = page.type === "text/html; charset=UTF-8" ? { "x-powered-by": "PHP/5.6.14" } : {};
    const headers = { date: httpDate(self.nowMs), server: "Apache/2.4.10 (Debian)", ...php, "content-type": page.type };
    responder.reply(page.status, headers, request.method === "HEAD" ? noBytes : body);
    const { referer = "-", "user-agent": agent = "-" } = request.headers;
    const asked = `"${request.method} ${request.target} HTTP/1.1" ${page.status} ${body.length} "${referer}" "${agent}"`;
    writeWithoutWaiting(self, 1, `${peer.address.address} - - [${commonLogDate(self.nowMs)}] ${asked}\n`);
  };
  try {
    self.serveHttp({
      port: 80,
      handler: (request, peer, responder) => {
        const page = pageOf(self, request.target);
        time.take(page.units, () => answer(page, request, peer, responder));
      },
    });
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    const text = error.code === "EACCES" ? `(13)${error.message}` : `(98)${error.message}`;
    yield* self.write(
      2,
      `${text}: AH00072: make_sock: could not bind to address 0.0.0.0:80\nno listening sockets available, shutting down\nAH00015: Unable to open logs\n`,
    );
    return 1;
  }
  self.declareUse({ memoryBytes: residentBytes });
  const notice = (module: string): string => `[${apacheDate(self.nowMs)}] [${module}:notice] [pid ${self.pid}]`;
  const address = self.addresses()[1] ?? "127.0.0.1";
  const unnamed = `AH00558: apache2: Could not reliably determine the server's fully qualified domain name, using ${address}. Set the 'ServerName' directive globally to suppress this message\n`;
  yield* self.write(
    2,
    `${unnamed}${unnamed}${notice("mpm_prefork")} AH00163: Apache/2.4.10 (Debian) PHP/5.6.14 configured -- resuming normal operations\n${notice("core")} AH00094: Command line: 'apache2 -D FOREGROUND'\n`,
  );
  return yield* apacheUntilTold(self, () => notice("mpm_prefork"));
};
