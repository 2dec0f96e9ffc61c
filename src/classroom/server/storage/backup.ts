// All that a classroom keeps, as one file: packed lines of JSON, the first of which says what it is. Written from one moment of the
// database; read into an empty one, of either kind.

import { createReadStream, createWriteStream } from "node:fs";
import { rename } from "node:fs/promises";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { type Database, StorageError } from "./open.ts";
import type { Tables } from "./tables.ts";

/** In the order in which they refer to each other. Sessions are left out: everybody signs in again; so is what is used within minutes. */
const tables = [
  "teachers",
  "invitations",
  "classes",
  "learners",
  "work",
  "last_places",
  "presences",
  "runs",
  "run_pieces",
  "results",
  "refusals",
  "efforts",
  "messages",
  "exams",
  "sittings",
  "milestones",
  "signing_keys",
  "certificates",
  "withdrawn_certificates",
  "lti_contexts",
  "lti_learners",
  "lti_teachers",
  "lti_line_items",
  "lti_scores",
  "audit",
] as const satisfies readonly (keyof Tables)[];

const kind = "pilothouse-classroom";
const version = 1;
/** Rows that are written or read at once. */
const batch = 200;

/** @returns how many rows it holds. */
export async function backUp(database: Database, path: string): Promise<number> {
  let rows = 0;
  async function* lines(): AsyncGenerator<string> {
    yield `${JSON.stringify({ kind, version })}\n`;
    const change = await database.startTransaction().setIsolationLevel("serializable").execute();
    try {
      for (const table of tables) {
        for await (const row of change.selectFrom(table).selectAll().stream(batch)) {
          rows += 1;
          yield `${JSON.stringify([table, row], packBytes)}\n`;
        }
      }
    } finally {
      await change.rollback().execute();
    }
  }
  // Another backup of that name stays until this one is whole.
  const partly = `${path}.part`;
  await pipeline(Readable.from(lines()), createGzip(), createWriteStream(partly, { mode: 0o600 }));
  await rename(partly, path);
  return rows;
}

/** All or nothing. Throws StorageError when the file is no backup or the database is not empty. @returns how many rows were read. */
export async function restore(database: Database, path: string): Promise<number> {
  if ((await database.selectFrom("teachers").select("id").limit(1).executeTakeFirst()) !== undefined)
    throw new StorageError("the database is not empty; restore into a new data folder or a new database");
  return database.transaction().execute(async (change) => {
    let rows = 0;
    let waiting: { readonly table: (typeof tables)[number]; readonly rows: object[] } | undefined;
    const write = async (): Promise<void> => {
      if (waiting === undefined) return;
      await change
        .insertInto(waiting.table)
        .values(waiting.rows as never)
        .execute();
      waiting = undefined;
    };
    let isFirst = true;
    for await (const value of parsed(path)) {
      if (isFirst) {
        isFirst = false;
        checkHead(value);
        continue;
      }
      const [table, row] = value as [(typeof tables)[number], object];
      if (!tables.includes(table)) throw new StorageError(`the backup holds ${String(table)}, which this version does not know`);
      if (waiting !== undefined && (waiting.table !== table || waiting.rows.length === batch)) await write();
      waiting ??= { table, rows: [] };
      waiting.rows.push(row);
      rows += 1;
    }
    if (isFirst) throw new StorageError("the file is empty");
    await write();
    return rows;
  });
}

function checkHead(head: unknown): void {
  const { kind: itsKind, version: itsVersion } = (typeof head === "object" && head !== null ? head : {}) as {
    readonly kind?: unknown;
    readonly version?: unknown;
  };
  if (itsKind !== kind) throw new StorageError("the file is no backup of a classroom");
  if (itsVersion !== version) throw new StorageError("the backup was made by another version of Pilothouse");
}

async function* parsed(path: string): AsyncGenerator<unknown> {
  const unpacked = createGunzip();
  const reading = pipeline(createReadStream(path), unpacked);
  try {
    for await (const line of createInterface({ input: unpacked, crlfDelay: Number.POSITIVE_INFINITY }))
      yield JSON.parse(line, unpackBytes);
    await reading;
  } catch (error) {
    await reading.catch(() => {});
    throw error instanceof StorageError ? error : new StorageError(`the backup cannot be read: ${(error as Error).message}`);
  }
}

/** Buffers have become `{type: "Buffer", data: […]}` before they come here. */
function packBytes(this: unknown, key: string, value: unknown): unknown {
  const original = (this as Record<string, unknown>)[key];
  return original instanceof Uint8Array ? { base64: Buffer.from(original).toString("base64") } : value;
}

function unpackBytes(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("base64" in value)) return value;
  return Buffer.from(String(value.base64), "base64");
}
