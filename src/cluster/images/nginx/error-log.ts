// nginx's error log.

import { type Errno, errnoText, type SysError } from "#sim/errors.ts";
import type { Process, SignalInfo } from "#sim/program.ts";
import { signalNumbers } from "#sim/signals.ts";
import { slashedDate } from "../http-dates.ts";
import { logLater } from "../log-line.ts";
import { type LogLevel, logLevels } from "./settings.ts";

/** As in errno.h, of what can happen to nginx's files, ports and processes. */
const errorNumbers: { readonly [code in Errno]?: number } = {
  EPERM: 1,
  ENOENT: 2,
  ESRCH: 3,
  EAGAIN: 11,
  EACCES: 13,
  ENOTDIR: 20,
  EISDIR: 21,
  ENOSPC: 28,
  EROFS: 30,
  ELOOP: 40,
  EADDRINUSE: 98,
  EADDRNOTAVAIL: 99,
};

/** `open() "/run/nginx.pid" failed (13: Permission denied)` */
export function failed(call: string, error: SysError): string {
  return `${call} failed ${numbered(error)}`;
}

export function numbered({ code }: SysError): string {
  return `(${errorNumbers[code] ?? 5}: ${errnoText[code]})`;
}

/** Of what is at least as bad as this, whoever starts nginx is told. */
const toldFrom = logLevels.indexOf("warn");

export class ErrorLog {
  readonly fd: number;
  readonly #self: Process;
  readonly #least: number;
  readonly #isStart: boolean;

  /** `isStart`: whoever started nginx listens, and is told of what is bad. */
  constructor(self: Process, fd: number, level: LogLevel, isStart = false) {
    this.#self = self;
    this.fd = fd;
    this.#least = logLevels.indexOf(level);
    this.#isStart = isStart;
  }

  /** The same log for another process. */
  of(self: Process): ErrorLog {
    return new ErrorLog(self, this.fd, logLevels[this.#least] ?? "error");
  }

  /** The same log, where the configuration says how much goes into it. */
  at(level: LogLevel): ErrorLog {
    return new ErrorLog(this.#self, this.fd, level, this.#isStart);
  }

  write(level: LogLevel, ...messages: readonly string[]): void {
    const rank = logLevels.indexOf(level);
    if (rank < this.#least) return;
    if (messages.length === 0) return;
    logLater(this.#self, this.fd, ({ nowMs, pid }) => {
      const begin = `${slashedDate(nowMs)} [${level}] ${pid}#${pid}: `;
      return messages.map((message) => `${begin}${message}\n`).join("");
    });
    if (!this.#isStart || rank < toldFrom) return;
    logLater(this.#self, 2, () => messages.map((message) => `nginx: [${level}] ${message}\n`).join(""));
  }

  signal({ signal, from }: SignalInfo, action: string): void {
    const sender = from === 0 ? "" : ` from ${from}`;
    this.write("notice", `signal ${signalNumbers[signal]} (SIG${signal}) received${sender}${action}`);
  }
}
