// A watch of keys, as a stream of JSON lines, from now on.

import type { StoredKey } from "#cluster/apiserver/at-rest/stored-keys.ts";
import type { Store } from "#cluster/storage/store.ts";
import { encodeBase64 } from "#sim/base64.ts";
import { encodeUtf8 } from "#sim/bytes.ts";
import type { HttpResponder } from "#sim/http.ts";
import { isWithin, type Keyspace, rangeOf, wireKey } from "./keyspace.ts";

interface Watched {
  readonly store: Store;
  readonly keys: Keyspace;
  readonly header: () => object;
}

interface WatchRequest {
  readonly create_request?: { readonly key?: string; readonly range_end?: string };
}

export function streamWatch(
  { store, keys, header }: Watched,
  { create_request: asked = {} }: WatchRequest,
  responder: HttpResponder,
): void {
  const range = rangeOf(asked);
  const writer = responder.stream(200, { "content-type": "application/json" });
  const tell = (result: object): void => {
    writer.write(encodeUtf8(`${JSON.stringify({ result: { header: header(), ...result } })}\n`));
  };
  const written = (stored: StoredKey): void => tell({ events: [{ kv: wireKey(stored, false) }] });
  const gone = (key: string, revision: number): void =>
    tell({ events: [{ type: "DELETE", kv: { key: encodeBase64(key), mod_revision: String(revision) } }] });
  const stops = [
    store.onWrite.add((event, table) => {
      const stored = keys.stored.ofEvent(event, table);
      if (stored === undefined || !isWithin(range, stored.key)) return;
      if (event.deleted) gone(stored.key, event.revision);
      else written(stored);
    }),
    keys.own.onWrite.add(({ key, revision, stored }) => {
      if (!isWithin(range, key)) return;
      if (stored === undefined) gone(key, revision);
      else written(stored);
    }),
  ];
  writer.onClose = () => {
    for (const stop of stops) stop();
  };
  tell({ created: true });
}
