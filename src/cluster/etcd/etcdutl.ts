// etcdutl: what is done with a snapshot's file while no etcd runs on it.

import { sha256 } from "@noble/hashes/sha2.js";
import { formatMicroTime } from "#cluster/api/time.ts";
import { SysError } from "#sim/errors.ts";
import type { Process, Program, Sys } from "#sim/program.ts";
import { type CommandLine, humanBytes, readCommandLine, table, WrongUse } from "./command-line.ts";
import { factsOf } from "./snapshot.ts";
import { etcdVersion, storageVersion } from "./versions.ts";

const flags = {
  "write-out": "simple",
  help: false,
  "data-dir": "",
  name: "default",
  "initial-cluster": "default=http://localhost:2380",
  "initial-cluster-token": "etcd-cluster",
  "initial-advertise-peer-urls": "http://localhost:2380",
  "skip-hash-check": false,
  "bump-revision": "0",
  "mark-compacted": false,
};

/** The database of a data directory. */
export const databaseOf = (dataDirectory: string): string => `${dataDirectory}/member/snap/db`;

export const etcdutl: Program = function* (self) {
  try {
    const line = readCommandLine(self.argv.slice(1), flags);
    const [first = "", second = ""] = line.words;
    if (first === "version") {
      yield* self.write(1, `etcdutl version: ${etcdVersion}\nAPI version: 3.6\n`);
      return 0;
    }
    if (first === "snapshot" && second === "status") return yield* status(self, line);
    if (first === "snapshot" && second === "restore") return yield* restore(self, line);
    throw new WrongUse(`${line.words.join(" ")}: not simulated`);
  } catch (error) {
    if (!(error instanceof WrongUse || error instanceof SysError) || (error instanceof SysError && error.code === "EINTR"))
      throw error;
    yield* self.write(2, `Error: ${error.message}\n`);
    return 1;
  }
};

function* status(self: Process, line: CommandLine): Sys<number> {
  const path = oneFile(line);
  const content = self.readFile(path);
  const facts = factsOf(content);
  if (facts === undefined) throw new WrongUse("invalid database");
  const hash = [...sha256(content).subarray(0, 4)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const row = [hash, String(facts.revision), String(facts.keys), humanBytes(content.length), storageVersion];
  const heads = ["hash", "revision", "total keys", "total size", "version"];
  yield* self.write(1, line.text("write-out") === "table" ? table(heads, [row]) : `${row.join(", ")}\n`);
  return 0;
}

function* restore(self: Process, line: CommandLine): Sys<number> {
  const path = oneFile(line);
  const content = self.readFile(path);
  if (factsOf(content) === undefined) throw new WrongUse("snapshot missing hash but --skip-hash-check=false");
  const directory = line.text("data-dir") === "" ? `${line.text("name")}.etcd` : line.text("data-dir");
  if (self.exists(directory) && self.readdir(directory).length > 0)
    throw new WrongUse(`data-dir ${JSON.stringify(directory)} not empty or could not be read`);
  const log = (caller: string, msg: string): string =>
    `${JSON.stringify({ level: "info", ts: formatMicroTime(self.nowMs), caller, msg, path, "data-dir": directory, "snap-dir": `${directory}/member/snap` })}\n`;
  yield* self.write(2, log("snapshot/v3_snapshot.go:305", "restoring snapshot"));
  for (const each of [directory, `${directory}/member`, `${directory}/member/snap`, `${directory}/member/wal`])
    if (!self.exists(each)) self.mkdir(each, 0o700);
  self.writeFile(databaseOf(directory), content, { permissions: 0o600 });
  yield* self.write(2, log("snapshot/v3_snapshot.go:333", "restored snapshot"));
  return 0;
}

function oneFile({ words }: CommandLine): string {
  const [, second, path, more] = words;
  if (path === undefined || more !== undefined) throw new WrongUse(`snapshot ${second} requires exactly one argument`);
  return path;
}
