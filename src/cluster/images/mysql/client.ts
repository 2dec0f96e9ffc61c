// mysql and mysqladmin, as far as shells and probes use them.

import type { Process, Program, Sys } from "#sim/program.ts";
import { inputLine } from "./input-line.ts";
import { type Answer, commandCodes, LinkError, MysqlLink } from "./link.ts";
import type { ResultSet } from "./packets.ts";
import type { MysqlRelease } from "./releases.ts";

interface ClientOptions {
  host: string;
  port: number;
  user: string;
  password: string | undefined;
  asksPassword: boolean;
  database: string | undefined;
  statements: string[];
  headings: boolean;
  table: boolean | undefined;
  timeoutMs: number | undefined;
  operands: string[];
}

class WrongOption extends Error {}

const long: { readonly [name: string]: string } = {
  "--host": "-h",
  "--port": "-P",
  "--user": "-u",
  "--password": "-p",
  "--execute": "-e",
  "--database": "-D",
  "--skip-column-names": "-N",
  "--batch": "-B",
  "--silent": "-s",
  "--table": "-t",
  "--connect-timeout": "timeout",
  "--connect_timeout": "timeout",
};

function readOptions(self: Process, program: string): ClientOptions {
  const options: ClientOptions = {
    host: self.env.get("MYSQL_HOST") ?? "localhost",
    port: 3306,
    user: "root",
    password: self.env.get("MYSQL_PWD"),
    asksPassword: false,
    database: undefined,
    statements: [],
    headings: true,
    table: undefined,
    timeoutMs: undefined,
    operands: [],
  };
  const takers: { readonly [name: string]: (value: string) => void } = {
    "-h": (value) => (options.host = value),
    "-P": (value) => (options.port = Number(value)),
    "-u": (value) => (options.user = value),
    "-e": (value) => options.statements.push(value),
    "-D": (value) => (options.database = value),
    timeout: (value) => (options.timeoutMs = Number(value) * 1000),
  };
  const args = self.argv.slice(1);
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index] as string;
    if (!word.startsWith("-")) {
      options.operands.push(word);
      continue;
    }
    const [head, ...rest] = word.startsWith("--") ? word.split("=") : [word.slice(0, 2)];
    const name = long[head as string] ?? (head as string);
    const isLong = word.startsWith("--");
    const value = isLong ? rest.join("=") : word.slice(2);
    const isAttached = isLong ? rest.length > 0 : value !== "";
    const attached = isAttached ? value : undefined;
    if (name === "-p") {
      options.password = attached;
      options.asksPassword = attached === undefined;
    } else if (name === "-N") options.headings = false;
    else if (name === "-B" || name === "-s") options.table = false;
    else if (name === "-t") options.table = true;
    else {
      const take = takers[name];
      if (take === undefined) throw new WrongOption(`${program}: [ERROR] unknown option '${word}'.\n`);
      if (attached === undefined) index += 1;
      const value = attached ?? args[index];
      if (value === undefined) throw new WrongOption(`${program}: [ERROR] ${program}: option '${word}' requires an argument.\n`);
      take(value);
    }
  }
  return options;
}

const warning = (program: string): string =>
  `${program}: [Warning] Using a password on the command line interface can be insecure.\n`;

function* askPassword(self: Process, options: ClientOptions): Sys<void> {
  if (!options.asksPassword) return;
  yield* self.write(2, "Enter password: ");
  const terminal = self.isTty(0) ? self.terminal(0) : undefined;
  const modes = terminal?.modes;
  if (modes !== undefined) terminal?.setModes({ ...modes, echo: false });
  options.password = yield* inputLine(self);
  if (modes !== undefined) terminal?.setModes(modes);
  if (terminal !== undefined) yield* self.write(2, "\n");
}

/** Rows in a frame, as a terminal gets them. */
function framed({ columns, rows }: ResultSet): string {
  const cells = [columns, ...rows.map((row) => row.map((cell) => cell ?? "NULL"))];
  const widths = columns.map((_, index) => Math.max(...cells.map((row) => (row[index] as string).length)));
  const rule = `+${widths.map((width) => "-".repeat(width + 2)).join("+")}+\n`;
  const line = (row: readonly string[]): string =>
    `|${row.map((cell, index) => ` ${cell.padEnd(widths[index] as number)} `).join("|")}|\n`;
  const [head, ...body] = cells as [readonly string[], ...(readonly string[])[]];
  return rule + line(head) + rule + body.map(line).join("") + rule;
}

class Client {
  readonly #self: Process;
  readonly #options: ClientOptions;
  readonly #link: MysqlLink;
  readonly #interactive: boolean;

  constructor(self: Process, options: ClientOptions, link: MysqlLink) {
    this.#self = self;
    this.#options = options;
    this.#link = link;
    this.#interactive = options.statements.length === 0 && self.isTty(0);
  }

  *run(): Sys<number> {
    if (this.#options.statements.length > 0) return yield* this.#script(this.#options.statements.join(";"));
    if (!this.#interactive) return yield* this.#input();
    const version = this.#link.serverVersion;
    yield* this.#self.write(
      1,
      `Welcome to the MySQL monitor.  Commands end with ; or \\g.\nYour MySQL connection id is ${this.#link.connection}\nServer version: ${version} MySQL Community Server - GPL\n\nCopyright (c) 2000, 2025, Oracle and/or its affiliates.\n\nOracle is a registered trademark of Oracle Corporation and/or its\naffiliates. Other names may be trademarks of their respective\nowners.\n\nType 'help;' or '\\h' for help. Type '\\c' to clear the current input statement.\n\n`,
    );
    return yield* this.#prompt();
  }

  *#input(): Sys<number> {
    let text = "";
    const decoder = new TextDecoder();
    for (;;) {
      const bytes = yield* this.#self.read(0);
      if (bytes.length === 0) return yield* this.#script(text);
      text += decoder.decode(bytes, { stream: true });
    }
  }

  *#prompt(): Sys<number> {
    let pending = "";
    for (;;) {
      yield* this.#self.write(1, pending.trim() === "" ? "mysql> " : "    -> ");
      const line = yield* inputLine(this.#self);
      if (line === undefined || /^\s*(?:exit|quit|\\q)\s*;?\s*$/i.test(line)) {
        yield* this.#self.write(1, "Bye\n");
        return 0;
      }
      pending = /\\c\s*$/.test(line) ? "" : `${pending}${line}\n`;
      const complete = statementsOf(pending);
      pending = complete.rest;
      for (const statement of complete.statements) yield* this.#statement(statement);
    }
  }

  *#script(text: string): Sys<number> {
    for (const statement of statementsOf(`${text};`).statements) if (!(yield* this.#statement(statement))) return 1;
    return 0;
  }

  *#statement(text: string): Sys<boolean> {
    if (text.trim() === "") return true;
    try {
      yield* this.#print(yield* this.#link.command(commandCodes.query, text), /^\s*use\b/i.test(text));
      return true;
    } catch (error) {
      if (!(error instanceof LinkError)) throw error;
      const { code, state, message } = error.fault;
      const where = this.#interactive ? "" : " at line 1";
      yield* this.#self.write(this.#interactive ? 1 : 2, `ERROR ${code} (${state})${where}: ${message}\n`);
      return false;
    }
  }

  *#print(answer: Answer, changesDatabase: boolean): Sys<void> {
    if ("columns" in answer) {
      let text = "";
      if (answer.rows.length > 0) {
        text = (this.#options.table ?? this.#self.isTty(1)) ? framed(answer) : plain(answer, this.#options.headings);
      }
      yield* this.#self.write(1, text);
    }
    if (this.#interactive) yield* this.#self.write(1, outcomeText(answer, changesDatabase));
  }
}

/** Rows with tabs between the cells. */
function plain({ columns, rows }: ResultSet, headings: boolean): string {
  const lines = [...(headings ? [columns] : []), ...rows.map((row) => row.map((cell) => cell ?? "NULL"))];
  return lines.map((row) => `${row.join("\t")}\n`).join("");
}

function outcomeText(answer: Answer, changesDatabase: boolean): string {
  const rows = (count: number): string => `${count} row${count === 1 ? "" : "s"}`;
  if ("columns" in answer) {
    return answer.rows.length === 0 ? "Empty set (0.00 sec)\n\n" : `${rows(answer.rows.length)} in set (0.00 sec)\n\n`;
  }
  if (changesDatabase) return "Database changed\n";
  return "affectedRows" in answer ? `Query OK, ${rows(answer.affectedRows)} affected (0.01 sec)\n\n` : "";
}

/** Splits at semicolons outside quotes. */
function statementsOf(text: string): { readonly statements: readonly string[]; readonly rest: string } {
  const parts = text.match(/(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`|[^;'"`])*(?:;|$)/gs) ?? [];
  const complete = parts.filter((part) => part.endsWith(";")).map((part) => part.slice(0, -1));
  return { statements: complete, rest: parts.filter((part) => !part.endsWith(";")).join("") };
}

function clientProgram(program: string, version: string, act: (self: Process, options: ClientOptions) => Sys<number>): Program {
  return function* (self) {
    if (self.argv.some((word) => word === "--version" || word === "-V")) {
      yield* self.write(1, `${program}  Ver ${version} for Linux on x86_64 (MySQL Community Server - GPL)\n`);
      return 0;
    }
    try {
      const options = readOptions(self, program);
      if (options.password !== undefined && self.argv.some((word) => /^(?:-p.|--password=.)/.test(word)))
        yield* self.write(2, warning(program));
      yield* askPassword(self, options);
      return yield* act(self, options);
    } catch (error) {
      if (error instanceof WrongOption) {
        yield* self.write(2, error.message);
        return 2;
      }
      throw error;
    }
  };
}

function connect(self: Process, options: ClientOptions): Sys<MysqlLink> {
  const { host, port, user, password = "", database, timeoutMs } = options;
  return MysqlLink.open(self, { host, port, user, password, database, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
}

export function mysqlProgram({ version }: MysqlRelease): Program {
  return clientProgram("mysql", version, function* (self, options) {
    options.database ??= options.operands[0];
    try {
      const link = yield* connect(self, options);
      return yield* new Client(self, options, link).run();
    } catch (error) {
      if (!(error instanceof LinkError)) throw error;
      yield* self.write(2, `ERROR ${error.fault.code} (${error.fault.state}): ${error.fault.message}\n`);
      return 1;
    }
  });
}

/** `ping` and `status`: what probes ask. */
export function mysqladminProgram({ version }: MysqlRelease): Program {
  return clientProgram("mysqladmin", version, function* (self, options) {
    const [command] = options.operands;
    if (command !== "ping" && command !== "status") {
      yield* self.write(2, `mysqladmin: Unknown command: '${command ?? ""}'\n`);
      return 1;
    }
    try {
      const link = yield* connect(self, options);
      const text = command === "ping" ? "mysqld is alive" : yield* link.statistics();
      link.close();
      yield* self.write(1, `${text}\n`);
      return 0;
    } catch (error) {
      if (!(error instanceof LinkError)) throw error;
      // A server that refuses the login is alive (client/mysqladmin.cc).
      if (command === "ping" && error.fault.code < 2000) {
        yield* self.write(2, `mysqladmin: connect to server at '${options.host}' failed\nerror: '${error.message}'\n`);
        return 0;
      }
      const advice =
        options.host === "localhost"
          ? "\nCheck that mysqld is running and that the socket: '/var/run/mysqld/mysqld.sock' exists!"
          : `\nCheck that mysqld is running on ${options.host} and that the port is ${options.port}.\nYou can check this by doing 'telnet ${options.host} ${options.port}'`;
      yield* self.write(2, `mysqladmin: connect to server at '${options.host}' failed\nerror: '${error.message}'${advice}\n`);
      return 1;
    }
  });
}
