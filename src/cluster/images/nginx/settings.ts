// What the main part of a configuration says: about nginx's own processes and files.

import { ConfigurationError, type Directive } from "./configuration.ts";

/** From all to the least; what is at the log's level, or behind it, is logged. */
export const logLevels = ["debug", "info", "notice", "warn", "error", "crit", "alert", "emerg"] as const;
export type LogLevel = (typeof logLevels)[number];

/** Where nginx looks for files that are named without a slash in front. */
const prefix = "/etc/nginx/";

/** Who workers are. */
export interface WorkerUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  readonly groups: readonly number[];
}

export interface Settings {
  readonly isDaemon: boolean;
  readonly workers: number;
  /** Undefined: who started nginx is not root, and they stay who they are. */
  readonly user: WorkerUser | undefined;
  readonly pidFile: string;
  readonly errorLog: { readonly path: string; readonly level: LogLevel };
  /** What is said and stops nothing. */
  readonly warnings: readonly string[];
}

/** What they are made of beside the configuration: the texts of files, and who starts nginx. */
export interface Surroundings {
  readonly isRoot: boolean;
  readonly passwd: string;
  readonly group: string;
  readonly processors: number;
}

const once: readonly string[] = ["daemon", "worker_processes", "user", "pid"];

/** Throws ConfigurationError. */
export function settingsOf(main: readonly Directive[], around: Surroundings): Settings {
  const said = new Map<string, Directive>();
  for (const directive of main) {
    const { name } = directive;
    if (once.includes(name) && said.has(name)) throw refused(directive, "is duplicate");
    // Of several error logs all are written in truth; the first one is here.
    if (!said.has(name)) said.set(name, directive);
  }
  const user = said.get("user");
  const ignored = user === undefined || around.isRoot ? [] : [ignoredUser(user)];
  return {
    isDaemon: isOn(said.get("daemon")),
    workers: workersOf(said.get("worker_processes"), around),
    user: around.isRoot ? userOf(user, around) : undefined,
    pidFile: absolute(said.get("pid")?.args[0] ?? "/run/nginx.pid"),
    errorLog: errorLogOf(said.get("error_log")),
    warnings: ignored,
  };
}

function refused({ name, file, line }: Directive, why: string): ConfigurationError {
  return new ConfigurationError(`"${name}" directive ${why} in ${file}:${line}`);
}

function absolute(path: string): string {
  return path.startsWith("/") ? path : `${prefix}${path}`;
}

function ignoredUser({ file, line }: Directive): string {
  return `the "user" directive makes sense only if the master process runs with super-user privileges, ignored in ${file}:${line}`;
}

function isOn(directive: Directive | undefined): boolean {
  const [value = "on"] = directive?.args ?? [];
  if (directive !== undefined && value !== "on" && value !== "off")
    throw new ConfigurationError(
      `invalid value "${value}" in "${directive.name}" directive, it must be "on" or "off" in ${directive.file}:${directive.line}`,
    );
  return value === "on";
}

function workersOf(directive: Directive | undefined, { processors }: Surroundings): number {
  if (directive === undefined) return 1;
  const [value = ""] = directive.args;
  if (value === "auto") return processors;
  if (!/^\d+$/u.test(value)) throw refused(directive, "invalid value");
  return Number(value);
}

function errorLogOf(directive: Directive | undefined): Settings["errorLog"] {
  const [path = "/var/log/nginx/error.log", word = "error"] = directive?.args ?? [];
  const level = logLevels.find((each) => each === word);
  if (level === undefined && directive !== undefined)
    throw new ConfigurationError(`invalid log level "${word}" in ${directive.file}:${directive.line}`);
  return { path: path === "stderr" ? "/dev/stderr" : absolute(path), level: level ?? "error" };
}

/** The lines of /etc/passwd and /etc/group by their fields. */
function entriesOf(text: string): readonly (readonly string[])[] {
  return text.split("\n").map((line) => line.split(":"));
}

function userOf(directive: Directive | undefined, { passwd, group: text }: Surroundings): WorkerUser {
  const [name = "nginx", groupName = name] = directive?.args ?? [];
  const where = directive === undefined ? "" : ` in ${directive.file}:${directive.line}`;
  const user = entriesOf(passwd).find(([each]) => each === name);
  if (user === undefined) throw new ConfigurationError(`getpwnam("${name}") failed${where}`);
  const groups = entriesOf(text);
  const group = groups.find(([each]) => each === groupName);
  if (group === undefined) throw new ConfigurationError(`getgrnam("${groupName}") failed${where}`);
  const gid = Number(group[2]);
  const further = groups.filter(([, , , members = ""]) => members.split(",").includes(name)).map(([, , number]) => Number(number));
  return { name, uid: Number(user[2]), gid, groups: [...new Set([gid, ...further])] };
}
