// Kysely over Node's own SQLite: the few calls that Kysely knows a database by.

import { DatabaseSync, type StatementSync } from "node:sqlite";
import type { SqliteDatabase } from "kysely";

type Value = null | number | bigint | string | Uint8Array;

/** Writes are on the disk before they are acknowledged, also when the power goes. Throws when the file cannot be opened. */
export function openNodeSqlite(path: string): SqliteDatabase {
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: true, timeout: 5000 });
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;");
  const statements = new Map<string, StatementSync>();
  const prepared = (sql: string): StatementSync => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const statement = database.prepare(sql);
    if (statements.size < mostStatements) statements.set(sql, statement);
    return statement;
  };
  return {
    close: () => database.close(),
    prepare: (sql) => {
      const statement = prepared(sql);
      return {
        reader: statement.columns().length > 0,
        all: (parameters) => statement.all(...(parameters as Value[])),
        // SQLite itself gives a transaction up when the disk is full: what then fails is that, not the way back.
        run: (parameters) => (sql === "rollback" && !database.isTransaction ? nothing : statement.run(...(parameters as Value[]))),
        iterate: (parameters) => statement.iterate(...(parameters as Value[])),
      };
    },
  };
}

const nothing = { changes: 0, lastInsertRowid: 0 };

/** Statements whose number grows with their input (`in (…)`) are not kept beyond this. */
const mostStatements = 500;
