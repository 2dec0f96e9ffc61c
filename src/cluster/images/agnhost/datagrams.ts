// UDP, which processes do not have yet: what says so instead of serving or calling.

/** The log line of a server that should listen for datagrams as well. */
export function noDatagrams(port: number | string): string {
  return `UDP is not supported here: nothing listens on port ${port}`;
}

/** The error of a call. */
export function datagramsMissing(protocol: "udp" | "sctp"): string {
  return `${protocol} dial failed. err:${protocol} is not supported here`;
}
