// Whether the API server reaches etcd: whether etcd runs, and listens where the server looks for it.

import type { Store } from "#cluster/storage/store.ts";

export class EtcdLink {
  readonly #store: Store;
  /** Empty while etcd does not run. */
  #listening: readonly string[] = [];
  #servers: readonly string[] | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  /** URLs as `https://127.0.0.1:2379`. */
  listen(urls: readonly string[]): void {
    this.#listening = urls;
    this.#decide();
  }

  close(): void {
    this.listen([]);
  }

  /** Where a server that starts looks for it. */
  lookFor(servers: readonly string[]): void {
    this.#servers = servers;
    this.#decide();
  }

  #decide(): void {
    const isAt = (url: string): boolean => this.#servers === undefined || this.#servers.some((server) => isSame(server, url));
    this.#store.isReachable = this.#listening.some(isAt);
  }
}

/** etcd on all addresses is on each. */
function isSame(server: string, listening: string): boolean {
  const [there, here] = [server, listening].map((url) => new URL(url.includes("://") ? url : `http://${url}`));
  if (there === undefined || here === undefined || there.protocol !== here.protocol || there.port !== here.port) return false;
  const [wanted, actual] = [there, here].map(({ hostname }) => (hostname === "localhost" ? "127.0.0.1" : hostname));
  return wanted === actual || actual === "0.0.0.0";
}
