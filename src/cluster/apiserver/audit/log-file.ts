// The file of the audit log: it is set aside when it grows too large, and what was set aside is packed and goes in time
// (gopkg.in/natefinch/lumberjack.v2).

import { formatMicroTime, tryParseTime } from "#cluster/api/time.ts";
import { gzipBytes } from "#shell/toolkit/gzip-format.ts";
import { asciiLowerCase } from "#sim/ascii.ts";
import { type Bytes, encodeUtf8 } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { Process } from "#sim/program.ts";
import type { LogSettings } from "./log-settings.ts";
import { LogFault } from "./log-writer.ts";

const mebibyte = 1024 * 1024;
const dayMs = 86_400_000;
const packedEnding = ".gz";

type FileSettings = Pick<LogSettings, "path" | "maxSizeMiB" | "maxBackups" | "maxAgeDays" | "compress">;

export class LogFile {
  readonly #self: Process;
  readonly #settings: FileSettings;
  #fd: number | undefined;
  #sizeBytes = 0;

  /** Makes the file where it is missing. Throws LogFault. */
  constructor(self: Process, settings: FileSettings) {
    this.#self = self;
    this.#settings = settings;
    this.#makeDirectories(this.#directory);
    const { path } = settings;
    self.close(attempt("open", path, () => self.open(path, { write: true, read: true, create: true, append: true }, 0o600)));
  }

  /** Throws LogFault. */
  write(line: string): void {
    if (this.#self.exit !== undefined) return;
    const bytes = encodeUtf8(line);
    const limit = this.#settings.maxSizeMiB * mebibyte;
    if (limit > 0 && bytes.length > limit) throw new LogFault(`write length ${bytes.length} exceeds maximum file size ${limit}`);
    if (this.#fd === undefined) this.#open(bytes.length, limit);
    if (limit > 0 && this.#sizeBytes + bytes.length > limit) this.#rotate();
    const { path } = this.#settings;
    attempt("write", path, () => this.#append(bytes));
    this.#sizeBytes += bytes.length;
  }

  #append(bytes: Bytes): void {
    const writing = this.#self.write(this.#fd ?? -1, bytes);
    // What the disk makes wait waits without us.
    while (writing.next().done !== true);
  }

  get #directory(): string {
    const { path } = this.#settings;
    return path.slice(0, path.lastIndexOf("/")) || (path.startsWith("/") ? "/" : ".");
  }

  #makeDirectories(path: string): void {
    if (path === "/" || path === "." || this.#self.exists(path)) return;
    this.#makeDirectories(path.slice(0, path.lastIndexOf("/")) || (path.startsWith("/") ? "/" : "."));
    attempt("mkdir", path, () => this.#self.mkdir(path, 0o700));
  }

  #open(lengthBytes: number, limit: number): void {
    const { path } = this.#settings;
    if (limit > 0) this.#mill();
    const known = this.#self.exists(path) ? this.#self.stat(path) : undefined;
    if (limit > 0 && (known === undefined || known.sizeBytes + lengthBytes >= limit)) {
      this.#rotate();
      return;
    }
    this.#fd = attempt("open", path, () => this.#self.open(path, { write: true, append: true }));
    this.#sizeBytes = known?.sizeBytes ?? 0;
  }

  #rotate(): void {
    const { path } = this.#settings;
    if (this.#fd !== undefined) this.#self.close(this.#fd);
    this.#fd = undefined;
    const known = this.#self.exists(path) ? this.#self.stat(path) : undefined;
    if (known !== undefined) {
      const backup = this.#backupName();
      wrapped("can't rename log file", () => attempt("rename", `${path} ${backup}`, () => this.#self.rename(path, backup)));
    }
    this.#fd = wrapped("can't open new logfile", () =>
      attempt("open", path, () =>
        this.#self.open(path, { write: true, create: true, truncate: true }, known?.permissions ?? 0o600),
      ),
    );
    this.#sizeBytes = 0;
    this.#mill();
  }

  /** `audit.log` → [`audit`, `.log`] */
  get #nameParts(): readonly [string, string] {
    const { path } = this.#settings;
    const name = path.slice(path.lastIndexOf("/") + 1);
    const dot = name.lastIndexOf(".");
    return dot < 0 ? [name, ""] : [name.slice(0, dot), name.slice(dot)];
  }

  /** `/var/log/audit-2026-01-15T09-00-00.000.log` */
  #backupName(): string {
    const [prefix, ending] = this.#nameParts;
    const stamp = formatMicroTime(this.#self.nowMs).replaceAll(":", "-").slice(0, "2026-01-15T09-00-00.000".length);
    return this.#inDirectory(`${prefix}-${stamp}${ending}`);
  }

  #inDirectory(name: string): string {
    return this.#directory === "/" ? `/${name}` : `${this.#directory}/${name}`;
  }

  /** When a file was set aside, by its name; undefined for one that was not. */
  #stampOf(name: string): number | undefined {
    const [prefix, ending] = this.#nameParts;
    const unpacked = name.endsWith(`${ending}${packedEnding}`) ? name.slice(0, -packedEnding.length) : name;
    if (!unpacked.startsWith(`${prefix}-`) || !unpacked.endsWith(ending)) return undefined;
    const [, date, hours, minutes, seconds] =
      /^(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2}\.\d{3})$/.exec(
        unpacked.slice(prefix.length + 1, unpacked.length - ending.length),
      ) ?? [];
    return date === undefined ? undefined : tryParseTime(`${date}T${hours}:${minutes}:${seconds}Z`);
  }

  /** Packs and removes what was set aside; what goes wrong with that is told nobody. */
  #mill(): void {
    const { maxBackups, maxAgeDays, compress } = this.#settings;
    if (maxBackups === 0 && maxAgeDays === 0 && !compress) return;
    const backups = this.#backups();
    const kept = new Set<string>();
    const cutoffMs = this.#self.nowMs - maxAgeDays * dayMs;
    for (const { name, stampMs } of backups) {
      const isPacked = name.endsWith(packedEnding);
      kept.add(isPacked ? name.slice(0, -packedEnding.length) : name);
      const isTooMany = maxBackups > 0 && kept.size > maxBackups;
      if (isTooMany || (maxAgeDays > 0 && stampMs < cutoffMs)) quietly(() => this.#self.unlink(this.#inDirectory(name)));
      else if (compress && !isPacked) quietly(() => this.#packFile(this.#inDirectory(name)));
    }
  }

  /** The newest first. */
  #backups(): readonly { readonly name: string; readonly stampMs: number }[] {
    const names = quietly(() => this.#self.readdir(this.#directory)) ?? [];
    const stamped = names.flatMap((name) => {
      const stampMs = this.#stampOf(name);
      return stampMs === undefined ? [] : [{ name, stampMs }];
    });
    return stamped.sort((a, b) => b.stampMs - a.stampMs);
  }

  #packFile(path: string): void {
    const { permissions } = this.#self.stat(path);
    const packed = gzipBytes(this.#self, this.#self.readFile(path), "", 0);
    this.#self.writeFile(`${path}${packedEnding}`, packed, { permissions });
    this.#self.unlink(path);
  }
}

/** A system call with Go's words for its refusal. */
function attempt<T>(call: string, path: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof SysError) throw new LogFault(`${call} ${path}: ${asciiLowerCase(error.message)}`);
    throw error;
  }
}

function wrapped<T>(prefix: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof LogFault) throw new LogFault(`${prefix}: ${error.message}`);
    throw error;
  }
}

function quietly<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    if (error instanceof SysError) return undefined;
    throw error;
  }
}
