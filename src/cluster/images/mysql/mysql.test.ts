import { describe, expect, it } from "vitest";
import { collector, machine } from "#sim/kernel.test-kit.ts";
import type { ProcessHandle } from "#sim/kernel.ts";
import { mysqlImages } from "./image.ts";

function mysqlMachine(tag = "8.0") {
  const made = machine(mysqlImages.find((image) => image.tag === tag)?.files);
  const log = collector();
  const serve = (environment: { readonly [name: string]: string }, ...argv: readonly string[]): ProcessHandle => {
    const handle = made.start("/usr/local/bin/docker-entrypoint.sh", {
      argv: ["docker-entrypoint.sh", ...(argv.length === 0 ? ["mysqld"] : argv)],
      env: new Map(Object.entries(environment)),
      stdout: log.sink,
      stderr: log.sink,
    });
    made.simulation.advance(15_000);
    return handle;
  };
  const run = (program: string, ...words: readonly string[]) => made.run(`/usr/bin/${program}`, { argv: [program, ...words] });
  const sql = (statement: string, ...words: readonly string[]): string => {
    const ran = run("mysql", ...(words.length === 0 ? ["-uroot", "-psecret"] : words), "-e", statement);
    return ran.stdout + ran.stderr.replace(/^mysql: \[Warning\].*\n/, "");
  };
  return { ...made, serve, runProgram: run, sql, log };
}

describe("the start script of mysql", () => {
  it("ends when no password option is given", () => {
    const { serve, log } = mysqlMachine();
    expect(serve({}).exit?.code).toBe(1);
    expect(log.text()).toBe(`2026-01-01 00:00:00+00:00 [Note] [Entrypoint]: Entrypoint script for MySQL Server 8.0.44-1.el9 started.
2026-01-01 00:00:00+00:00 [Note] [Entrypoint]: Switching to dedicated user 'mysql'
2026-01-01 00:00:00+00:00 [Note] [Entrypoint]: Entrypoint script for MySQL Server 8.0.44-1.el9 started.
2026-01-01 00:00:00+00:00 [ERROR] [Entrypoint]: Database is uninitialized and password option is not specified
    You need to specify one of the following as an environment variable:
    - MYSQL_ROOT_PASSWORD
    - MYSQL_ALLOW_EMPTY_PASSWORD
    - MYSQL_RANDOM_ROOT_PASSWORD
`);
  });

  it("makes the database and the user of the environment", () => {
    const { serve, sql } = mysqlMachine();
    serve({ MYSQL_ROOT_PASSWORD: "secret", MYSQL_DATABASE: "wordpress", MYSQL_USER: "wp", MYSQL_PASSWORD: "pw" });
    expect(sql("SHOW DATABASES")).toBe("Database\ninformation_schema\nmysql\nperformance_schema\nsys\nwordpress\n");
    expect(sql("SHOW DATABASES", "-uwp", "-ppw")).toBe("Database\ninformation_schema\nperformance_schema\nwordpress\n");
  });

  it("logs the password that it makes itself", () => {
    const { serve, sql, log } = mysqlMachine("8.4");
    serve({ MYSQL_RANDOM_ROOT_PASSWORD: "yes" });
    const password = /GENERATED ROOT PASSWORD: (\S+)/.exec(log.text())?.[1];
    expect(sql("SELECT 1", "-uroot", `-p${password}`)).toBe("1\n1\n");
  });

  it("takes settings from files, and says which half of a user is missing", () => {
    const { serve, sql, log, files } = mysqlMachine();
    files.writeFile("/tmp/root", "secret\n");
    files.writeFile("/tmp/user", "ana\n");
    serve({ MYSQL_ROOT_PASSWORD_FILE: "/tmp/root", MYSQL_USER_FILE: "/tmp/user" });
    expect(log.text()).toContain(
      "[Warn] [Entrypoint]: MYSQL_USER specified, but missing MYSQL_PASSWORD; MYSQL_USER will not be created\n",
    );
    expect(sql("SELECT 1")).toBe("1\n1\n");
    const second = mysqlMachine();
    expect(second.serve({ MYSQL_ROOT_PASSWORD: "a", MYSQL_ROOT_PASSWORD_FILE: "/tmp/root" }).exit?.code).toBe(1);
    expect(second.log.text()).toContain("Both MYSQL_ROOT_PASSWORD and MYSQL_ROOT_PASSWORD_FILE are set (but are exclusive)\n");
  });

  it("refuses a data directory with files of others", () => {
    const { serve, log, files } = mysqlMachine();
    files.writeFile("/var/lib/mysql/notes.txt", "mine");
    expect(serve({ MYSQL_ROOT_PASSWORD: "secret" }).exit?.code).toBe(1);
    expect(log.text()).toContain("--initialize specified but the data directory has files in it. Aborting.\n");
  });
});

describe("mysqld", () => {
  it("greets with protocol 10 and its version", () => {
    const { serve, run } = mysqlMachine();
    serve({ MYSQL_ALLOW_EMPTY_PASSWORD: "1" });
    const { stdout } = run(function* (self) {
      const fd = yield* self.connect({ address: "127.0.0.1", port: 3306 });
      yield* self.write(1, (yield* self.read(fd)).slice(4, 12));
      return 0;
    });
    expect(stdout).toBe("\n8.0.44\0");
  });

  it("keeps rows across processes", () => {
    const { serve, sql, simulation, log } = mysqlMachine("5.7");
    const first = serve({ MYSQL_ROOT_PASSWORD: "secret" });
    sql("CREATE DATABASE test; CREATE TABLE test.messages (id INT AUTO_INCREMENT PRIMARY KEY, text VARCHAR(250) NOT NULL)");
    sql("INSERT INTO test.messages (text) VALUES ('hello'), ('it''s me')");
    first.signal("TERM");
    simulation.advance(3_000);
    expect(first.exit?.code).toBe(0);
    expect(log.text()).toContain("Shutdown complete");
    serve({});
    expect(sql("SELECT * FROM test.messages ORDER BY id DESC")).toBe("id\ttext\n2\tit's me\n1\thello\n");
    expect(sql("SELECT COUNT(*) FROM test.messages WHERE text = 'hello'", "-uroot", "-psecret", "-N")).toBe("1\n");
    expect(
      sql(
        "UPDATE test.messages SET text = 'bye' WHERE id > 1; DELETE FROM test.messages WHERE id = 1; SELECT text FROM test.messages",
      ),
    ).toBe("text\nbye\n");
  });

  it("keeps to NOT NULL, the primary key and its own numbers", () => {
    const { serve, sql } = mysqlMachine();
    serve({ MYSQL_ROOT_PASSWORD: "secret", MYSQL_DATABASE: "shop" });
    const shop = (statement: string): string => sql(statement, "-uroot", "-psecret", "shop");
    shop("CREATE TABLE fruit (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(20) NOT NULL, colour TEXT)");
    shop("INSERT INTO fruit (name) VALUES ('apple'), ('pear')");
    expect(shop("DESCRIBE fruit")).toBe(
      "Field\tType\tNull\tKey\tDefault\tExtra\nid\tint\tNO\tPRI\tNULL\tauto_increment\nname\tvarchar(20)\tNO\t\tNULL\t\ncolour\ttext\tYES\t\tNULL\t\n",
    );
    expect(shop("INSERT INTO fruit (name) VALUES (NULL)")).toContain(
      "ERROR 1048 (23000) at line 1: Column 'name' cannot be null\n",
    );
    expect(shop("INSERT INTO fruit (colour) VALUES ('red')")).toContain("ERROR 1364 (HY000) at line 1: Field 'name' doesn't have");
    expect(shop("INSERT INTO fruit VALUES (2, 'plum', NULL)")).toBe(
      "ERROR 1062 (23000) at line 1: Duplicate entry '2' for key 'fruit.PRIMARY'\n",
    );
    shop("DELETE FROM fruit WHERE id = 2; INSERT INTO fruit (name) VALUES ('plum')");
    expect(shop("SELECT id, name FROM fruit")).toBe("id\tname\n1\tapple\n3\tplum\n");
    expect(shop("SELECT COUNT(*) FROM fruit LIMIT 1")).toBe("COUNT(*)\n2\n");
    expect(shop("CREATE TABLE t (a INT, PRIMARY KEY (b))")).toContain("Key column 'b' doesn't exist in table");
  });

  it("lets a user do nothing outside its own database", () => {
    const { serve, sql } = mysqlMachine();
    serve({ MYSQL_ROOT_PASSWORD: "secret", MYSQL_DATABASE: "shop", MYSQL_USER: "ana", MYSQL_PASSWORD: "pw" });
    sql("CREATE DATABASE other");
    const asAna = (statement: string): string => sql(statement, "-uana", "-ppw");
    const denied = "ERROR 1044 (42000) at line 1: Access denied for user 'ana'@'%' to database";
    expect(asAna("SHOW TABLES FROM other")).toBe(`${denied} 'other'\n`);
    expect(asAna("DROP DATABASE other")).toBe(`${denied} 'other'\n`);
    expect(asAna("CREATE DATABASE mine")).toBe(`${denied} 'mine'\n`);
    expect(asAna("CREATE TABLE other.t (a INT)")).toBe(
      "ERROR 1142 (42000) at line 1: CREATE command denied to user 'ana'@'localhost' for table 't'\n",
    );
    expect(asAna("CREATE TABLE shop.t (a INT); SHOW TABLES FROM shop")).toBe("Tables_in_shop\nt\n");
  });

  it("refuses in MySQL's words", () => {
    const { serve, sql } = mysqlMachine();
    serve({ MYSQL_ROOT_PASSWORD: "secret" });
    expect(sql("SELECT 1", "-uroot", "-pwrong")).toBe(
      "ERROR 1045 (28000): Access denied for user 'root'@'localhost' (using password: YES)\n",
    );
    expect(sql("SELECT 1", "-uroot")).toBe("ERROR 1045 (28000): Access denied for user 'root'@'localhost' (using password: NO)\n");
    expect(sql("USE nowhere")).toBe("ERROR 1049 (42000) at line 1: Unknown database 'nowhere'\n");
    expect(sql("SELECT * FROM t")).toBe("ERROR 1046 (3D000) at line 1: No database selected\n");
    expect(sql("SELEC 1")).toBe(
      "ERROR 1064 (42000) at line 1: You have an error in your SQL syntax; check the manual that corresponds to your MySQL server version for the right syntax to use near 'SELEC 1' at line 1\n",
    );
    expect(sql("GRANT ALL ON *.* TO 'x'")).toBe(
      "ERROR 1235 (42000) at line 1: This version of MySQL doesn't yet support 'GRANT ALL ON *.* TO 'x''\n",
    );
  });
});

describe("mysqladmin", () => {
  it("tells a probe whether the server is alive", () => {
    const { serve, runProgram } = mysqlMachine();
    const before = runProgram("mysqladmin", "ping");
    expect(before.code).toBe(1);
    expect(before.stderr).toContain("Can't connect to local MySQL server through socket '/var/run/mysqld/mysqld.sock' (2)");
    serve({ MYSQL_ALLOW_EMPTY_PASSWORD: "1" });
    expect(runProgram("mysqladmin", "ping")).toMatchObject({ code: 0, stdout: "mysqld is alive\n" });
  });

  it("counts what it was asked", () => {
    const { serve, runProgram, sql } = mysqlMachine();
    serve({ MYSQL_ROOT_PASSWORD: "secret" });
    expect(runProgram("mysqladmin", "--version").stdout).toContain("Ver 8.0.44");
    const questions = () => Number(/Questions: (\d+)/.exec(runProgram("mysqladmin", "-uroot", "-psecret", "status").stdout)?.[1]);
    const before = questions();
    sql("SELECT 1; SELECT 2");
    // Two queries, the leave and the next status.
    expect(questions()).toBe(before + 3);
  });
});
