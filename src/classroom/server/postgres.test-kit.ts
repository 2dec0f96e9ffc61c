// A PostgreSQL of a test's own, where the machine has its programs: in a folder, on a free port of the loopback.

import { execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import pg from "pg";

/** Folder of `initdb` and `postgres`; undefined on a machine without. */
export function postgresPrograms(): string | undefined {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).map((version) => join(debian, version, "bin")) : [];
  return [...versions, ...(process.env["PATH"] ?? "").split(delimiter)].find((folder) => existsSync(join(folder, "initdb")));
}

export interface PostgresServer {
  /** Address of a database that nothing is in. */
  newDatabase(): Promise<string>;
  stop(): Promise<void>;
}

export async function startPostgres(programs: string): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), "postgres-"));
  const user = unprivileged();
  if (user !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  execFileSync(join(programs, "initdb"), ["-D", data, "-A", "trust", "-U", "test", "--no-sync", "--locale=C", "--encoding=UTF8"], {
    ...user,
    stdio: "ignore",
    cwd: folder,
  });
  const port = await freePort();
  const server = spawn(join(programs, "postgres"), ["-D", data, "-p", String(port), "-k", folder, "-h", "127.0.0.1"], {
    ...user,
    stdio: "ignore",
    cwd: folder,
  });
  const url = (database: string): string => `postgres://test@127.0.0.1:${port}/${database}`;
  let made = 0;
  const run = async (statement: string): Promise<void> => {
    const client = new pg.Client(url("postgres"));
    // A server that is still starting, or is ending, cuts the connection.
    client.on("error", () => {});
    try {
      await client.connect();
      await client.query(statement);
    } finally {
      await client.end().catch(() => {});
    }
  };
  for (let tries = 0; ; tries += 1) {
    try {
      await run("select 1");
      break;
    } catch (error) {
      if (tries > 300) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  return {
    newDatabase: async () => {
      made += 1;
      await run(`create database classroom${made}`);
      return url(`classroom${made}`);
    },
    stop: async () => {
      const ended = new Promise((resolve) => server.once("exit", resolve));
      server.kill("SIGINT");
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

/** PostgreSQL refuses to run as root. */
function unprivileged(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  return { uid: 65_534, gid: 65_534 };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
