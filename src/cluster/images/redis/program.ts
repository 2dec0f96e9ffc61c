// redis-server's command line, and the start script of the image in front of it.

import { SysError } from "#sim/errors.ts";
import type { Process, Program, Sys } from "#sim/program.ts";
import { Configuration, ConfigurationFault } from "./configuration.ts";
import { log } from "./log.ts";
import { RedisServer } from "./server.ts";

/** Options of the command line as lines of a configuration file. */
function optionLines(args: readonly string[]): string {
  const lines: string[] = [];
  for (const arg of args) {
    if (arg.startsWith("--")) lines.push(arg.slice(2));
    else if (lines.length > 0) lines.push(`${lines.pop()} ${quoted(arg)}`);
  }
  return lines.join("\n");
}

function quoted(arg: string): string {
  return arg !== "" && !/[\s"']/.test(arg) ? arg : `"${arg.replaceAll(/["\\]/g, "\\$&")}"`;
}

function* serve(self: Process, version: string, args: readonly string[]): Sys<number> {
  if (args.some((arg) => arg === "-v" || arg === "--version")) {
    yield* self.write(1, `Redis server v=${version} sha=00000000:0 malloc=jemalloc-5.3.0 bits=64 build=0\n`);
    return 0;
  }
  const file = args[0] !== undefined && !args[0].startsWith("-") ? args[0] : undefined;
  const configuration = new Configuration();
  try {
    if (file !== undefined) configuration.load(self.readText(file));
    configuration.load(optionLines(file === undefined ? args : args.slice(1)));
  } catch (error) {
    if (error instanceof ConfigurationFault) {
      const head = `\n*** FATAL CONFIG FILE ERROR (Redis ${version}) ***\n`;
      yield* self.write(2, `${head}Reading the configuration file, at line ${error.line}\n>>> '${error.text}'\n${error.message}\n`);
      return 1;
    }
    if (!(error instanceof SysError)) throw error;
    log(self, "C", "#", `Fatal error, can't open config file '${self.cwd === "/" ? "" : self.cwd}/${file}': ${error.message}`);
    return 1;
  }
  log(self, "C", "*", "oO0OoO0OoO0Oo Redis is starting oO0OoO0OoO0Oo");
  log(self, "C", "*", `Redis version=${version}, bits=64, commit=00000000, modified=0, pid=${self.pid}, just started`);
  if (args.length > 0) log(self, "C", "*", "Configuration loaded");
  else {
    const text =
      "no config file specified, using the default config. In order to specify a config file use redis-server /path/to/redis.conf";
    log(self, "C", "#", `Warning: ${text}`);
  }
  log(self, "M", "*", "monotonic clock: POSIX clock_gettime");
  const path = file === undefined || file.startsWith("/") ? (file ?? "") : `${self.cwd === "/" ? "" : self.cwd}/${file}`;
  return yield* new RedisServer(self, configuration, version, path).run();
}

export function redisServerProgram(version: string): Program {
  return (self) => serve(self, version, self.argv.slice(1));
}

/** docker-entrypoint.sh: options and files alone are meant for the server, other commands are run as they are. */
export function redisEntrypoint(version: string): Program {
  return function* (self) {
    const [command = "", ...args] = self.argv.slice(1);
    if (command.startsWith("-") || command.endsWith(".conf")) return yield* serve(self, version, [command, ...args]);
    if (command === "redis-server") return yield* serve(self, version, args);
    return yield* self.exec({ run: command, argv: [command, ...args] });
  };
}
