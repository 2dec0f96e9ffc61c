// Which API server reaches etcd: whether a member runs and listens where the server looks, and whether most members see each other. All
// members hold one store: what differs between them is only who may write to it.

import type { EtcdConnection } from "#cluster/storage/etcd-connection.ts";

export interface EtcdMemberOptions {
  /** Of its machine. */
  readonly address: string;
  /** What the API server of its machine knows of it. */
  readonly connection: EtcdConnection;
  /** Whether its machine is cut from the others. */
  isCut(): boolean;
  /** The server of its machine reaches etcd no more, while others may go on. */
  onLost(): void;
}

/** One machine's etcd, and where its API server looks for one. */
export interface EtcdMember {
  /** It ran before. */
  readonly hasJoined: boolean;
  /** URLs as `https://127.0.0.1:2379`. */
  listen(urls: readonly string[]): void;
  close(): void;
  /** Where a server that starts looks for it. */
  lookFor(servers: readonly string[]): void;
}

export class EtcdCluster {
  readonly #members: Member[] = [];

  addMachine(options: EtcdMemberOptions): EtcdMember {
    const member = new Member(options, () => this.decide());
    this.#members.push(member);
    return member;
  }

  /** After a change of the wires, too. */
  decide(): void {
    for (const member of this.#members) {
      const { connection, onLost } = member.options;
      const { isReachable } = connection;
      const found = this.#members.filter((other) => canReach(member, other) && member.looksAt(other));
      connection.isReachable = found.some((each) => this.#hasQuorum(each));
      connection.hasNoLeader = found.length > 0 && !connection.isReachable;
      if (isReachable && !connection.isReachable && this.#voters.length > 1) onLost();
    }
  }

  /** Whoever has joined stays a member, running or not (`etcdctl member remove` is not there). */
  get #voters(): readonly Member[] {
    return this.#members.filter(({ hasJoined }) => hasJoined);
  }

  #hasQuorum(member: Member): boolean {
    const voters = this.#voters;
    return voters.filter((other) => other.runs && canReach(member, other)).length * 2 > voters.length;
  }
}

class Member implements EtcdMember {
  readonly options: EtcdMemberOptions;
  hasJoined = false;
  readonly #changed: () => void;
  /** Empty while etcd does not run. */
  #listening: readonly string[] = [];
  #servers: readonly string[] | undefined;

  constructor(options: EtcdMemberOptions, changed: () => void) {
    this.options = options;
    this.#changed = changed;
  }

  get runs(): boolean {
    return this.#listening.length > 0;
  }

  listen(urls: readonly string[]): void {
    this.hasJoined = true;
    this.#listening = urls;
    this.#changed();
  }

  close(): void {
    this.#listening = [];
    this.#changed();
  }

  lookFor(servers: readonly string[]): void {
    this.#servers = servers;
    this.#changed();
  }

  /** Whether the server of this machine would find the etcd of another, or of its own. */
  looksAt(other: Member): boolean {
    const servers = this.#servers;
    if (servers === undefined) return other === this && this.runs;
    return other.#listening.some((url) => servers.some((server) => isSame(server, url, other, other === this)));
  }
}

function canReach(one: Member, other: Member): boolean {
  return one === other || (!one.options.isCut() && !other.options.isCut());
}

/** etcd on all addresses is on each of its machine's. */
function isSame(server: string, listening: string, { options }: Member, isOwn: boolean): boolean {
  const [there, here] = [server, listening].map((url) => new URL(url.includes("://") ? url : `http://${url}`));
  if (there === undefined || here === undefined || there.protocol !== here.protocol || there.port !== here.port) return false;
  const [wanted, actual] = [there, here].map(({ hostname }) => (hostname === "localhost" ? "127.0.0.1" : hostname));
  if (wanted === "127.0.0.1") return isOwn && (actual === wanted || actual === "0.0.0.0");
  return wanted === options.address && (actual === wanted || actual === "0.0.0.0");
}
