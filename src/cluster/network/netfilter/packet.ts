/** What a machine remembers of the packet's flow (conntrack). */
export interface PacketFlow {
  /** Others of the flow came before: it is let through, and was changed as they were. */
  readonly isKnown: boolean;
  /** The packet goes on as it is now: the others of its flow will as well. */
  confirm(): void;
}

/** A connection being opened (or a datagram sent), as the rules of a packet filter see it. */
export interface Packet {
  source: string;
  destination: string;
  destinationPort: number;
  readonly protocol: "tcp" | "udp" | "sctp" | "icmp";
  mark: number;
  /** Its destination is not the one that its sender wrote, by a rule of nftables. */
  isTranslated?: boolean;
  /** Of datagrams, whose flows machines remember: a connection is judged once. */
  sourcePort?: number;
  flow?: PacketFlow;
}
