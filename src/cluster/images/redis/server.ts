// redis-server: one process with a thread for each connection, over the databases it holds in memory.

import { asciiLowerCase, asciiUpperCase } from "#sim/ascii.ts";
import { SysError, wordsOf } from "#sim/errors.ts";
import type { Process, Sys } from "#sim/program.ts";
import { awaitSignals } from "../await-signals.ts";
import { CommandError, dataCommands } from "./commands.ts";
import type { Configuration } from "./configuration.ts";
import { infoText } from "./info.ts";
import { type Entry, globPattern, Keyspace } from "./keyspace.ts";
import { log } from "./log.ts";
import { Persistence } from "./persistence.ts";
import { array, bulk, encodeReply, failure, fromBinary, integer, nil, ok, ProtocolError, type Reply, RespReader } from "./resp.ts";

/** What the server itself takes: INFO's used_memory of an empty one, and what the node sees. */
const emptyUsedBytes = 871_424;
const residentBytes = 10_485_760;

/** Commands of the real server that this one refuses by name. */
const notAvailable =
  /^(?:acl|b[lrz]\w+|bgrewriteaof|bit\w+|brpoplpush|cluster|copy|dump|eval\w*|evalsha\w*|exec|expireat|expiretime|failover|fcall\w*|function|geo\w+|getbit|getex|getrange|hincrby\w*|hmget|hscan|hsetnx|hstrlen|incrbyfloat|latency|lcs|linsert|lmove|lmpop|lpos|lpushx|lrem|lset|ltrim|memory|migrate|module|monitor|move|msetnx|multi|object|pf\w+|psubscribe|psync|publish|pubsub|punsubscribe|randomkey|renamenx|replicaof|restore|rpoplpush|rpushx|script|sdiff\w*|setbit|setrange|sinter\w*|slaveof|slowlog|smismember|smove|sort\w*|spop|spublish|srandmember|sscan|ssubscribe|subscribe|substr|sunion\w*|swapdb|sync|touch|unsubscribe|unwatch|wait\w*|watch|x\w+|z\w+)$/;

interface Connection {
  readonly id: number;
  database: number;
  authenticated: boolean;
  name: string;
  closes: boolean;
}

type ServerCommand = (connection: Connection, args: readonly string[]) => Reply;

export class RedisServer {
  readonly #self: Process;
  readonly #configuration: Configuration;
  readonly #version: string;
  readonly #file: string;
  readonly #databases: readonly Keyspace[];
  readonly #persistence: Persistence;
  readonly #startMs: number;
  readonly #counts = { clients: 0, connections: 0, commands: 0, hits: 0, misses: 0, evicted: 0 };
  /** How a client has told it to end; undefined where only signals have. */
  #shutdown: "SAVE" | "NOSAVE" | "NOW" | undefined;
  #lastId = 2;
  #peakBytes = emptyUsedBytes;
  /** Bytes of data, counted anew after a change. */
  #dataBytes: number | undefined = 0;
  readonly #commands: { readonly [name: string]: { readonly arity: number; readonly run: ServerCommand } };

  /** `file`: what the configuration was read from, "" for none. */
  constructor(self: Process, configuration: Configuration, version: string, file: string) {
    this.#self = self;
    this.#file = file;
    this.#configuration = configuration;
    this.#version = version;
    this.#startMs = self.nowMs;
    this.#databases = Array.from({ length: Number(configuration.get("databases")) }, () => new Keyspace());
    const facts = () => ({ version, createdMs: self.nowMs, usedBytes: this.#usedBytes() });
    this.#persistence = new Persistence(self, configuration, this.#databases, facts);
    this.#commands = this.#serverCommands();
  }

  /** Loads, listens and answers until a signal ends it; the exit code. */
  *run(): Sys<number> {
    const port = Number(this.#configuration.get("port"));
    let listening: number;
    try {
      listening = this.#self.listen({ port });
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
      log(this.#self, "M", "#", `Warning: Could not create server TCP listening socket *:${port}: bind: ${error.message}`);
      log(this.#self, "M", "#", `Failed listening on port ${port} (tcp), aborting.`);
      return 1;
    }
    log(this.#self, "M", "*", `Running mode=standalone, port=${port}.`);
    log(this.#self, "M", "*", "Server initialized");
    try {
      this.#persistence.load();
    } catch (error) {
      log(this.#self, "M", "#", `Fatal error loading the DB, check server logs. Exiting. (${wordsOf(error)})`);
      return 1;
    }
    this.#dataBytes = undefined;
    this.#self.declareUse({ memoryBytes: residentBytes + this.#usedBytes() - emptyUsedBytes });
    log(this.#self, "M", "*", "Ready to accept connections tcp");
    this.#self.startThread(() => this.#acceptAll(listening));
    return yield* this.#untilTold();
  }

  *#untilTold(): Sys<number> {
    for (;;) {
      const [signal] = yield* awaitSignals(this.#self, ["TERM", "INT"]);
      if (this.#shutdown === undefined) {
        const seconds = Math.floor(this.#self.nowMs / 1000);
        const line = `${this.#self.pid}:signal-handler (${seconds}) Received SIG${signal} scheduling shutdown...\n`;
        yield* this.#self.write(1, line);
      }
      if (this.#prepareToEnd()) return 0;
      this.#shutdown = undefined;
    }
  }

  /** False when the last snapshot could not be written: the server goes on. */
  #prepareToEnd(): boolean {
    log(this.#self, "M", "*", "User requested shutdown...");
    if (this.#configuration.get("appendonly") === "yes") log(this.#self, "M", "*", "Calling fsync() on the AOF file.");
    const saves = this.#shutdown === "SAVE" || (this.#shutdown !== "NOSAVE" && this.#configuration.savePoints.length > 0);
    if (saves) {
      log(this.#self, "M", "*", "Saving the final RDB snapshot before exiting.");
      if (!this.#persistence.save()) {
        log(this.#self, "M", "#", "Error trying to save the DB, can't exit.");
        return false;
      }
    }
    log(this.#self, "M", "#", "Redis is now ready to exit, bye bye...");
    return true;
  }

  *#acceptAll(listening: number): Sys<void> {
    for (;;) {
      const { fd } = yield* this.#self.accept(listening);
      this.#self.startThread(() => this.#serve(fd));
    }
  }

  *#serve(fd: number): Sys<void> {
    this.#counts.connections += 1;
    this.#counts.clients += 1;
    this.#lastId += 1;
    const connection: Connection = {
      id: this.#lastId,
      database: 0,
      authenticated: this.#configuration.get("requirepass") === "",
      name: "",
      closes: false,
    };
    try {
      yield* this.#converse(fd, connection);
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
    }
    this.#counts.clients -= 1;
    this.#self.close(fd);
  }

  *#converse(fd: number, connection: Connection): Sys<void> {
    const reader = new RespReader();
    for (;;) {
      const bytes = yield* this.#self.read(fd);
      if (bytes.length === 0) return;
      reader.push(bytes);
      let out = "";
      try {
        for (let words = reader.command(); words !== undefined && !connection.closes; words = reader.command())
          if (words.length > 0) out += encodeReply(this.#execute(connection, words));
      } catch (error) {
        if (!(error instanceof ProtocolError)) throw error;
        out += encodeReply(failure(`ERR ${error.message}`));
        connection.closes = true;
      }
      yield* this.#self.write(fd, fromBinary(out));
      if (connection.closes) return;
    }
  }

  #execute(connection: Connection, words: readonly string[]): Reply {
    const [given = "", ...args] = words;
    const name = asciiLowerCase(given);
    const command = this.#commands[name] ?? dataCommands[name];
    if (command === undefined) return unknownCommand(given, args);
    const wrong = command.arity > 0 ? words.length !== command.arity : words.length < -command.arity;
    if (wrong) return failure(`ERR wrong number of arguments for '${name}' command`);
    if (!connection.authenticated && !/^(?:auth|hello|quit)$/.test(name)) return failure("NOAUTH Authentication required.");
    this.#counts.commands += 1;
    try {
      return this.#commands[name]?.run(connection, args) ?? this.#runData(connection, name, args);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      return failure(error.message);
    }
  }

  #runData(connection: Connection, name: string, args: readonly string[]): Reply {
    const command = dataCommands[name] as (typeof dataCommands)[string];
    const keyspace = this.#databases[connection.database] as Keyspace;
    if (command.writes === "grows" && !this.#makeRoom()) return failure("OOM command not allowed when used memory > 'maxmemory'.");
    const { hits, misses } = keyspace.lookups;
    const reply = command.run({ name, args, keyspace, nowMs: this.#self.nowMs });
    if (command.writes === undefined) {
      this.#counts.hits += keyspace.lookups.hits - hits;
      this.#counts.misses += keyspace.lookups.misses - misses;
    }
    if (command.writes !== undefined) this.#changed(connection.database, [name, ...args]);
    return reply;
  }

  #changed(database: number, words: readonly string[]): void {
    this.#dataBytes = undefined;
    this.#persistence.changed(database, words);
    this.#self.declareUse({ memoryBytes: residentBytes + this.#usedBytes() - emptyUsedBytes });
  }

  #usedBytes(): number {
    this.#dataBytes ??= this.#databases.reduce((sum, keyspace) => sum + keyspace.bytes(), 0);
    const used = emptyUsedBytes + this.#dataBytes;
    this.#peakBytes = Math.max(this.#peakBytes, used);
    return used;
  }

  /** Evicts keys by the policy until the data fits; false when that is not possible. */
  #makeRoom(): boolean {
    const limit = this.#configuration.maxMemoryBytes;
    while (limit > 0 && this.#usedBytes() > limit) {
      const victim = this.#victim();
      if (victim === undefined) return false;
      this.#databases[victim.database]?.entries.delete(victim.key);
      this.#counts.evicted += 1;
      this.#changed(victim.database, ["del", victim.key]);
    }
    return true;
  }

  #victim(): { readonly database: number; readonly key: string } | undefined {
    const policy = this.#configuration.get("maxmemory-policy");
    if (policy === "noeviction") return undefined;
    const all = this.#databases.flatMap(({ entries }, database) => [...entries].map(([key, entry]) => ({ database, key, entry })));
    const candidates = policy.startsWith("allkeys") ? all : all.filter(({ entry }) => entry.expiresMs !== undefined);
    if (policy.endsWith("random")) return candidates[this.#self.random.below(candidates.length)];
    const rank = ({ usedAt, expiresMs = 0 }: Entry): number => (policy.endsWith("ttl") ? expiresMs : usedAt);
    return candidates.reduce<(typeof candidates)[number] | undefined>(
      (best, each) => (best === undefined || rank(each.entry) < rank(best.entry) ? each : best),
      undefined,
    );
  }

  #serverCommands(): { readonly [name: string]: { readonly arity: number; readonly run: ServerCommand } } {
    return {
      auth: { arity: -2, run: (connection, args) => this.#authenticate(connection, args) },
      bgsave: {
        arity: -1,
        run: () => (this.#persistence.saveInBackground() ? { type: "status", text: "Background saving started" } : failure("ERR")),
      },
      client: { arity: -2, run: (connection, args) => clientCommand(connection, args) },
      command: { arity: -1, run: (_connection, args) => this.#describeCommands(args) },
      config: { arity: -2, run: (_connection, args) => this.#configure(args) },
      dbsize: { arity: 1, run: ({ database }) => integer(this.#databases[database]?.keys(this.#self.nowMs).length ?? 0) },
      echo: { arity: 2, run: (_connection, [text]) => bulk(text) },
      flushall: { arity: -1, run: (connection, args) => this.#flush(connection, "FLUSHALL", args, this.#databases) },
      flushdb: {
        arity: -1,
        run: (connection, args) => this.#flush(connection, "FLUSHDB", args, [this.#databases[connection.database] as Keyspace]),
      },
      hello: { arity: -1, run: (connection, args) => this.#hello(connection, args) },
      info: { arity: -1, run: (_connection, args) => bulk(this.#info(args)) },
      lastsave: { arity: 1, run: () => integer(Math.floor(this.#persistence.lastSaveMs / 1000)) },
      ping: { arity: -1, run: (_connection, [text]) => (text === undefined ? { type: "status", text: "PONG" } : bulk(text)) },
      quit: {
        arity: -1,
        run: (connection) => {
          connection.closes = true;
          return ok;
        },
      },
      role: { arity: 1, run: () => ({ type: "array", items: [bulk("master"), integer(0), array([])] }) },
      save: { arity: 1, run: () => (this.#persistence.save() ? ok : failure("ERR")) },
      select: { arity: 2, run: (connection, [index = ""]) => this.#select(connection, index) },
      shutdown: { arity: -1, run: (_connection, args) => this.#shutDown(args) },
      time: {
        arity: 1,
        run: () => array([String(Math.floor(this.#self.nowMs / 1000)), String((this.#self.nowMs % 1000) * 1000)]),
      },
    };
  }

  #authenticate(connection: Connection, args: readonly string[]): Reply {
    const password = this.#configuration.get("requirepass");
    if (args.length > 2) return failure("ERR syntax error");
    if (password === "" && args.length === 1)
      return failure(
        "ERR AUTH <password> called without any password configured for the default user. Are you sure your configuration is correct?",
      );
    const user = args.length === 2 ? args[0] : "default";
    if (user !== "default" || (password !== "" && args.at(-1) !== password))
      return failure("WRONGPASS invalid username-password pair or user is disabled.");
    connection.authenticated = true;
    return ok;
  }

  #select(connection: Connection, index: string): Reply {
    if (!/^\d+$/.test(index)) return failure("ERR value is not an integer or out of range");
    if (Number(index) >= this.#databases.length) return failure("ERR DB index is out of range");
    connection.database = Number(index);
    return ok;
  }

  /** SYNC and ASYNC are the same here: nothing takes time. */
  #flush(connection: Connection, name: string, args: readonly string[], databases: readonly Keyspace[]): Reply {
    if (args.length > 1 || (args[0] !== undefined && !/^a?sync$/i.test(args[0]))) return failure("ERR syntax error");
    for (const { entries } of databases) entries.clear();
    this.#changed(connection.database, [name]);
    return ok;
  }

  /** The process ends by the way of a signal to itself: no reply comes. */
  #shutDown(args: readonly string[]): Reply {
    const how = asciiUpperCase(args[0] ?? "NOW");
    if (args.length > 1 || (how !== "SAVE" && how !== "NOSAVE" && how !== "NOW")) return failure("ERR syntax error");
    this.#shutdown = how;
    this.#self.kill(this.#self.pid, "TERM");
    return ok;
  }

  /** Options: `AUTH user password` and `SETNAME name`. */
  #hello(connection: Connection, [version, ...options]: readonly string[]): Reply {
    if (version !== undefined && !/^\d+$/.test(version)) return failure("ERR Protocol version is not an integer or out of range");
    if (version !== undefined && version !== "2") return failure("NOPROTO unsupported protocol version");
    for (let index = 0; index < options.length; ) {
      const word = asciiUpperCase(options[index] as string);
      if (word === "AUTH" && index + 2 < options.length) {
        const reply = this.#authenticate(connection, options.slice(index + 1, index + 3));
        if (reply.type === "error") return reply;
        index += 3;
      } else if (word === "SETNAME" && index + 1 < options.length) {
        connection.name = options[index + 1] as string;
        index += 2;
      } else return failure(`ERR Syntax error in HELLO option '${options[index]}'`);
    }
    if (!connection.authenticated)
      return failure(
        "NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO <proto> AUTH <user> <pass> option can be used to authenticate the client and select the RESP protocol version at the same time",
      );
    const facts: readonly (readonly [string, Reply])[] = [
      ["server", bulk("redis")],
      ["version", bulk(this.#version)],
      ["proto", integer(2)],
      ["id", integer(connection.id)],
      ["mode", bulk("standalone")],
      ["role", bulk("master")],
      ["modules", array([])],
    ];
    return { type: "array", items: facts.flatMap(([name, value]) => [bulk(name), value]) };
  }

  #configure([subcommand = "", ...args]: readonly string[]): Reply {
    const word = asciiLowerCase(subcommand);
    if (word === "get" && args.length > 0) {
      const patterns = args.map((pattern) => globPattern(asciiLowerCase(pattern)));
      const names = this.#configuration.names().filter((name) => patterns.some((pattern) => pattern.test(name)));
      return array(names.flatMap((name) => [name, this.#configuration.get(name)]));
    }
    if (word === "set" && args.length >= 2 && args.length % 2 === 0) return this.#setParameters(args);
    if (word === "resetstat") {
      Object.assign(this.#counts, { connections: 0, commands: 0, hits: 0, misses: 0, evicted: 0 });
      return ok;
    }
    if (word === "get" || word === "set") return failure(`ERR wrong number of arguments for 'config|${word}' command`);
    return failure(`ERR unknown subcommand '${subcommand}'. Try CONFIG HELP.`);
  }

  #setParameters(args: readonly string[]): Reply {
    for (let index = 0; index < args.length; index += 2) {
      const name = asciiLowerCase(args[index] as string);
      if (!this.#configuration.has(name))
        return failure(`ERR Unknown option or number of arguments for CONFIG SET - '${args[index]}'`);
      const fault = this.#configuration.set(name, args[index + 1] as string);
      if (fault !== undefined) return failure(`ERR CONFIG SET failed (possibly related to argument '${name}') - ${fault}`);
    }
    return ok;
  }

  #describeCommands([subcommand]: readonly string[]): Reply {
    const names = [...Object.keys(this.#commands), ...Object.keys(dataCommands)].sort();
    if (subcommand === undefined) return failure("ERR command 'command' is not available in this server without a subcommand");
    if (asciiLowerCase(subcommand) === "count") return integer(names.length);
    if (asciiLowerCase(subcommand) === "list") return array(names);
    return failure(`ERR unknown subcommand '${subcommand}'. Try COMMAND HELP.`);
  }

  #info(sections: readonly string[]): string {
    const { nowMs, pid } = this.#self;
    const configuration = this.#configuration;
    return infoText(
      {
        ...this.#counts,
        version: this.#version,
        kernelRelease: this.#self.kernelRelease.release,
        pid,
        port: configuration.get("port"),
        configurationFile: this.#file,
        upSeconds: Math.floor((nowMs - this.#startMs) / 1000),
        usedBytes: this.#usedBytes(),
        peakBytes: this.#peakBytes,
        maxMemoryBytes: configuration.maxMemoryBytes,
        maxMemoryPolicy: configuration.get("maxmemory-policy"),
        changes: this.#persistence.changes,
        lastSaveSeconds: Math.floor(this.#persistence.lastSaveMs / 1000),
        appends: configuration.get("appendonly") === "yes",
        databases: this.#databases.flatMap(({ entries }, index) => {
          const left = [...entries.values()].flatMap(({ expiresMs }) => (expiresMs === undefined ? [] : [expiresMs - nowMs]));
          return entries.size === 0 ? [] : [{ index, keys: entries.size, timesToLive: left }];
        }),
      },
      sections,
    );
  }
}

function unknownCommand(given: string, args: readonly string[]): Reply {
  if (notAvailable.test(asciiLowerCase(given)))
    return failure(`ERR command '${asciiLowerCase(given)}' is not available in this server`);
  const shown = args.map((arg) => `'${arg.slice(0, 128)}' `).join("");
  return failure(`ERR unknown command '${given.slice(0, 128)}', with args beginning with: ${shown}`);
}

function clientCommand(connection: Connection, [subcommand = "", name]: readonly string[]): Reply {
  const word = asciiLowerCase(subcommand);
  if (word === "id") return integer(connection.id);
  if (word === "getname") return connection.name === "" ? nil : bulk(connection.name);
  if (word === "setinfo") return ok;
  if (word === "setname" && name !== undefined) {
    connection.name = name;
    return ok;
  }
  return failure(`ERR unknown subcommand '${subcommand}'. Try CLIENT HELP.`);
}
