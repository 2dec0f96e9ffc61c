// The data directory as etcd finds it when it starts. What the store holds is what lies in the directory that etcd ran on last; a snapshot
// that was restored lies there as its file, until an etcd has taken it.

import type { Store } from "#cluster/storage/store.ts";
import { encodeUtf8 } from "#sim/bytes.ts";
import type { Process } from "#sim/program.ts";
import { databaseOf } from "./etcdutl.ts";
import { load } from "./snapshot.ts";

const taken = encodeUtf8("bbolt\n");

/** Takes a snapshot that was restored into `directory`. @returns why etcd cannot start. */
export function loadRestored(self: Process, store: Store, directory: string): string | undefined {
  const path = databaseOf(directory);
  if (!self.exists(path)) return undefined;
  const content = self.readFile(path);
  if (content.length === taken.length) return undefined;
  if (!load(store, content)) return "invalid database";
  self.writeFile(path, taken);
  return undefined;
}
