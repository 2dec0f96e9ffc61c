// Processors and memory of the nodes' machines, by virsh: what a machine has from its next start on. Words as libvirt 11 has them.

import { asciiLowerCase } from "#sim/ascii.ts";
import type { MachinePower } from "./machine-power.ts";

export const sizeCommands: readonly string[] = ["setvcpus", "setmaxmem", "setmem"];

/** Why nothing was changed. */
export class SizeRefusal extends Error {}

const units: { readonly [suffix: string]: number } = {
  b: 1,
  bytes: 1,
  "": 1024,
  k: 1024,
  kib: 1024,
  kb: 1000,
  m: 1024 ** 2,
  mib: 1024 ** 2,
  mb: 1000 ** 2,
  g: 1024 ** 3,
  gib: 1024 ** 3,
  gb: 1000 ** 3,
};

/** Changes what the machine starts with next. Throws SizeRefusal. */
export function resize(command: string, args: readonly string[], powerOf: (name: string) => MachinePower | undefined): void {
  const options = args.filter((word) => word.startsWith("--"));
  const [name, amount, unexpected] = args.filter((word) => !word.startsWith("--"));
  const known = command === "setvcpus" ? ["--config", "--maximum"] : ["--config"];
  const unknown = options.find((option) => !known.includes(option));
  if (unknown !== undefined)
    throw new SizeRefusal(
      `virsh ${command} ${unknown}: not simulated; there ${known.length === 1 ? "is" : "are"} ${known.join(" and ")}`,
    );
  const missing = (option: string) => new SizeRefusal(`error: command '${command}' requires <${option}> option`);
  if (name === undefined) throw missing("domain");
  if (amount === undefined) throw missing(command === "setvcpus" ? "count" : "size");
  if (unexpected !== undefined) throw new SizeRefusal(`error: unexpected data '${unexpected}'`);
  const power = powerOf(name);
  if (power === undefined) throw new SizeRefusal(`error: failed to get domain '${name}'\n`);
  const change = { power, amount, isLasting: options.includes("--config"), isMaximum: options.includes("--maximum") };
  if (command === "setvcpus") setProcessors(change);
  else if (command === "setmaxmem") setMostMemory(change);
  else setMemory(change);
}

interface Change {
  readonly power: MachinePower;
  readonly amount: string;
  /** `--config`: of the definition, whether the machine runs or not. */
  readonly isLasting: boolean;
  readonly isMaximum: boolean;
}

function setProcessors({ power, amount, isLasting, isMaximum }: Change): void {
  if (isMaximum && !isLasting) throw new SizeRefusal("error: Option --config is required by option --maximum");
  const cpus = /^\d+$/.test(amount) ? Number(amount) : 0;
  if (cpus < 1)
    throw new SizeRefusal(
      `error: Numeric value '${amount}' for <count> option is malformed or out of range\nerror: Invalid type for <count> argument`,
    );
  const { maximum, nextSize } = power;
  if (isMaximum) {
    power.maximum = { ...maximum, cpus };
    power.nextSize = { ...nextSize, cpus: Math.min(cpus, nextSize.cpus) };
    return;
  }
  const isLive = !isLasting && power.state !== "off";
  if (cpus > maximum.cpus) {
    const domain = isLive ? "live" : "persistent";
    throw new SizeRefusal(
      `error: invalid argument: requested vcpus is greater than max allowable vcpus for the ${domain} domain: ${cpus} > ${maximum.cpus}`,
    );
  }
  if (isLive) refuseLive("setvcpus");
  power.nextSize = { ...nextSize, cpus };
}

function setMostMemory({ power, amount, isLasting }: Change): void {
  if (!isLasting && power.state !== "off")
    throw new SizeRefusal(
      "error: Unable to change MaxMemorySize\nerror: Requested operation is not valid: cannot resize the maximum memory on an active domain",
    );
  const memoryBytes = bytesOf(amount);
  const { maximum, nextSize } = power;
  power.maximum = { ...maximum, memoryBytes };
  power.nextSize = { ...nextSize, memoryBytes: Math.min(memoryBytes, nextSize.memoryBytes) };
}

function setMemory({ power, amount, isLasting }: Change): void {
  const memoryBytes = bytesOf(amount);
  if (memoryBytes > power.maximum.memoryBytes)
    throw new SizeRefusal("error: invalid argument: cannot set memory higher than max memory");
  if (!isLasting && power.state !== "off") refuseLive("setmem");
  power.nextSize = { ...power.nextSize, memoryBytes };
}

/** A machine that runs keeps its size here. */
function refuseLive(command: string): never {
  throw new SizeRefusal(`virsh ${command} of a running domain: not simulated; with --config it counts from the next start on`);
}

/** KiB where no unit is given. */
function bytesOf(amount: string): number {
  const [, digits = "", suffix = ""] = /^(\d+)([A-Za-z]*)$/.exec(amount) ?? [];
  const unit = units[asciiLowerCase(suffix)];
  if (digits === "" || unit === undefined)
    throw new SizeRefusal(
      `error: Scaled numeric value '${amount}' for <size> option is malformed or out of range\nerror: invalid argument: unknown suffix '${suffix}'`,
    );
  return Number(digits) * unit;
}
