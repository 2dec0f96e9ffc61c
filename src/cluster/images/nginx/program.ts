// The nginx program: reads its configuration, opens its ports, answers until it is told to stop.

import { type Bytes, encodeUtf8, noBytes } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { Process, ProcessInfo, Program, Sys } from "#sim/program.ts";
import type { Signal } from "#sim/signals.ts";
import { awaitSignals } from "../await-signals.ts";
import { slashedDate } from "../http-dates.ts";
import { ConfigurationError, type Directive, parseConfiguration, type ServerBlock, serversOf } from "./configuration.ts";
import { NginxServer, type OpenWork } from "./server.ts";

export interface NginxRelease {
  /** `1.27.5` */
  readonly version: string;
  /** `gcc 12.2.0 (Debian 12.2.0-14+deb12u1)` */
  readonly compiler: string;
  /** Newer images log at level notice, older ones at warn. */
  readonly logsNotices: boolean;
}

const configurationFile = "/etc/nginx/nginx.conf";
const residentBytes = 7_340_032;
const bindTries = 5;
const bindRetryMs = 500;
const workerPid = 29;
const exiting = `${workerPid}#${workerPid}: exiting`;
/** How often a server that is ending looks whether all answers are out. */
const drainLookMs = 100;
const masterTitle = "nginx: master process";
const signalsByWord: ReadonlyMap<string, Signal> = new Map([
  ["stop", "TERM"],
  ["quit", "QUIT"],
  ["reload", "HUP"],
  ["reopen", "USR1"],
]);

function included(self: Process, pattern: string): readonly Directive[] {
  const absolute = pattern.startsWith("/") ? pattern : `/etc/nginx/${pattern}`;
  const slash = absolute.lastIndexOf("/");
  const directory = absolute.slice(0, slash);
  const name = absolute.slice(slash + 1);
  if (!name.includes("*")) return parseConfiguration(self.readText(absolute), absolute);
  const shape = new RegExp(`^${name.replaceAll(".", "\\.").replaceAll("*", ".*")}$`);
  const directives: Directive[] = [];
  for (const entry of self.readdir(directory)) {
    if (!shape.test(entry) || entry.startsWith(".")) continue;
    directives.push(...parseConfiguration(self.readText(`${directory}/${entry}`), `${directory}/${entry}`));
  }
  return directives;
}

/** What servers of a release share: a configuration of the same text is parsed once, lines of the same second are encoded once. */
class ReleaseShare {
  #line = "";
  #lineBytes = noBytes;
  #text = "";
  #servers: readonly ServerBlock[] = [];

  encoded(line: string): Bytes {
    if (line !== this.#line) {
      this.#line = line;
      this.#lineBytes = encodeUtf8(line);
    }
    return this.#lineBytes;
  }

  /** Throws ConfigurationError. */
  read(self: Process): readonly ServerBlock[] {
    try {
      const text = configurationText(self);
      if (text !== this.#text) {
        const main = parseConfiguration(self.readText(configurationFile), configurationFile);
        this.#servers = serversOf(main, (pattern) => included(self, pattern));
        this.#text = text;
      }
      return this.#servers;
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
      throw new ConfigurationError(`open() "${configurationFile}" failed (2: ${error.message})`);
    }
  }
}

/** All that a configuration is made of: files included from elsewhere are read anew each time. */
function configurationText(self: Process): string {
  let text = self.readText(configurationFile);
  for (const match of text.matchAll(/^\s*include\s+(\S+);/gm)) {
    const pattern = match[1] as string;
    const absolute = pattern.startsWith("/") ? pattern : `/etc/nginx/${pattern}`;
    const slash = absolute.lastIndexOf("/");
    const directory = absolute.slice(0, slash);
    const names = absolute.includes("*") ? self.readdir(directory) : [absolute.slice(slash + 1)];
    for (const name of names) text += `\n#${directory}/${name}\n${self.readText(`${directory}/${name}`)}`;
  }
  return text;
}

/** `daemon off;`, on the command line or in the main file. */
function staysInFront(self: Process): boolean {
  const given = self.argv.flatMap((word, index) => (self.argv[index - 1] === "-g" ? [word] : []));
  return [...given, self.readText(configurationFile)].some((text) => /(^|[;\s])daemon\s+off\s*;/.test(text));
}

class Nginx {
  readonly #self: Process;
  readonly #release: NginxRelease;
  readonly #share: ReleaseShare;
  readonly #open = new Map<number, number>();
  readonly #work: OpenWork = { answers: 0 };

  constructor(self: Process, release: NginxRelease, share: ReleaseShare) {
    this.#self = self;
    this.#share = share;
    this.#release = release;
  }

  *run(): Sys<number> {
    const { argv } = this.#self;
    const { version } = this.#release;
    if (argv.includes("-v") || argv.includes("-V")) {
      yield* this.#self.write(2, `nginx version: nginx/${version}\n`);
      return 0;
    }
    let servers: readonly ServerBlock[];
    try {
      servers = this.#share.read(this.#self);
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      return yield* this.#emergency(error.message);
    }
    if (argv.includes("-t")) {
      yield* this.#self.write(
        2,
        `nginx: the configuration file ${configurationFile} syntax is ok\nnginx: configuration file ${configurationFile} test is successful\n`,
      );
      return 0;
    }
    const signalAt = argv.indexOf("-s");
    if (signalAt >= 0) return yield* this.#signal(argv[signalAt + 1]);
    if (staysInFront(this.#self)) return yield* this.#serve(servers);
    // The server goes on in the background, and the command has ended: as a container's first process it takes the container with it.
    const run: Program = (self) => new Nginx(self, this.#release, this.#share).#serve(servers);
    this.#self.spawn({ run, argv, newSession: true });
    return 0;
  }

  *#serve(servers: readonly ServerBlock[]): Sys<number> {
    const { argv } = this.#self;
    const { version } = this.#release;
    // The start script has become nginx by now, whatever it was started as.
    const command = argv.slice(argv.findIndex((word) => word.split("/").at(-1)?.startsWith("nginx") === true));
    this.#self.retitle(`${masterTitle} ${command.join(" ")}`, "nginx");
    const busy = yield* this.#bind(servers);
    if (busy) return 1;
    this.#self.declareUse({ memoryBytes: residentBytes });
    yield* this.#notices([
      'using the "epoll" event method',
      `nginx/${version}`,
      `built by ${this.#release.compiler} `,
      `OS: Linux ${this.#self.kernelRelease.release}`,
      "getrlimit(RLIMIT_NOFILE): 1048576:1048576",
      "start worker processes",
      `start worker process ${workerPid}`,
    ]);
    return yield* this.#wait();
  }

  /** `nginx -s reload`, to the server that runs beside. */
  *#signal(word: string | undefined): Sys<number> {
    const signal = word === undefined ? undefined : signalsByWord.get(word);
    if (signal === undefined) {
      const wrong = word === undefined ? 'option "-s" requires parameter' : `invalid option: "-s ${word}"`;
      yield* this.#self.write(2, `nginx: ${wrong}\n`);
      return 1;
    }
    const now = slashedDate(this.#self.nowMs);
    const { pid } = this.#self;
    const isMaster = ({ argv, state }: ProcessInfo) => state !== "zombie" && argv[0]?.startsWith(masterTitle) === true;
    const master = this.#self.processes().find(isMaster);
    if (master === undefined) {
      const failure = 'open() "/run/nginx.pid" failed (2: No such file or directory)';
      yield* this.#self.write(2, `${now} [error] ${pid}#${pid}: ${failure}\nnginx: [error] ${failure}\n`);
      return 1;
    }
    if (this.#release.logsNotices) yield* this.#self.write(2, `${now} [notice] ${pid}#${pid}: signal process started\n`);
    this.#self.kill(master.pid, signal);
    return 0;
  }

  *#wait(): Sys<number> {
    for (;;) {
      for (const signal of yield* awaitSignals(this.#self, ["TERM", "INT", "QUIT", "HUP", "USR1", "WINCH"])) {
        if (signal === "HUP") yield* this.#reload();
        else if (signal === "QUIT") return yield* this.#finish();
        else if (signal === "TERM") return yield* this.#end(["1#1: signal 15 (SIGTERM) received, exiting", exiting]);
        else if (signal === "INT") return yield* this.#end(["1#1: signal 2 (SIGINT) received, exiting", exiting]);
      }
    }
  }

  /** Takes no more connections, and ends with the last answer; TERM and INT still end it at once. */
  *#finish(): Sys<number> {
    const worker = `${workerPid}#${workerPid}`;
    const begun = ["1#1: signal 3 (SIGQUIT) received, shutting down", `${worker}: gracefully shutting down`];
    for (const fd of this.#open.values()) this.#self.close(fd);
    this.#open.clear();
    if (this.#work.answers === 0) return yield* this.#end(begun);
    yield* this.#lines(begun);
    while (this.#work.answers > 0) {
      try {
        yield* this.#self.sleep(drainLookMs);
      } catch (error) {
        if (!(error instanceof SysError) || error.code !== "EINTR") throw error;
        const came = this.#self.takeSignals();
        if (came.includes("TERM")) return yield* this.#end(["1#1: signal 15 (SIGTERM) received, exiting", exiting]);
        if (came.includes("INT")) return yield* this.#end(["1#1: signal 2 (SIGINT) received, exiting", exiting]);
      }
    }
    return yield* this.#end([]);
  }

  *#end(begun: readonly string[]): Sys<number> {
    yield* this.#lines([
      ...begun,
      `${workerPid}#${workerPid}: exit`,
      `1#1: signal 17 (SIGCHLD) received from ${workerPid}`,
      `1#1: worker process ${workerPid} exited with code 0`,
      "1#1: exit",
    ]);
    return 0;
  }

  *#lines(lines: readonly string[]): Sys<void> {
    if (!this.#release.logsNotices) return;
    const now = slashedDate(this.#self.nowMs);
    yield* this.#self.write(2, lines.map((line) => `${now} [notice] ${line}\n`).join(""));
  }

  *#reload(): Sys<void> {
    yield* this.#notices(["signal 1 (SIGHUP) received, reconfiguring", "reconfiguring"]);
    try {
      const servers = this.#share.read(this.#self);
      for (const fd of this.#open.values()) this.#self.close(fd);
      this.#open.clear();
      yield* this.#bind(servers);
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      yield* this.#self.write(2, `${slashedDate(this.#self.nowMs)} [emerg] 1#1: ${error.message}\n`);
    }
  }

  /** True when a port stayed taken. */
  *#bind(servers: readonly ServerBlock[]): Sys<boolean> {
    const server = new NginxServer(this.#self, this.#release.version, this.#work);
    for (const port of new Set(servers.flatMap((each) => each.ports))) {
      const handler = server.handlerFor(servers.filter((each) => each.ports.includes(port)));
      for (let attempt = 1; !this.#open.has(port); attempt += 1) {
        try {
          this.#open.set(port, this.#self.serveHttp({ port, handler }));
        } catch (error) {
          if (!(error instanceof SysError)) throw error;
          const number = error.code === "EACCES" ? 13 : 98;
          yield* this.#emergency(`bind() to 0.0.0.0:${port} failed (${number}: ${error.message})`);
          if (error.code === "EACCES") return true;
          if (attempt === bindTries) {
            yield* this.#emergency("still could not bind()");
            return true;
          }
          yield* this.#self.sleep(bindRetryMs);
        }
      }
    }
    return false;
  }

  *#emergency(message: string): Sys<number> {
    yield* this.#self.write(2, `${slashedDate(this.#self.nowMs)} [emerg] 1#1: ${message}\nnginx: [emerg] ${message}\n`);
    return 1;
  }

  *#notices(messages: readonly string[]): Sys<void> {
    if (!this.#release.logsNotices) return;
    const now = slashedDate(this.#self.nowMs);
    const text = messages.map((message) => `${now} [notice] 1#1: ${message}\n`).join("");
    yield* this.#self.write(2, this.#share.encoded(text));
  }
}

export function nginxProgram(release: NginxRelease): Program {
  const share = new ReleaseShare();
  return (self) => new Nginx(self, release, share).run();
}
