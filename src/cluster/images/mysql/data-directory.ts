// What mysqld keeps in /var/lib/mysql: a directory a database, a file a table, accounts. It survives the process, and the container when
// a volume is mounted there.

import { readJson } from "#cluster/api/json-text.ts";
import type { Process } from "#sim/program.ts";

export const dataDirectory = "/var/lib/mysql";

export interface Account {
  readonly name: string;
  /** As `passwords.ts` keeps it. */
  readonly password: string;
  /** The databases it may use; undefined: all. */
  readonly database: string | undefined;
}

/** Null for NULL. */
export type Cell = string | null;

export interface Column {
  readonly name: string;
  readonly type: string;
  readonly autoIncrement: boolean;
  readonly notNull: boolean;
  readonly isPrimary: boolean;
}

export interface Table {
  readonly columns: readonly Column[];
  readonly rows: Cell[][];
  /** The highest number that AUTO_INCREMENT has given; 0 before the first. */
  lastNumber: number;
}

const systemDatabases = ["information_schema", "performance_schema"];

export class DataDirectory {
  readonly #self: Process;

  constructor(self: Process) {
    this.#self = self;
  }

  /** What the image's start script goes by. */
  get isInitialized(): boolean {
    return this.#self.exists(`${dataDirectory}/mysql`);
  }

  /** Names of files in it that keep a server from being initialized. */
  get strangers(): readonly string[] {
    return this.#self.exists(dataDirectory) ? this.#self.readdir(dataDirectory).filter((name) => !name.startsWith(".")) : [];
  }

  initialize(): void {
    if (!this.#self.exists(dataDirectory)) this.#self.mkdir(dataDirectory);
    for (const database of ["mysql", "performance_schema", "sys"]) this.#self.mkdir(`${dataDirectory}/${database}`);
    for (const file of ["auto.cnf", "ibdata1", "undo_001", "undo_002"]) this.#self.writeFile(`${dataDirectory}/${file}`, "");
  }

  accounts(): readonly Account[] {
    return readJson(this.#self.readText(`${dataDirectory}/mysql.ibd`)) as unknown as Account[];
  }

  saveAccounts(accounts: readonly Account[]): void {
    this.#self.writeFile(`${dataDirectory}/mysql.ibd`, JSON.stringify(accounts), { permissions: 0o640 });
  }

  databases(): readonly string[] {
    const made = this.#self
      .readdir(dataDirectory)
      .filter((name) => this.#self.stat(`${dataDirectory}/${name}`).type === "directory");
    return [...new Set([...made.filter((name) => !name.startsWith("#") && name !== "lost+found"), ...systemDatabases])].sort();
  }

  createDatabase(name: string): void {
    this.#self.mkdir(`${dataDirectory}/${name}`);
  }

  dropDatabase(name: string): void {
    for (const file of this.#self.readdir(`${dataDirectory}/${name}`)) this.#self.unlink(`${dataDirectory}/${name}/${file}`);
    this.#self.rmdir(`${dataDirectory}/${name}`);
  }

  tables(database: string): readonly string[] {
    if (!this.#self.exists(`${dataDirectory}/${database}`)) return [];
    return this.#self
      .readdir(`${dataDirectory}/${database}`)
      .flatMap((file) => (file.endsWith(".ibd") ? [file.slice(0, -".ibd".length)] : []));
  }

  table(database: string, name: string): Table | undefined {
    const path = `${dataDirectory}/${database}/${name}.ibd`;
    return this.#self.exists(path) ? (readJson(this.#self.readText(path)) as unknown as Table) : undefined;
  }

  saveTable(database: string, name: string, table: Table): void {
    this.#self.writeFile(`${dataDirectory}/${database}/${name}.ibd`, JSON.stringify(table), { permissions: 0o640 });
  }

  dropTable(database: string, name: string): void {
    this.#self.unlink(`${dataDirectory}/${database}/${name}.ibd`);
  }
}
