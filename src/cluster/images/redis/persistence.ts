// What redis-server keeps on disk: the snapshot, written by save points and at the end, and the append-only file with its base.

import { SysError } from "#sim/errors.ts";
import type { Process } from "#sim/program.ts";
import { dataCommands } from "./commands.ts";
import type { Configuration } from "./configuration.ts";
import { type DumpFacts, type Loaded, readDump, writeDump } from "./dump.ts";
import type { Keyspace } from "./keyspace.ts";
import { log } from "./log.ts";
import { encodeCommand, fromBinary, RespReader } from "./resp.ts";

/** How often the save points are looked at while there is something to save. */
const lookEveryMs = 1_000;

export class Persistence {
  readonly #self: Process;
  readonly #configuration: Configuration;
  readonly #databases: readonly Keyspace[];
  readonly #facts: () => DumpFacts;
  /** Changes since the last snapshot. */
  changes = 0;
  lastSaveMs: number;
  #watches = false;
  /** The database that the append-only file speaks of at its end. */
  #selected = -1;

  constructor(self: Process, configuration: Configuration, databases: readonly Keyspace[], facts: () => DumpFacts) {
    this.#self = self;
    this.#configuration = configuration;
    this.#databases = databases;
    this.#facts = facts;
    this.lastSaveMs = self.nowMs;
  }

  get #appends(): boolean {
    return this.#configuration.get("appendonly") === "yes";
  }

  get #dumpPath(): string {
    return `${this.#configuration.get("dir")}/${this.#configuration.get("dbfilename")}`;
  }

  #appendPath(suffix: string): string {
    const { dir, appenddirname, appendfilename } = this.#names();
    return `${dir}/${appenddirname}/${appendfilename}${suffix}`;
  }

  #names() {
    const read = (name: string): string => this.#configuration.get(name);
    return { dir: read("dir"), appenddirname: read("appenddirname"), appendfilename: read("appendfilename") };
  }

  /** Reads what an earlier process left. Throws DumpError and SysError. */
  load(): void {
    if (this.#appends) this.#loadAppended();
    else if (this.#self.exists(this.#dumpPath))
      this.#report(readDump(this.#self.readFile(this.#dumpPath), this.#databases, this.#self.nowMs));
    else return;
    log(this.#self, "M", "*", `DB loaded from ${this.#appends ? "append only file" : "disk"}: 0.000 seconds`);
  }

  #report({ facts, loaded, expired }: Loaded): void {
    const age = Math.round((this.#self.nowMs - facts.createdMs) / 1000);
    log(this.#self, "M", "*", `Loading RDB produced by version ${facts.version}`);
    log(this.#self, "M", "*", `RDB age ${age} seconds`);
    log(this.#self, "M", "*", `RDB memory usage when created ${(facts.usedBytes / 1_048_576).toFixed(2)} Mb`);
    log(this.#self, "M", "*", `Done loading RDB, keys loaded: ${loaded}, keys expired: ${expired}.`);
  }

  #loadAppended(): void {
    const { dir, appenddirname, appendfilename } = this.#names();
    const [base, increment] = [this.#appendPath(".1.base.rdb"), this.#appendPath(".1.incr.aof")];
    if (!this.#self.exists(this.#appendPath(".manifest"))) {
      if (!this.#self.exists(`${dir}/${appenddirname}`)) this.#self.mkdir(`${dir}/${appenddirname}`);
      this.#self.writeFile(base, writeDump(this.#databases, this.#facts()));
      this.#self.writeFile(increment, "");
      const manifest = `file ${appendfilename}.1.base.rdb seq 1 type b\nfile ${appendfilename}.1.incr.aof seq 1 type i\n`;
      this.#self.writeFile(this.#appendPath(".manifest"), manifest);
      log(this.#self, "M", "*", `Creating AOF base file ${appendfilename}.1.base.rdb on server start`);
      log(this.#self, "M", "*", `Creating AOF incr file ${appendfilename}.1.incr.aof on server start`);
      return;
    }
    this.#report(readDump(this.#self.readFile(base), this.#databases, this.#self.nowMs));
    this.#replay(increment);
  }

  #replay(path: string): void {
    const reader = new RespReader();
    reader.push(this.#self.readFile(path));
    let database = this.#databases[0] as Keyspace;
    for (let words = reader.command(); words !== undefined; words = reader.command()) {
      const [name = "", ...args] = words;
      if (name === "SELECT") database = this.#databases[Number(args[0])] ?? database;
      else if (name === "FLUSHALL") for (const { entries } of this.#databases) entries.clear();
      else if (name === "FLUSHDB") database.entries.clear();
      else dataCommands[name]?.run({ name, args, keyspace: database, nowMs: this.#self.nowMs });
    }
  }

  /** A command has changed a database. Expiries are kept as points in time. */
  changed(database: number, words: readonly string[]): void {
    this.changes += 1;
    this.#watch();
    if (!this.#appends) return;
    let text = database === this.#selected ? "" : encodeCommand(["SELECT", String(database)]);
    this.#selected = database;
    text += encodeCommand(words);
    const key = words[1];
    const expiresMs = key === undefined ? undefined : this.#databases[database]?.entries.get(key)?.expiresMs;
    if (key !== undefined && expiresMs !== undefined) text += encodeCommand(["pexpireat", key, String(expiresMs)]);
    this.#self.writeFile(this.#appendPath(".1.incr.aof"), fromBinary(text), { append: true });
  }

  /** True when the snapshot is on the disk; what went wrong is in the log. */
  save(): boolean {
    const { dir } = this.#names();
    try {
      const temporary = `${dir}/temp-${this.#self.pid}.rdb`;
      this.#self.writeFile(temporary, writeDump(this.#databases, this.#facts()));
      this.#self.rename(temporary, this.#dumpPath);
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
      const file = `temp-${this.#self.pid}.rdb (in server root dir ${dir})`;
      log(this.#self, "M", "#", `Failed opening the temp RDB file ${file} for saving: ${error.message}`);
      return false;
    }
    this.changes = 0;
    this.lastSaveMs = this.#self.nowMs;
    log(this.#self, "M", "*", "DB saved on disk");
    return true;
  }

  /** A background save in the words of the log; here it is done at once. */
  saveInBackground(): boolean {
    log(this.#self, "M", "*", `Background saving started by pid ${this.#self.pid + 20}`);
    const saved = this.save();
    log(this.#self, "M", saved ? "*" : "#", saved ? "Background saving terminated with success" : "Background saving error");
    return saved;
  }

  /** While there are changes, a thread looks whether a save point is reached. */
  #watch(): void {
    if (this.#watches) return;
    this.#watches = true;
    const self = this.#self;
    const persistence = this;
    self.startThread(function* () {
      while (persistence.changes > 0) {
        const waitMs = persistence.#untilNextLookMs();
        if (waitMs === undefined) break;
        yield* self.sleep(waitMs);
        persistence.#saveIfDue();
      }
      persistence.#watches = false;
    });
  }

  /** Undefined when no save point can be reached by waiting. */
  #untilNextLookMs(): number | undefined {
    const points = this.#configuration.savePoints;
    if (points.length === 0) return undefined;
    const sinceMs = this.#self.nowMs - this.lastSaveMs;
    const waits = points.map(({ seconds }) => seconds * 1000 + lookEveryMs - sinceMs).filter((ms) => ms > 0);
    return Math.max(lookEveryMs, Math.min(...waits, 3_600_000));
  }

  #saveIfDue(): void {
    const seconds = (this.#self.nowMs - this.lastSaveMs) / 1000;
    const due = this.#configuration.savePoints.find((point) => this.changes >= point.changes && seconds > point.seconds);
    if (due === undefined) return;
    log(this.#self, "M", "*", `${this.changes} changes in ${due.seconds} seconds. Saving...`);
    this.saveInBackground();
  }
}
