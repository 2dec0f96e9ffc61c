// reboot, poweroff and shutdown on the cluster's machines, as systemd 257 has them.

import type { Process, Program, Sys } from "#sim/program.ts";
import type { MachinePower } from "./machine-power.ts";

type PowerOf = (hostname: string) => MachinePower | undefined;

export interface ShutdownPrograms {
  readonly poweroff: Program;
  readonly reboot: Program;
  readonly shutdown: Program;
}

export function shutdownPrograms(powerOf: PowerOf): ShutdownPrograms {
  return { poweroff: atOnce(powerOf, "off"), reboot: atOnce(powerOf, "reset"), shutdown: shutdown(powerOf) };
}

/** `poweroff`, `reboot`; forced (`-f`) nothing is asked to end, `-ff` not even systemd. */
function atOnce(powerOf: PowerOf, then: "off" | "reset"): Program {
  return function* (self) {
    const [name = "", ...words] = self.argv;
    const power = powerOf(self.hostname);
    if (power === undefined) return yield* noNode(self);
    const isForced = words.length > 0 && words.every((word) => /^(?:-f+|--force)$/u.test(word));
    if (words.length > 0 && !isForced)
      return yield* fail(self, `${name} ${words.join(" ")}: not simulated; there are ${name} and ${name} -f`);
    if (isForced) power[then]();
    else power.shutDown(then);
    return 0;
  };
}

function shutdown(powerOf: PowerOf): Program {
  return function* (self) {
    const words = self.argv.slice(1);
    const power = powerOf(self.hostname);
    if (power === undefined) return yield* noNode(self);
    const isReboot = words.some((word) => word === "-r" || word === "--reboot");
    const rest = words.filter((word) => !["-r", "--reboot", "-h", "-P", "--poweroff"].includes(word));
    const isNow = rest.length === 1 && (rest[0] === "now" || rest[0] === "+0");
    if (!isNow)
      return yield* fail(self, `shutdown ${words.join(" ")}: not simulated; there are shutdown -h now and shutdown -r now`);
    power.shutDown(isReboot ? "reset" : "off");
    return 0;
  };
}

function noNode(self: Process): Sys<number> {
  return fail(self, `${self.argv[0]}: this machine is not a node of the cluster`);
}

function* fail(self: Process, message: string): Sys<number> {
  yield* self.write(2, `${message}\n`);
  return 1;
}
