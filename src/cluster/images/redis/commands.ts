// What commands do to the data. A table: name, arity as COMMAND tells it (negative: at least), whether it writes.

import { asciiUpperCase } from "#sim/ascii.ts";
import { globPattern, type Keyspace, type Value } from "./keyspace.ts";
import { array, bulk, failure, integer, nil, ok, type Reply } from "./resp.ts";

/** Ends a command with an error reply. */
export class CommandError extends Error {}

export interface DataCall {
  readonly name: string;
  /** Behind the name. */
  readonly args: readonly string[];
  readonly keyspace: Keyspace;
  readonly nowMs: number;
}

interface DataCommand {
  readonly arity: number;
  /** Changes the data; refused when memory is full unless it only frees. */
  readonly writes?: "grows" | "frees";
  readonly run: (call: DataCall) => Reply;
}

const syntaxError = "ERR syntax error";
const notAnInteger = "ERR value is not an integer or out of range";

type ValueOf<T extends Value["type"]> = Extract<Value, { readonly type: T }>;

function valueAt<T extends Value["type"]>(call: DataCall, key: string, type: T): ValueOf<T> | undefined {
  const value = call.keyspace.find(key, call.nowMs)?.value;
  if (value === undefined) return undefined;
  if (value.type !== type) throw new CommandError("WRONGTYPE Operation against a key holding the wrong kind of value");
  return value as ValueOf<T>;
}

function textAt(call: DataCall, key: string): string | undefined {
  return valueAt(call, key, "string")?.text;
}

function integerOf(text: string): number {
  const value = /^-?\d{1,19}$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(value)) throw new CommandError(notAnInteger);
  return value;
}

/** Replaces the text and keeps the time to live. */
function keepAndSet(call: DataCall, key: string, text: string): void {
  const entry = call.keyspace.find(key, call.nowMs);
  if (entry?.value.type === "string") entry.value.text = text;
  else call.keyspace.put(key, { type: "string", text });
}

function addTo(by: (call: DataCall) => number): (call: DataCall) => Reply {
  return (call) => {
    const key = call.args[0] as string;
    const next = integerOf(textAt(call, key) ?? "0") + by(call);
    if (!Number.isSafeInteger(next)) throw new CommandError("ERR increment or decrement would overflow");
    keepAndSet(call, key, String(next));
    return integer(next);
  };
}

interface SetOptions {
  expiresMs: number | undefined;
  keepsTtl: boolean;
  only: "NX" | "XX" | undefined;
  getsOld: boolean;
}

function setOptions({ args, nowMs }: DataCall): SetOptions {
  const options: SetOptions = { expiresMs: undefined, keepsTtl: false, only: undefined, getsOld: false };
  for (let index = 2; index < args.length; index += 1) {
    const word = asciiUpperCase(args[index] as string);
    const expires = options.expiresMs !== undefined || options.keepsTtl;
    if ((word === "NX" || word === "XX") && (options.only ?? word) === word) options.only = word;
    else if (word === "GET") options.getsOld = true;
    else if (word === "KEEPTTL" && !expires) options.keepsTtl = true;
    else if (/^(?:EX|PX|EXAT|PXAT)$/.test(word) && !expires && args[index + 1] !== undefined) {
      index += 1;
      options.expiresMs = expiryOf("set", word, args[index] as string, nowMs);
    } else throw new CommandError(syntaxError);
  }
  return options;
}

function expiryOf(command: string, unit: string, text: string, nowMs: number): number {
  const amount = integerOf(text);
  if (amount <= 0) throw new CommandError(`ERR invalid expire time in '${command}' command`);
  const ms = unit.startsWith("EX") ? amount * 1000 : amount;
  return unit.endsWith("AT") ? ms : nowMs + ms;
}

function set(call: DataCall): Reply {
  const [key, text] = call.args as [string, string];
  const options = setOptions(call);
  const entry = call.keyspace.find(key, call.nowMs);
  const old = options.getsOld ? bulk(textAt(call, key)) : undefined;
  if ((options.only === "NX" && entry !== undefined) || (options.only === "XX" && entry === undefined)) return old ?? nil;
  call.keyspace.put(key, { type: "string", text }, options.expiresMs ?? (options.keepsTtl ? entry?.expiresMs : undefined));
  return old ?? ok;
}

function remove({ args, keyspace, nowMs }: DataCall): Reply {
  const there = args.filter((key) => keyspace.find(key, nowMs) !== undefined && keyspace.entries.delete(key));
  return integer(there.length);
}

function expire(unitMs: number): (call: DataCall) => Reply {
  return ({ args, keyspace, nowMs }) => {
    const [key, amount] = args as [string, string];
    if (args.length > 2) throw new CommandError(`ERR Unsupported option ${args[2]}`);
    const entry = keyspace.find(key, nowMs);
    const ms = integerOf(amount) * unitMs;
    if (entry === undefined) return integer(0);
    if (ms <= 0) keyspace.entries.delete(key);
    else entry.expiresMs = nowMs + ms;
    return integer(1);
  };
}

function expireAt({ args, keyspace, nowMs }: DataCall): Reply {
  const [key, ms] = args as [string, string];
  const entry = keyspace.find(key, nowMs);
  if (entry === undefined) return integer(0);
  entry.expiresMs = integerOf(ms);
  keyspace.find(key, nowMs);
  return integer(1);
}

function timeToLive(unitMs: number): (call: DataCall) => Reply {
  return ({ args, keyspace, nowMs }) => {
    const entry = keyspace.find(args[0] as string, nowMs);
    if (entry === undefined) return integer(-2);
    return integer(entry.expiresMs === undefined ? -1 : Math.floor((entry.expiresMs - nowMs + unitMs / 2) / unitMs));
  };
}

function push(end: "left" | "right"): (call: DataCall) => Reply {
  return (call) => {
    const [key, ...items] = call.args as [string, ...string[]];
    let list = valueAt(call, key, "list");
    if (list === undefined) {
      list = { type: "list", items: [] };
      call.keyspace.put(key, list);
    }
    for (const item of items) {
      if (end === "left") list.items.unshift(item);
      else list.items.push(item);
    }
    return integer(list.items.length);
  };
}

function pop(end: "left" | "right"): (call: DataCall) => Reply {
  return (call) => {
    const key = call.args[0] as string;
    if (call.args.length > 2) throw new CommandError(syntaxError);
    const count = call.args[1] === undefined ? undefined : integerOf(call.args[1]);
    const list = valueAt(call, key, "list");
    if (list === undefined) return nil;
    const taken = end === "left" ? list.items.splice(0, count ?? 1) : list.items.splice(-(count ?? 1)).reverse();
    if (list.items.length === 0) call.keyspace.entries.delete(key);
    return count === undefined ? bulk(taken[0]) : array(taken);
  };
}

/** From and to as LRANGE and GETRANGE count them: both ends belong to it, negative ones count from the end. */
function rangeOf(length: number, from: string, to: string): readonly [number, number] {
  const at = (text: string): number => (integerOf(text) < 0 ? length + integerOf(text) : integerOf(text));
  return [Math.max(0, at(from)), at(to) + 1];
}

function changeSet(change: (members: Set<string>, member: string) => boolean): (call: DataCall) => Reply {
  return (call) => {
    const [key, ...members] = call.args as [string, ...string[]];
    const value = valueAt(call, key, "set") ?? { type: "set", members: new Set<string>() };
    const changed = members.filter((member) => change(value.members, member)).length;
    if (value.members.size === 0) call.keyspace.entries.delete(key);
    else if (call.keyspace.entries.get(key)?.value !== value) call.keyspace.put(key, value);
    return integer(changed);
  };
}

function addMember(members: Set<string>, member: string): boolean {
  const isNew = !members.has(member);
  members.add(member);
  return isNew;
}

function hashSet(call: DataCall): Reply {
  const [key, ...pairs] = call.args as [string, ...string[]];
  if (pairs.length % 2 !== 0) throw new CommandError(`ERR wrong number of arguments for '${call.name}' command`);
  let hash = valueAt(call, key, "hash");
  if (hash === undefined) {
    hash = { type: "hash", fields: new Map() };
    call.keyspace.put(key, hash);
  }
  const before = hash.fields.size;
  for (let index = 0; index < pairs.length; index += 2) hash.fields.set(pairs[index] as string, pairs[index + 1] as string);
  return call.name === "hmset" ? ok : integer(hash.fields.size - before);
}

function hashRemove(call: DataCall): Reply {
  const [key, ...fields] = call.args as [string, ...string[]];
  const hash = valueAt(call, key, "hash");
  const removed = fields.filter((field) => hash?.fields.delete(field)).length;
  if (hash?.fields.size === 0) call.keyspace.entries.delete(key);
  return integer(removed);
}

function fieldsOf(call: DataCall): readonly (readonly [string, string])[] {
  return [...(valueAt(call, call.args[0] as string, "hash")?.fields ?? [])];
}

/** All keys come at once: there is no second page. */
function scan({ args, keyspace, nowMs }: DataCall): Reply {
  if (!/^\d+$/.test(args[0] as string)) throw new CommandError("ERR invalid cursor");
  let pattern = /^/;
  for (let index = 1; index < args.length; index += 2) {
    const word = asciiUpperCase(args[index] as string);
    const argument = args[index + 1];
    if (argument === undefined || (word !== "MATCH" && word !== "COUNT")) throw new CommandError(syntaxError);
    if (word === "MATCH") pattern = globPattern(argument);
  }
  const found = keyspace.keys(nowMs).filter((key) => pattern.test(key));
  return { type: "array", items: [bulk("0"), array(found)] };
}

function mset({ args, keyspace, name }: DataCall): Reply {
  if (args.length % 2 !== 0) throw new CommandError(`ERR wrong number of arguments for '${name}' command`);
  for (let index = 0; index < args.length; index += 2)
    keyspace.put(args[index] as string, { type: "string", text: args[index + 1] as string });
  return ok;
}

function rename(call: DataCall): Reply {
  const [from, to] = call.args as [string, string];
  const entry = call.keyspace.find(from, call.nowMs);
  if (entry === undefined) return failure("ERR no such key");
  call.keyspace.entries.delete(from);
  call.keyspace.entries.set(to, entry);
  return ok;
}

export const dataCommands: { readonly [name: string]: DataCommand } = {
  append: {
    arity: 3,
    writes: "grows",
    run: (call) => {
      const [key, tail] = call.args as [string, string];
      keepAndSet(call, key, (textAt(call, key) ?? "") + tail);
      return integer((textAt(call, key) as string).length);
    },
  },
  decr: { arity: 2, writes: "grows", run: addTo(() => -1) },
  decrby: { arity: 3, writes: "grows", run: addTo(({ args }) => -integerOf(args[1] as string)) },
  del: { arity: -2, writes: "frees", run: remove },
  exists: {
    arity: -2,
    run: ({ args, keyspace, nowMs }) => integer(args.filter((key) => keyspace.find(key, nowMs) !== undefined).length),
  },
  expire: { arity: -3, writes: "frees", run: expire(1000) },
  get: { arity: 2, run: (call) => bulk(textAt(call, call.args[0] as string)) },
  getdel: {
    arity: 2,
    writes: "frees",
    run: (call) => {
      const old = textAt(call, call.args[0] as string);
      remove(call);
      return bulk(old);
    },
  },
  getset: {
    arity: 3,
    writes: "grows",
    run: (call) => {
      const [key, text] = call.args as [string, string];
      const old = bulk(textAt(call, key));
      call.keyspace.put(key, { type: "string", text });
      return old;
    },
  },
  hdel: { arity: -3, writes: "frees", run: hashRemove },
  hexists: {
    arity: 3,
    run: (call) => integer(valueAt(call, call.args[0] as string, "hash")?.fields.has(call.args[1] as string) ? 1 : 0),
  },
  hget: { arity: 3, run: (call) => bulk(valueAt(call, call.args[0] as string, "hash")?.fields.get(call.args[1] as string)) },
  hgetall: { arity: 2, run: (call) => array(fieldsOf(call).flat()) },
  hkeys: { arity: 2, run: (call) => array(fieldsOf(call).map(([field]) => field)) },
  hlen: { arity: 2, run: (call) => integer(fieldsOf(call).length) },
  hmset: { arity: -4, writes: "grows", run: hashSet },
  hset: { arity: -4, writes: "grows", run: hashSet },
  hvals: { arity: 2, run: (call) => array(fieldsOf(call).map(([, text]) => text)) },
  incr: { arity: 2, writes: "grows", run: addTo(() => 1) },
  incrby: { arity: 3, writes: "grows", run: addTo(({ args }) => integerOf(args[1] as string)) },
  keys: {
    arity: 2,
    run: ({ args, keyspace, nowMs }) => {
      const pattern = globPattern(args[0] as string);
      return array(keyspace.keys(nowMs).filter((key) => pattern.test(key)));
    },
  },
  lindex: {
    arity: 3,
    run: (call) => bulk(valueAt(call, call.args[0] as string, "list")?.items.at(integerOf(call.args[1] as string))),
  },
  llen: { arity: 2, run: (call) => integer(valueAt(call, call.args[0] as string, "list")?.items.length ?? 0) },
  lpop: { arity: -2, writes: "frees", run: pop("left") },
  lpush: { arity: -3, writes: "grows", run: push("left") },
  lrange: {
    arity: 4,
    run: (call) => {
      const [key, from, to] = call.args as [string, string, string];
      const items = valueAt(call, key, "list")?.items ?? [];
      return array(items.slice(...rangeOf(items.length, from, to)));
    },
  },
  mget: {
    arity: -2,
    run: ({ args, keyspace, nowMs }) => ({
      type: "array",
      items: args.map((key) => {
        const value = keyspace.find(key, nowMs)?.value;
        return bulk(value?.type === "string" ? value.text : undefined);
      }),
    }),
  },
  mset: { arity: -3, writes: "grows", run: mset },
  persist: {
    arity: 2,
    writes: "frees",
    run: ({ args, keyspace, nowMs }) => {
      const entry = keyspace.find(args[0] as string, nowMs);
      if (entry?.expiresMs === undefined) return integer(0);
      entry.expiresMs = undefined;
      return integer(1);
    },
  },
  pexpireat: { arity: 3, writes: "frees", run: expireAt },
  pexpire: { arity: -3, writes: "frees", run: expire(1) },
  psetex: { arity: 4, writes: "grows", run: setWithExpiry("PX") },
  pttl: { arity: 2, run: timeToLive(1) },
  rename: { arity: 3, writes: "grows", run: rename },
  rpop: { arity: -2, writes: "frees", run: pop("right") },
  rpush: { arity: -3, writes: "grows", run: push("right") },
  sadd: { arity: -3, writes: "grows", run: changeSet(addMember) },
  scan: { arity: -2, run: scan },
  scard: { arity: 2, run: (call) => integer(valueAt(call, call.args[0] as string, "set")?.members.size ?? 0) },
  set: { arity: -3, writes: "grows", run: set },
  setex: { arity: 4, writes: "grows", run: setWithExpiry("EX") },
  setnx: {
    arity: 3,
    writes: "grows",
    run: ({ args, keyspace, nowMs }) => {
      const [key, text] = args as [string, string];
      if (keyspace.find(key, nowMs) !== undefined) return integer(0);
      keyspace.put(key, { type: "string", text });
      return integer(1);
    },
  },
  sismember: {
    arity: 3,
    run: (call) => integer(valueAt(call, call.args[0] as string, "set")?.members.has(call.args[1] as string) ? 1 : 0),
  },
  smembers: { arity: 2, run: (call) => array([...(valueAt(call, call.args[0] as string, "set")?.members ?? [])]) },
  srem: { arity: -3, writes: "frees", run: changeSet((members, member) => members.delete(member)) },
  strlen: { arity: 2, run: (call) => integer((textAt(call, call.args[0] as string) ?? "").length) },
  ttl: { arity: 2, run: timeToLive(1000) },
  type: {
    arity: 2,
    run: ({ args, keyspace, nowMs }) => ({
      type: "status",
      text: keyspace.find(args[0] as string, nowMs)?.value.type ?? "none",
    }),
  },
  unlink: { arity: -2, writes: "frees", run: remove },
};

function setWithExpiry(unit: "EX" | "PX"): (call: DataCall) => Reply {
  return ({ args, keyspace, nowMs, name }) => {
    const [key, amount, text] = args as [string, string, string];
    keyspace.put(key, { type: "string", text }, expiryOf(name, unit, amount, nowMs));
    return ok;
  };
}
