// dd: copies in blocks.

import { SysError } from "#sim/errors.ts";
import type { Sys } from "#sim/program.ts";
import { humanSize } from "../toolkit/human-size.ts";
import { type CommandDefinition, type Tool, ToolFailure, UsageFailure } from "../toolkit/tool.ts";

const factors: { readonly [unit: string]: number } = {
  "": 1,
  c: 1,
  w: 2,
  b: 512,
  k: 1024,
  K: 1024,
  kB: 1000,
  KB: 1000,
  KiB: 1024,
  M: 1024 ** 2,
  MB: 1e6,
  MiB: 1024 ** 2,
  G: 1024 ** 3,
  GB: 1e9,
  GiB: 1024 ** 3,
  T: 1024 ** 4,
  TB: 1e12,
};
const conversions = new Set(["notrunc", "fsync", "fdatasync", "noerror", "excl", "nocreat"]);
const flags = new Set(["fullblock", "append", "sync", "dsync", "direct", "nonblock", "count_bytes", "skip_bytes", "seek_bytes"]);

class Copy {
  readonly #tool: Tool;
  readonly #values = new Map<string, string>();
  readonly #inFlags: ReadonlySet<string>;
  readonly #outFlags: ReadonlySet<string>;
  readonly #conversions: ReadonlySet<string>;
  #fullIn = 0;
  #partialIn = 0;
  #copied = 0;

  constructor(tool: Tool) {
    this.#tool = tool;
    const names = ["if", "of", "bs", "ibs", "obs", "count", "skip", "seek", "conv", "status", "iflag", "oflag"];
    for (const word of tool.operands) {
      const at = word.indexOf("=");
      if (at < 0 || !names.includes(word.slice(0, at))) throw new UsageFailure(tool.gnu ? `unrecognized operand ‘${word}’` : "");
      this.#values.set(word.slice(0, at), word.slice(at + 1));
    }
    this.#conversions = this.#list("conv", conversions, "conversion");
    this.#inFlags = this.#list("iflag", flags, "input flag");
    this.#outFlags = this.#list("oflag", flags, "output flag");
  }

  #list(name: string, known: ReadonlySet<string>, what: string): ReadonlySet<string> {
    const words = (this.#values.get(name) ?? "").split(",").filter((word) => word !== "");
    for (const word of words) if (!known.has(word)) throw new UsageFailure(this.#tool.gnu ? `invalid ${what}: ‘${word}’` : "");
    return new Set(words);
  }

  #number(name: string): number | undefined {
    const text = this.#values.get(name);
    if (text === undefined) return undefined;
    const match = /^(\d+)([A-Za-z]*)$/u.exec(text);
    const factor = factors[match?.[2] ?? "?"];
    if (match === null || factor === undefined)
      throw new ToolFailure(this.#tool.gnu ? `invalid number: ‘${text}’` : `invalid number '${text}'`);
    return Number(match[1]) * factor;
  }

  *run(): Sys<number> {
    const tool = this.#tool;
    const { self } = tool;
    const block = this.#number("bs") ?? this.#number("ibs") ?? 512;
    if (block === 0) throw new ToolFailure(tool.gnu ? "invalid number: ‘0’" : "number 0 is not in 1..9223372036854775807 range");
    const started = self.nowMs;
    self.holdMemory(block, 0);
    const input = this.#openInput();
    const output = this.#openOutput();
    yield* this.#skip(input, (this.#number("skip") ?? 0) * (this.#inFlags.has("skip_bytes") ? 1 : block));
    let status = 0;
    try {
      yield* this.#blocks(input, output, block);
      if (this.#conversions.has("fsync") || this.#conversions.has("fdatasync")) yield* self.fsync(output);
    } catch (error) {
      if (!(error instanceof SysError) || error.code === "EPIPE") throw error;
      const name = this.#values.get("of") ?? "standard output";
      yield* self.write(2, `dd: error writing '${name}': ${error.message}\n`);
      status = 1;
    }
    yield* this.#report(block, self.nowMs - started);
    return status;
  }

  #openInput(): number {
    const path = this.#values.get("if");
    return path === undefined ? 0 : this.#open(path, { read: true });
  }

  #openOutput(): number {
    const path = this.#values.get("of");
    if (path === undefined) return 1;
    const keeps = this.#conversions.has("notrunc") || this.#values.has("seek");
    const fd = this.#open(path, {
      write: true,
      create: !this.#conversions.has("nocreat"),
      ...(keeps ? {} : { truncate: true }),
      ...(this.#outFlags.has("append") ? { append: true } : {}),
      ...(this.#conversions.has("excl") ? { exclusive: true } : {}),
    });
    const unit = this.#outFlags.has("seek_bytes") ? 1 : (this.#number("bs") ?? this.#number("obs") ?? 512);
    const start = (this.#number("seek") ?? 0) * unit;
    if (start > 0) {
      if (!this.#conversions.has("notrunc")) this.#tool.self.truncate(path, start);
      this.#tool.self.seek(fd, start);
    }
    return fd;
  }

  #open(path: string, mode: Parameters<Tool["self"]["open"]>[1]): number {
    try {
      return this.#tool.self.open(path, mode, 0o666);
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
      throw new ToolFailure(
        this.#tool.gnu ? `failed to open '${path}': ${error.message}` : `can't open '${path}': ${error.message}`,
      );
    }
  }

  *#skip(input: number, bytes: number): Sys<void> {
    if (bytes === 0) return;
    const { self } = this.#tool;
    try {
      self.seek(input, bytes);
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
      for (let left = bytes; left > 0; ) {
        const piece = yield* self.read(input, Math.min(left, 65_536));
        if (piece.length === 0) return;
        left -= piece.length;
      }
    }
  }

  /** A block is one read of a pipe, and of all else as much as there is. */
  *#blocks(input: number, output: number, block: number): Sys<void> {
    const { self } = this.#tool;
    const isStream = ["fifo", "socket"].includes(self.fstat(input).type) && !this.#inFlags.has("fullblock");
    const isWrittenThrough = ["direct", "dsync", "sync"].some((flag) => this.#outFlags.has(flag));
    const count = this.#number("count") ?? Number.POSITIVE_INFINITY;
    let bytesLeft = this.#inFlags.has("count_bytes") ? count : Number.POSITIVE_INFINITY;
    const blocks = this.#inFlags.has("count_bytes") ? Number.POSITIVE_INFINITY : count;
    for (let done = 0; done < blocks && bytesLeft > 0; done += 1) {
      const wanted = Math.min(block, bytesLeft);
      let size = 0;
      while (size < wanted) {
        const piece = yield* self.read(input, Math.min(wanted - size, 1_048_576));
        if (piece.length === 0) break;
        size += piece.length;
        yield* self.write(output, piece);
        if (isWrittenThrough) yield* self.fsync(output);
        this.#copied += piece.length;
        if (isStream) break;
      }
      if (size === 0) return;
      bytesLeft -= size;
      if (size === block) this.#fullIn += 1;
      else this.#partialIn += 1;
    }
  }

  *#report(block: number, elapsedMs: number): Sys<void> {
    const how = this.#values.get("status");
    if (how === "none") return;
    const [full, partial] = [Math.floor(this.#copied / block), this.#copied % block === 0 ? 0 : 1];
    const [fullOut, partialOut] = this.#partialIn > 1 ? [this.#fullIn, this.#partialIn] : [full, partial];
    let text = `${this.#fullIn}+${this.#partialIn} records in\n${fullOut}+${partialOut} records out\n`;
    if (how !== "noxfer") text += this.#amount(Math.max(elapsedMs, 1) / 1000);
    yield* this.#tool.self.write(2, text);
  }

  #amount(seconds: number): string {
    const bytes = this.#copied;
    if (!this.#tool.gnu) {
      const size = (amount: number) => `${humanSize(amount)}B`.replace(/^(\d+)B$/u, "$1B");
      return `${bytes} bytes (${size(bytes)}) copied, ${seconds.toFixed(6)} seconds, ${size(Math.round(bytes / seconds))}/s\n`;
    }
    const rate = decimal(bytes / seconds);
    const sizes = bytes < 1000 ? "" : ` (${decimal(bytes)}${bytes < 1024 ? "" : `, ${binary(bytes)}`})`;
    return `${bytes} ${bytes === 1 ? "byte" : "bytes"}${sizes} copied, ${Number(seconds.toPrecision(6))} s, ${rate}/s\n`;
  }
}

function scaled(bytes: number, step: number, units: readonly string[]): string {
  let amount = bytes;
  let unit = 0;
  while (amount >= step && unit < units.length - 1) {
    amount /= step;
    unit += 1;
  }
  return `${unit > 0 && amount < 9.95 ? amount.toFixed(1) : Math.round(amount)} ${units[unit]}`;
}

function decimal(bytes: number): string {
  return scaled(bytes, 1000, ["B", "kB", "MB", "GB", "TB"]);
}

function binary(bytes: number): string {
  return scaled(bytes, 1024, ["B", "KiB", "MiB", "GiB", "TiB"]);
}

export const dd: CommandDefinition = {
  name: "dd",
  options: "",
  usage:
    "dd [if=FILE] [of=FILE] [bs=N] [ibs=N obs=N] [count=N] [skip=N] [seek=N]\n\t[conv=notrunc|noerror|fsync] [status=noxfer|none] [iflag=…] [oflag=…]",
  *run(tool) {
    return yield* new Copy(tool).run();
  },
};
