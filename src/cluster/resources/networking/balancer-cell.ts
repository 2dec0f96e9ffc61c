// The addresses of a load balancer as tables show them.

/** Addresses, or names where there are none, each once, in order of the alphabet. */
export function balancerAddresses(points: readonly { readonly ip?: string; readonly hostname?: string }[] = []): readonly string[] {
  return [...new Set(points.map(({ ip, hostname }) => ip || hostname || "").filter((address) => address !== ""))].sort();
}
