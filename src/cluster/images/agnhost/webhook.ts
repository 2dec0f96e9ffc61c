// agnhost webhook: answers admission reviews by rules that the tests know.

import { decodeUtf8 } from "#sim/bytes.ts";
import type { HttpRequest, HttpResponder } from "#sim/http.ts";
import type { Process } from "#sim/program.ts";
import { answerText, serve } from "../samples/go-server.ts";
import { type AdmissionRequest, type Admit, admitters } from "./admitters.ts";
import { answerError, answerNotFound, objectIn, pathOf } from "./answers.ts";
import { command } from "./command.ts";
import { goJson, klogHead, klogLine } from "./go-words.ts";
import { readKeyPair } from "./key-pair.ts";

interface Review {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly request?: AdmissionRequest;
}

const versions: readonly string[] = ["admission.k8s.io/v1", "admission.k8s.io/v1beta1"];

export const webhook = command({
  flags: { "tls-cert-file": "", "tls-private-key-file": "", port: 443, "sidecar-image": "" },
  *run(self, { flags, verbosity }) {
    const pair = readKeyPair(self, flags["tls-cert-file"], flags["tls-private-key-file"]);
    if (typeof pair === "string") {
      yield* self.write(2, `${klogHead(self, "F", "config.go:34")}${pair}\n`);
      return 255;
    }
    const routes = admitters(flags["sidecar-image"]);
    const note = (where: string, text: string): void => {
      if (verbosity >= 2) klogLine(self, "I", where, text);
    };
    return yield* serve(
      self,
      flags.port,
      (request, _peer, responder) => {
        const path = pathOf(request);
        const admit = Object.hasOwn(routes, path) ? routes[path] : undefined;
        if (path === "/readyz") answerText(self, responder, 200, "ok");
        else if (admit === undefined) answerNotFound(self, responder);
        else answerReview({ self, note, responder }, request, admit);
      },
      { tls: pair },
    );
  },
});

interface Desk {
  readonly self: Process;
  readonly note: (where: string, text: string) => void;
  readonly responder: HttpResponder;
}

function answerReview({ self, note, responder }: Desk, request: HttpRequest, admit: Admit): void {
  const type = request.headers["content-type"] ?? "";
  if (type !== "application/json") {
    klogLine(self, "E", "main.go:108", `contentType=${type}, expect application/json`);
    answerText(self, responder, 200, "");
    return;
  }
  const text = decodeUtf8(request.body);
  note("main.go:112", `handling request: ${text}`);
  const refuse = (message: string): void => {
    klogLine(self, "E", "main.go:118", message);
    answerError(self, responder, 400, message);
  };
  const review = objectIn<Review>(text);
  if (review === undefined) {
    refuse("Request could not be decoded: couldn't get version/kind; json parse error: invalid JSON");
    return;
  }
  const { apiVersion = "", kind = "", request: asked } = review;
  if (kind !== "AdmissionReview" || !versions.includes(apiVersion) || asked === undefined) {
    refuse(`Unsupported group version kind: ${apiVersion}, Kind=${kind}`);
    return;
  }
  const { delayMs = 0, answer } = admit(asked, note);
  // Upstream's handler waits for something that never comes.
  if (answer === "never") return;
  const reply = (): void => {
    if (answer === "broken") {
      // Upstream's handler panics where there is no response, and hangs up.
      klogLine(self, "E", "main.go:137", "http: panic serving: runtime error: invalid memory address or nil pointer dereference");
      answerText(self, responder, 500, "");
      return;
    }
    const body = { kind, apiVersion, response: { uid: asked.uid ?? "", ...answer } };
    note("main.go:162", `sending response: ${goJson(body)}`);
    answerText(self, responder, 200, goJson(body), { "content-type": "application/json" });
  };
  if (delayMs === 0) reply();
  else
    self.startThread(function* () {
      yield* self.sleep(delayMs);
      reply();
    });
}
