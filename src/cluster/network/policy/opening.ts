// What network policies are asked about: a new connection, or the first datagram of a flow.

/** One end of it. */
export interface End {
  readonly address: string;
  /** `namespace/name` of the Pod that has the address, as its network plugin was told when it gave it; undefined: no Pod has. */
  readonly pod: string | undefined;
}

/** As a node sees it that has resolved addresses of Services and ports of nodes, and has not yet put its own address in the source's place. */
export interface Opening {
  readonly source: End;
  readonly destination: End;
  readonly port: number;
  readonly protocol: "tcp" | "udp" | "sctp";
}

/** Out of the source's Pod, or into the destination's. */
export type Direction = "egress" | "ingress";

/**
 * Asked by a Pod's node about all that the Pod opens and all that is opened to it, but for what stays in the Pod or on the way between it and
 * that node. False: it is dropped, and nobody is told.
 */
export type AdmitOpening = (direction: Direction, opening: Opening) => boolean;
