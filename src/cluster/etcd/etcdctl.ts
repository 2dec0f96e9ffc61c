// etcdctl: keys, watches, members, health, snapshots.

import { formatMicroTime } from "#cluster/api/time.ts";
import { decodeBase64, encodeBase64 } from "#sim/base64.ts";
import { type Bytes, concatBytes, decodeUtf8, encodeUtf8 } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { Process, Program, Sys } from "#sim/program.ts";
import { type CommandLine, humanBytes, readCommandLine, table, WrongUse } from "./command-line.ts";
import { EtcdClient, EtcdError } from "./etcd-client.ts";
import { hexId } from "./members.ts";
import { etcdVersion, storageVersion } from "./versions.ts";

const flags = {
  endpoints: "127.0.0.1:2379",
  cacert: "",
  cert: "",
  key: "",
  "insecure-skip-tls-verify": false,
  "insecure-transport": true,
  "command-timeout": "5s",
  "dial-timeout": "2s",
  "write-out": "simple",
  hex: false,
  help: false,
  prefix: false,
  "from-key": false,
  "keys-only": false,
  "count-only": false,
  "print-value-only": false,
  limit: "0",
  rev: "0",
  "prev-kv": false,
  cluster: false,
};

interface Header {
  readonly cluster_id: string;
  readonly member_id: string;
  readonly revision: string;
  readonly raft_term: string;
}

interface WireKey {
  readonly key: string;
  readonly value?: string;
  readonly create_revision?: string;
  readonly mod_revision?: string;
  readonly version?: string;
}

interface RangeAnswer {
  readonly header: Header;
  readonly kvs?: readonly WireKey[];
  readonly more?: boolean;
  readonly count?: string;
}

type Command = (self: Process, line: CommandLine) => Sys<number>;

export const etcdctl: Program = function* (self) {
  try {
    const line = readCommandLine(self.argv.slice(1), flags, self.env);
    const [name = "", second = ""] = line.words;
    const command = commands.get(name) ?? commands.get(`${name} ${second}`);
    if (name === "" || name === "help" || line.has("help")) {
      yield* self.write(1, help);
      return 0;
    }
    if (command !== undefined) return yield* command(self, line);
    const known = isKnown(name);
    throw new WrongUse(
      known ? `${[name, second].join(" ").trim()}: not simulated` : `unknown command ${JSON.stringify(name)} for "etcdctl"`,
    );
  } catch (error) {
    if (error instanceof WrongUse) yield* self.write(2, `Error: ${error.message}\n`);
    else if (error instanceof EtcdError) {
      yield* self.write(2, `${error.log}Error: ${error.message}\n`);
      return error.status;
    } else if (error instanceof SysError && error.code !== "EINTR") yield* self.write(2, `Error: ${error.message}\n`);
    else throw error;
    return 1;
  }
};

/** Those of the real one that are not here. */
function isKnown(name: string): boolean {
  return [
    "alarm",
    "auth",
    "check",
    "compaction",
    "defrag",
    "downgrade",
    "elect",
    "endpoint",
    "lease",
    "lock",
    "make-mirror",
    "member",
    "move-leader",
    "role",
    "snapshot",
    "txn",
    "user",
  ].includes(name);
}

const help = `NAME:
	etcdctl - A simple command line client for etcd3.

USAGE:
	etcdctl [flags]

VERSION:
	${etcdVersion}

API VERSION:
	3.6

COMMANDS:
	del		Removes the specified key or range of keys [key, range_end)
	endpoint health	Checks the healthiness of endpoints specified in \`--endpoints\` flag
	endpoint status	Prints out the status of endpoints specified in \`--endpoints\` flag
	get		Gets the key or a range of keys
	help		Help about any command
	member list	Lists all members in the cluster
	put		Puts the given key into the store
	snapshot save	Stores an etcd node backend snapshot to a given file
	version		Prints the version of etcdctl
	watch		Watches events stream on keys or prefixes
`;

function client(self: Process, line: CommandLine): EtcdClient {
  return new EtcdClient(self, line, line.text("endpoints").split(",")[0] ?? "");
}

function base64(text: string): string {
  return encodeBase64(encodeUtf8(text));
}

/** The end of a prefix: the next text of its length; "\0" for all that follow. */
function endOf(line: CommandLine, key: string, end: string | undefined): { readonly range_end?: string } {
  if (line.has("from-key")) return { range_end: base64("\0") };
  if (!line.has("prefix")) return end === undefined ? {} : { range_end: base64(end) };
  if (key === "") return { range_end: base64("\0") };
  return { range_end: base64(key.slice(0, -1) + String.fromCodePoint((key.codePointAt(key.length - 1) ?? 0) + 1)) };
}

function* get(self: Process, line: CommandLine): Sys<number> {
  const [, key, end] = line.words;
  if (key === undefined) throw new WrongUse("get command needs one argument as key and an optional argument as range_end");
  const form = formOf(line, ["simple", "json", "fields"]);
  const isCount = line.has("count-only");
  const text = yield* client(self, line).ask("/etcdserverpb.KV/Range", "/v3/kv/range", {
    key: base64(key === "" ? "\0" : key),
    ...endOf(line, key, end),
    limit: line.text("limit"),
    revision: line.text("rev"),
    keys_only: line.has("keys-only"),
    count_only: isCount,
  });
  const answer = JSON.parse(text) as RangeAnswer;
  if (form === "json") yield* self.write(1, `${jsonOf(answer)}\n`);
  else if (form === "fields") yield* self.write(1, fieldsOf(answer));
  else
    for (const kv of answer.kvs ?? []) {
      if (!line.has("print-value-only")) yield* self.write(1, concatBytes([decodeBase64(kv.key).bytes, newline]));
      yield* self.write(1, concatBytes([decodeBase64(kv.value ?? "").bytes, newline]));
    }
  return 0;
}

const newline = encodeUtf8("\n");

function formOf(line: CommandLine, known: readonly string[]): string {
  const form = line.text("write-out");
  if (!known.includes(form)) throw new WrongUse(`--write-out=${form}: not simulated`);
  return form;
}

/** Numbers as numbers, also beyond what a double holds. */
function jsonOf(answer: RangeAnswer): string {
  return JSON.stringify(answer).replaceAll(/"((?:\w+_)?(?:id|revision|term|version|count))":"(\d+)"/g, '"$1":$2');
}

function fieldsOf({ header, kvs = [], more = false, count = "0" }: RangeAnswer): string {
  const lines = [...headerFields(header)];
  for (const kv of kvs)
    lines.push(
      `"Key" : ${quoted(kv.key)}`,
      `"CreateRevision" : ${kv.create_revision}`,
      `"ModRevision" : ${kv.mod_revision}`,
      `"Version" : ${kv.version}`,
      `"Value" : ${quoted(kv.value ?? "")}`,
      `"Lease" : 0`,
    );
  return [...lines, `"More" : ${more}`, `"Count" : ${count}`, ""].join("\n");
}

function headerFields(header: Header): readonly string[] {
  return [
    `"ClusterID" : ${header.cluster_id}`,
    `"MemberID" : ${header.member_id}`,
    `"Revision" : ${header.revision}`,
    `"RaftTerm" : ${header.raft_term}`,
  ];
}

/** As Go's %q. */
function quoted(base64Text: string): string {
  const { bytes } = decodeBase64(base64Text);
  let text = "";
  for (const byte of bytes) {
    const char = String.fromCharCode(byte);
    if (char === '"' || char === "\\") text += `\\${char}`;
    else if (byte === 10) text += "\\n";
    else if (byte === 9) text += "\\t";
    else if (byte === 13) text += "\\r";
    else if (byte < 32 || byte > 126) text += `\\x${byte.toString(16).padStart(2, "0")}`;
    else text += char;
  }
  return `"${text}"`;
}

function* put(self: Process, line: CommandLine): Sys<number> {
  const [, key, value] = line.words;
  if (key === undefined) throw new WrongUse("put command needs 1 argument and input from stdin or 2 arguments");
  const given = value ?? (yield* standardInput(self));
  yield* client(self, line).ask("/etcdserverpb.KV/Put", "/v3/kv/put", { key: base64(key), value: base64(given) });
  yield* self.write(1, "OK\n");
  return 0;
}

function* standardInput(self: Process): Sys<string> {
  const parts: Bytes[] = [];
  for (let bytes = yield* self.read(0); bytes.length > 0; bytes = yield* self.read(0)) parts.push(bytes);
  return decodeUtf8(concatBytes(parts));
}

function* del(self: Process, line: CommandLine): Sys<number> {
  const [, key, end] = line.words;
  if (key === undefined) throw new WrongUse("del command needs one argument as key and an optional argument as range_end");
  const asked = { key: base64(key === "" ? "\0" : key), ...endOf(line, key, end), prev_kv: line.has("prev-kv") };
  const text = yield* client(self, line).ask("/etcdserverpb.KV/DeleteRange", "/v3/kv/deleterange", asked);
  const { deleted, prev_kvs: gone = [] } = JSON.parse(text) as { readonly deleted: string; readonly prev_kvs?: readonly WireKey[] };
  yield* self.write(1, `${deleted}\n`);
  for (const kv of gone)
    yield* self.write(1, concatBytes([decodeBase64(kv.key).bytes, newline, decodeBase64(kv.value ?? "").bytes, newline]));
  return 0;
}

function* watch(self: Process, line: CommandLine): Sys<number> {
  const [, key, end] = line.words;
  if (key === undefined) throw new WrongUse("watch in interactive mode: not simulated");
  const create_request = { key: base64(key === "" ? "\0" : key), ...endOf(line, key, end) };
  const fd = yield* client(self, line).open("/etcdserverpb.Watch/Watch", "/v3/watch", { create_request });
  let rest = "";
  for (let bytes = yield* self.read(fd); bytes.length > 0; bytes = yield* self.read(fd)) {
    const lines = (rest + decodeUtf8(bytes)).split("\n");
    rest = lines.pop() ?? "";
    for (const text of lines) {
      const { result } = JSON.parse(text) as {
        readonly result: { readonly events?: readonly { readonly type?: string; readonly kv: WireKey }[] };
      };
      for (const { type = "PUT", kv } of result.events ?? [])
        yield* self.write(
          1,
          concatBytes([encodeUtf8(`${type}\n`), decodeBase64(kv.key).bytes, newline, decodeBase64(kv.value ?? "").bytes, newline]),
        );
    }
  }
  return 0;
}

function* endpointHealth(self: Process, line: CommandLine): Sys<number> {
  let healthy = true;
  for (const endpoint of yield* endpointsOf(self, line)) {
    const began = self.nowMs;
    try {
      yield* new EtcdClient(self, line, endpoint).ask("/etcdserverpb.KV/Range", "/v3/kv/range", { key: base64("health") });
      const took = `${(self.nowMs - began + 0.6).toFixed(6)}ms`;
      yield* self.write(1, `${endpoint} is healthy: successfully committed proposal: took = ${took}\n`);
    } catch (error) {
      if (!(error instanceof EtcdError)) throw error;
      healthy = false;
      yield* self.write(2, `${error.log}${endpoint} is unhealthy: failed to commit proposal: ${error.message}\n`);
    }
  }
  if (!healthy) throw new EtcdError("unhealthy cluster");
  return 0;
}

function* endpointsOf(self: Process, line: CommandLine): Sys<readonly string[]> {
  if (!line.has("cluster")) return line.text("endpoints").split(",");
  return (yield* members(self, line)).flatMap(({ clientURLs }) => clientURLs);
}

interface Status {
  readonly header: Header;
  readonly version: string;
  readonly dbSize: string;
  readonly dbSizeInUse: string;
  readonly dbSizeQuota: string;
  readonly leader: string;
  readonly raftIndex: string;
  readonly raftTerm: string;
  readonly raftAppliedIndex: string;
  readonly storageVersion: string;
  readonly errors?: readonly string[];
}

const statusHeads = [
  "endpoint",
  "id",
  "version",
  "storage version",
  "db size",
  "in use",
  "percentage not in use",
  "quota",
  "is leader",
  "is learner",
  "raft term",
  "raft index",
  "raft applied index",
  "errors",
  "downgrade target version",
  "downgrade enabled",
];

function* endpointStatus(self: Process, line: CommandLine): Sys<number> {
  const form = formOf(line, ["simple", "table"]);
  const rows: string[][] = [];
  for (const endpoint of yield* endpointsOf(self, line)) {
    const text = yield* new EtcdClient(self, line, endpoint).ask("/etcdserverpb.Maintenance/Status", "/v3/maintenance/status", {});
    const status = JSON.parse(text) as Status;
    const [size, used] = [Number(status.dbSize), Number(status.dbSizeInUse)];
    rows.push([
      endpoint,
      hexId(status.header.member_id),
      status.version,
      status.storageVersion,
      humanBytes(size),
      humanBytes(used),
      `${Math.round(((size - used) / size) * 100)}%`,
      humanBytes(Number(status.dbSizeQuota)),
      String(status.leader === status.header.member_id),
      "false",
      status.raftTerm,
      status.raftIndex,
      status.raftAppliedIndex,
      (status.errors ?? []).join(", "),
      "",
      "false",
    ]);
  }
  yield* self.write(1, form === "table" ? table(statusHeads, rows) : rows.map((row) => `${row.join(", ")}\n`).join(""));
  return 0;
}

interface ListedMember {
  readonly ID: string;
  readonly name: string;
  readonly peerURLs: readonly string[];
  readonly clientURLs: readonly string[];
}

function* members(self: Process, line: CommandLine): Sys<readonly ListedMember[]> {
  const text = yield* client(self, line).ask("/etcdserverpb.Cluster/MemberList", "/v3/cluster/member/list", {});
  return (JSON.parse(text) as { readonly members: readonly ListedMember[] }).members;
}

function* memberList(self: Process, line: CommandLine): Sys<number> {
  const form = formOf(line, ["simple", "table"]);
  const rows = (yield* members(self, line)).map(({ ID, name, peerURLs, clientURLs }) => [
    hexId(ID),
    "started",
    name,
    peerURLs.join(","),
    clientURLs.join(","),
    "false",
  ]);
  const heads = ["id", "status", "name", "peer addrs", "client addrs", "is learner"];
  yield* self.write(1, form === "table" ? table(heads, rows) : rows.map((row) => `${row.join(", ")}\n`).join(""));
  return 0;
}

function* snapshotSave(self: Process, line: CommandLine): Sys<number> {
  const [, , path, more] = line.words;
  if (path === undefined || more !== undefined) throw new WrongUse("snapshot save expects one argument");
  const log = (caller: string, fields: object): string =>
    `${JSON.stringify({ level: "info", ts: formatMicroTime(self.nowMs), caller, ...fields })}\n`;
  const endpoint = line.text("endpoints");
  yield* self.write(2, log("snapshot/v3_snapshot.go:83", { msg: "created temporary db file", path: `${path}.part` }));
  yield* self.write(2, log("snapshot/v3_snapshot.go:96", { msg: "fetching snapshot", endpoint }));
  const text = yield* client(self, line).ask("/etcdserverpb.Maintenance/Snapshot", "/v3/maintenance/snapshot", {});
  self.writeFile(path, text, { permissions: 0o600 });
  const size = humanBytes(encodeUtf8(text).length);
  const fetched = { msg: "fetched snapshot", endpoint, size, took: "now", "etcd-version": storageVersion };
  yield* self.write(2, log("snapshot/v3_snapshot.go:111", fetched));
  yield* self.write(2, log("snapshot/v3_snapshot.go:121", { msg: "saved", path }));
  yield* self.write(1, `Snapshot saved at ${path}\nServer version ${storageVersion}\n`);
  return 0;
}

const commands: ReadonlyMap<string, Command> = new Map<string, Command>([
  ["get", get],
  ["put", put],
  ["del", del],
  ["watch", watch],
  ["endpoint health", endpointHealth],
  ["endpoint status", endpointStatus],
  ["member list", memberList],
  ["snapshot save", snapshotSave],
  [
    "version",
    function* (self) {
      yield* self.write(1, `etcdctl version: ${etcdVersion}\nAPI version: 3.6\n`);
      return 0;
    },
  ],
]);
