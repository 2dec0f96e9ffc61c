// The kubelet's HTTPS server on port 10250 (pkg/kubelet/server/server.go): health, pods, use of the node. Who asks is
// looked up before anything is answered, save for paths that nobody has. Its health is also told to anyone on the node itself.

import { decodeObject } from "#cluster/api/decode.ts";
import { jsonText } from "#cluster/api/json-write.ts";
import type { JsonValue } from "#cluster/api/objects.ts";
import { encodeUtf8, noBytes } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { HttpPeer, HttpRequest, HttpResponder } from "#sim/http.ts";
import type { Certificate, Listening, ListenOptions } from "#sim/net.ts";
import { goList, type StoredPod } from "../pod-spec.ts";
import { Access, subresourcesOf, verbOf } from "./access.ts";
import { lateAnswers } from "./late-answers.ts";
import { prometheusText, replyJson, replyText } from "./replies.ts";
import { ResourceMetrics } from "./resource-metrics.ts";
import type { Asked, KubeletServerOptions } from "./server-options.ts";
import { nodeUsage } from "./usage.ts";

type Answer = (request: HttpRequest, responder: HttpResponder) => void;

const port = 10250;
const health = { port: 10248, address: "127.0.0.1" };
const yearMs = 365 * 86_400_000;

/** First parts of the paths that the real kubelet has; others end before anyone asks for credentials. */
const knownPaths: ReadonlySet<string> = new Set(
  "attach checkpoint configz containerLogs debug exec flagz healthz logs metrics pods portForward run runningpods stats statusz".split(
    " ",
  ),
);

/** Paths of which only what is below them is there: Go's ServeMux, since 1.26 with 307, leads there before anyone is asked. */
const subtrees: ReadonlySet<string> = new Set(["/debug/pprof", "/logs", "/runningpods", "/stats"]);

export class KubeletServer {
  readonly #options: KubeletServerOptions;
  readonly #access: Access;
  readonly #answers: ReadonlyMap<string, Answer>;
  /** What it shows to its clients since its last start. */
  certificate: Certificate | undefined;
  #listenings: readonly Listening[] = [];
  #startedMs = 0;
  #healthCounts = new Map<string, number>();

  constructor(options: KubeletServerOptions) {
    this.#options = options;
    const { simulation, client, machine, clientAuthority } = options.kubelet;
    this.#access = new Access({ simulation, client, nodeName: machine.name, clientAuthority });
    this.#answers = new Map<string, Answer>([
      ["/metrics/resource", (_request, responder) => this.#serveResourceMetrics(responder)],
      ["/pods", onlyGet((_request, responder) => this.#servePods(responder))],
    ]);
  }

  /** A port that a pod of the host's network has taken stays the pod's: this kubelet then serves nothing. */
  start(): void {
    const { network, name } = this.#options.kubelet.machine;
    const { nowMs } = this.#options.kubelet.simulation;
    this.#startedMs = nowMs;
    this.#healthCounts = new Map();
    const certificate = selfSigned(name, nowMs);
    this.certificate = certificate;
    const servers: readonly ListenOptions[] = [
      {
        port,
        tls: { certificate },
        onHttp: (request, peer, responder) => this.#handle(request, peer, responder),
      },
      { ...health, onHttp: (request, _peer, responder) => lateAnswers.code.serveLocalHealth(this.#asked, request, responder) },
    ];
    this.#listenings = servers.flatMap((options) => {
      try {
        return [network.host.listen(options)];
      } catch (error) {
        if (!(error instanceof SysError) || error.code !== "EADDRINUSE") throw error;
        return [];
      }
    });
  }

  stop(): void {
    for (const listening of this.#listenings) listening.close();
    this.#listenings = [];
  }

  get #asked(): Asked {
    return { ...this.#options, startedMs: this.#startedMs, healthCounts: this.#healthCounts };
  }

  #handle(request: HttpRequest, peer: HttpPeer, responder: HttpResponder): void {
    const path = request.target.split("?", 1)[0] as string;
    if (!knownPaths.has(path.split("/")[1] ?? "")) {
      replyText(responder, 404, "404 page not found\n");
      return;
    }
    if (subtrees.has(path)) {
      redirectToSubtree(request, path, responder);
      return;
    }
    const user = this.#access.authenticate(request.headers, peer);
    if (user === undefined) {
      replyText(responder, 401, "Unauthorized");
      return;
    }
    const verb = verbOf(request.method);
    const subresources = subresourcesOf(path);
    const decision = this.#access.authorize(user, verb, subresources);
    const subject = `user=${user.name}, verb=${verb}, resource=nodes`;
    if ("failed" in decision) {
      replyText(responder, 500, `Authorization error (${subject}, subresource=${decision.failed})`);
    } else if (!decision.allowed) {
      replyText(responder, 403, `Forbidden (${subject}, subresource(s)=${goList(subresources)})\n`);
    } else {
      const answer = this.#answers.get(path);
      if (answer !== undefined) answer(request, responder);
      else lateAnswers.code.answer(this.#asked, request, responder);
    }
  }

  #serveResourceMetrics(responder: HttpResponder): void {
    const { kubelet, pods } = this.#options;
    const metrics = new ResourceMetrics(nodeUsage(kubelet, pods()));
    const headers = { "content-type": prometheusText };
    if (responder.replyUnwritten === undefined) responder.reply(200, headers, metrics.write());
    else responder.replyUnwritten(200, headers, metrics);
  }

  #servePods(responder: HttpResponder): void {
    const items = this.#options.pods().map(({ apiVersion: _version, kind: _kind, ...pod }) => written(pod));
    const list = { kind: "PodList", apiVersion: "v1", metadata: {}, items };
    replyJson(responder, `${jsonText(list)}\n`);
  }
}

/** As Go's encoder writes it. */
function written(pod: Omit<StoredPod, "apiVersion" | "kind">): JsonValue {
  return decodeObject("Pod", pod as JsonValue, { fill: "written", fromStore: true }).value;
}

function redirectToSubtree({ method, target }: HttpRequest, path: string, responder: HttpResponder): void {
  const location = `${path}/${target.slice(path.length)}`;
  const headers = { "content-type": "text/html; charset=utf-8", location };
  const link = `<a href="${location.replaceAll("&", "&amp;")}">Temporary Redirect</a>.\n\n`;
  responder.reply(
    307,
    method === "GET" || method === "HEAD" ? headers : { location },
    method === "GET" ? encodeUtf8(link) : noBytes,
  );
}

function onlyGet(answer: Answer): Answer {
  return (request, responder) => {
    if (request.method === "GET") answer(request, responder);
    else replyText(responder, 405, "405: Method Not Allowed");
  };
}

/** What a kubelet shows that was given no certificate: valid for its name, not for its address, and signed by nobody known. */
function selfSigned(nodeName: string, nowMs: number): Certificate {
  const seconds = Math.floor(nowMs / 1000);
  return {
    commonName: `${nodeName}@${seconds}`,
    organizations: [],
    alternativeNames: [nodeName],
    issuer: `${nodeName}-ca@${seconds}`,
    notBeforeMs: nowMs - 3_600_000,
    notAfterMs: nowMs + yearMs,
  };
}
