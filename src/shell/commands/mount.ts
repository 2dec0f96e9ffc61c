import { asciiLowerCase } from "#sim/ascii.ts";
import { SysError } from "#sim/errors.ts";
import type { MountRequest, Sys } from "#sim/program.ts";
import { type CommandDefinition, type Tool, ToolFailure } from "../toolkit/tool.ts";

const propagation = ["shared", "slave", "private", "rshared", "rslave", "rprivate"].map((each) => `make-${each}`).join(" ");

export const mount: CommandDefinition = {
  name: "mount",
  options: `t,types= o,options= a,all r,read-only w,rw v,verbose n,no-mtab l,show-labels B,bind R,rbind M,move ${propagation}`,
  unsupported: `a M ${propagation}`,
  usage: "mount [OPTIONS] [-o OPT] DEVICE NODE",
  *run(tool) {
    const { operands, self } = tool;
    const [source = "", target] = operands;
    if (operands.length === 0) return yield* list(tool);
    if (tool.gnu && self.uid !== 0) throw new ToolFailure(`${target ?? source}: must be superuser to use mount.`, 32);
    if (target === undefined)
      throw new ToolFailure(tool.gnu ? `${source}: can't find in /etc/fstab.` : `can't find ${source} in /etc/fstab`);
    try {
      self.mount(requestOf(tool, source, target), target);
    } catch (error) {
      throw error instanceof SysError ? failure(tool, source, target, error) : error;
    }
    return 0;
  },
};

function* list(tool: Tool): Sys<number> {
  const type = tool.value("t");
  for (const each of tool.self.mounts()) {
    if (type === undefined || type === each.type)
      yield* tool.print(`${each.source} on ${each.path} type ${each.type} (${each.options})\n`);
  }
  return 0;
}

/** What changes nothing here, on whatever is mounted. */
const plainOptions = new Set(
  "defaults rw atime noatime relatime strictatime suid nosuid dev nodev exec noexec sync async".split(" "),
);

function requestOf(tool: Tool, source: string, target: string): MountRequest {
  const options = (tool.value("o") ?? "").split(",").filter((option) => option !== "" && !plainOptions.has(option));
  const take = (name: string) => options.includes(name) && options.splice(options.indexOf(name), 1).length > 0;
  const isRecursive = take("rbind") || tool.has("R");
  const isBound = take("bind") || isRecursive || tool.has("B");
  const readOnly = take("ro") || tool.has("r");
  if (options.includes("remount")) throw new ToolFailure("remounting is not simulated");
  if (isBound) return { source, isRecursive, readOnly };
  const type = tool.value("t");
  if (type !== "tmpfs") throw new ToolFailure(typeFault(tool, source, target, type), tool.gnu ? 32 : 1);
  const size = options.find((option) => option.startsWith("size="));
  const unknown = options.find((option) => option !== size && !/^(?:mode|uid|gid|nr_inodes)=\d/u.test(option));
  if (unknown !== undefined) throw new ToolFailure(wrong(tool, source, target), tool.gnu ? 32 : 1);
  return { source, type, readOnly, sizeBytes: size === undefined ? undefined : bytesOf(size.slice("size=".length)) };
}

const units: { readonly [letter: string]: number } = { k: 1024, m: 1024 ** 2, g: 1024 ** 3 };

function bytesOf(size: string): number | undefined {
  const [, digits, unit = ""] = /^(\d+)([kmg]?)$/iu.exec(size) ?? [];
  return digits === undefined ? undefined : Number(digits) * (units[asciiLowerCase(unit)] ?? 1);
}

const hint = "\n       dmesg(1) may have more information after failed mount system call.";
const kernelTypes = new Set(["ext2", "ext3", "ext4", "xfs", "btrfs", "vfat", "iso9660"]);

/** Of what is not in memory: no machine has another disk, nor a helper that mounts what is elsewhere. */
function typeFault(tool: Tool, source: string, target: string, type: string | undefined): string {
  const isDisk = type === undefined || type === "auto" || kernelTypes.has(type);
  if (!tool.gnu) {
    const why = tool.self.exists(source) ? "Invalid argument" : "No such file or directory";
    return `mounting ${source} on ${target} failed: ${isDisk ? why : "No such device"}`;
  }
  if (type === "nfs" || type === "nfs4" || type === "cifs")
    return `${target}: bad option; for several filesystems (e.g. nfs, cifs) you might need a /sbin/mount.<type> helper program.${hint}`;
  if (!isDisk) return `${target}: unknown filesystem type '${type}'.${hint}`;
  return tool.self.exists(source) ? wrong(tool, source, target) : `${target}: special device ${source} does not exist.${hint}`;
}

function wrong(tool: Tool, source: string, target: string): string {
  if (!tool.gnu) return `mounting ${source} on ${target} failed: Invalid argument`;
  return `${target}: wrong fs type, bad option, bad superblock on ${source}, missing codepage or helper program, or other error.${hint}`;
}

function failure(tool: Tool, source: string, target: string, { code, message }: SysError): ToolFailure {
  if (!tool.gnu)
    return new ToolFailure(
      code === "EPERM" ? "permission denied (are you root?)" : `mounting ${source} on ${target} failed: ${message}`,
    );
  const isSource = code === "ENOENT" && tool.self.exists(target);
  const words: { readonly [code: string]: string } = {
    EPERM: "permission denied.",
    ENOENT: isSource ? `special device ${source} does not exist.` : "mount point does not exist.",
    ENOTDIR: "mount point is not a directory.",
  };
  return new ToolFailure(`${target}: ${words[code] ?? `mount(2) system call failed: ${message}.`}${hint}`, 32);
}
