// A run's journal in the database: pieces of packed JSON, each from a number of entries on.

import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import type { Transaction } from "kysely";
import type { RunPart } from "../../wire.ts";
import type { Database } from "../storage/open.ts";
import type { Tables } from "../storage/tables.ts";

type Entries = RunPart["entries"];

const pack = promisify(gzip);
const unpack = promisify(gunzip);
/** So many small pieces are put together into one. */
const mostPieces = 64;

/** Everything that is kept of a run; what a piece unpacks to was checked when it came. */
export async function entriesOf(database: Database | Transaction<Tables>, runId: string): Promise<Entries> {
  const pieces = await database.selectFrom("run_pieces").select("entries").where("run_id", "=", runId).orderBy("first").execute();
  const parts = await Promise.all(pieces.map(async ({ entries }) => JSON.parse((await unpack(entries)).toString()) as Entries));
  return parts.flat();
}

/** Puts `entries` behind the first `from` of the run's, in the place of what stood there. `from` is not beyond what is held. */
export async function putEntries(change: Transaction<Tables>, runId: string, from: number, entries: Entries): Promise<void> {
  const pieces = await change
    .selectFrom("run_pieces")
    .select(["first", "count"])
    .where("run_id", "=", runId)
    .orderBy("first")
    .execute();
  const held = pieces.reduce((sum, { count }) => sum + count, 0);
  let first = from;
  let added = entries;
  if (from < held || pieces.length >= mostPieces) {
    added = [...(await entriesOf(change, runId)).slice(0, from), ...entries];
    first = 0;
    await change.deleteFrom("run_pieces").where("run_id", "=", runId).execute();
  }
  if (added.length === 0) return;
  const packed = await pack(JSON.stringify(added));
  await change.insertInto("run_pieces").values({ run_id: runId, first, count: added.length, entries: packed }).execute();
}
