// The nginx command: it starts the server, or speaks to the one that runs.

import { SysError } from "#sim/errors.ts";
import type { Process, Program, Sys } from "#sim/program.ts";
import { type Signal, signalNumbers } from "#sim/signals.ts";
import { ConfigurationError } from "./configuration.ts";
import { type ErrorLog, failed } from "./error-log.ts";
import { Master } from "./master.ts";
import { firstLog, type Opened, OpeningError, openAll } from "./opening.ts";
import { type Configuration, ConfigurationReader, configurationFile } from "./reading.ts";
import type { NginxRelease } from "./releases.ts";

const masterTitle = "nginx: master process";
const signalsByWord: ReadonlyMap<string, Signal> = new Map([
  ["stop", "TERM"],
  ["quit", "QUIT"],
  ["reload", "HUP"],
  ["reopen", "USR1"],
]);

class Nginx {
  readonly #self: Process;
  readonly #release: NginxRelease;
  readonly #reader: ConfigurationReader;
  /** Directives of the command line. */
  readonly #given: string;

  constructor(self: Process, release: NginxRelease, reader: ConfigurationReader) {
    this.#self = self;
    this.#release = release;
    this.#reader = reader;
    this.#given = self.argv.filter((_, index) => self.argv[index - 1] === "-g").join(" ");
  }

  *run(): Sys<number> {
    const { argv } = this.#self;
    if (argv.includes("-v") || argv.includes("-V")) {
      yield* this.#self.write(2, `nginx version: nginx/${this.#release.version}\n`);
      return 0;
    }
    const signalAt = argv.indexOf("-s");
    const word = argv[signalAt + 1];
    if (signalAt >= 0 && !signalsByWord.has(word ?? "")) {
      const wrong = word === undefined ? 'option "-s" requires parameter' : `invalid option: "-s ${word}"`;
      yield* this.#self.write(2, `nginx: ${wrong}\n`);
      return 1;
    }
    const log = firstLog(this.#self);
    const isTest = argv.includes("-t");
    let configuration: Configuration;
    try {
      configuration = this.#read(this.#self);
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      log.write("emerg", error.message);
      if (isTest) yield* this.#self.write(2, `nginx: configuration file ${configurationFile} test failed\n`);
      return 1;
    }
    log.write("warn", ...configuration.settings.warnings);
    if (isTest) {
      const syntax = `nginx: the configuration file ${configurationFile} syntax is ok\n`;
      yield* this.#self.write(2, `${syntax}nginx: configuration file ${configurationFile} test is successful\n`);
      return 0;
    }
    if (signalAt < 0) return yield* this.#serve(configuration, log);
    const { settings } = configuration;
    return this.#signal(signalsByWord.get(word as string) as Signal, settings.pidFile, log.at(settings.errorLog.level));
  }

  /** Throws ConfigurationError. */
  #read(self: Process): Configuration {
    return this.#reader.read(self, this.#given);
  }

  *#serve(configuration: Configuration, log: ErrorLog): Sys<number> {
    const self = this.#self;
    const { argv } = self;
    // The start script has become nginx by now, whatever it was started as.
    const command = argv.slice(argv.findIndex((word) => word.split("/").at(-1)?.startsWith("nginx") === true));
    const title = `${masterTitle} ${command.join(" ")}`;
    self.retitle(title, "nginx");
    let opened: Opened;
    try {
      opened = yield* openAll(self, configuration, undefined);
    } catch (error) {
      if (!(error instanceof OpeningError)) throw error;
      log.write("emerg", error.message);
      return 1;
    }
    opened.log.write("notice", ...this.#notices());
    if (log.fd > 2) self.close(log.fd);
    if (!configuration.settings.isDaemon) return yield* this.#master(self, configuration, opened);
    // The server goes on in the background, and the command has ended: as a container's first process it takes the container with it.
    const run: Program = (child) => {
      child.retitle(title, "nginx");
      return this.#master(child, configuration, opened);
    };
    self.spawn({ run, argv, newSession: true, fds: new Map(self.descriptors().map((fd) => [fd, fd])) });
    return 0;
  }

  #notices(): readonly string[] {
    const { version, compiler } = this.#release;
    return [
      'using the "epoll" event method',
      `nginx/${version}`,
      `built by ${compiler} `,
      `OS: Linux ${this.#self.kernelRelease.release}`,
      "getrlimit(RLIMIT_NOFILE): 1048576:1048576",
    ];
  }

  *#master(self: Process, configuration: Configuration, opened: Opened): Sys<number> {
    const { pidFile } = configuration.settings;
    try {
      self.writeFile(pidFile, `${self.pid}\n`);
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
      opened.log.write("emerg", failed(`open() "${pidFile}"`, error));
      return 1;
    }
    const reread = (): Configuration => this.#read(self);
    return yield* new Master(self, { release: this.#release, configuration, opened, reread }).run();
  }

  /** `nginx -s reload`, to the server that the file names. */
  #signal(signal: Signal, pidFile: string, log: ErrorLog): number {
    const self = this.#self;
    log.write("notice", "signal process started");
    try {
      const text = self.readText(pidFile).trimEnd();
      if (!/^\d+$/u.test(text)) {
        log.write("error", `invalid PID number "${text}" in "${pidFile}"`);
        return 1;
      }
      return this.#kill(Number(text), signal, log);
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
      log.write("error", failed(`open() "${pidFile}"`, error));
      return 1;
    }
  }

  #kill(pid: number, signal: Signal, log: ErrorLog): number {
    try {
      this.#self.kill(pid, signal);
      return 0;
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
      log.write("alert", failed(`kill(${pid}, ${signalNumbers[signal]})`, error));
      return 1;
    }
  }
}

export function nginxProgram(release: NginxRelease): Program {
  const reader = new ConfigurationReader();
  return (self) => new Nginx(self, release, reader).run();
}
