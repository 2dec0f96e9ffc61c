// What the components of the control plane have in common when they start: their first log lines, files that are not there, flags that
// do nothing here.

import { release } from "#cluster/api/generated/release.ts";
import { lateKlog } from "#cluster/api/late-klog.ts";
import { type GivenFlags, idleFlags, WrongCommandLine } from "#cluster/component-flags.ts";
import { klogLater } from "#cluster/images/log-line.ts";
import type { Exit } from "#cluster/images/system-images.ts";
import type { Process } from "#sim/program.ts";

/** The last line of a component that fails after it has read its command line (component-base, cli.Run). */
export function commandFailed(self: Process, message: string): string {
  return lateKlog.code(self, "E", "run.go:72", `"command failed" err=${JSON.stringify(message)}`);
}

/** Writes the first lines of a component's log; gives what writes further ones. */
export function startLog(self: Process, file: string, line: number, greeting: string): (place: string, message: string) => void {
  const log = (place: string, message: string) => klogLater(self, "I", place, message);
  log(`${file}:${line}`, `${JSON.stringify(greeting)} version="v${release}.0"`);
  log(`${file}:${line + 2}`, '"Golang settings" GOGC="" GOMAXPROCS="" GOTRACEBACK=""');
  return log;
}

/** What a command line says; undefined when it has ended the process. */
export function readCommandLine<Settings>(self: Process, exit: Exit, read: () => Settings): Settings | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof WrongCommandLine)) throw error;
    exit(1, error.logged ? commandFailed(self, error.message) : `Error: ${error.message}\n`);
    return undefined;
  }
}

/** Says of each flag that does nothing here that it does not. */
export function warnOfIdleFlags(self: Process, given: GivenFlags, acting: readonly string[], usual: ReadonlySet<string>): void {
  for (const flag of idleFlags(given, acting, usual)) klogLater(self, "W", "flags.go:64", `${flag}: not simulated, has no effect`);
}

/** What is wrong with the first file that flags name and that is not there: `prefixes` has what is said before it, by flag. */
export function missingFile(
  self: Process,
  given: GivenFlags,
  prefixes: { readonly [flag: string]: string },
  call = "open",
): string | undefined {
  for (const [flag, prefix] of Object.entries(prefixes)) {
    const missing = given.get(flag)?.find((path) => path !== "" && !self.exists(path));
    if (missing !== undefined) return `${prefix}${call} ${missing}: no such file or directory`;
  }
  return undefined;
}

/** The flags of a component in its static Pod's manifest. */
export function flagsOfManifest(manifest: string): ReadonlySet<string> {
  return new Set([...manifest.matchAll(/^ {4}- (--\S+)$/gm)].map(([, flag = ""]) => flag));
}
