// A watch of keys, as a stream of JSON lines, from now on.

import type { Store } from "#cluster/storage/store.ts";
import { decodeBase64, encodeBase64 } from "#sim/base64.ts";
import { decodeUtf8, encodeUtf8 } from "#sim/bytes.ts";
import type { HttpResponder } from "#sim/http.ts";
import { type Keyspace, wireKey } from "./keyspace.ts";

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
  const textOf = (base64: string): string => decodeUtf8(decodeBase64(base64).bytes);
  const first = textOf(asked.key ?? "");
  const end = asked.range_end === undefined ? undefined : textOf(asked.range_end);
  const writer = responder.stream(200, { "content-type": "application/json" });
  const tell = (result: object): void => {
    writer.write(encodeUtf8(`${JSON.stringify({ result: { header: header(), ...result } })}\n`));
  };
  const stop = store.onWrite.add((event, table) => {
    const stored = keys.stored.ofEvent(event, table);
    if (
      stored === undefined ||
      !(end === undefined ? stored.key === first : stored.key >= first && (end === "\0" || stored.key < end))
    )
      return;
    const revision = String(event.revision);
    if (event.deleted) tell({ events: [{ type: "DELETE", kv: { key: encodeBase64(stored.key), mod_revision: revision } }] });
    else tell({ events: [{ kv: wireKey(stored, false) }] });
  });
  writer.onClose = stop;
  tell({ created: true });
}
