// A client's end of MySQL's protocol, for programs of the world that talk to a server: mysql, mysqladmin, PHP.

import { type Bytes, concatBytes, encodeUtf8 } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { Process, Sys } from "#sim/program.ts";
import {
  capabilities,
  littleEndian,
  PacketReader,
  PayloadReader,
  packet,
  type ResultSet,
  type SqlFault,
  zeroEnded,
} from "./packets.ts";
import { type AuthPlugin, scramble } from "./passwords.ts";

export interface LinkTarget {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database?: string | undefined;
  readonly timeoutMs?: number;
}

/** What a server or the way to it refused; `state` is empty for faults of the client's own library. */
export class LinkError extends Error {
  readonly fault: SqlFault;

  constructor(fault: SqlFault) {
    super(fault.message);
    this.fault = fault;
  }
}

export const commandCodes = { quit: 1, query: 3, statistics: 9, ping: 14 } as const;

export type Answer = { readonly affectedRows: number } | ResultSet;

/** Numbers of Linux's errno that clients print. */
const errnoNumbers: { readonly [code: string]: number } = {
  ECONNREFUSED: 111,
  ETIMEDOUT: 110,
  EHOSTUNREACH: 113,
  ENETUNREACH: 101,
};

function faultOf(payload: Bytes): SqlFault {
  const reader = new PayloadReader(payload, 1);
  const code = reader.number(2);
  const text = new TextDecoder().decode(payload.slice(3));
  return text.startsWith("#") ? { code, state: text.slice(1, 6), message: text.slice(6) } : { code, state: "HY000", message: text };
}

export class MysqlLink {
  readonly #self: Process;
  readonly #fd: number;
  readonly #reader = new PacketReader();
  serverVersion = "";
  connection = 0;

  constructor(self: Process, fd: number) {
    this.#self = self;
    this.#fd = fd;
  }

  /** Connects and logs in. Throws LinkError. */
  static *open(self: Process, target: LinkTarget): Sys<MysqlLink> {
    const link = new MysqlLink(self, yield* dial(self, target));
    yield* link.#logIn(target);
    return link;
  }

  *#logIn({ user, password, database }: LinkTarget): Sys<void> {
    const hello = yield* this.#receive();
    if (hello.payload[0] === 0xff) throw new LinkError(faultOf(hello.payload));
    const reader = new PayloadReader(hello.payload, 1);
    this.serverVersion = reader.zeroEnded();
    this.connection = reader.number(4);
    const start = reader.bytes(8);
    reader.bytes(19);
    const nonce = concatBytes([start, reader.bytes(12)]);
    reader.bytes(1);
    const plugin = reader.zeroEnded() as AuthPlugin;
    const proof = scramble(plugin, password, nonce);
    const flags =
      capabilities.protocol41 +
      capabilities.secureConnection +
      capabilities.pluginAuth +
      (database === undefined ? 0 : capabilities.connectWithDb);
    const response = concatBytes([
      littleEndian(flags, 4),
      littleEndian(16_777_216, 4),
      Uint8Array.of(255),
      new Uint8Array(23),
      zeroEnded(user),
      Uint8Array.of(proof.length),
      proof,
      ...(database === undefined ? [] : [zeroEnded(database)]),
      zeroEnded(plugin),
    ]);
    yield* this.#self.write(this.#fd, packet(hello.sequence + 1, response));
    for (;;) {
      const { payload } = yield* this.#receive();
      if (payload[0] === 0xff) throw new LinkError(faultOf(payload));
      if (payload[0] === 0) return;
    }
  }

  /** Sends a command and reads its answer. Throws LinkError. */
  *command(code: number, text = ""): Sys<Answer> {
    yield* this.#self.write(this.#fd, packet(0, concatBytes([Uint8Array.of(code), encodeUtf8(text)])));
    const first = (yield* this.#receive()).payload;
    if (first[0] === 0xff) throw new LinkError(faultOf(first));
    if (first[0] === 0) return { affectedRows: new PayloadReader(first, 1).lengthEncoded() };
    return yield* this.#rows(new PayloadReader(first).lengthEncoded());
  }

  /** The text that a server sends without a frame of rows: COM_STATISTICS. */
  *statistics(): Sys<string> {
    yield* this.#self.write(this.#fd, packet(0, Uint8Array.of(commandCodes.statistics)));
    return new TextDecoder().decode((yield* this.#receive()).payload);
  }

  close(): void {
    this.#self.close(this.#fd);
  }

  *#rows(count: number): Sys<ResultSet> {
    const columns: string[] = [];
    for (let index = 0; index < count; index += 1) {
      const reader = new PayloadReader((yield* this.#receive()).payload);
      const fields = Array.from({ length: 5 }, () => reader.text() ?? "");
      columns.push(fields[4] as string);
    }
    yield* this.#receive();
    const rows: (string | null)[][] = [];
    for (;;) {
      const { payload } = yield* this.#receive();
      if (payload[0] === 0xfe && payload.length < 9) return { columns, rows };
      const reader = new PayloadReader(payload);
      rows.push(columns.map(() => reader.text()));
    }
  }

  *#receive(): Sys<{ readonly sequence: number; readonly payload: Bytes }> {
    const lost = { code: 2013, state: "HY000", message: "Lost connection to MySQL server during query" };
    for (;;) {
      const found = this.#reader.next();
      if (found !== undefined) return found;
      let bytes: Bytes;
      try {
        bytes = yield* this.#self.read(this.#fd);
      } catch (error) {
        if (!(error instanceof SysError) || error.code === "EINTR") throw error;
        throw new LinkError(lost);
      }
      if (bytes.length === 0) throw new LinkError(lost);
      this.#reader.push(bytes);
    }
  }
}

function* dial(self: Process, { host, port, timeoutMs }: LinkTarget): Sys<number> {
  const local = host === "localhost";
  let address: string | undefined = local ? "127.0.0.1" : host;
  if (!/^[\d.]+$|:/.test(address)) {
    try {
      address = (yield* self.resolve(host))[0];
    } catch (error) {
      if (!(error instanceof SysError) || error.code === "EINTR") throw error;
      throw new LinkError({ code: 2005, state: "HY000", message: `Unknown MySQL server host '${host}' (-3)` });
    }
    if (address === undefined)
      throw new LinkError({ code: 2005, state: "HY000", message: `Unknown MySQL server host '${host}' (-2)` });
  }
  try {
    return yield* self.connect({ address, port, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
  } catch (error) {
    if (!(error instanceof SysError) || error.code === "EINTR") throw error;
    if (local) {
      const message = "Can't connect to local MySQL server through socket '/var/run/mysqld/mysqld.sock' (2)";
      throw new LinkError({ code: 2002, state: "HY000", message });
    }
    const message = `Can't connect to MySQL server on '${host}:${port}' (${errnoNumbers[error.code] ?? 111})`;
    throw new LinkError({ code: 2003, state: "HY000", message });
  }
}
