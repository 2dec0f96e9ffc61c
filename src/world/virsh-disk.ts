// The disks of the nodes' machines, by virsh: which there are, and how many bytes a second they write. Words as libvirt 11 has them
// (virsh's manual, blkdeviotune; qemu's driver for the order of the parameters).

import { asciiLowerCase } from "#sim/ascii.ts";
import type { DiskLimits, MachinePower } from "./machine-power.ts";

export const diskCommands: readonly string[] = ["domblklist", "blkdeviotune"];

/** Why nothing was changed. */
export class DiskRefusal extends Error {}

const device = "vda";

const rates = ["total_bytes_sec", "read_bytes_sec", "write_bytes_sec", "total_iops_sec", "read_iops_sec", "write_iops_sec"];
const parameters = [
  ...rates,
  ...rates.map((name) => `${name}_max`),
  "size_iops_sec",
  "group_name",
  ...rates.map((name) => `${name}_max_length`),
];

/** What virsh prints. `power`: of the machine of that name. Throws DiskRefusal. */
export function diskCommand(command: string, args: readonly string[], powerOf: (name: string) => MachinePower | undefined): string {
  const read = readArguments(command, args);
  const [name, target, unexpected] = read.operands;
  const missing = (option: string) => new DiskRefusal(`error: command '${command}' requires <${option}> option`);
  if (name === undefined) throw missing("domain");
  const isList = command === "domblklist";
  if (!isList && target === undefined) throw missing("device");
  const extra = isList ? target : unexpected;
  if (extra !== undefined) throw new DiskRefusal(`error: unexpected data '${extra}'`);
  const power = powerOf(name);
  if (power === undefined) throw new DiskRefusal(`error: failed to get domain '${name}'\n`);
  if (isList) return ` Target   Source\n${"-".repeat(12 + imageOf(name).length)}\n ${device}      ${imageOf(name)}\n\n`;
  const isQuestion = read.limits.size === 0;
  if (target !== device)
    throw new DiskRefusal(
      `error: Unable to ${isQuestion ? "get block I/O throttle parameters" : "change block I/O throttle"}\nerror: invalid argument: disk '${target}' was not found in the domain config`,
    );
  if (isQuestion) return shown(power.diskLimits);
  power.diskLimits = changed(read.limits);
  return "\n";
}

function imageOf(name: string): string {
  return `/var/lib/libvirt/images/${name}.qcow2`;
}

interface Arguments {
  readonly operands: readonly string[];
  /** Parameter to bytes a second. */
  readonly limits: ReadonlyMap<string, number>;
}

function readArguments(command: string, args: readonly string[]): Arguments {
  const operands: string[] = [];
  const limits = new Map<string, number>();
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] as string;
    if (["--domain", "--device", "--live", "--current"].includes(word)) continue;
    if (!word.startsWith("--")) {
      operands.push(word);
      continue;
    }
    const [option = "", attached] = word.split("=");
    const parameter = option.slice(2).replaceAll("-", "_");
    if (command !== "blkdeviotune" || !["total_bytes_sec", "write_bytes_sec"].includes(parameter))
      throw new DiskRefusal(
        `virsh ${command} ${option}: not simulated${command === "blkdeviotune" ? "; there are --total-bytes-sec and --write-bytes-sec (reads come from memory)" : ""}`,
      );
    if (attached === undefined) at += 1;
    limits.set(parameter, bytesOf(attached ?? args[at], parameter));
  }
  return { operands, limits };
}

/** Bytes where no unit is given. */
function bytesOf(amount: string | undefined, parameter: string): number {
  if (amount === undefined) throw new DiskRefusal(`error: expected syntax: --${parameter.replaceAll("_", "-")} <number>`);
  const [, digits = "", suffix = ""] = /^(\d+)([A-Za-z]*)$/.exec(amount) ?? [];
  const unit = units[asciiLowerCase(suffix)];
  if (digits === "" || unit === undefined)
    throw new DiskRefusal(
      `error: Unable to parse integer parameter\nerror: Scaled numeric value '${amount}' for <${parameter}> option is malformed or out of range`,
    );
  return Number(digits) * unit;
}

const units: { readonly [suffix: string]: number } = {
  "": 1,
  b: 1,
  bytes: 1,
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

/** A limit that is not named is lifted when another of bytes is set. */
function changed(limits: ReadonlyMap<string, number>): DiskLimits {
  const total = limits.get("total_bytes_sec") ?? 0;
  const write = limits.get("write_bytes_sec") ?? 0;
  if (total > 0 && write > 0)
    throw new DiskRefusal(
      "error: Unable to change block I/O throttle\nerror: invalid argument: total and read/write of bytes_sec cannot be set at the same time",
    );
  return { total, write };
}

function shown({ total, write }: DiskLimits): string {
  const values: { readonly [name: string]: string } = {
    total_bytes_sec: String(total),
    write_bytes_sec: String(write),
    group_name: "drive-virtio-disk0",
  };
  return `${parameters.map((name) => `${name.padEnd(15)}: ${values[name] ?? "0"}\n`).join("")}\n`;
}
