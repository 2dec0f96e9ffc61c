// What a kubelet tells of itself, as every component does: health, /metrics/slis, /statusz, /flagz, /debug.

import { flagzPage } from "#cluster/zpages/flagz.ts";
import { healthPage } from "#cluster/zpages/health-pages.ts";
import { notFound, type Page, pageOrRefusal, pathOf, queryOf } from "#cluster/zpages/page.ts";
import { debugFlagsPage, profilingPage } from "#cluster/zpages/profiling.ts";
import { sliPage } from "#cluster/zpages/sli-page.ts";
import { statuszPage } from "#cluster/zpages/statusz.ts";
import { encodeUtf8 } from "#sim/bytes.ts";
import type { HttpRequest, HttpResponder } from "#sim/http.ts";
import { replyText } from "./replies.ts";
import type { Asked } from "./server-options.ts";

const name = "kubelet";
const health = { path: "/healthz", checks: ["ping", "log", "syncloop"], hasSingleChecks: true };
/** On the node itself. */
const localHealth = { ...health, checks: ["ping"] };
/** What /statusz knows of: the paths that are no resources of its web services. */
const paths = ["/configz", "/debug", "/flagz", "/healthz", "/metrics"];

/** What kubeadm's unit gives it beside the environment files; --v=3 is in one of these. */
export const unitFlags: readonly string[] = [
  "--bootstrap-kubeconfig=/etc/kubernetes/bootstrap-kubelet.conf",
  "--kubeconfig=/etc/kubernetes/kubelet.conf",
  "--config=/var/lib/kubelet/config.yaml",
];

export function servePage(asked: Asked, request: HttpRequest, responder: HttpResponder): void {
  if (pathOf(request).startsWith("/debug/pprof/") && request.method !== "GET") {
    replyText(responder, 405, "405: Method Not Allowed");
    return;
  }
  send(
    responder,
    pageOrRefusal(() => pageAt(asked, request), request),
  );
}

/** Port 10248. */
export function serveLocalHealth(asked: Asked, request: HttpRequest, responder: HttpResponder): void {
  countChecks(asked, localHealth, request);
  send(responder, healthPage([localHealth], request) ?? notFound);
}

function pageAt(asked: Asked, request: HttpRequest): Page {
  const { kubelet, startedMs, healthCounts } = asked;
  const argv = ["/usr/bin/kubelet", ...unitFlags, ...(kubelet.environmentFlags ?? ["--v=3"])];
  const component = { name, argv, startedMs, nowMs: kubelet.simulation.nowMs, paths };
  const accept = request.headers["accept"] ?? "";
  const path = pathOf(request);
  countChecks(asked, health, request);
  if (path === "/metrics/slis") return sliPage([health], healthCounts, startedMs);
  if (path === "/statusz") return statuszPage(component, accept);
  if (path === "/flagz") return flagzPage(component, accept);
  return healthPage([health], request) ?? profilingPage(request, argv, true) ?? debugFlagsPage(request, false) ?? notFound;
}

/** A check that is asked for by itself does not count. */
function countChecks({ healthCounts }: Asked, { path, checks }: typeof health, request: HttpRequest): void {
  if (pathOf(request) !== path) return;
  const excluded = queryOf(request).getAll("exclude");
  for (const check of checks) if (!excluded.includes(check)) healthCounts.set(check, (healthCounts.get(check) ?? 0) + 1);
}

function send(responder: HttpResponder, { status, headers, text }: Page): void {
  responder.reply(status, headers, encodeUtf8(text));
}
