// ICMP echo: whether an address answers, after what time, and how many routers its answer has passed.

import type { EchoResult } from "#sim/net.ts";
import type { NamespaceStack, Router } from "./namespace-stack.ts";

/** What Linux's answers set out with. */
const firstTtl = 64;

export function echo(stack: NamespaceStack, router: Router, address: string): EchoResult {
  const route = stack.routeTo({ address, port: 0 }, "icmp");
  if (!route.ok) return route;
  if (!route.stack.attached) return { ok: false, error: "ETIMEDOUT", afterMs: 0 };
  // Machines see each other directly; between Pods of two machines both of them route.
  const isOnTheWay = (end: string): number => (route.delayMs > 0 && router.isPodAddress(end) ? 1 : 0);
  return { ok: true, afterMs: 2 * route.delayMs, ttl: firstTtl - isOnTheWay(stack.address) - isOnTheWay(route.stack.address) };
}
