// agnhost crd-conversion-webhook: converts the custom resources of the tests, whose `hostPort` is `host` and `port` in v2.

import { decodeUtf8 } from "#sim/bytes.ts";
import type { HttpRequest, HttpResponder } from "#sim/http.ts";
import type { Process } from "#sim/program.ts";
import { answerText, serve } from "../samples/go-server.ts";
import { answerError, answerNotFound, objectIn, pathOf, sniffedType } from "./answers.ts";
import { command } from "./command.ts";
import { goJson, goQuoted, klogHead, klogLine } from "./go-words.ts";
import { inCluster } from "./in-cluster.ts";
import { readKeyPair } from "./key-pair.ts";

type Json = Parameters<typeof goJson>[0];
type Resource = { readonly apiVersion?: string } & { readonly [key: string]: Json | undefined };

interface Review {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly request?: { readonly uid?: string; readonly desiredAPIVersion?: string; readonly objects?: readonly Resource[] | null };
}

const versions: readonly string[] = ["apiextensions.k8s.io/v1", "apiextensions.k8s.io/v1beta1"];
const [v1, v2] = ["stable.example.com/v1", "stable.example.com/v2"];

export const crdConversionWebhook = command({
  flags: { "tls-cert-file": "", "tls-private-key-file": "", port: 443 },
  *run(self, { flags, verbosity }) {
    // Upstream makes a client that it never uses: without an account it does not start.
    const cluster = inCluster(self);
    const pair = typeof cluster === "string" ? cluster : readKeyPair(self, flags["tls-cert-file"], flags["tls-private-key-file"]);
    if (typeof pair === "string") {
      yield* self.write(2, `${klogHead(self, "F", "config.go:34")}${pair}\n`);
      return 255;
    }
    return yield* serve(
      self,
      flags.port,
      (request, _peer, responder) => {
        const path = pathOf(request);
        if (path === "/readyz") answerText(self, responder, 200, "ok");
        else if (path === "/crdconvert") convert(self, request, responder, verbosity);
        else answerNotFound(self, responder);
      },
      { tls: pair },
    );
  },
});

function convert(self: Process, request: HttpRequest, responder: HttpResponder, verbosity: number): void {
  const refuse = (message: string): void => {
    klogLine(self, "E", "framework.go:118", message);
    answerError(self, responder, 400, message);
  };
  const note = (where: string, text: string): void => {
    if (verbosity >= 2) klogLine(self, "I", where, text);
  };
  const type = request.headers["content-type"] ?? "";
  if (type !== "application/json") {
    refuse(`invalid Content-Type header \`${type}\``);
    return;
  }
  const text = decodeUtf8(request.body);
  note("framework.go:123", `handling request: ${text}`);
  const review = objectIn<Review>(text);
  if (review === undefined) {
    refuse(`failed to deserialize body (${text}) with error couldn't get version/kind; json parse error: invalid JSON`);
    return;
  }
  const { apiVersion = "", kind = "", request: asked } = review;
  if (kind !== "ConversionReview" || !versions.includes(apiVersion) || asked === undefined) {
    refuse(`Unsupported group version kind: ${apiVersion}, Kind=${kind}`);
    return;
  }
  const { uid = "", desiredAPIVersion = "", objects } = asked;
  const converted: Resource[] = [];
  let failure: string | undefined;
  for (const object of objects ?? []) {
    note("example_converter.go:29", "converting crd");
    const made = convertOne(object, desiredAPIVersion);
    if (typeof made === "string") {
      failure = made;
      klogLine(self, "E", "framework.go:95", made);
      break;
    }
    converted.push({ ...made, apiVersion: desiredAPIVersion });
  }
  const result = failure === undefined ? { status: "Success" } : { status: "Failure", message: failure };
  const answer: Json = {
    kind,
    apiVersion,
    request: { uid: "", desiredAPIVersion: "", objects: null },
    response: {
      uid,
      convertedObjects: failure === undefined && converted.length > 0 ? converted : null,
      result: { metadata: {}, ...result },
    },
  };
  const body = `${goJson(answer)}\n`;
  note("framework.go:174", `sending response: ${body}`);
  answerText(self, responder, 200, body, { "content-type": sniffedType(body) });
}

/** A text says why it cannot be converted. */
function convertOne(object: Resource, to: string): Resource | string {
  const from = object.apiVersion ?? "";
  if (from === to) return `conversion from a version to itself should not call the webhook: ${to}`;
  if (from !== v1 && from !== v2) return `unexpected conversion version ${goQuoted(from)}`;
  if (to !== (from === v1 ? v2 : v1)) return `unexpected conversion version ${goQuoted(to)}`;
  if (from === v1) {
    const { hostPort, ...rest } = object;
    if (hostPort === undefined) return object;
    const [host, port, ...more] = String(hostPort).split(":");
    if (port === undefined || more.length > 0) return `invalid hostPort value \`${String(hostPort)}\``;
    return { ...rest, host, port };
  }
  const { host, port, ...rest } = object;
  if (host === undefined && port === undefined) return object;
  return { ...rest, hostPort: `${String(host ?? "")}:${String(port ?? "")}` };
}
