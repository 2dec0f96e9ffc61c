// virsh on the workstation: the nodes are virtual machines of a libvirt there, and this is their power switch, their cable and their disk. Words as libvirt 11 has them.

import type { NodeNetwork } from "#cluster/network/network.ts";
import type { Process, Program, Sys } from "#sim/program.ts";
import type { MachinePower, PowerState } from "./machine-power.ts";
import { DiskRefusal, diskCommand, diskCommands } from "./virsh-disk.ts";
import { resize, SizeRefusal, sizeCommands } from "./virsh-size.ts";

export interface VirshOptions {
  /** In the order in which they were defined. */
  readonly machines: readonly string[];
  readonly powerOf: (name: string) => MachinePower | undefined;
  readonly networkOf: (name: string) => NodeNetwork | undefined;
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

/** Commands about a machine's interface, and how many words follow the machine's name. */
const linkUsage: { readonly [command: string]: number } = { domiflist: 0, "domif-getlink": 1, "domif-setlink": 2 };

const states: { readonly [state in PowerState]: string } = {
  on: "running",
  booting: "running",
  stopping: "in shutdown",
  off: "shut off",
};

export function virsh(options: VirshOptions): Program {
  const { machines, powerOf } = options;
  return function* (self) {
    const words = self.argv.slice(1);
    const [command = "", ...args] = words;
    if (command === "list") return yield* list(self, options, args);
    if (sizeCommands.includes(command)) return yield* size(self, options, command, args);
    if (diskCommands.includes(command)) return yield* disk(self, options, command, args);
    const act = Object.hasOwn(acts, command) ? acts[command] : undefined;
    if (act === undefined && command !== "domstate" && !Object.hasOwn(linkUsage, command)) {
      const known = ["list", "domstate", ...Object.keys(acts), ...Object.keys(linkUsage), ...sizeCommands, ...diskCommands].join(
        ", ",
      );
      return yield* fail(self, `virsh ${command}: not simulated; there are ${known}`);
    }
    const [name, ...more] = args.filter((word) => word !== "--domain");
    if (name === undefined) return yield* fail(self, `error: command '${command}' requires <domain> option`);
    if (Object.hasOwn(linkUsage, command)) return yield* link(self, options, command, [name, ...more]);
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
}

function* size(self: Process, { machines, powerOf }: VirshOptions, command: string, args: readonly string[]): Sys<number> {
  try {
    resize(command, args, (name) => (machines.includes(name) ? powerOf(name) : undefined));
  } catch (error) {
    if (!(error instanceof SizeRefusal)) throw error;
    return yield* fail(self, error.message);
  }
  yield* self.write(1, "\n");
  return 0;
}

function* disk(self: Process, { machines, powerOf }: VirshOptions, command: string, args: readonly string[]): Sys<number> {
  try {
    yield* self.write(
      1,
      diskCommand(command, args, (name) => (machines.includes(name) ? powerOf(name) : undefined)),
    );
    return 0;
  } catch (error) {
    if (!(error instanceof DiskRefusal)) throw error;
    return yield* fail(self, error.message);
  }
}

/** Of a machine's one interface: `domiflist`, `domif-getlink` and `domif-setlink`. */
function* link(
  self: Process,
  { machines, powerOf, networkOf }: VirshOptions,
  command: string,
  [name = "", ...args]: readonly string[],
): Sys<number> {
  const network = machines.includes(name) ? networkOf(name) : undefined;
  if (network === undefined) return yield* fail(self, `error: failed to get domain '${name}'\n`);
  const own = `vnet${machines.indexOf(name)}`;
  const [given, state, ...more] = args;
  const wanted = linkUsage[command] ?? 0;
  if (args.length > wanted) return yield* fail(self, `error: unexpected data '${[given, state, ...more][wanted]}'`);
  if (command === "domiflist") {
    const hardware = network.host.place().links.find((each) => each.kind === "ethernet")?.hardware ?? "-";
    yield* self.write(
      1,
      table([
        ["Interface", "Type", "Source", "Model", "MAC"],
        [powerOf(name)?.state === "off" ? "-" : own, "network", "default", "virtio", hardware],
      ]),
    );
    return 0;
  }
  if (given === undefined) return yield* fail(self, `error: command '${command}' requires <interface> option`);
  if (given !== own) return yield* fail(self, `error: interface (target: ${given}) not found\n`);
  if (command === "domif-getlink") {
    yield* self.write(1, `${own} ${network.cable.isCut ? "down" : "up"}\n\n`);
    return 0;
  }
  if (state === undefined) return yield* fail(self, "error: command 'domif-setlink' requires <state> option");
  if (state !== "up" && state !== "down") return yield* fail(self, `error: invalid link state '${state}'\n`);
  if (state === "up") network.cable.mend();
  else network.cable.cut();
  yield* self.write(1, "Device updated successfully\n\n");
  return 0;
}

function* list(self: Process, { machines, powerOf }: VirshOptions, args: readonly string[]): Sys<number> {
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

/** libvirt's tables: a space before each column, three between, a rule below the head. */
function table(rows: readonly (readonly string[])[]): string {
  const columns = [...(rows[0] ?? []).keys()];
  const widths = columns.map((column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  const lines = rows.map((row) => ` ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("   ")}`.trimEnd());
  const [head = "", ...body] = lines;
  const width = widths.reduce((sum, each) => sum + each, 0) + 3 * columns.length;
  return `${[head, "-".repeat(width), ...body].join("\n")}\n\n`;
}

function* fail(self: Process, message: string): Sys<number> {
  yield* self.write(2, `${message}\n`);
  return 1;
}
