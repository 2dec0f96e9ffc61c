// The commands of agnhost that print something and end.

import { SysError } from "#sim/errors.ts";
import type { Process, Program, Sys } from "#sim/program.ts";
import { command } from "./command.ts";
import { reasonOf } from "./http-client.ts";

/** Prints its whole command line, as Go prints a list. */
export const entrypointTester = command({
  flags: {},
  words: "any",
  operands: "",
  *run(self) {
    yield* self.write(1, `[${self.argv.join(" ")}]\n`);
    return 0;
  },
});

/** A program of its own in the image `nonewprivs`. */
export const printEffectiveUser: Program = function* (self) {
  yield* self.write(1, `Effective uid: ${self.uid}\n`);
  return 0;
};

export const noNewPrivileges = command({ flags: {}, run: printEffectiveUser });

export const dnsSuffix = command({ flags: {}, run: (self) => printList(self, "search") });
export const dnsServerList = command({ flags: {}, run: (self) => printList(self, "nameserver") });

/** What stands behind the first line of /etc/resolv.conf that begins so. */
function printList(self: Process, keyword: string): Sys<number> {
  return printing(self, "/etc/resolv.conf", (text) => {
    const line = text.split("\n").find((each) => each.startsWith(keyword));
    return line?.split(" ").slice(1).join(",");
  });
}

export const etcHosts = command({ flags: {}, run: (self) => printing(self, "/etc/hosts", (text) => text) });

function* printing(self: Process, path: string, of: (text: string) => string | undefined): Sys<number> {
  let panic = "Could not find DNS search list!";
  try {
    const text = of(self.readText(path));
    if (text !== undefined) {
      yield* self.write(1, `${text}\n`);
      return 0;
    }
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    panic = `open ${path}: ${reasonOf(error)}`;
  }
  yield* self.write(2, `panic: ${panic}\n\ngoroutine 1 [running]:\n`);
  return 2;
}
