// The SQL that this server knows: databases, tables with rows of texts and numbers, and the values that lessons ask a server for. All
// else is refused with MySQL's error for what a version does not support.

import { civilDate } from "#sim/calendar.ts";
import type { Process } from "#sim/program.ts";
import type { DataDirectory, Table } from "./data-directory.ts";
import type { ResultSet, SqlFault } from "./packets.ts";
import { SyntaxFault, type Token, Tokens } from "./tokens.ts";

export class SqlError extends Error {
  readonly fault: SqlFault;

  constructor(code: number, state: string, message: string) {
    super(message);
    this.fault = { code, state, message };
  }
}

export interface Session {
  readonly self: Process;
  readonly data: DataDirectory;
  readonly version: string;
  readonly connection: number;
  /** `root@localhost` */
  readonly user: string;
  readonly mayUse: (database: string) => boolean;
  database: string | undefined;
}

/** Rows, or how many rows were changed. */
export type Outcome = ResultSet | { readonly affectedRows: number };

type Condition = (row: readonly (string | null)[]) => boolean;

function notSupported(what: string): SqlError {
  return new SqlError(1235, "42000", `This version of MySQL doesn't yet support '${what}'`);
}

/** Runs one statement. Throws SqlError. */
export function runStatement(session: Session, sql: string): Outcome {
  try {
    return new Statement(session, new Tokens(sql)).run();
  } catch (error) {
    if (!(error instanceof SyntaxFault)) throw error;
    const message = `You have an error in your SQL syntax; check the manual that corresponds to your MySQL server version for the right syntax to use near '${error.near.slice(0, 80)}' at line 1`;
    throw new SqlError(1064, "42000", message);
  }
}

/** `USE`. Throws SqlError. */
export function useDatabase(session: Session, database: string): void {
  if (!session.mayUse(database)) {
    const [user, host] = session.user.split("@");
    throw new SqlError(1044, "42000", `Access denied for user '${user}'@'${host}' to database '${database}'`);
  }
  if (!session.data.databases().includes(database)) throw new SqlError(1049, "42000", `Unknown database '${database}'`);
  session.database = database;
}

class Statement {
  readonly #session: Session;
  readonly #tokens: Tokens;

  constructor(session: Session, tokens: Tokens) {
    this.#session = session;
    this.#tokens = tokens;
  }

  run(): Outcome {
    const tokens = this.#tokens;
    if (tokens.atEnd) throw new SqlError(1065, "42000", "Query was empty");
    if (tokens.accept("SELECT")) return this.#select();
    if (tokens.accept("SHOW")) return this.#show();
    if (tokens.accept("USE")) {
      useDatabase(this.#session, tokens.name());
      return { affectedRows: 0 };
    }
    if (tokens.accept("CREATE", "DATABASE") || tokens.accept("CREATE", "SCHEMA")) return this.#createDatabase();
    if (tokens.accept("DROP", "DATABASE") || tokens.accept("DROP", "SCHEMA")) return this.#dropDatabase();
    if (tokens.accept("CREATE", "TABLE")) return this.#createTable();
    if (tokens.accept("DROP", "TABLE")) return this.#dropTable();
    if (tokens.accept("INSERT", "INTO")) return this.#insert();
    if (tokens.accept("DELETE", "FROM")) return this.#delete();
    if (tokens.accept("UPDATE")) return this.#update();
    if (tokens.accept("DESCRIBE") || tokens.accept("DESC")) return this.#describe();
    if (tokens.accept("SET", "NAMES") || tokens.accept("COMMIT") || tokens.accept("FLUSH", "PRIVILEGES"))
      return { affectedRows: 0 };
    const known =
      /^(?:ALTER|ANALYZE|BEGIN|CALL|CHANGE|CREATE|DO|DROP|EXPLAIN|FLUSH|GRANT|HANDLER|INSERT|KILL|LOAD|LOCK|OPTIMIZE|PREPARE|PURGE|RENAME|REPLACE|RESET|REVOKE|ROLLBACK|SET|START|STOP|TRUNCATE|UNLOCK|WITH|XA)$/i;
    if (tokens.next?.type === "word" && known.test(tokens.next.text)) throw notSupported(tokens.rest.slice(0, 64));
    return tokens.fail();
  }

  #createDatabase(): Outcome {
    const quiet = this.#tokens.accept("IF", "NOT", "EXISTS");
    const name = this.#tokens.name();
    this.#tokens.end();
    if (!this.#session.data.databases().includes(name)) {
      this.#session.data.createDatabase(name);
      return { affectedRows: 1 };
    }
    if (!quiet) throw new SqlError(1007, "HY000", `Can't create database '${name}'; database exists`);
    return { affectedRows: 1 };
  }

  #dropDatabase(): Outcome {
    const quiet = this.#tokens.accept("IF", "EXISTS");
    const name = this.#tokens.name();
    this.#tokens.end();
    if (!this.#session.data.databases().includes(name)) {
      if (quiet) return { affectedRows: 0 };
      throw new SqlError(1008, "HY000", `Can't drop database '${name}'; database doesn't exist`);
    }
    const affectedRows = this.#session.data.tables(name).length;
    this.#session.data.dropDatabase(name);
    if (this.#session.database === name) this.#session.database = undefined;
    return { affectedRows };
  }

  #show(): Outcome {
    const { data } = this.#session;
    if (this.#tokens.accept("DATABASES") || this.#tokens.accept("SCHEMAS")) {
      this.#tokens.end();
      return {
        columns: ["Database"],
        rows: data
          .databases()
          .filter(this.#session.mayUse)
          .map((name) => [name]),
      };
    }
    if (this.#tokens.accept("TABLES")) {
      const database = this.#tokens.accept("FROM") || this.#tokens.accept("IN") ? this.#tokens.name() : this.#session.database;
      if (database === undefined) throw new SqlError(1046, "3D000", "No database selected");
      this.#tokens.end();
      return { columns: [`Tables_in_${database}`], rows: data.tables(database).map((name) => [name]) };
    }
    throw notSupported(`SHOW ${this.#tokens.rest.slice(0, 64)}`);
  }

  /** `table` or `database.table`. */
  #tableName(): { readonly database: string; readonly name: string } {
    const first = this.#tokens.name();
    const qualified = this.#tokens.accept(".");
    const database = qualified ? first : this.#session.database;
    if (database === undefined) throw new SqlError(1046, "3D000", "No database selected");
    return { database, name: qualified ? this.#tokens.name() : first };
  }

  #table(): { readonly database: string; readonly name: string; readonly table: Table } {
    const { database, name } = this.#tableName();
    if (/^(?:information_schema|mysql|performance_schema|sys)$/i.test(database)) throw notSupported(`${database}.${name}`);
    const table = this.#session.mayUse(database) ? this.#session.data.table(database, name) : undefined;
    if (table === undefined) throw new SqlError(1146, "42S02", `Table '${database}.${name}' doesn't exist`);
    return { database, name, table };
  }

  #createTable(): Outcome {
    const quiet = this.#tokens.accept("IF", "NOT", "EXISTS");
    const { database, name } = this.#tableName();
    if (!this.#session.data.databases().includes(database)) throw new SqlError(1049, "42000", `Unknown database '${database}'`);
    if (this.#session.data.table(database, name) !== undefined) {
      if (quiet) return { affectedRows: 0 };
      throw new SqlError(1050, "42S01", `Table '${name}' already exists`);
    }
    const columns: { name: string; type: string; autoIncrement: boolean }[] = [];
    this.#tokens.expect("(");
    do {
      if (this.#tokens.accept("PRIMARY", "KEY", "(")) {
        this.#tokens.name();
        this.#tokens.expect(")");
      } else columns.push(this.#column());
    } while (this.#tokens.accept(","));
    this.#tokens.expect(")");
    if (!this.#tokens.atEnd) throw notSupported(this.#tokens.rest.slice(0, 64));
    this.#session.data.saveTable(database, name, { columns, rows: [] });
    return { affectedRows: 0 };
  }

  #column(): { name: string; type: string; autoIncrement: boolean } {
    const name = this.#tokens.name();
    let type = this.#tokens.name().toLowerCase();
    if (this.#tokens.accept("(")) {
      const sizes = [this.#tokens.take().text];
      while (this.#tokens.accept(",")) sizes.push(this.#tokens.take().text);
      this.#tokens.expect(")");
      type += `(${sizes.join(",")})`;
    }
    let autoIncrement = false;
    for (;;) {
      if (this.#tokens.accept("AUTO_INCREMENT")) autoIncrement = true;
      else if (!this.#tokens.accept("PRIMARY", "KEY") && !this.#tokens.accept("NOT", "NULL") && !this.#tokens.accept("NULL")) break;
    }
    const { next } = this.#tokens;
    if (next?.type === "word") throw notSupported(next.text);
    return { name, type, autoIncrement };
  }

  #dropTable(): Outcome {
    const quiet = this.#tokens.accept("IF", "EXISTS");
    const { database, name } = this.#tableName();
    this.#tokens.end();
    if (this.#session.data.table(database, name) !== undefined) this.#session.data.dropTable(database, name);
    else if (!quiet) throw new SqlError(1051, "42S02", `Unknown table '${database}.${name}'`);
    return { affectedRows: 0 };
  }

  #describe(): Outcome {
    const { table } = this.#table();
    this.#tokens.end();
    const rows = table.columns.map(({ name, type, autoIncrement }) => [
      name,
      type,
      autoIncrement ? "NO" : "YES",
      autoIncrement ? "PRI" : "",
      null,
      autoIncrement ? "auto_increment" : "",
    ]);
    return { columns: ["Field", "Type", "Null", "Key", "Default", "Extra"], rows };
  }

  #insert(): Outcome {
    const { database, name, table } = this.#table();
    const names = this.#tokens.accept("(") ? this.#names() : undefined;
    if (!this.#tokens.accept("VALUES")) this.#tokens.expect("VALUE");
    const before = table.rows.length;
    do {
      this.#tokens.expect("(");
      const values: (string | null)[] = [];
      do values.push(this.#value());
      while (this.#tokens.accept(","));
      this.#tokens.expect(")");
      table.rows.push(rowOf(table, names, values, table.rows.length - before + 1));
    } while (this.#tokens.accept(","));
    this.#tokens.end();
    this.#session.data.saveTable(database, name, table);
    return { affectedRows: table.rows.length - before };
  }

  #names(): readonly string[] {
    const names: string[] = [];
    do names.push(this.#tokens.name());
    while (this.#tokens.accept(","));
    this.#tokens.expect(")");
    return names;
  }

  #delete(): Outcome {
    const { database, name, table } = this.#table();
    const condition = this.#where(table);
    this.#tokens.end();
    const kept = table.rows.filter((row) => !condition(row));
    this.#session.data.saveTable(database, name, { ...table, rows: kept });
    return { affectedRows: table.rows.length - kept.length };
  }

  #update(): Outcome {
    const { database, name, table } = this.#table();
    this.#tokens.expect("SET");
    const changes: (readonly [number, string | null])[] = [];
    do {
      const column = columnIndex(table, this.#tokens.name());
      this.#tokens.expect("=");
      changes.push([column, this.#value()]);
    } while (this.#tokens.accept(","));
    const condition = this.#where(table);
    this.#tokens.end();
    const rows = table.rows.filter(condition);
    for (const row of rows) for (const [column, value] of changes) row[column] = value;
    this.#session.data.saveTable(database, name, table);
    return { affectedRows: rows.length };
  }

  #where(table: Table): Condition {
    if (!this.#tokens.accept("WHERE")) return () => true;
    const conditions: Condition[] = [];
    do conditions.push(this.#comparison(table));
    while (this.#tokens.accept("AND"));
    if (this.#tokens.accept("OR")) throw notSupported("OR");
    return (row) => conditions.every((condition) => condition(row));
  }

  #comparison(table: Table): Condition {
    const column = columnIndex(table, this.#tokens.name());
    const operator = this.#tokens.take().text;
    const compare = comparisons[operator];
    if (compare === undefined) throw notSupported(operator);
    const value = this.#value();
    return (row) => {
      const cell = row[column] ?? null;
      return cell !== null && value !== null && compare(difference(cell, value));
    };
  }

  #value(): string | null {
    const token = this.#tokens.take();
    if (token.type === "string" || token.type === "number") return token.text;
    if (token.type === "word" && token.text.toUpperCase() === "NULL") return null;
    if (token.type === "word") return this.#named(token);
    return this.#tokens.fail();
  }

  #select(): Outcome {
    const items = this.#selectItems();
    if (!this.#tokens.accept("FROM")) {
      this.#tokens.end();
      const rows = [items.map((item) => ("value" in item ? item.value() : this.#tokens.fail()))];
      return { columns: items.map(({ label }) => label), rows };
    }
    const { table } = this.#table();
    const condition = this.#where(table);
    const found = this.#orderAndLimit(table, table.rows.filter(condition));
    if (items.some((item) => "counts" in item)) return { columns: items.map(({ label }) => label), rows: [[String(found.length)]] };
    const columns = items.flatMap((item) => {
      if ("all" in item) return table.columns.map(({ name }, index) => ({ label: name, index }));
      if ("column" in item) return [{ label: item.label, index: columnIndex(table, item.column) }];
      throw notSupported(item.label);
    });
    return {
      columns: columns.map(({ label }) => label),
      rows: found.map((row) => columns.map(({ index }) => row[index] ?? null)),
    };
  }

  #orderAndLimit(table: Table, rows: (string | null)[][]): (string | null)[][] {
    let sorted = rows;
    if (this.#tokens.accept("ORDER", "BY")) {
      const column = columnIndex(table, this.#tokens.name());
      const sign = this.#tokens.accept("DESC") ? -1 : 1;
      this.#tokens.accept("ASC");
      sorted = rows.toSorted((a, b) => sign * difference(a[column] ?? "", b[column] ?? ""));
    }
    if (this.#tokens.accept("LIMIT")) sorted = sorted.slice(0, Number(this.#tokens.take().text));
    if (!this.#tokens.atEnd) throw notSupported(this.#tokens.rest.slice(0, 64));
    return sorted;
  }

  #selectItems(): readonly SelectItem[] {
    const items: SelectItem[] = [];
    do {
      const item = this.#selectItem();
      const label = this.#tokens.accept("AS") ? this.#tokens.name() : item.label;
      items.push({ ...item, label });
    } while (this.#tokens.accept(","));
    return items;
  }

  #selectItem(): SelectItem {
    if (this.#tokens.accept("*")) return { label: "*", all: true };
    if (this.#tokens.accept("COUNT", "(", "*", ")")) return { label: "COUNT(*)", counts: true };
    const token = this.#tokens.take();
    if (token.type === "string" || token.type === "number") return { label: token.text, value: () => token.text };
    if (token.type === "mark") return this.#tokens.fail();
    if (token.type === "word" && (token.text.startsWith("@@") || this.#tokens.accept("(", ")"))) {
      const label = token.text.startsWith("@@") ? token.text : `${token.text}()`;
      return { label, value: () => this.#named(token) };
    }
    return { label: token.text, column: token.text };
  }

  /** A system variable or a function without arguments. */
  #named(token: Token): string | null {
    const { self, version, connection, user, database } = this.#session;
    const name = token.text.toLowerCase().replace(/^@@(?:global\.|session\.)?/, "@@");
    if (!name.startsWith("@@")) this.#tokens.accept("(", ")");
    const values: { readonly [name: string]: () => string | null } = {
      "@@hostname": () => self.hostname,
      "@@version": () => version,
      "@@server_id": () => "1",
      "@@port": () => "3306",
      "@@datadir": () => "/var/lib/mysql/",
      version: () => version,
      connection_id: () => String(connection),
      database: () => database ?? null,
      user: () => user,
      current_user: () => user.replace(/@.*/, "@%"),
      now: () => sqlDate(self.nowMs),
    };
    const value = values[name];
    if (value !== undefined) return value();
    if (name.startsWith("@@")) throw new SqlError(1193, "HY000", `Unknown system variable '${name.slice(2)}'`);
    throw notSupported(token.text);
  }
}

type SelectItem = { readonly label: string } & (
  | { readonly all: true }
  | { readonly counts: true }
  | { readonly column: string }
  | { readonly value: () => string | null }
);

const comparisons: { readonly [operator: string]: (difference: number) => boolean } = {
  "=": (value) => value === 0,
  "<>": (value) => value !== 0,
  "!=": (value) => value !== 0,
  "<": (value) => value < 0,
  ">": (value) => value > 0,
  "<=": (value) => value <= 0,
  ">=": (value) => value >= 0,
};

/** Numbers by value, texts without regard to case (collation utf8mb4_0900_ai_ci). */
function difference(left: string, right: string): number {
  const [a, b] = [Number(left), Number(right)];
  if (left !== "" && right !== "" && !Number.isNaN(a) && !Number.isNaN(b)) return a - b;
  const [low, high] = [left.toLowerCase(), right.toLowerCase()];
  return low < high ? -1 : low > high ? 1 : 0;
}

function columnIndex(table: Table, name: string): number {
  const index = table.columns.findIndex((column) => column.name.toLowerCase() === name.toLowerCase());
  if (index < 0) throw new SqlError(1054, "42S22", `Unknown column '${name}' in 'field list'`);
  return index;
}

function rowOf(
  table: Table,
  names: readonly string[] | undefined,
  values: readonly (string | null)[],
  row: number,
): (string | null)[] {
  const indexes = names?.map((name) => columnIndex(table, name)) ?? table.columns.map((_, index) => index);
  if (indexes.length !== values.length) throw new SqlError(1136, "21S01", `Column count doesn't match value count at row ${row}`);
  return table.columns.map(({ autoIncrement }, index) => {
    const given = values[indexes.indexOf(index)] ?? null;
    if (given !== null || !autoIncrement) return given;
    return String(1 + Math.max(0, ...table.rows.map((each) => Number(each[index]))));
  });
}

function sqlDate(ms: number): string {
  const { year, month, day, hour, minute, second } = civilDate(ms);
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${year}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}:${two(second)}`;
}
