// What images with Apache have in common: dates of its error log, its pages about errors, how it ends; of those on Debian with PHP also how
// it begins, and its access log.

import { SysError } from "#sim/errors.ts";
import type { HttpHandler, HttpPeer, HttpRequest } from "#sim/http.ts";
import type { Process, Sys } from "#sim/program.ts";
import { awaitSignals } from "./await-signals.ts";
import { commonLogDate, httpDate } from "./http-dates.ts";
import { writeWithoutWaiting } from "./log-line.ts";

/** `Thu Jan 01 00:00:00.000000 2026` */
export function apacheDate(nowMs: number): string {
  const [, weekday, day, month, year, time] = /^(\w+), (\d+) (\w+) (\d+) ([\d:]+)/.exec(httpDate(nowMs)) ?? [];
  return `${weekday} ${month} ${day} ${time}.000000 ${year}`;
}

export function apacheErrorPage(status: number, title: string, text: string): string {
  return `<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN">\n<html><head>\n<title>${status} ${title}</title>\n</head><body>\n<h1>${title}</h1>\n<p>${text}</p>\n</body></html>\n`;
}

/** Waits until Apache is told to end, says so on stderr after what `notice` gives, and returns its exit code. */
export function* apacheUntilTold(self: Process, notice: () => string): Sys<number> {
  const [signal] = yield* awaitSignals(self, ["TERM", "INT", "WINCH"]);
  const text = signal === "WINCH" ? "AH00492: caught SIGWINCH, shutting down gracefully" : "AH00491: caught SIGTERM, shutting down";
  yield* self.write(2, `${notice()} ${text}\n`);
  return 0;
}

/** One request in the access log, in the form "combined"; `size`: bytes of the answer's body. */
export function logAccess(self: Process, { address }: HttpPeer, request: HttpRequest, { status, size }: Logged): void {
  const { referer = "-", "user-agent": agent = "-" } = request.headers;
  const asked = `"${request.method} ${request.target} HTTP/1.1" ${status} ${size} "${referer}" "${agent}"`;
  writeWithoutWaiting(self, 1, `${address.address} - - [${commonLogDate(self.nowMs)}] ${asked}\n`);
}

interface Logged {
  readonly status: number;
  readonly size: number;
}

export interface DebianApache {
  /** Versions. */
  readonly apache: string;
  readonly php: string;
  readonly residentBytes: number;
  readonly handler: HttpHandler;
}

/** Debian's Apache with PHP as a program of its own: port 80, until it is told to end. Returns its exit code. */
export function* debianApache(self: Process, { apache, php, residentBytes, handler }: DebianApache): Sys<number> {
  try {
    self.serveHttp({ port: 80, handler });
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    const reason = `${error.code === "EACCES" ? "(13)" : "(98)"}${error.message}: AH00072: make_sock: could not bind to address 0.0.0.0:80`;
    yield* self.write(2, `${reason}\nno listening sockets available, shutting down\nAH00015: Unable to open logs\n`);
    return 1;
  }
  self.declareUse({ memoryBytes: residentBytes });
  const notice = (module: string): string => `[${apacheDate(self.nowMs)}] [${module}:notice] [pid ${self.pid}]`;
  const address = self.addresses()[1] ?? "127.0.0.1";
  const unnamed = `AH00558: apache2: Could not reliably determine the server's fully qualified domain name, using ${address}. Set the 'ServerName' directive globally to suppress this message\n`;
  const ready = `${notice("mpm_prefork")} AH00163: Apache/${apache} (Debian) PHP/${php} configured -- resuming normal operations\n`;
  yield* self.write(2, `${unnamed}${unnamed}${ready}${notice("core")} AH00094: Command line: 'apache2 -D FOREGROUND'\n`);
  return yield* apacheUntilTold(self, () => notice("mpm_prefork"));
}
