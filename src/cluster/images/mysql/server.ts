// mysqld, and the image's start script that initializes its data directory.

import { civilDate } from "#sim/calendar.ts";
import { SysError } from "#sim/errors.ts";
import type { Process, Program, Sys } from "#sim/program.ts";
import { awaitSignals } from "../await-signals.ts";
import { MysqlConnection } from "./connection.ts";
import { type Account, DataDirectory } from "./data-directory.ts";
import { type AuthPlugin, storedForm } from "./passwords.ts";
import type { MysqlRelease } from "./releases.ts";

const port = 3306;
const residentBytes = 380_000_000;
/** InnoDB's start, the making of the system tables, and the temporary server of the start script. */
const startMs = 900;
const initializeMs = 6_000;
const temporaryServerMs = 2_500;
const stopMs = 1_100;
const generatedLength = 32;
/** Options of mysqld that change nothing that one can see here; others are refused. */
const withoutEffect =
  /^--(?:character-set-server|collation-server|default-authentication-plugin|ignore-db-dirs?|innodb-[\w-]+|max[-_]connections|mysql-native-password|skip-[\w-]+|sql[-_]mode|wait[-_]timeout)(?:=|$)/;
/** Variables that a file can hold instead. */
const settings = ["MYSQL_ROOT_PASSWORD", "MYSQL_DATABASE", "MYSQL_USER", "MYSQL_PASSWORD"] as const;
const scriptDirectory = "/docker-entrypoint-initdb.d";
const passwordAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

function two(value: number): string {
  return String(value).padStart(2, "0");
}

class Mysqld {
  readonly #self: Process;
  readonly #release: MysqlRelease;
  readonly #data: DataDirectory;

  constructor(self: Process, release: MysqlRelease) {
    this.#self = self;
    this.#release = release;
    this.#data = new DataDirectory(self);
  }

  get #plugin(): AuthPlugin {
    return this.#release.version.startsWith("5.") ? "mysql_native_password" : "caching_sha2_password";
  }

  /** The start script in front of the server. */
  *runEntrypoint(args: readonly string[]): Sys<number> {
    yield* this.#note(`Entrypoint script for MySQL Server ${this.#release.package} started.`);
    const unknown = args.find((arg) => !withoutEffect.test(arg));
    if (unknown !== undefined) return yield* this.#refuseOption(unknown);
    if (this.#self.uid === 0) {
      yield* this.#note("Switching to dedicated user 'mysql'");
      yield* this.#note(`Entrypoint script for MySQL Server ${this.#release.package} started.`);
    }
    if (!this.#data.isInitialized) {
      const code = yield* this.#initialize();
      if (code !== 0) return code;
    }
    return yield* this.serve();
  }

  *#initialize(): Sys<number> {
    const environment = (name: string): string => this.#self.env.get(name) ?? "";
    const twice = settings.find((name) => environment(name) !== "" && environment(`${name}_FILE`) !== "");
    if (twice !== undefined) {
      yield* this.#entrypoint("ERROR", `Both ${twice} and ${twice}_FILE are set (but are exclusive)`);
      return 1;
    }
    const given = this.#setting("MYSQL_ROOT_PASSWORD");
    if (given === "" && environment("MYSQL_ALLOW_EMPTY_PASSWORD") === "" && environment("MYSQL_RANDOM_ROOT_PASSWORD") === "") {
      yield* this.#entrypoint(
        "ERROR",
        "Database is uninitialized and password option is not specified\n    You need to specify one of the following as an environment variable:\n    - MYSQL_ROOT_PASSWORD\n    - MYSQL_ALLOW_EMPTY_PASSWORD\n    - MYSQL_RANDOM_ROOT_PASSWORD",
      );
      return 1;
    }
    if (this.#setting("MYSQL_USER") === "root") {
      yield* this.#entrypoint(
        "ERROR",
        'MYSQL_USER="root", MYSQL_USER and MYSQL_PASSWORD are for configuring a regular user and cannot be used for the root user\n    Remove MYSQL_USER="root" and use one of the following to control the root user password:\n    - MYSQL_ROOT_PASSWORD\n    - MYSQL_ALLOW_EMPTY_PASSWORD\n    - MYSQL_RANDOM_ROOT_PASSWORD',
      );
      return 1;
    }
    const hasUser = this.#setting("MYSQL_USER") !== "";
    if (hasUser !== (this.#setting("MYSQL_PASSWORD") !== "")) {
      const [there, missing] = hasUser ? ["MYSQL_USER", "MYSQL_PASSWORD"] : ["MYSQL_PASSWORD", "MYSQL_USER"];
      yield* this.#entrypoint("Warn", `${there} specified, but missing ${missing}; MYSQL_USER will not be created`);
    }
    const [script] = this.#self.readdir(scriptDirectory);
    if (script !== undefined) {
      yield* this.#entrypoint("ERROR", `${scriptDirectory}/${script}: this image runs no initialization files`);
      return 1;
    }
    yield* this.#note("Initializing database files");
    yield* this.#log(
      "System",
      "MY-013169",
      `/usr/sbin/mysqld (mysqld ${this.#release.version}) initializing of server in progress as process 80`,
    );
    const { strangers } = this.#data;
    if (strangers.length > 0) {
      yield* this.#log("ERROR", "MY-010457", "--initialize specified but the data directory has files in it. Aborting.");
      yield* this.#log(
        "ERROR",
        "MY-013236",
        "The designated data directory /var/lib/mysql/ is unusable. You can remove all files that the server added to it.",
      );
      yield* this.#log("ERROR", "MY-010119", "Aborting");
      return 1;
    }
    yield* this.#makeFiles(given);
    return 0;
  }

  /** A variable, or what the file in NAME_FILE holds; "" without either. */
  #setting(name: string): string {
    const file = this.#self.env.get(`${name}_FILE`) ?? "";
    return file === "" ? (this.#self.env.get(name) ?? "") : this.#self.readText(file).replace(/\n+$/, "");
  }

  *#makeFiles(given: string): Sys<void> {
    yield* this.#log("System", "MY-013576", "InnoDB initialization has started.", "InnoDB");
    yield* this.#self.sleep(initializeMs);
    this.#data.initialize();
    yield* this.#log("System", "MY-013577", "InnoDB initialization has ended.", "InnoDB");
    yield* this.#log(
      "Warning",
      "MY-010453",
      "root@localhost is created with an empty password ! Please consider switching off the --initialize-insecure option.",
    );
    yield* this.#note("Database files initialized");
    yield* this.#note("Starting temporary server");
    yield* this.#self.sleep(temporaryServerMs);
    yield* this.#note("Temporary server started.");
    yield* this.#makeAccounts(given);
    yield* this.#self.write(2, "\n");
    yield* this.#note("Stopping temporary server");
    yield* this.#self.sleep(stopMs);
    yield* this.#note("Temporary server stopped");
    yield* this.#self.write(2, "\n");
    yield* this.#note("MySQL init process done. Ready for start up.");
    yield* this.#self.write(2, "\n");
  }

  *#makeAccounts(given: string): Sys<void> {
    let root = given;
    if ((this.#self.env.get("MYSQL_RANDOM_ROOT_PASSWORD") ?? "") !== "") {
      root = this.#self.random.text(generatedLength, passwordAlphabet);
      yield* this.#note(`GENERATED ROOT PASSWORD: ${root}`);
    }
    const accounts: Account[] = [{ name: "root", password: storedForm(this.#plugin, root), database: undefined }];
    const [database, user, password] = [
      this.#setting("MYSQL_DATABASE"),
      this.#setting("MYSQL_USER"),
      this.#setting("MYSQL_PASSWORD"),
    ];
    if (database !== "") {
      yield* this.#note(`Creating database ${database}`);
      this.#data.createDatabase(database);
    }
    if (user !== "" && password !== "") {
      yield* this.#note(`Creating user ${user}`);
      if (database !== "") yield* this.#note(`Giving user ${user} access to schema ${database}`);
      accounts.push({ name: user, password: storedForm(this.#plugin, password), database });
    }
    this.#data.saveAccounts(accounts);
  }

  /** The server itself; the exit code. */
  *serve(): Sys<number> {
    const { version } = this.#release;
    yield* this.#log("System", "MY-010116", `/usr/sbin/mysqld (mysqld ${version}) starting as process ${this.#self.pid}`);
    if (!this.#data.isInitialized) {
      yield* this.#log("ERROR", "MY-010119", "Aborting");
      return 1;
    }
    yield* this.#log("System", "MY-013576", "InnoDB initialization has started.", "InnoDB");
    this.#self.declareUse({ memoryBytes: residentBytes, cpuMillicores: 4 });
    yield* this.#self.sleep(startMs);
    yield* this.#log("System", "MY-013577", "InnoDB initialization has ended.", "InnoDB");
    let listening: number;
    try {
      listening = this.#self.listen({ port });
    } catch (error) {
      if (!(error instanceof SysError)) throw error;
      yield* this.#log("ERROR", "MY-010262", `Can't start server: Bind on TCP/IP port: ${error.message}`);
      yield* this.#log("ERROR", "MY-010119", "Aborting");
      return 1;
    }
    yield* this.#log(
      "System",
      "MY-010931",
      `/usr/sbin/mysqld: ready for connections. Version: '${version}'  socket: '/var/run/mysqld/mysqld.sock'  port: ${port}  MySQL Community Server - GPL.`,
    );
    this.#self.startThread(() => this.#acceptAll(listening));
    return yield* this.#untilTold();
  }

  *#acceptAll(listening: number): Sys<void> {
    const { version } = this.#release;
    const counts = { connections: 0, questions: 0 };
    const facts = { self: this.#self, data: this.#data, version, plugin: this.#plugin, startMs: this.#self.nowMs, counts };
    for (let id = 8; ; id += 1) {
      const { fd, peer } = yield* this.#self.accept(listening);
      const connection = new MysqlConnection(facts, fd, id, peer.address);
      const self = this.#self;
      self.startThread(function* () {
        counts.connections += 1;
        try {
          yield* connection.serve();
        } catch (error) {
          if (!(error instanceof SysError)) throw error;
        }
        counts.connections -= 1;
        self.close(fd);
      });
    }
  }

  *#untilTold(): Sys<number> {
    yield* awaitSignals(this.#self, ["TERM"]);
    yield* this.#log(
      "System",
      "MY-013172",
      `Received SHUTDOWN from user <via user signal>. Shutting down mysqld (Version: ${this.#release.version}).`,
    );
    yield* this.#self.sleep(stopMs);
    yield* this.#log(
      "System",
      "MY-010910",
      `/usr/sbin/mysqld: Shutdown complete (mysqld ${this.#release.version})  MySQL Community Server - GPL.`,
    );
    return 0;
  }

  *#refuseOption(option: string): Sys<number> {
    const name = option.replace(/^--/, "");
    if (name.includes("=")) yield* this.#log("ERROR", "MY-000067", `unknown variable '${name}'.`);
    else yield* this.#log("ERROR", "MY-000068", `unknown option '${option}'.`);
    yield* this.#log("ERROR", "MY-010119", "Aborting");
    return 7;
  }

  #note(text: string): Sys<void> {
    return this.#entrypoint("Note", text);
  }

  /** `2026-01-01 00:00:00+00:00 [Note] [Entrypoint]: …` */
  *#entrypoint(level: "Note" | "Warn" | "ERROR", text: string): Sys<void> {
    const { year, month, day, hour, minute, second } = civilDate(this.#self.nowMs);
    const date = `${year}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}:${two(second)}+00:00`;
    yield* this.#self.write(level === "Note" ? 1 : 2, `${date} [${level}] [Entrypoint]: ${text}\n`);
  }

  /** `2026-01-01T00:00:00.000000Z 0 [System] [MY-010116] [Server] …` */
  *#log(level: "System" | "Warning" | "ERROR", code: string, text: string, subsystem = "Server"): Sys<void> {
    const { year, month, day, hour, minute, second, millisecond } = civilDate(this.#self.nowMs);
    const date = `${year}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:${two(second)}.${String(millisecond).padStart(3, "0")}000Z`;
    yield* this.#self.write(2, `${date} 0 [${level}] [${code}] [${subsystem}] ${text}\n`);
  }
}

export function mysqldProgram(release: MysqlRelease): Program {
  return (self) => new Mysqld(self, release).serve();
}

/** docker-entrypoint.sh: options alone are meant for mysqld, other commands are run as they are. */
export function mysqlEntrypoint(release: MysqlRelease): Program {
  return function* (self) {
    const [command = "", ...args] = self.argv.slice(1);
    if (command === "mysqld" || command.startsWith("-"))
      return yield* new Mysqld(self, release).runEntrypoint(command === "mysqld" ? args : [command, ...args]);
    return yield* self.exec({ run: command, argv: [command, ...args] });
  };
}
