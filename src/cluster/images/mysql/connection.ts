// One client's conversation with mysqld: greeting, proof of the password, then commands until it leaves.

import { type Bytes, concatBytes, decodeUtf8, encodeUtf8 } from "#sim/bytes.ts";
import type { Process, Sys } from "#sim/program.ts";
import type { DataDirectory } from "./data-directory.ts";
import {
  capabilities,
  errorPayload,
  greeting,
  okPayload,
  PacketReader,
  PayloadReader,
  packet,
  resultPackets,
  type SqlFault,
  zeroEnded,
} from "./packets.ts";
import { type AuthPlugin, proves } from "./passwords.ts";
import { SqlError } from "./sql-error.ts";
import { runStatement, type Session, useDatabase } from "./statements.ts";

const commands = { quit: 1, initDb: 2, query: 3, statistics: 9, ping: 14 } as const;
const nonceLength = 20;
/** A new server's cache of tables; what is opened later is not counted. */
const tableCache = "Opens: 119  Flush tables: 3  Open tables: 38";
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

export interface ServerFacts {
  readonly self: Process;
  readonly data: DataDirectory;
  readonly version: string;
  readonly plugin: AuthPlugin;
  readonly startMs: number;
  /** Connections that are open, and what they have asked. */
  readonly counts: { connections: number; questions: number };
}

interface Login {
  readonly user: string;
  readonly database: string | undefined;
  readonly plugin: string;
  readonly proof: Bytes;
}

function loginOf(payload: Bytes): Login {
  const reader = new PayloadReader(payload);
  const flags = reader.number(4);
  reader.bytes(28);
  const user = reader.zeroEnded();
  const proof = reader.bytes((flags & capabilities.pluginAuthLenenc) === 0 ? reader.number(1) : reader.lengthEncoded());
  const database = (flags & capabilities.connectWithDb) === 0 ? "" : reader.zeroEnded();
  const plugin = (flags & capabilities.pluginAuth) === 0 ? "mysql_native_password" : reader.zeroEnded();
  return { user, database: database === "" ? undefined : database, plugin, proof };
}

export class MysqlConnection {
  readonly #facts: ServerFacts;
  readonly #fd: number;
  readonly #id: number;
  readonly #host: string;
  readonly #reader = new PacketReader();

  constructor(facts: ServerFacts, fd: number, id: number, peer: string) {
    this.#facts = facts;
    this.#fd = fd;
    this.#id = id;
    // Clients in the container come by the socket; here that is the loopback address.
    this.#host = peer === "127.0.0.1" ? "localhost" : peer;
  }

  *serve(): Sys<void> {
    const { version, plugin, self } = this.#facts;
    const nonce = encodeUtf8(self.random.text(nonceLength, alphabet));
    yield* this.#send(0, greeting(version, this.#id, nonce, plugin));
    const first = yield* this.#receive();
    if (first === undefined) return;
    const session = yield* this.#logIn(loginOf(first.payload), first.sequence, nonce);
    if (session !== undefined) yield* this.#obey(session);
  }

  *#logIn(login: Login, sequence: number, nonce: Bytes): Sys<Session | undefined> {
    const { plugin, data, self, version } = this.#facts;
    let { proof } = login;
    let last = sequence;
    if (login.plugin !== plugin) {
      yield* this.#send(last + 1, concatBytes([Uint8Array.of(0xfe), zeroEnded(plugin), nonce, Uint8Array.of(0)]));
      const answer = yield* this.#receive();
      if (answer === undefined) return undefined;
      proof = answer.payload;
      last = answer.sequence;
    }
    const account = data.accounts().find(({ name }) => name === login.user);
    if (account === undefined || !proves(plugin, account.password, nonce, proof)) {
      const message = `Access denied for user '${login.user}'@'${this.#host}' (using password: ${proof.length === 0 ? "NO" : "YES"})`;
      yield* this.#refuse(last + 1, { code: 1045, state: "28000", message });
      return undefined;
    }
    const system = ["information_schema", "performance_schema"];
    const session: Session = {
      self,
      data,
      version,
      connection: this.#id,
      user: `${login.user}@${this.#host}`,
      mayUse: (database) => account.database === undefined || account.database === database || system.includes(database),
      database: undefined,
    };
    try {
      if (login.database !== undefined) useDatabase(session, login.database);
    } catch (error) {
      if (!(error instanceof SqlError)) throw error;
      yield* this.#refuse(last + 1, error.fault);
      return undefined;
    }
    if (plugin === "caching_sha2_password" && proof.length > 0) {
      last += 1;
      yield* this.#send(last, Uint8Array.of(1, 3));
    }
    yield* this.#send(last + 1, okPayload());
    return session;
  }

  *#obey(session: Session): Sys<void> {
    for (;;) {
      const packetIn = yield* this.#receive();
      if (packetIn === undefined || packetIn.payload[0] === commands.quit) return;
      yield* this.#facts.self.write(this.#fd, this.#answer(session, packetIn.payload));
    }
  }

  #answer(session: Session, payload: Bytes): Bytes {
    const text = decodeUtf8(payload.slice(1));
    this.#facts.counts.questions += 1;
    try {
      if (payload[0] === commands.ping) return packet(1, okPayload());
      if (payload[0] === commands.statistics) return packet(1, encodeUtf8(this.#statistics()));
      if (payload[0] === commands.initDb) {
        useDatabase(session, text);
        return packet(1, okPayload());
      }
      if (payload[0] !== commands.query) return packet(1, errorPayload({ code: 1047, state: "08S01", message: "Unknown command" }));
      const outcome = runStatement(session, text);
      return "columns" in outcome ? resultPackets(outcome) : packet(1, okPayload(outcome.affectedRows));
    } catch (error) {
      if (!(error instanceof SqlError)) throw error;
      return packet(1, errorPayload(error.fault));
    }
  }

  #statistics(): string {
    const seconds = Math.floor((this.#facts.self.nowMs - this.#facts.startMs) / 1000);
    const { connections, questions } = this.#facts.counts;
    const rate = (seconds === 0 ? 0 : questions / seconds).toFixed(3);
    // The event scheduler is a thread as well.
    return `Uptime: ${seconds}  Threads: ${connections + 1}  Questions: ${questions}  Slow queries: 0  ${tableCache}  Queries per second avg: ${rate}`;
  }

  *#refuse(sequence: number, fault: SqlFault): Sys<void> {
    yield* this.#send(sequence, errorPayload(fault));
  }

  *#send(sequence: number, payload: Bytes): Sys<void> {
    yield* this.#facts.self.write(this.#fd, packet(sequence, payload));
  }

  *#receive(): Sys<{ readonly sequence: number; readonly payload: Bytes } | undefined> {
    for (;;) {
      const found = this.#reader.next();
      if (found !== undefined) return found;
      const bytes = yield* this.#facts.self.read(this.#fd);
      if (bytes.length === 0) return undefined;
      this.#reader.push(bytes);
    }
  }
}
