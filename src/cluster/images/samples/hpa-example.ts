// registry.k8s.io/hpa-example: Apache with PHP and one page that computes a million square roots.

import { encodeUtf8, noBytes } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { HttpHandler, HttpPeer, HttpRequest, HttpResponder } from "#sim/http.ts";
import type { Process, Program } from "#sim/program.ts";
import { apacheErrorPage, debianApache, logAccess } from "../apache.ts";
import { httpDate } from "../http-dates.ts";
import { ProcessorTime } from "../processor-time.ts";

const [apache, php] = ["2.4.10", "5.6.14"];
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

export const hpaExample: Program = (self) => {
  const time = new ProcessorTime(self, self.processors);
  const answer = (page: Page, request: HttpRequest, peer: HttpPeer, responder: HttpResponder): void => {
    const body = encodeUtf8(page.text);
    const made = page.type === "text/html; charset=UTF-8" ? { "x-powered-by": `PHP/${php}` } : {};
    const headers = { date: httpDate(self.nowMs), server: `Apache/${apache} (Debian)`, ...made, "content-type": page.type };
    responder.reply(page.status, headers, request.method === "HEAD" ? noBytes : body);
    logAccess(self, peer, request, { status: page.status, size: body.length });
  };
  const handler: HttpHandler = (request, peer, responder) => {
    const page = pageOf(self, request.target);
    time.take(page.units, () => answer(page, request, peer, responder));
  };
  return debianApache(self, { apache, php, residentBytes, handler });
};
