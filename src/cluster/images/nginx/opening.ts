// What nginx opens before it answers: directories, logs, ports. Children inherit the descriptors.

import { SysError } from "#sim/errors.ts";
import type { Process, Sys } from "#sim/program.ts";
import { writeWithoutWaiting } from "../log-line.ts";
import { ErrorLog, failed } from "./error-log.ts";
import { ProxyHeaders } from "./proxy-protocol.ts";
import type { Configuration } from "./reading.ts";
import type { PortTls } from "./tls.ts";

const bindTries = 5;
const bindRetryMs = 500;
export const accessLogFile = "/var/log/nginx/access.log";
/** Where bodies wait that are too long for memory. */
const cacheDirectory = "/var/cache/nginx";
const cachePaths = ["client_temp", "proxy_temp", "fastcgi_temp", "uwsgi_temp", "scgi_temp"].map(
  (name) => `${cacheDirectory}/${name}`,
);

export interface Opened {
  readonly log: ErrorLog;
  readonly accessLog: number;
  /** Port → listening descriptor. */
  readonly sockets: ReadonlyMap<number, number>;
  readonly tls: ReadonlyMap<number, PortTls>;
  /** Of ports with `proxy_protocol`. */
  readonly proxied: ReadonlyMap<number, ProxyHeaders>;
}

/** A failure that ends what was begun: the text behind `[emerg] `. */
export class OpeningError extends Error {}

function orFail<T>(call: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    throw new OpeningError(failed(call, error));
  }
}

/** The words of a failure are put together when there is one. */
function createPaths(self: Process, uid: number | undefined): void {
  let call: "mkdir" | "chown" = "mkdir";
  let [at] = cachePaths;
  try {
    const present = self.readdir(cacheDirectory);
    for (const path of cachePaths) {
      at = path;
      call = "mkdir";
      const isNew = !present.includes(path.slice(cacheDirectory.length + 1));
      if (isNew) self.mkdir(path, 0o700);
      call = "chown";
      if (uid === undefined) continue;
      const owner = isNew ? self.uid : self.stat(path).uid;
      if (owner !== uid) self.chown(path, uid, -1);
    }
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    throw new OpeningError(failed(call === "mkdir" ? `mkdir() "${at}"` : `chown("${at}", ${uid})`, error));
  }
}

/** Opens a log to append to it. Throws OpeningError. */
export function openLog(self: Process, path: string): number {
  return orFail(`open() "${path}"`, () => self.open(path, { write: true, append: true, create: true }));
}

/** The log of what comes before the configuration says where to. */
export function firstLog(self: Process): ErrorLog {
  const path = "/var/log/nginx/error.log";
  try {
    return new ErrorLog(self, openLog(self, path), "notice", true);
  } catch (error) {
    if (!(error instanceof OpeningError)) throw error;
    writeWithoutWaiting(self, 2, `nginx: [alert] could not open error log file: ${error.message}\n`);
    return new ErrorLog(self, 2, "notice");
  }
}

/** Opens what is not open yet, and closes what is no longer wanted. Throws OpeningError. */
export function* openAll(self: Process, { settings, servers, tls }: Configuration, before: Opened | undefined): Sys<Opened> {
  createPaths(self, settings.user?.uid);
  const opened = {
    log: new ErrorLog(self, openLog(self, settings.errorLog.path), settings.errorLog.level, before === undefined),
    accessLog: openLog(self, accessLogFile),
  };
  const ports = new Set(servers.flatMap((each) => each.ports));
  const proxied = new Map(
    servers.flatMap((each) => each.proxiedPorts).map((port) => [port, before?.proxied.get(port) ?? new ProxyHeaders(port)]),
  );
  const isSame = (port: number): boolean =>
    ports.has(port) && before?.tls.has(port) === tls.has(port) && before.proxied.has(port) === proxied.has(port);
  const sockets = new Map([...(before?.sockets ?? [])].filter(([port]) => isSame(port)));
  const kept = new Set(sockets.keys());
  try {
    yield* bindAll(self, { ports, tls, proxied, log: opened.log }, sockets);
  } catch (error) {
    for (const [port, fd] of sockets) if (!kept.has(port)) self.close(fd);
    for (const fd of [opened.log.fd, opened.accessLog]) self.close(fd);
    throw error;
  }
  for (const [port, fd] of before?.sockets ?? []) if (!kept.has(port)) self.close(fd);
  if (before !== undefined) for (const fd of [before.log.fd, before.accessLog]) self.close(fd);
  const read = new Map([...tls].map(([port, each]) => [port, before?.tls.get(port)?.become(each) ?? each]));
  return { ...opened, sockets, tls: read, proxied };
}

interface Wanted {
  readonly ports: ReadonlySet<number>;
  readonly tls: ReadonlyMap<number, PortTls>;
  readonly proxied: ReadonlyMap<number, ProxyHeaders>;
  readonly log: ErrorLog;
}

function* bindAll(self: Process, { ports, tls, proxied, log }: Wanted, sockets: Map<number, number>): Sys<void> {
  for (let attempt = 1; ; attempt += 1) {
    for (const port of ports) {
      if (sockets.has(port)) continue;
      try {
        const secure = tls.get(port);
        const preface = proxied.get(port)?.read;
        const how = { ...(secure === undefined ? {} : { tls: secure }), ...(preface === undefined ? {} : { preface }) };
        sockets.set(port, self.listenHttp({ port, ...how }));
      } catch (error) {
        if (!(error instanceof SysError)) throw error;
        const message = failed(`bind() to 0.0.0.0:${port}`, error);
        if (error.code !== "EADDRINUSE") throw new OpeningError(message);
        log.write("emerg", message);
      }
    }
    if (sockets.size === ports.size) return;
    log.write("notice", "try again to bind() after 500ms");
    yield* sleepThrough(self, bindRetryMs);
    if (attempt === bindTries) throw new OpeningError("still could not bind()");
  }
}

/** Signals that come wait. */
export function* sleepThrough(self: Process, delayMs: number): Sys<void> {
  const untilMs = self.nowMs + delayMs;
  while (self.nowMs < untilMs) {
    try {
      yield* self.sleep(untilMs - self.nowMs);
    } catch (error) {
      if (!(error instanceof SysError) || error.code !== "EINTR") throw error;
    }
  }
}
