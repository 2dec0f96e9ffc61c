// redis-cli: one command, commands from standard input, or a prompt.

import { asciiLowerCase } from "#sim/ascii.ts";
import { encodeUtf8 } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { Process, Program, Sys } from "#sim/program.ts";
import { encodeCommand, fromBinary, type Reply, RespReader, splitWords, toBinary } from "./resp.ts";

interface CliOptions {
  host: string;
  port: number;
  password: string | undefined;
  user: string | undefined;
  database: number;
  repeat: number;
  intervalMs: number;
  raw: boolean | undefined;
  lastFromInput: boolean;
  failsOnError: boolean;
  warns: boolean;
  words: readonly string[];
}

/** A wrong call: what is printed before it ends with 1. */
class WrongCall extends Error {}

function readOptions(self: Process): CliOptions {
  const options: CliOptions = {
    host: "127.0.0.1",
    port: 6379,
    password: self.env.get("REDISCLI_AUTH"),
    user: undefined,
    database: 0,
    repeat: 1,
    intervalMs: 0,
    raw: undefined,
    lastFromInput: false,
    failsOnError: false,
    warns: true,
    words: [],
  };
  const args = self.argv.slice(1);
  let index = 0;
  const next = (name: string): string => {
    index += 1;
    const value = args[index];
    if (value === undefined) throw new WrongCall(`Unrecognized option or bad number of args for: '${name}'`);
    return value;
  };
  const takers: { readonly [name: string]: (name: string) => void } = {
    "-h": (name) => (options.host = next(name)),
    "-p": (name) => (options.port = Number(next(name))),
    "-a": (name) => (options.password = next(name)),
    "--pass": (name) => (options.password = next(name)),
    "--user": (name) => (options.user = next(name)),
    "-n": (name) => (options.database = Number(next(name))),
    "-r": (name) => (options.repeat = Number(next(name))),
    "-i": (name) => (options.intervalMs = Number(next(name)) * 1000),
    "-x": () => (options.lastFromInput = true),
    "-e": () => (options.failsOnError = true),
    "--raw": () => (options.raw = true),
    "--no-raw": () => (options.raw = false),
    "--no-auth-warning": () => (options.warns = false),
  };
  for (; index < args.length && (args[index] as string).startsWith("-"); index += 1) {
    const name = args[index] as string;
    const take = takers[name];
    if (take === undefined) throw new WrongCall(`Unrecognized option or bad number of args for: '${name}'`);
    take(name);
  }
  options.words = args.slice(index).map((word) => toBinary(encodeUtf8(word)));
  return options;
}

class Cli {
  readonly #self: Process;
  readonly #options: CliOptions;
  readonly #raw: boolean;
  #fd: number | undefined;
  #reader = new RespReader();

  constructor(self: Process, options: CliOptions) {
    this.#self = self;
    this.#options = options;
    this.#raw = options.raw ?? !self.isTty(1);
  }

  *run(): Sys<number> {
    const { words, password, warns, repeat, intervalMs } = this.#options;
    if (password !== undefined && warns && this.#self.argv.some((arg) => arg === "-a" || arg === "--pass"))
      yield* this.#self.write(
        2,
        "Warning: Using a password with '-a' or '-u' option on the command line interface may not be safe.\n",
      );
    const connected = yield* this.#connect();
    if (words.length === 0) return yield* this.#lines(connected);
    if (!connected) return 1;
    const tail = this.#options.lastFromInput ? [yield* this.#input()] : [];
    let code = 0;
    for (let round = 0; repeat < 0 || round < repeat; round += 1) {
      code = yield* this.#command([...words, ...tail]);
      if (intervalMs > 0) yield* this.#self.sleep(intervalMs);
    }
    return code;
  }

  *#input(): Sys<string> {
    let text = "";
    for (;;) {
      const bytes = yield* this.#self.read(0);
      if (bytes.length === 0) return text;
      text += toBinary(bytes);
    }
  }

  /** Commands by lines: at a terminal with a prompt. */
  *#lines(connectedAtFirst: boolean): Sys<number> {
    const prompts = this.#self.isTty(0);
    if (!connectedAtFirst && !prompts) return 1;
    let pending = "";
    for (;;) {
      if (prompts) yield* this.#self.write(1, this.#prompt());
      while (!pending.includes("\n")) {
        const bytes = yield* this.#self.read(0);
        if (bytes.length === 0) return 0;
        pending += toBinary(bytes);
      }
      const end = pending.indexOf("\n");
      const words = splitWords(pending.slice(0, end));
      pending = pending.slice(end + 1);
      if (words === undefined) yield* this.#self.write(1, "Invalid argument(s)\n");
      else if (/^(?:quit|exit)$/i.test(words[0] ?? "")) return 0;
      else if (words[0] === "clear") yield* this.#self.write(1, "\x1b[H\x1b[2J");
      else if (words.length > 0 && (this.#fd !== undefined || (yield* this.#connect()))) yield* this.#command(words);
    }
  }

  #prompt(): string {
    if (this.#fd === undefined) return "not connected> ";
    const { host, port, database } = this.#options;
    return `${host}:${port}${database === 0 ? "" : `[${database}]`}> `;
  }

  *#connect(): Sys<boolean> {
    const { host, port, password, user, database } = this.#options;
    const where = `${host}:${port}`;
    try {
      const address = /^[\d.]+$|:/.test(host) ? host : (yield* this.#self.resolve(host))[0];
      if (address === undefined) {
        yield* this.#self.write(2, `Could not connect to Redis at ${where}: Name or service not known\n`);
        return false;
      }
      this.#fd = yield* this.#self.connect({ address, port });
    } catch (error) {
      if (!(error instanceof SysError) || error.code === "EINTR") throw error;
      const reason = error.code === "EAGAIN" ? "Temporary failure in name resolution" : error.message;
      yield* this.#self.write(2, `Could not connect to Redis at ${where}: ${reason}\n`);
      return false;
    }
    this.#reader = new RespReader();
    if (password !== undefined)
      yield* this.#greet(user === undefined ? ["AUTH", password] : ["AUTH", user, password], "AUTH failed: ");
    if (database !== 0) yield* this.#greet(["SELECT", String(database)], `SELECT ${database} failed: `);
    return true;
  }

  *#greet(words: readonly string[], prefix: string): Sys<void> {
    const reply = yield* this.#exchange(words);
    if (reply?.type === "error") yield* this.#self.write(2, `${prefix}${reply.text}\n`);
  }

  *#exchange(words: readonly string[]): Sys<Reply | undefined> {
    const fd = this.#fd as number;
    try {
      yield* this.#self.write(fd, fromBinary(encodeCommand(words)));
      for (;;) {
        const bytes = yield* this.#self.read(fd);
        if (bytes.length === 0) break;
        this.#reader.push(bytes);
        const reply = this.#reader.reply();
        if (reply !== undefined) return reply;
      }
    } catch (error) {
      if (!(error instanceof SysError) || error.code === "EINTR") throw error;
    }
    this.#self.close(fd);
    this.#fd = undefined;
    return undefined;
  }

  *#command(words: readonly string[]): Sys<number> {
    const reply = yield* this.#exchange(words);
    if (reply === undefined) {
      // A server that was told to shut down hangs up: that is its answer.
      if (asciiLowerCase(words[0] ?? "") === "shutdown") return 0;
      yield* this.#self.write(2, "Error: Server closed the connection\n");
      return 1;
    }
    if (asciiLowerCase(words[0] ?? "") === "select" && reply.type === "status") this.#options.database = Number(words[1]);
    const readable = this.#raw || asciiLowerCase(words[0] ?? "") === "info";
    const text = readable ? rawText(reply) : formatted(reply, "");
    const gap = this.#raw && reply.type === "error" ? "\n" : "";
    yield* this.#self.write(1, fromBinary(`${text}${text.endsWith("\n") && !this.#raw ? "" : "\n"}${gap}`));
    return reply.type === "error" && this.#options.failsOnError ? 1 : 0;
  }
}

function rawText(reply: Reply): string {
  if (reply.type === "nil") return "";
  if (reply.type === "integer") return String(reply.value);
  if (reply.type === "array") return reply.items.map(rawText).join("\n");
  return reply.text;
}

function formatted(reply: Reply, indent: string): string {
  if (reply.type === "status") return reply.text;
  if (reply.type === "error") return `(error) ${reply.text}`;
  if (reply.type === "integer") return `(integer) ${reply.value}`;
  if (reply.type === "nil") return "(nil)";
  if (reply.type === "bulk") return quote(reply.text);
  if (reply.items.length === 0) return "(empty array)";
  const width = String(reply.items.length).length;
  return reply.items
    .map((item, index) => {
      const head = `${String(index + 1).padStart(width)}) `;
      return `${index === 0 ? "" : indent}${head}${formatted(item, indent + " ".repeat(head.length))}`;
    })
    .join("\n");
}

const shown: { readonly [character: string]: string } = {
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\b": "\\b",
  "\x07": "\\a",
  '"': '\\"',
  "\\": "\\\\",
};

function quote(text: string): string {
  const escaped = text.replace(
    /["\\]|[^ -~]/g,
    (character) => shown[character] ?? `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
  return `"${escaped}"`;
}

export function redisCliProgram(version: string): Program {
  return function* (self) {
    if (self.argv[1] === "--version" || self.argv[1] === "-v") {
      yield* self.write(1, `redis-cli ${version}\n`);
      return 0;
    }
    try {
      return yield* new Cli(self, readOptions(self)).run();
    } catch (error) {
      if (!(error instanceof WrongCall)) throw error;
      yield* self.write(2, `${error.message}\n`);
      return 1;
    }
  };
}
