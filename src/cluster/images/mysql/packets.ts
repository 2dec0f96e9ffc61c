// Packets of MySQL's client/server protocol (dev.mysql.com, "MySQL Source Code Documentation", page "Client/Server Protocol").

import { type Bytes, concatBytes, decodeUtf8, encodeUtf8 } from "#sim/bytes.ts";

export const capabilities = {
  connectWithDb: 0x8,
  protocol41: 0x200,
  secureConnection: 0x8000,
  pluginAuth: 0x80000,
  pluginAuthLenenc: 0x200000,
} as const;

const serverCapabilities = 0xff_f7 | (capabilities.pluginAuth + capabilities.pluginAuthLenenc) | 0x100000;
const autocommit = 0x0002;
const utf8mb4 = 255;
const varString = 253;

export interface SqlFault {
  readonly code: number;
  readonly state: string;
  readonly message: string;
}

export interface ResultSet {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
}

export function littleEndian(value: number, bytes: number): Bytes {
  return Uint8Array.from({ length: bytes }, (_, index) => Math.floor(value / 256 ** index) % 256);
}

export function readNumber(bytes: Bytes, at: number, length: number): number {
  let value = 0;
  for (let index = 0; index < length; index += 1) value += (bytes[at + index] ?? 0) * 256 ** index;
  return value;
}

function lengthEncoded(value: number): Bytes {
  if (value < 251) return Uint8Array.of(value);
  return value < 65_536
    ? concatBytes([Uint8Array.of(0xfc), littleEndian(value, 2)])
    : concatBytes([Uint8Array.of(0xfd), littleEndian(value, 3)]);
}

function text(value: string | null): Bytes {
  if (value === null) return Uint8Array.of(0xfb);
  const bytes = encodeUtf8(value);
  return concatBytes([lengthEncoded(bytes.length), bytes]);
}

export function zeroEnded(value: string): Bytes {
  return encodeUtf8(`${value}\0`);
}

/** One packet: length, sequence number, payload. */
export function packet(sequence: number, payload: Bytes): Bytes {
  return concatBytes([littleEndian(payload.length, 3), Uint8Array.of(sequence % 256), payload]);
}

export function greeting(version: string, connection: number, nonce: Bytes, plugin: string): Bytes {
  return concatBytes([
    Uint8Array.of(10),
    zeroEnded(version),
    littleEndian(connection, 4),
    nonce.slice(0, 8),
    Uint8Array.of(0),
    littleEndian(serverCapabilities % 65_536, 2),
    Uint8Array.of(utf8mb4),
    littleEndian(autocommit, 2),
    littleEndian(Math.floor(serverCapabilities / 65_536), 2),
    Uint8Array.of(nonce.length + 1),
    new Uint8Array(10),
    nonce.slice(8),
    Uint8Array.of(0),
    zeroEnded(plugin),
  ]);
}

export function okPayload(affectedRows = 0): Bytes {
  return concatBytes([
    Uint8Array.of(0),
    lengthEncoded(affectedRows),
    Uint8Array.of(0),
    littleEndian(autocommit, 2),
    littleEndian(0, 2),
  ]);
}

export function errorPayload({ code, state, message }: SqlFault): Bytes {
  return concatBytes([Uint8Array.of(0xff), littleEndian(code, 2), encodeUtf8(`#${state}${message}`)]);
}

const endPayload = concatBytes([Uint8Array.of(0xfe), littleEndian(0, 2), littleEndian(autocommit, 2)]);

function columnPayload(name: string): Bytes {
  return concatBytes([
    ...["def", "", "", "", name, ""].map(text),
    Uint8Array.of(0x0c),
    littleEndian(utf8mb4, 2),
    littleEndian(1024, 4),
    Uint8Array.of(varString),
    littleEndian(0, 2),
    Uint8Array.of(0, 0, 0),
  ]);
}

/** The packets of an answer to a query, the first of them numbered 1. */
export function resultPackets({ columns, rows }: ResultSet): Bytes {
  const payloads = [
    lengthEncoded(columns.length),
    ...columns.map(columnPayload),
    endPayload,
    ...rows.map((row) => concatBytes(row.map(text))),
    endPayload,
  ];
  return concatBytes(payloads.map((payload, index) => packet(index + 1, payload)));
}

/** Takes values off a payload. */
export class PayloadReader {
  readonly #bytes: Bytes;
  #at: number;

  constructor(bytes: Bytes, at = 0) {
    this.#bytes = bytes;
    this.#at = at;
  }

  get atEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  number(length: number): number {
    const value = readNumber(this.#bytes, this.#at, length);
    this.#at += length;
    return value;
  }

  bytes(length: number): Bytes {
    const taken = this.#bytes.slice(this.#at, this.#at + length);
    this.#at += length;
    return taken;
  }

  zeroEnded(): string {
    const end = this.#bytes.indexOf(0, this.#at);
    const taken = this.#bytes.slice(this.#at, end < 0 ? undefined : end);
    this.#at += taken.length + 1;
    return decodeUtf8(taken);
  }

  lengthEncoded(): number {
    const first = this.number(1);
    if (first < 251) return first;
    if (first === 0xfc) return this.number(2);
    return this.number(first === 0xfd ? 3 : 8);
  }

  /** Null for NULL. */
  text(): string | null {
    if (this.#bytes[this.#at] === 0xfb) {
      this.#at += 1;
      return null;
    }
    return decodeUtf8(this.bytes(this.lengthEncoded()));
  }
}

/** Puts packets together from what arrives. */
export class PacketReader {
  #buffer: Bytes = new Uint8Array(0);

  push(bytes: Bytes): void {
    this.#buffer = concatBytes([this.#buffer, bytes]);
  }

  next(): { readonly sequence: number; readonly payload: Bytes } | undefined {
    if (this.#buffer.length < 4) return undefined;
    const length = readNumber(this.#buffer, 0, 3);
    if (this.#buffer.length < 4 + length) return undefined;
    const found = { sequence: this.#buffer[3] as number, payload: this.#buffer.slice(4, 4 + length) };
    this.#buffer = this.#buffer.slice(4 + length);
    return found;
  }
}
