// mkswap, swapon and swapoff of util-linux 2.41 on the cluster's machines. Swap is files there: the machines have no other disk.

import type { Machine } from "#cluster/node/host/machine.ts";
import { turnOffSwap, turnOnSwap } from "#cluster/node/host/machine-swap.ts";
import { toolProgram } from "#shell/toolkit/run-tool.ts";
import { type CommandDefinition, type Tool, ToolFailure, UsageFailure } from "#shell/toolkit/tool.ts";
import { asciiUpperCase } from "#sim/ascii.ts";
import { decodeUtf8 } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { SwapArea } from "#sim/process/swap.ts";
import { swapsText } from "#sim/process/swap.ts";
import type { Process, Program, Sys } from "#sim/program.ts";

export interface SwapMachine {
  readonly machine: Pick<Machine, "group" | "journal" | "availableMemoryBytes" | "simulation">;
}

export interface SwapPrograms {
  readonly mkswap: Program;
  readonly swapoff: Program;
  readonly swapon: Program;
}

type Found = SwapMachine["machine"];
type Find = (hostname: string) => SwapMachine | undefined;

const pageBytes = 4096;
const leastPages = 10;
const signature = "SWAPSPACE2";
const signatureAt = pageBytes - signature.length;
const [labelAt, labelBytes] = [1052, 16] as const;
/** Exit codes: of swapon's failures, and of swapoff's by what went wrong. */
const codes = { swapon: 255, memory: 2, swapoff: 4, usage: 16 } as const;

function* fail(self: Process, code: number, message: string): Sys<number> {
  yield* self.write(2, `${message}\n`);
  return code;
}

type Command = (tool: Tool, machine: Found) => Sys<number>;

function onMachine(find: Find, run: Command, definition: Omit<CommandDefinition, "run">): Program {
  const onFound = (tool: Tool): Sys<number> => {
    const machine = find(tool.self.hostname)?.machine;
    if (machine === undefined) throw new ToolFailure("this machine is not a node of the cluster");
    return run(tool, machine);
  };
  return toolProgram({ ...definition, run: onFound }, "gnu");
}

export function swapPrograms(find: Find): SwapPrograms {
  return {
    mkswap: onMachine(find, mkswap, {
      name: "mkswap",
      options: "L,label= f,force c,check F,file p,pagesize= q,quiet s,size= U,uuid= v,swapversion= e,endianness= o,offset= lock=?",
      unsupported: "c F p q s U v e o lock",
    }),
    swapoff: onMachine(find, swapoff, {
      name: "swapoff",
      options: "a,all v,verbose L= U=",
      unsupported: "L U",
      usageStatus: codes.usage,
    }),
    swapon: onMachine(find, swapon, {
      name: "swapon",
      options:
        "a,all e,ifexists p,priority= s,summary show=? v,verbose noheadings raw bytes d,discard=? f,fixpgsz o,options= T,fstab= L= U=",
      unsupported: "noheadings raw d f o T L U",
    }),
  };
}

/** Bytes of a place in a file as text, without what fills it up. Throws SysError. */
function* textAt(self: Process, path: string, offset: number, length: number): Sys<string> {
  const fd = self.open(path, { read: true });
  try {
    self.seek(fd, offset);
    return decodeUtf8(yield* self.read(fd, length)).replace(/\0+$/u, "");
  } finally {
    self.close(fd);
  }
}

function* mkswap(tool: Tool, machine: Found): Sys<number> {
  const { self, operands } = tool;
  const [path = ""] = operands;
  if (operands.length === 0) return yield* fail(self, 1, "mkswap: error: Nowhere to set up swap on?");
  if (operands.length > 1) return yield* fail(self, 1, "mkswap: a size beside the file: not simulated");
  try {
    const { sizeBytes, permissions, type } = self.stat(path);
    if (type !== "file") return yield* fail(self, 1, `mkswap: ${path}: not simulated; there are files`);
    if (machine.group.swap?.areas.some((area) => area.path === self.realpath(path)) === true)
      return yield* fail(self, 1, `mkswap: error: ${path} is mounted; will not make swapspace`);
    const pages = Math.floor(sizeBytes / pageBytes);
    if (pages < leastPages) return yield* fail(self, 1, `mkswap: error: swap area needs to be at least ${leastPages * 4} KiB`);
    if ((permissions & 0o77) !== 0)
      yield* self.write(2, `mkswap: ${path}: insecure permissions ${octal(permissions)}, fix with: chmod 0600 ${path}\n`);
    if ((yield* textAt(self, path, signatureAt, signature.length)) === signature)
      yield* self.write(1, `mkswap: ${path}: warning: wiping old swap signature.\n`);
    const label = (tool.value("L") ?? "").slice(0, labelBytes - 1);
    const fd = self.open(path, { write: true });
    self.seek(fd, labelAt);
    yield* self.write(fd, label.padEnd(labelBytes, "\0"));
    self.seek(fd, signatureAt);
    yield* self.write(fd, signature);
    self.close(fd);
    const bytes = (pages - 1) * pageBytes;
    yield* self.write(1, `Setting up swapspace version 1, size = ${sizeText(bytes, " ", "iB")} (${bytes} bytes)\n`);
    yield* self.write(1, `${label === "" ? "no label" : `LABEL=${label}`}, UUID=${machine.simulation.random.uuid()}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    return yield* fail(self, 1, `mkswap: cannot open ${path}: ${error.message}`);
  }
}

function octal(permissions: number): string {
  return (permissions & 0o7777).toString(8).padStart(4, "0");
}

/** util-linux' size_to_human_string: the largest unit of which there is one, with a tenth where it is not whole. */
function sizeText(bytes: number, space = "", end = ""): string {
  let exponent = 0;
  while (bytes >= 1024 ** (exponent + 1)) exponent += 1;
  const tenths = Math.floor((bytes / 1024 ** exponent) * 10 + 0.5);
  const unit = "BKMGT"[exponent] as string;
  const shown = tenths % 10 === 0 ? String(tenths / 10) : (tenths / 10).toFixed(1);
  return `${shown}${space}${unit}${unit === "B" ? "" : end}`;
}

interface Wanted {
  readonly path: string;
  readonly priority: number | undefined;
  /** It need not be there. */
  readonly isOptional: boolean;
}

/** Of /etc/fstab. */
function swapsOfFstab(self: Process): readonly Wanted[] {
  const text = self.exists("/etc/fstab") ? self.readText("/etc/fstab") : "";
  return text.split("\n").flatMap((line): readonly Wanted[] => {
    const [path = "", , type, written = ""] = line.trim().split(/\s+/u);
    if (path.startsWith("#") || type !== "swap") return [];
    const options = written.split(",");
    if (options.includes("noauto")) return [];
    const priority = options.map((option) => /^pri=(-?\d+)$/u.exec(option)?.[1]).find((value) => value !== undefined);
    return [{ path, priority: priority === undefined ? undefined : Number(priority), isOptional: options.includes("nofail") }];
  });
}

function* swapon(tool: Tool, machine: Found): Sys<number> {
  const { self, operands } = tool;
  const areas = machine.group.swap?.areas ?? [];
  if (tool.has("s")) {
    if (areas.length > 0) yield* self.write(1, swapsText(machine.group.swap));
    return 0;
  }
  if (tool.has("show") || (operands.length === 0 && !tool.has("a"))) {
    const shown = table(tool, machine, areas);
    if (areas.length > 0) yield* self.write(1, shown);
    return 0;
  }
  const priority = tool.value("p");
  if (priority !== undefined && !/^-?\d+$/u.test(priority))
    return yield* fail(self, 1, `swapon: failed to parse priority: '${priority}'`);
  const listed = tool.has("a") ? swapsOfFstab(self) : [];
  const isOn = (path: string): boolean => areas.some((area) => area.path === path);
  const wanted: readonly Wanted[] = [
    ...listed.filter(({ path }) => !isOn(path)),
    ...operands.map((path) => ({
      path,
      priority: priority === undefined ? undefined : Number(priority),
      isOptional: tool.has("e"),
    })),
  ];
  let code = 0;
  for (const each of wanted) {
    const problem = yield* turnOn(self, machine, each, tool.has("v"));
    if (problem !== undefined) code = yield* fail(self, codes.swapon, `swapon: ${problem}`);
  }
  return code;
}

/** What is wrong. */
function* turnOn(self: Process, machine: Found, wanted: Wanted, isTold: boolean): Sys<string | undefined> {
  const { path, priority, isOptional } = wanted;
  if (/^(?:UUID|LABEL|PARTUUID|PARTLABEL)=/u.test(path)) return `${path}: not simulated; name the file`;
  try {
    const { permissions, type, uid } = self.stat(path);
    if (type !== "file") return `${path}: not simulated; there are files`;
    if ((permissions & 0o77) !== 0)
      yield* self.write(2, `swapon: ${path}: insecure permissions ${octal(permissions)}, 0600 suggested.\n`);
    if (uid !== 0) yield* self.write(2, `swapon: ${path}: insecure file owner ${uid}, 0 (root) suggested.\n`);
    if ((yield* textAt(self, path, signatureAt, signature.length)) !== signature) return `${path}: read swap header failed`;
  } catch (error) {
    if (!(error instanceof SysError)) throw error;
    return isOptional && error.code === "ENOENT" ? undefined : `cannot open ${path}: ${error.message}`;
  }
  const { sizeBytes } = self.stat(path);
  if (isTold) {
    yield* self.write(1, `swapon: ${path}: found signature [pagesize=${pageBytes}, signature=swap]\n`);
    yield* self.write(1, `swapon: ${path}: pagesize=${pageBytes}, swapsize=${sizeBytes}, devsize=${sizeBytes}\nswapon ${path}\n`);
  }
  if (self.uid !== 0) return `${path}: swapon failed: Operation not permitted`;
  try {
    turnOnSwap(machine, self.realpath(path), sizeBytes, priority);
    return undefined;
  } catch (error) {
    if (error instanceof SysError) return `${path}: swapon failed: ${error.message}`;
    throw error;
  }
}

const usualColumns = ["NAME", "TYPE", "SIZE", "USED", "PRIO"] as const;
type Column = (typeof usualColumns)[number];

/** Those of `--show=NAME,SIZE`, in its order. Throws ToolFailure. */
function columnsOf(written: string): readonly Column[] {
  if (written === "") return usualColumns;
  return written.split(",").map((word) => {
    const name = asciiUpperCase(word);
    if (name === "UUID" || name === "LABEL") throw new ToolFailure(`column ${name} is not supported here`);
    const column = usualColumns.find((each) => each === name);
    if (column === undefined) throw new ToolFailure(`unknown column: ${word}`);
    return column;
  });
}

/** `swapon --show`. Throws ToolFailure for columns that there are not. */
function table(tool: Tool, { group: { swap } }: Found, areas: readonly SwapArea[]): string {
  const columns = columnsOf(tool.value("show") ?? "");
  const size = (bytes: number): string => (tool.has("bytes") ? String(bytes) : sizeText(bytes));
  const rows = [
    columns,
    ...areas.map((area) => {
      const cells: { readonly [column in Column]: string } = {
        NAME: area.path,
        TYPE: "file",
        SIZE: size(area.sizeBytes),
        USED: size(swap?.usedOf(area) ?? 0),
        PRIO: String(area.priority),
      };
      return columns.map((column) => cells[column]);
    }),
  ];
  const widths = columns.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const isText = (at: number): boolean => columns[at] === "NAME" || columns[at] === "TYPE";
  const cell = (text: string, at: number): string => {
    if (!isText(at)) return text.padStart(widths[at] ?? 0);
    return at === columns.length - 1 ? text : text.padEnd(widths[at] ?? 0);
  };
  return rows.map((row) => `${row.map(cell).join(" ")}\n`).join("");
}

function* swapoff(tool: Tool, machine: Found): Sys<number> {
  const { self, operands } = tool;
  if (operands.length === 0 && !tool.has("a")) throw new UsageFailure("bad usage");
  const all = tool.has("a") ? (machine.group.swap?.areas ?? []).map(({ path }) => path) : [];
  let code = 0;
  for (const path of [...all, ...operands]) {
    if (tool.has("v")) yield* self.write(1, `swapoff ${path}\n`);
    try {
      if (self.uid !== 0) return yield* fail(self, codes.swapoff, "swapoff: Not superuser.");
      turnOffSwap(machine, all.includes(path) ? path : self.realpath(path));
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
      const own = error.code === "ENOMEM" ? codes.memory : codes.swapoff;
      code = yield* fail(self, own, `swapoff: ${path}: swapoff failed: ${error.message}`);
    }
  }
  return code;
}
