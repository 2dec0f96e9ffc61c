// What the API server tells of itself, for people and their programs: metrics, /statusz, /flagz, /debug.

import { flagValuesOf } from "#cluster/zpages/flag-values.ts";
import { flagzPage } from "#cluster/zpages/flagz.ts";
import type { Component, Page } from "#cluster/zpages/page.ts";
import { debugFlagsPage, profilingPage } from "#cluster/zpages/profiling.ts";
import { prometheusText } from "#cluster/zpages/sli-page.ts";
import { statuszPage } from "#cluster/zpages/statusz.ts";
import { encodeUtf8 } from "#sim/bytes.ts";
import type { HttpCall } from "./call.ts";
import { metricsText, sliText } from "./metrics.ts";
import { rootPaths } from "./root-paths.ts";

/** As it calls itself there; its flags are kube-apiserver's. */
const name = "apiserver";
const program = "kube-apiserver";

/** `path` without a slash at its end. False where there is no such page. Throws ApiError 406. */
export function serveDebugPath(call: HttpCall, path: string): boolean {
  const page = pageAt(call, path);
  if (page === undefined) return false;
  call.responder.reply(page.status, { ...call.headers, ...page.headers }, encodeUtf8(page.text));
  return true;
}

function pageAt(call: HttpCall, path: string): Page | undefined {
  const { server, request } = call;
  const accept = request.headers["accept"] ?? "";
  if (path === "/metrics") return { status: 200, headers: { "content-type": prometheusText }, text: metricsText(server) };
  if (path === "/metrics/slis") return sliPageOf(call);
  if (path === "/statusz") return statuszPage(componentOf(call), accept);
  if (path === "/flagz") return flagzPage(componentOf(call), accept, program);
  if (!path.startsWith("/debug/") || flagValuesOf(program, server.argv).get("profiling") !== "true") return undefined;
  return profilingPage(request, server.argv) ?? debugFlagsPage(request);
}

function sliPageOf({ server }: HttpCall): Page {
  const headers = {
    "content-type": prometheusText,
    "process-start-time-unix": String(Math.floor(server.startedMs / 1000)),
  };
  return { status: 200, headers, text: sliText(server) };
}

function componentOf(call: HttpCall): Component {
  const { startedMs, simulation, argv } = call.server;
  return { name, startedMs, nowMs: simulation.nowMs, paths: rootPaths(call), argv };
}
