/** A connection being opened (or a datagram sent), as the rules of a packet filter see it. */
export interface Packet {
  source: string;
  destination: string;
  destinationPort: number;
  readonly protocol: "tcp" | "udp" | "sctp";
  mark: number;
}
