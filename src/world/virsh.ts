// virsh on the workstation: the nodes are virtual machines of a libvirt there, and this is their power switch. Words as libvirt 11 has them.

import type { Process, Program, Sys } from "#sim/program.ts";
import type { MachinePower, PowerState } from "./machine-power.ts";

export interface VirshOptions {
  /** In the order in which they were defined. */
  readonly machines: readonly string[];
  readonly powerOf: (name: string) => MachinePower | undefined;
}

/** The machine would have to be on, or off. */
class Refusal extends Error {}

/** `done` follows `Domain 'NAME' `. */
interface Act {
  readonly failed: string;
  readonly done: string;
  run(power: MachinePower): void;
}

const notRunning = "Requested operation is not valid: domain is not running";

function whileOn(act: (power: MachinePower) => void): (power: MachinePower) => void {
  return (power) => {
    if (power.state === "off") throw new Refusal(notRunning);
    act(power);
  };
}

const acts: { readonly [command: string]: Act } = {
  start: {
    failed: "",
    done: "started",
    run: (power) => {
      if (power.state !== "off") throw new Refusal("Domain is already active");
      power.on();
    },
  },
  shutdown: { failed: "shutdown", done: "is being shutdown", run: whileOn((power) => power.shutDown("off")) },
  reboot: { failed: "reboot", done: "is being rebooted", run: whileOn((power) => power.shutDown("reset")) },
  reset: { failed: "reset", done: "was reset", run: whileOn((power) => power.reset()) },
  destroy: { failed: "destroy", done: "destroyed", run: whileOn((power) => power.off()) },
};

const states: { readonly [state in PowerState]: string } = {
  on: "running",
  booting: "running",
  stopping: "in shutdown",
  off: "shut off",
};

export function virsh({ machines, powerOf }: VirshOptions): Program {
  return function* (self) {
    const words = self.argv.slice(1);
    const [command = "", ...args] = words;
    if (command === "list") return yield* list(self, args);
    const act = Object.hasOwn(acts, command) ? acts[command] : undefined;
    if (act === undefined && command !== "domstate") {
      const known = ["list", "domstate", ...Object.keys(acts)].join(", ");
      return yield* fail(self, `virsh ${command}: not simulated; there are ${known}`);
    }
    const [name, ...more] = args.filter((word) => word !== "--domain");
    if (name === undefined) return yield* fail(self, `error: command '${command}' requires <domain> option`);
    if (more.length > 0) return yield* fail(self, `error: unexpected data '${more[0]}'`);
    const power = machines.includes(name) ? powerOf(name) : undefined;
    if (power === undefined) return yield* fail(self, `error: failed to get domain '${name}'\n`);
    if (act === undefined) {
      yield* self.write(1, `${states[power.state]}\n\n`);
      return 0;
    }
    try {
      act.run(power);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const failed = act.failed === "" ? "" : `error: Failed to ${act.failed} domain '${name}'\n`;
      return yield* fail(self, `${failed}error: ${error.message}\n`);
    }
    yield* self.write(1, `Domain '${name}' ${act.done}\n\n`);
    return 0;
  };

  function* list(self: Process, args: readonly string[]): Sys<number> {
    const wrong = args.find((word) => !["--all", "--inactive", "--name"].includes(word));
    if (wrong !== undefined) return yield* fail(self, `virsh list ${wrong}: not simulated; there are --all, --inactive and --name`);
    const rows = machines.flatMap((name, index) => {
      const state = powerOf(name)?.state ?? "off";
      const isShown = args.includes("--all") || (state === "off") === args.includes("--inactive");
      return isShown ? [[state === "off" ? "-" : String(index + 1), name, states[state]] as const] : [];
    });
    if (args.includes("--name")) {
      yield* self.write(1, `${rows.map(([, name]) => `${name}\n`).join("")}\n`);
      return 0;
    }
    yield* self.write(1, table([["Id", "Name", "State"], ...rows]));
    return 0;
  }
}

/** libvirt's tables: a space before each column, three between, a rule below the head. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  const lines = rows.map((row) => ` ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("   ")}`.trimEnd());
  const [head = "", ...body] = lines;
  const width = widths.reduce((sum, each) => sum + each, 0) + 3 * 3;
  return `${[head, "-".repeat(width), ...body].join("\n")}\n\n`;
}

function* fail(self: Process, message: string): Sys<number> {
  yield* self.write(2, `${message}\n`);
  return 1;
}
