// The table of route and netstat -r.

import type { Sys } from "#sim/program.ts";
import { everyAddress, netmask, readRange } from "./network-view.ts";
import type { Tool } from "./tool.ts";

export const routeColumns = ["Metric", "Ref", "Use"] as const;

/** `titles`: of the three columns between the flags and the interface. */
export function* printRouteTable(tool: Tool, titles: readonly string[]): Sys<void> {
  const isNetstat = titles[0] === "MSS";
  yield* tool.print(
    `Kernel IP routing table\nDestination     Gateway         Genmask         Flags ${isNetstat ? "  MSS Window  irtt" : "Metric Ref    Use"} Iface\n`,
  );
  for (const route of tool.self.networkPlace().routes) {
    const range = readRange(route.destination);
    const numeric = tool.has("n");
    const to = route.destination === everyAddress && !numeric ? "default" : range.address;
    const via = route.gateway ?? (numeric || tool.gnu ? "0.0.0.0" : "*");
    const flags = `U${route.gateway === undefined ? "" : "G"}${range.prefix === 32 ? "H" : ""}`;
    const middle = isNetstat ? `${flags.padEnd(5)}     0 0          0` : `${flags.padEnd(5)} 0      0        0`;
    yield* tool.print(`${to.padEnd(15)} ${via.padEnd(15)} ${netmask(range.prefix).padEnd(15)} ${middle} ${route.link}\n`);
  }
}
