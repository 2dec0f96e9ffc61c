// What a kubelet answers beside its pods and /metrics/resource, to whoever has been let in (pkg/kubelet/server/server.go).

import { encodeUtf8 } from "#sim/bytes.ts";
import type { HttpRequest, HttpResponder } from "#sim/http.ts";
import { cadvisorMetrics } from "./cadvisor-metrics.ts";
import { configz } from "./configz.ts";
import { kubeletMetrics } from "./kubelet-metrics.ts";
import { serveLogs } from "./log-files.ts";
import { probeMetrics } from "./probe-metrics.ts";
import { prometheusText, replyJson, replyText } from "./replies.ts";
import { runningPods } from "./running-pods.ts";
import type { Asked } from "./server-options.ts";
import { statsSummary } from "./summary.ts";
import { servePage } from "./zpages.ts";

export { serveLocalHealth } from "./zpages.ts";

type Answer = (asked: Asked, request: HttpRequest, responder: HttpResponder) => void;

const answers: { readonly [path: string]: Answer } = {
  "/configz": ({ kubelet }, _request, responder) => replyJson(responder, JSON.stringify({ kubeletconfig: configz(kubelet) })),
  "/metrics": (asked, _request, responder) => replyMetrics(responder, kubeletMetrics(asked)),
  "/metrics/cadvisor": (asked, _request, responder) => replyMetrics(responder, cadvisorMetrics(asked)),
  "/metrics/probes": ({ probes, startedMs }, _request, responder) => replyMetrics(responder, probeMetrics(probes(), startedMs)),
  "/runningpods/": onlyGet(({ kubelet }, _request, responder) =>
    replyJson(responder, `${JSON.stringify(runningPods(kubelet.runtime))}\n`),
  ),
  "/stats/summary": onlyGet(serveSummary),
};

const logs = onlyGet(({ kubelet }, request, responder) => serveLogs(kubelet.machine.files, pathOf(request), request, responder));

export function answer(asked: Asked, request: HttpRequest, responder: HttpResponder): void {
  const path = pathOf(request);
  let own = Object.hasOwn(answers, path) ? answers[path] : undefined;
  if (path.startsWith("/logs/")) own = logs;
  if (own !== undefined) own(asked, request, responder);
  else servePage(asked, request, responder);
}

function onlyGet(own: Answer): Answer {
  return (asked, request, responder) => {
    if (request.method === "GET") own(asked, request, responder);
    else replyText(responder, 405, "405: Method Not Allowed");
  };
}

function pathOf({ target }: HttpRequest): string {
  return target.split("?", 1)[0] as string;
}

function replyMetrics(responder: HttpResponder, text: string): void {
  responder.reply(200, { "content-type": prometheusText }, encodeUtf8(text));
}

function serveSummary(asked: Asked, { target }: HttpRequest, responder: HttpResponder): void {
  const onlyCpuAndMemory = new URLSearchParams(target.split("?")[1] ?? "").get("only_cpu_and_memory") === "true";
  // The one answer that upstream's library indents, by one blank.
  replyJson(responder, JSON.stringify(statsSummary(asked, onlyCpuAndMemory), null, 1));
}
