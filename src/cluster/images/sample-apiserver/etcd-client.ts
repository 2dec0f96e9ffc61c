// What the sample API server asks of etcd.

import { decodeBase64, encodeBase64 } from "#sim/base64.ts";
import { decodeUtf8, encodeUtf8 } from "#sim/bytes.ts";
import type { Process, Sys } from "#sim/program.ts";
import { call } from "../agnhost/http-client.ts";

export interface Kept {
  readonly value: string;
  readonly revision: number;
}

interface Answer {
  readonly header: { readonly revision: string };
  readonly succeeded?: boolean;
  readonly kvs?: readonly { readonly value: string; readonly mod_revision: string }[];
}

const timeoutMs = 5000;

function base64(text: string): string {
  return encodeBase64(encodeUtf8(text));
}

export class EtcdClient {
  readonly #self: Process;
  readonly #url: string;

  constructor(self: Process, url: string) {
    this.#self = self;
    this.#url = url;
  }

  /** Throws GoNetError. */
  *isHealthy(): Sys<boolean> {
    const { status } = yield* call(this.#self, `${this.#url}/health`, { timeoutMs });
    return status === 200;
  }

  /** All below a key, and the revision at which it was so. Throws GoNetError. */
  *list(prefix: string): Sys<{ readonly kept: readonly Kept[]; readonly revision: number }> {
    const next = `${prefix.slice(0, -1)}${String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1)}`;
    const { header, kvs = [] } = yield* this.#ask("range", { key: base64(prefix), range_end: base64(next) });
    return { kept: kvs.map(keptOf), revision: Number(header.revision) };
  }

  /** Throws GoNetError. */
  *get(key: string): Sys<Kept | undefined> {
    const [first] = (yield* this.#ask("range", { key: base64(key) })).kvs ?? [];
    return first === undefined ? undefined : keptOf(first);
  }

  /** The new revision, unless the key was changed since that one; 0: it was not there. Without a value it goes. Throws GoNetError. */
  *set(key: string, value: string | undefined, since: number): Sys<number | undefined> {
    const operation =
      value === undefined
        ? { request_delete_range: { key: base64(key) } }
        : { request_put: { key: base64(key), value: base64(value) } };
    const compare = [{ key: base64(key), target: "MOD", result: "EQUAL", mod_revision: String(since) }];
    const { succeeded, header } = yield* this.#ask("txn", { compare, success: [operation] });
    return succeeded === true ? Number(header.revision) : undefined;
  }

  *#ask(method: "range" | "txn", request: object): Sys<Answer> {
    const headers = { "content-type": "application/json" };
    const { body } = yield* call(this.#self, `${this.#url}/v3/kv/${method}`, {
      method: "POST",
      headers,
      body: JSON.stringify(request),
      timeoutMs,
    });
    return JSON.parse(body) as Answer;
  }
}

function keptOf({ value, mod_revision: revision }: { readonly value: string; readonly mod_revision: string }): Kept {
  return { value: decodeUtf8(decodeBase64(value).bytes), revision: Number(revision) };
}
