// Whether etcd answers an API server. Several servers of one cluster look at one store, each through a member of its own.

const refused =
  'rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing: dial tcp 127.0.0.1:2379: connect: connection refused"';
const withoutLeader = "etcdserver: request timed out";

export class EtcdConnection {
  /** While it is false, nothing current can be read, and nothing written. */
  isReachable = true;
  /** Something listens where the server looks, but most of etcd's members are away. */
  hasNoLeader = false;

  /** What etcd's client says where nothing listens, and etcd where no leader answers. */
  get failure(): string {
    return this.hasNoLeader ? withoutLeader : refused;
  }
}
