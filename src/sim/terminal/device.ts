// A terminal: the line discipline between a keyboard and screen (the master side) and the processes on it.

import { type Bytes, concatBytes, encodeUtf8, noBytes } from "../bytes.ts";
import { SysError } from "../errors.ts";
import type { FileStat } from "../files.ts";
import { Listeners } from "../listeners.ts";
import { anonymousStat, BaseOpenFile } from "../process/open-file.ts";
import type { PidNamespace } from "../process/pid-namespace.ts";
import type { KernelProcess } from "../process/process.ts";
import { WaitQueue } from "../process/wait-queue.ts";
import type { Signal } from "../signals.ts";
import type { Terminal, TerminalModes } from "../tty.ts";
import { LineEditor } from "./line-editor.ts";

export const cookedModes: TerminalModes = { canonical: true, echo: true, signals: true, outputCrLf: true };

const newline = 0x0a;
/** Output kept while nobody is attached. */
const maximumHeldBytes = 1_048_576;
/** Input that nobody reads: beyond it keys are dropped, as the kernel does at 4096. */
const maximumPendingBytes = 1_048_576;

const signalKeys: { readonly [code: number]: Signal } = { 3: "INT", 28: "QUIT", 26: "TSTP" };

export class TerminalDevice implements Terminal {
  readonly name: string;
  columns: number;
  rows: number;
  modes: TerminalModes = cookedModes;
  foregroundGroup = 0;
  /** Namespace of the session that the terminal controls. */
  session: PidNamespace | undefined;
  readonly readers = new WaitQueue();
  readonly #editor: LineEditor;
  /** What reads give: a line each in canonical mode; an empty piece is an end of file. */
  #pending: Bytes[] = [];
  #pendingBytes = 0;
  #hungUp = false;
  #held: Bytes[] = [];
  #heldBytes = 0;
  #onOutput: ((bytes: Bytes) => void) | undefined;
  /** Told when a process has set other modes. */
  readonly onModes = new Listeners<TerminalModes>();

  constructor(options: { readonly name: string; readonly columns: number; readonly rows: number }) {
    this.name = options.name;
    this.columns = options.columns;
    this.rows = options.rows;
    this.#editor = new LineEditor((bytes) => this.#emit(bytes));
  }

  // The master side.

  /** Keys, or bytes pasted, as the terminal emulator sends them. */
  input(bytes: Bytes): void {
    if (this.#hungUp || this.#pendingBytes > maximumPendingBytes) return;
    if (!this.modes.canonical && !this.modes.signals) {
      this.#rawInput(bytes);
      return;
    }
    let start = 0;
    for (let index = 0; index < bytes.length; index += 1) {
      const signal = this.modes.signals ? signalKeys[bytes[index] as number] : undefined;
      if (signal === undefined) continue;
      this.#plainInput(bytes.subarray(start, index));
      start = index;
      if (this.#editor.quoting) continue;
      start = index + 1;
      this.#signalKey(bytes[index] as number, signal);
    }
    this.#plainInput(bytes.subarray(start));
  }

  /** Where output goes; what was written before is delivered first. */
  set onOutput(listener: ((bytes: Bytes) => void) | undefined) {
    this.#onOutput = listener;
    if (listener === undefined) return;
    const held = this.#held;
    this.#held = [];
    this.#heldBytes = 0;
    for (const bytes of held) listener(bytes);
  }

  get onOutput(): ((bytes: Bytes) => void) | undefined {
    return this.#onOutput;
  }

  resize(columns: number, rows: number): void {
    if (columns === this.columns && rows === this.rows) return;
    this.columns = columns;
    this.rows = rows;
    this.#signal("WINCH");
  }

  /** The line is gone: readers get end of file, the session HUP. */
  hangUp(): void {
    if (this.#hungUp) return;
    this.#hungUp = true;
    const { session } = this;
    if (session !== undefined) {
      for (const process of [...session.all()]) {
        if (process.controllingTerminal !== this || process.sid !== process.pid) continue;
        process.raise("HUP");
        process.raise("CONT");
      }
    }
    this.readers.wake();
  }

  // The processes' side.

  setModes(modes: TerminalModes): void {
    if (this.modes.canonical && !modes.canonical) this.#push(this.#editor.takeUnfinished());
    this.modes = modes;
    this.onModes.tell(modes);
  }

  setForegroundGroup(pgid: number): void {
    this.foregroundGroup = pgid;
  }

  read(maxBytes: number, process: KernelProcess): Bytes | undefined {
    if (this.#hungUp) return noBytes;
    if (process.controllingTerminal === this && this.foregroundGroup !== 0 && process.pgid !== this.foregroundGroup) {
      this.#stopBackground(process);
      return undefined;
    }
    const first = this.#pending[0];
    if (first === undefined) return undefined;
    if (this.modes.canonical || this.#pending.length === 1) return this.#takeFirst(first, maxBytes);
    const all = concatBytes(this.#pending);
    this.#pending = [all];
    return this.#takeFirst(all, maxBytes);
  }

  isReadable(): boolean {
    return this.#hungUp || this.#pending.length > 0;
  }

  write(bytes: Bytes): void {
    if (this.#hungUp) throw new SysError("EIO");
    this.#emit(bytes);
  }

  /** A new descriptor on the terminal. */
  open(): TerminalFile {
    return new TerminalFile(this);
  }

  #takeFirst(first: Bytes, maxBytes: number): Bytes {
    const taken = first.subarray(0, maxBytes);
    this.#pendingBytes -= taken.length;
    if (taken.length === first.length) this.#pending.shift();
    else this.#pending[0] = first.subarray(maxBytes);
    return taken;
  }

  #stopBackground(process: KernelProcess): void {
    const ignored = process.signals?.disposition("TTIN") === "ignore";
    if (!ignored) process.pidNamespace.signalGroup(process.pgid, "TTIN");
    // Nobody could continue an orphaned group: it gets an error instead.
    if (ignored || !process.stopped) throw new SysError("EIO");
  }

  #plainInput(bytes: Bytes): void {
    if (bytes.length === 0) return;
    if (!this.modes.canonical) this.#rawInput(bytes);
    else for (const line of this.#editor.input(bytes, this.modes.echo)) this.#push(line);
  }

  #rawInput(bytes: Bytes): void {
    if (this.modes.echo) this.#emit(bytes);
    this.#push(bytes.slice());
  }

  #push(bytes: Bytes | undefined): void {
    if (bytes === undefined) return;
    this.#pending.push(bytes);
    this.#pendingBytes += bytes.length;
    this.readers.wake();
  }

  #signalKey(code: number, signal: Signal): void {
    this.#editor.clear();
    this.#pending = [];
    this.#pendingBytes = 0;
    if (this.modes.echo) this.#emit(encodeUtf8(`^${String.fromCharCode(code + 64)}`));
    this.#signal(signal);
  }

  #signal(signal: Signal): void {
    if (this.foregroundGroup !== 0) this.session?.signalGroup(this.foregroundGroup, signal);
  }

  #emit(bytes: Bytes): void {
    const output = this.modes.outputCrLf ? withCarriageReturns(bytes) : bytes;
    if (this.#onOutput !== undefined) {
      this.#onOutput(output);
      return;
    }
    this.#held.push(output);
    this.#heldBytes += output.length;
    while (this.#heldBytes > maximumHeldBytes) this.#heldBytes -= (this.#held.shift() as Bytes).length;
  }
}

function withCarriageReturns(bytes: Bytes): Bytes {
  let newlines = 0;
  for (const byte of bytes) if (byte === newline) newlines += 1;
  if (newlines === 0) return bytes;
  const result = new Uint8Array(bytes.length + newlines);
  let offset = 0;
  for (const byte of bytes) {
    if (byte === newline) result[offset++] = 0x0d;
    result[offset++] = byte;
  }
  return result;
}

/** An open descriptor of a terminal. */
export class TerminalFile extends BaseOpenFile {
  readonly #device: TerminalDevice;

  constructor(device: TerminalDevice) {
    super();
    this.#device = device;
  }

  get description(): string {
    return `/dev/${this.#device.name}`;
  }

  override get terminal(): TerminalDevice {
    return this.#device;
  }

  /** A screen takes 4 MB a second. */
  override get writeUnitBytes(): number {
    return 4;
  }

  override get readers(): WaitQueue {
    return this.#device.readers;
  }

  override tryRead(maxBytes: number, process: KernelProcess): Bytes | undefined {
    return this.#device.read(maxBytes, process);
  }

  override tryWrite(data: Bytes): number {
    this.#device.write(data);
    return data.length;
  }

  override isReadable(): boolean {
    return this.#device.isReadable();
  }

  override seek(): number {
    throw new SysError("EINVAL");
  }

  override stat(): FileStat {
    return { ...anonymousStat("character"), permissions: 0o620, gid: 5 };
  }
}
