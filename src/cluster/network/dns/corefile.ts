// The Corefile as kubeadm writes it, and what of a Corefile our CoreDNS acts on. Every other one is read by code that comes late.

export const kubeadmCorefile = `.:53 {
    errors
    health {
       lameduck 5s
    }
    ready
    kubernetes cluster.local in-addr.arpa ip6.arpa {
       pods insecure
       fallthrough in-addr.arpa ip6.arpa
       ttl 30
    }
    prometheus :9153
    forward . /etc/resolv.conf {
       max_concurrent 1000
    }
    cache 30 {
       disable success cluster.local
       disable denial cluster.local
    }
    loop
    reload
    loadbalance
}
`;

export type AnswerClass = "all" | "success" | "denial" | "error";

/** A line of the plugin `log`: which names, with their last dot, and which answers are logged. */
export interface LogRule {
  readonly scope: string;
  readonly classes: readonly AnswerClass[];
}

export interface CorefileSettings {
  /** How long a server that ends goes on (plugin health). */
  readonly lameduckMs: number;
  /** How often the file is looked at, and by how much that varies (plugin reload); Infinity without the plugin. */
  readonly reloadMs: number;
  readonly jitterMs: number;
  readonly log: readonly LogRule[];
  /** What of it has no effect here: `/etc/coredns/Corefile:3 - hosts`. */
  readonly idle: readonly string[];
}

/** The plugin reload without arguments. */
export const usualReload = { reloadMs: 30_000, jitterMs: 15_000 };
