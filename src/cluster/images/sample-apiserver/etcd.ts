// etcd as one member of its own: keys and values behind the JSON form of its API (etcd's gRPC gateway, /v3/kv/…). What it keeps is gone
// when it ends.

import { formatTime } from "#cluster/api/time.ts";
import { decodeBase64, encodeBase64 } from "#sim/base64.ts";
import { decodeUtf8, encodeUtf8 } from "#sim/bytes.ts";
import type { HttpResponder } from "#sim/http.ts";
import type { Process, Program } from "#sim/program.ts";
import { readFlags, UsageError } from "../agnhost/flags.ts";
import { writeWithoutWaiting } from "../log-line.ts";
import { answerText, listen, untilSignalled } from "../samples/go-server.ts";

export const etcdVersion = "3.6.8";

interface Entry {
  readonly key: string;
  readonly value: string;
  readonly createRevision: number;
  readonly modRevision: number;
  readonly version: number;
}

/** Keys and values are base64 in JSON; numbers of 64 bits are texts. */
interface Compare {
  readonly key?: string;
  readonly target?: string;
  readonly result?: string;
  readonly mod_revision?: string;
  readonly create_revision?: string;
}

interface RangeRequest {
  readonly key?: string;
  readonly range_end?: string;
}

interface Operation {
  readonly request_put?: { readonly key?: string; readonly value?: string };
  readonly request_range?: RangeRequest;
  readonly request_delete_range?: RangeRequest;
}

interface Transaction {
  readonly compare?: readonly Compare[];
  readonly success?: readonly Operation[];
  readonly failure?: readonly Operation[];
}

class Unsupported extends Error {}

class Keys {
  readonly #entries = new Map<string, Entry>();
  #revision = 1;

  transact({ compare = [], success = [], failure = [] }: Transaction): object {
    const succeeded = compare.every((each) => this.#holds(each));
    const operations = succeeded ? success : failure;
    const writes = operations.some((each) => each.request_range === undefined);
    if (writes) this.#revision += 1;
    const responses = operations.map((each) => this.#run(each));
    return { ...this.#header(), succeeded, responses };
  }

  range(request: RangeRequest): object {
    const found = this.#within(request);
    return { ...this.#header(), kvs: found.map(wire), count: String(found.length) };
  }

  #header() {
    return {
      header: {
        cluster_id: "14841639068965178418",
        member_id: "10276657743932975437",
        revision: String(this.#revision),
        raft_term: "2",
      },
    };
  }

  #holds({ key = "", target, result = "EQUAL", mod_revision: mod, create_revision: created }: Compare): boolean {
    const entry = this.#entries.get(textOf(key));
    if (result !== "EQUAL" || (target !== "MOD" && target !== "CREATE")) throw new Unsupported(`compare ${target} ${result}`);
    return target === "MOD"
      ? (entry?.modRevision ?? 0) === Number(mod ?? 0)
      : (entry?.createRevision ?? 0) === Number(created ?? 0);
  }

  #run({ request_put: put, request_range: range, request_delete_range: deletion }: Operation): object {
    if (put !== undefined) {
      const key = textOf(put.key ?? "");
      const before = this.#entries.get(key);
      this.#entries.set(key, {
        key,
        value: textOf(put.value ?? ""),
        createRevision: before?.createRevision ?? this.#revision,
        modRevision: this.#revision,
        version: (before?.version ?? 0) + 1,
      });
      return { response_put: this.#header() };
    }
    if (range !== undefined) return { response_range: this.range(range) };
    const gone = this.#within(deletion ?? {});
    for (const { key } of gone) this.#entries.delete(key);
    return { response_delete_range: { ...this.#header(), deleted: String(gone.length) } };
  }

  #within({ key = "", range_end: end }: RangeRequest): readonly Entry[] {
    const first = textOf(key);
    if (end === undefined) return [this.#entries.get(first) ?? []].flat();
    const last = textOf(end);
    return [...this.#entries.values()]
      .filter((entry) => entry.key >= first && entry.key < last)
      .sort((a, b) => (a.key < b.key ? -1 : 1));
  }
}

function textOf(base64: string): string {
  return decodeUtf8(decodeBase64(base64).bytes);
}

function wire({ key, value, createRevision, modRevision, version }: Entry): object {
  const base64 = (text: string) => encodeBase64(encodeUtf8(text));
  return {
    key: base64(key),
    create_revision: String(createRevision),
    mod_revision: String(modRevision),
    version: String(version),
    value: base64(value),
  };
}

const flags = {
  name: "default",
  "data-dir": "",
  "listen-client-urls": "http://localhost:2379",
  "advertise-client-urls": "http://localhost:2379",
  "listen-peer-urls": "http://localhost:2380",
  "initial-advertise-peer-urls": "http://localhost:2380",
  "initial-cluster": "",
  "log-level": "info",
};

export const etcd: Program = function* (self) {
  let urls: string;
  try {
    urls = readFlags(flags, {}, self.argv.slice(1)).flags["listen-client-urls"];
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    yield* self.write(2, `Error: ${error.message}\n`);
    return 2;
  }
  self.declareUse({ memoryBytes: 20_971_520 });
  log(self, "etcdmain/etcd.go:64", { msg: "Running: ", args: [...self.argv] });
  const keys = new Keys();
  for (const url of urls.split(",")) {
    const [, scheme, host = "", port = ""] = /^(https?):\/\/(\[[^\]]+\]|[^:/]+):(\d+)$/u.exec(url) ?? [];
    if (scheme !== "http") {
      const reason = scheme === "https" ? "TLS is not supported here" : `URL address must be of the form host:port: ${url}`;
      log(self, "etcdmain/etcd.go:181", { level: "fatal", msg: "discovery failed", error: reason });
      return 1;
    }
    const address = host === "localhost" ? "127.0.0.1" : host;
    const place = address === "0.0.0.0" ? {} : { address };
    const ready = listen(
      self,
      Number(port),
      (request, _peer, responder) => answer(keys, self, request.target, decodeUtf8(request.body), responder),
      place,
    );
    if (!ready) return 1;
    log(self, "embed/serve.go:210", {
      msg: "serving client traffic insecurely; this is strongly discouraged!",
      traffic: "grpc+http",
      address: `${host}:${port}`,
    });
  }
  return yield* untilSignalled(self, () => self.pause());
};

function answer(keys: Keys, self: Process, target: string, body: string, responder: HttpResponder): void {
  const json = (status: number, value: object) =>
    answerText(self, responder, status, JSON.stringify(value), { "content-type": "application/json" });
  const path = /^[^?]*/u.exec(target)?.[0] ?? "";
  if (path === "/health") json(200, { health: "true", reason: "" });
  else if (path === "/version") json(200, { etcdserver: etcdVersion, etcdcluster: "3.6.0", storage: "3.6.0" });
  else if (path !== "/v3/kv/range" && path !== "/v3/kv/txn") answerText(self, responder, 404, "404 page not found\n");
  else {
    try {
      const request = JSON.parse(body) as RangeRequest & Transaction;
      json(200, path === "/v3/kv/range" ? keys.range(request) : keys.transact(request));
    } catch (error) {
      const isUnsupported = error instanceof Unsupported;
      const message = isUnsupported ? `${error.message} is not supported here` : "invalid JSON";
      json(isUnsupported ? 501 : 400, { code: isUnsupported ? 12 : 3, message });
    }
  }
}

function log(
  self: Process,
  caller: string,
  { level = "info", ...fields }: { readonly level?: string; readonly [field: string]: unknown },
): void {
  const ts = formatTime(self.nowMs).replace(/Z$/u, `.${String(Math.floor(self.nowMs) % 1000).padStart(3, "0")}000Z`);
  writeWithoutWaiting(self, 2, `${JSON.stringify({ level, ts, caller, ...fields })}\n`);
}
