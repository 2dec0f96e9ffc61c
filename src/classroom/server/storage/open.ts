// Opens the classroom's database: SQLite in a file of the data folder, or PostgreSQL by its URL. The schema is brought
// forward; one that a newer version has made is refused.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Kysely, PostgresDialect, SqliteDialect } from "kysely";
import { Migrator } from "kysely/migration";
import pg from "pg";
import Cursor from "pg-cursor";
import { type Dialect, migrationsFor } from "./migrations.ts";
import { openNodeSqlite } from "./node-sqlite.ts";
import type { Tables } from "./tables.ts";

export type Database = Kysely<Tables>;

export interface StorageOptions {
  /** Holds `classroom.sqlite`; made if it is not there. */
  readonly dataFolder: string;
  /** `postgres://…`: instead of SQLite. */
  readonly databaseUrl: string | undefined;
}

/** The database cannot be used; the message says why, to whoever started the server. */
export class StorageError extends Error {}

const fileName = "classroom.sqlite";

/** Throws StorageError. */
export async function openDatabase({ dataFolder, databaseUrl }: StorageOptions): Promise<Database> {
  const database = databaseUrl === undefined ? openFile(dataFolder) : openServer(databaseUrl);
  const dialect: Dialect = databaseUrl === undefined ? { whole: "integer", bytes: "blob" } : { whole: "bigint", bytes: "bytea" };
  try {
    await bringForward(database, dialect);
    return database;
  } catch (error) {
    await database.destroy();
    throw error instanceof StorageError ? error : new StorageError(`the database cannot be used: ${(error as Error).message}`);
  }
}

function openFile(folder: string): Database {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return new Kysely<Tables>({ dialect: new SqliteDialect({ database: openNodeSqlite(join(folder, fileName)) }) });
  } catch (error) {
    throw new StorageError(`${join(folder, fileName)} cannot be opened: ${(error as Error).message}`);
  }
}

function openServer(connectionString: string): Database {
  // Times do not outgrow 2^53.
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, Number);
  const pool = new pg.Pool({ connectionString, max: 10, connectionTimeoutMillis: 5000, types });
  forgiveBreaks(pool);
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool, cursor: Cursor }) });
}

/** A connection that breaks fails the query that uses it, and is replaced; it does not end the process. */
export function forgiveBreaks(pool: pg.Pool): void {
  pool.on("error", () => {});
  pool.on("connect", (client) => void client.on("error", () => {}));
}

/** Several processes may start at once: the migrator locks. */
async function bringForward(database: Database, dialect: Dialect): Promise<void> {
  const { error } = await new Migrator({ db: database, provider: migrationsFor(dialect) }).migrateToLatest();
  if (error === undefined) return;
  // So Kysely names a step that was taken and that this version does not know.
  const foreign = /previously executed migration (\S+) is missing/.exec((error as Error).message)?.[1];
  if (foreign === undefined) throw error;
  throw new StorageError(`the database was made by a newer version of Pilothouse (it has ${foreign}); start that version`);
}
