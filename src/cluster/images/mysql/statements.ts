// The SQL that this server knows: databases, tables with rows of texts and numbers, and the values that lessons ask a server for. All
// else is refused with MySQL's error for what a version does not support.

import { asciiLowerCase, asciiUpperCase } from "#sim/ascii.ts";
import { civilDate } from "#sim/calendar.ts";
import type { Process } from "#sim/program.ts";
import type { Cell, Column, DataDirectory, Table } from "./data-directory.ts";
import type { ResultSet } from "./packets.ts";
import { columnIndex, difference, insertRow, updateRow } from "./rows.ts";
import { notSupported, SqlError } from "./sql-error.ts";
import { SyntaxFault, type Token, Tokens } from "./tokens.ts";

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

type Condition = (row: readonly Cell[]) => boolean;

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
  checkAccess(session, database);
  checkExistence(session, database);
  session.database = database;
}

/** Users who may not use everything are known from any host. */
function checkAccess(session: Session, database: string): void {
  if (session.mayUse(database)) return;
  const [user] = session.user.split("@");
  throw new SqlError(1044, "42000", `Access denied for user '${user}'@'%' to database '${database}'`);
}

function checkExistence(session: Session, database: string): void {
  if (!session.data.databases().includes(database)) throw new SqlError(1049, "42000", `Unknown database '${database}'`);
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
    checkAccess(this.#session, name);
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
    checkAccess(this.#session, name);
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
      checkAccess(this.#session, database);
      checkExistence(this.#session, database);
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

  /** A table's name, for a command that the user may give there. */
  #permittedName(command: string): { readonly database: string; readonly name: string } {
    const { database, name } = this.#tableName();
    if (this.#session.mayUse(database)) return { database, name };
    const [user, host] = this.#session.user.split("@");
    throw new SqlError(1142, "42000", `${command} command denied to user '${user}'@'${host}' for table '${name}'`);
  }

  #table(command: string): { readonly database: string; readonly name: string; readonly table: Table } {
    const { database, name } = this.#permittedName(command);
    if (/^(?:information_schema|mysql|performance_schema|sys)$/i.test(database)) throw notSupported(`${database}.${name}`);
    const table = this.#session.data.table(database, name);
    if (table === undefined) throw new SqlError(1146, "42S02", `Table '${database}.${name}' doesn't exist`);
    return { database, name, table };
  }

  #createTable(): Outcome {
    const quiet = this.#tokens.accept("IF", "NOT", "EXISTS");
    const { database, name } = this.#permittedName("CREATE");
    checkExistence(this.#session, database);
    if (this.#session.data.table(database, name) !== undefined) {
      if (quiet) return { affectedRows: 0 };
      throw new SqlError(1050, "42S01", `Table '${name}' already exists`);
    }
    const columns = this.#columns();
    if (!this.#tokens.atEnd) throw notSupported(this.#tokens.rest.slice(0, 64));
    this.#session.data.saveTable(database, name, { columns, rows: [], lastNumber: 0 });
    return { affectedRows: 0 };
  }

  #columns(): readonly Column[] {
    const columns: Column[] = [];
    const keys: (readonly string[])[] = [];
    this.#tokens.expect("(");
    do {
      if (this.#tokens.accept("PRIMARY", "KEY", "(")) keys.push(this.#names());
      else columns.push(this.#column());
    } while (this.#tokens.accept(","));
    this.#tokens.expect(")");
    for (const { name, isPrimary } of columns) if (isPrimary) keys.push([name]);
    if (keys.length > 1) throw new SqlError(1068, "42000", "Multiple primary key defined");
    const key = (keys[0] ?? []).map((name) => asciiLowerCase(name));
    const unknown = key.find((name) => !columns.some((column) => asciiLowerCase(column.name) === name));
    if (unknown !== undefined) throw new SqlError(1072, "42000", `Key column '${unknown}' doesn't exist in table`);
    const numbered = columns.filter(({ autoIncrement }) => autoIncrement);
    if (numbered.length > 1 || numbered.some(({ name }) => asciiLowerCase(name) !== key[0])) {
      const message = "Incorrect table definition; there can be only one auto column and it must be defined as a key";
      throw new SqlError(1075, "42000", message);
    }
    return columns.map((column) => {
      const isPrimary = key.includes(asciiLowerCase(column.name));
      return { ...column, isPrimary, notNull: column.notNull || isPrimary };
    });
  }

  #column(): Column {
    const name = this.#tokens.name();
    let type = asciiLowerCase(this.#tokens.name());
    if (this.#tokens.accept("(")) {
      const sizes = [this.#tokens.take().text];
      while (this.#tokens.accept(",")) sizes.push(this.#tokens.take().text);
      this.#tokens.expect(")");
      type += `(${sizes.join(",")})`;
    }
    let [autoIncrement, notNull, isPrimary] = [false, false, false];
    for (;;) {
      if (this.#tokens.accept("AUTO_INCREMENT")) autoIncrement = true;
      else if (this.#tokens.accept("PRIMARY", "KEY")) isPrimary = true;
      else if (this.#tokens.accept("NOT", "NULL")) notNull = true;
      else if (!this.#tokens.accept("NULL")) break;
    }
    const { next } = this.#tokens;
    if (next?.type === "word") throw notSupported(next.text);
    return { name, type, autoIncrement, notNull, isPrimary };
  }

  #dropTable(): Outcome {
    const quiet = this.#tokens.accept("IF", "EXISTS");
    const { database, name } = this.#permittedName("DROP");
    this.#tokens.end();
    if (this.#session.data.table(database, name) !== undefined) this.#session.data.dropTable(database, name);
    else if (!quiet) throw new SqlError(1051, "42S02", `Unknown table '${database}.${name}'`);
    return { affectedRows: 0 };
  }

  #describe(): Outcome {
    const { table } = this.#table("SELECT");
    this.#tokens.end();
    const rows = table.columns.map(({ name, type, autoIncrement, notNull, isPrimary }) => [
      name,
      type,
      notNull ? "NO" : "YES",
      isPrimary ? "PRI" : "",
      null,
      autoIncrement ? "auto_increment" : "",
    ]);
    return { columns: ["Field", "Type", "Null", "Key", "Default", "Extra"], rows };
  }

  #insert(): Outcome {
    const { database, name, table } = this.#table("INSERT");
    const names = this.#tokens.accept("(") ? this.#names() : undefined;
    if (!this.#tokens.accept("VALUES")) this.#tokens.expect("VALUE");
    const before = table.rows.length;
    do {
      this.#tokens.expect("(");
      const values: Cell[] = [];
      do values.push(this.#value());
      while (this.#tokens.accept(","));
      this.#tokens.expect(")");
      insertRow(table, this.#keyOf(name), names, values, table.rows.length - before + 1);
    } while (this.#tokens.accept(","));
    this.#tokens.end();
    this.#session.data.saveTable(database, name, table);
    return { affectedRows: table.rows.length - before };
  }

  /** What errors call a table's primary key. */
  #keyOf(table: string): string {
    return this.#session.version.startsWith("5.") ? "PRIMARY" : `${table}.PRIMARY`;
  }

  #names(): readonly string[] {
    const names: string[] = [];
    do names.push(this.#tokens.name());
    while (this.#tokens.accept(","));
    this.#tokens.expect(")");
    return names;
  }

  #delete(): Outcome {
    const { database, name, table } = this.#table("DELETE");
    const condition = this.#where(table);
    this.#tokens.end();
    const kept = table.rows.filter((row) => !condition(row));
    this.#session.data.saveTable(database, name, { ...table, rows: kept });
    return { affectedRows: table.rows.length - kept.length };
  }

  #update(): Outcome {
    const { database, name, table } = this.#table("UPDATE");
    this.#tokens.expect("SET");
    const changes: (readonly [number, Cell])[] = [];
    do {
      const column = columnIndex(table, this.#tokens.name(), "field list");
      this.#tokens.expect("=");
      changes.push([column, this.#value()]);
    } while (this.#tokens.accept(","));
    const condition = this.#where(table);
    this.#tokens.end();
    const changed = table.rows.filter(condition).filter((row) => updateRow(table, this.#keyOf(name), row, changes));
    this.#session.data.saveTable(database, name, table);
    return { affectedRows: changed.length };
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
    const column = columnIndex(table, this.#tokens.name(), "where clause");
    const operator = this.#tokens.take().text;
    const compare = comparisons[operator];
    if (compare === undefined) throw notSupported(operator);
    const value = this.#value();
    return (row) => {
      const cell = row[column] ?? null;
      return cell !== null && value !== null && compare(difference(cell, value));
    };
  }

  #value(): Cell {
    const token = this.#tokens.take();
    if (token.type === "string" || token.type === "number") return token.text;
    if (token.type === "word" && asciiUpperCase(token.text) === "NULL") return null;
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
    const { table } = this.#table("SELECT");
    const condition = this.#where(table);
    const fitting = table.rows.filter(condition);
    const found = this.#orderAndLimit(table, fitting);
    if (items.every((item) => "counts" in item))
      return { columns: items.map(({ label }) => label), rows: [items.map(() => String(fitting.length))] };
    const columns = items.flatMap((item) => {
      if ("all" in item) return table.columns.map(({ name }, index) => ({ label: name, index }));
      if ("column" in item) return [{ label: item.label, index: columnIndex(table, item.column, "field list") }];
      throw notSupported(item.label);
    });
    return {
      columns: columns.map(({ label }) => label),
      rows: found.map((row) => columns.map(({ index }) => row[index] ?? null)),
    };
  }

  #orderAndLimit(table: Table, rows: Cell[][]): Cell[][] {
    let sorted = rows;
    if (this.#tokens.accept("ORDER", "BY")) {
      const column = columnIndex(table, this.#tokens.name(), "order clause");
      const sign = this.#tokens.accept("DESC") ? -1 : 1;
      this.#tokens.accept("ASC");
      sorted = rows.toSorted((a, b) => sign * difference(a[column] ?? "", b[column] ?? ""));
    }
    if (this.#tokens.accept("LIMIT")) {
      if (this.#tokens.next?.type !== "number") this.#tokens.fail();
      sorted = sorted.slice(0, Number(this.#tokens.take().text));
    }
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
    const name = asciiLowerCase(token.text).replace(/^@@(?:global\.|session\.)?/, "@@");
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
      current_user: () => (user === "root@localhost" ? user : user.replace(/@.*/, "@%")),
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

function sqlDate(ms: number): string {
  const { year, month, day, hour, minute, second } = civilDate(ms);
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${year}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}:${two(second)}`;
}
