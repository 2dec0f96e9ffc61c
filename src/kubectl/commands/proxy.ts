// kubectl proxy: the API server on a local port, with the credentials of the kubeconfig.

import { type GoRegExp, GoRegExpError, goRegExp } from "#cluster/api/go-regexp/go-regexp.ts";
import { klogLine } from "#cluster/api/klog.ts";
import { type Bytes, encodeUtf8 } from "#sim/bytes.ts";
import { SysError } from "#sim/errors.ts";
import type { HttpHeaders, HttpRequest, HttpResponder } from "#sim/http.ts";
import type { Sys } from "#sim/program.ts";
import type { Command, Context } from "../context.ts";
import { ConnectionError, KubectlError } from "../errors.ts";

/** What may pass, as the flags say. */
interface Filter {
  readonly hosts: readonly GoRegExp[];
  readonly paths: readonly GoRegExp[];
  readonly rejectedPaths: readonly GoRegExp[];
  readonly rejectedMethods: readonly GoRegExp[];
}

function patternsOf({ flags }: Context, name: string): readonly GoRegExp[] {
  return flags
    .text(name)
    .split(",")
    .filter((text) => text !== "")
    .map((text) => {
      try {
        return goRegExp(text);
      } catch (error) {
        if (error instanceof GoRegExpError) throw new KubectlError(error.message);
        throw error;
      }
    });
}

function matches(patterns: readonly GoRegExp[], text: string): boolean {
  return patterns.some((pattern) => pattern.test(text));
}

function passes(filter: Filter, { method, target, headers }: HttpRequest): boolean {
  const path = target.split("?")[0] as string;
  const host = (headers["host"] ?? "").replace(/:\d+$/, "");
  return (
    matches(filter.hosts, host) &&
    matches(filter.paths, path) &&
    !matches(filter.rejectedPaths, path) &&
    !matches(filter.rejectedMethods, method)
  );
}

/** Headers that belong to one connection, or that kubectl gives itself. */
const ownHeaders = new Set(["host", "connection", "content-length", "transfer-encoding", "authorization"]);

function passedOn(headers: HttpHeaders): HttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ownHeaders.has(name)));
}

/** The request at the API server, and its answer back, piece by piece. */
function* forward(context: Context, request: HttpRequest, path: string, responder: HttpResponder): Sys<void> {
  const { self } = context;
  const client = context.client();
  let gone = false;
  try {
    const { accept = "*/*", "content-type": contentType, ...headers } = passedOn(request.headers);
    const body: Bytes = request.body;
    const reply = yield* client.open({
      method: request.method,
      path,
      atRoot: !context.flags.bool("append-server-path"),
      accept,
      headers,
      ...(body.length === 0 ? {} : { body, contentType: contentType ?? "application/json" }),
    });
    const writer = responder.stream(reply.status, passedOn(reply.headers));
    writer.onClose = () => {
      gone = true;
    };
    try {
      for (;;) {
        const part = yield* self.read(reply.fd);
        if (part.length === 0 || gone) break;
        writer.write(part.slice());
      }
    } finally {
      self.close(reply.fd);
      writer.end();
    }
  } catch (error) {
    if (!(error instanceof ConnectionError || error instanceof SysError)) throw error;
    responder.reply(502, { "content-type": "text/plain; charset=utf-8" }, encodeUtf8(""));
  }
}

function* warn(context: Context): Sys<void> {
  const { flags, self } = context;
  const { pathPrefix } = context.client().server;
  if (!flags.bool("append-server-path") && pathPrefix !== "") {
    const text = `Your kube context contains a server path ${pathPrefix}, use --append-server-path to automatically append the path to each request`;
    yield* context.err(klogLine(self, "W", "proxy.go:172", text));
  }
  if (!flags.bool("disable-filter")) return;
  const text = "Request filter disabled, your proxy is vulnerable to XSRF attacks, please be cautious";
  yield* context.err(klogLine(self, "W", "proxy.go:177", text));
}

export const proxy: Command = {
  path: "proxy",
  *run(context) {
    const { flags, self } = context;
    if (flags.text("unix-socket") !== "")
      throw new KubectlError("--unix-socket is not part of this release of the embedded kubectl");
    if (flags.text("www") !== "") throw new KubectlError("--www is not part of this release of the embedded kubectl");
    yield* warn(context);
    const port = flags.number("port");
    const address = flags.text("address");
    const open = flags.bool("disable-filter");
    const filter: Filter = {
      hosts: open ? [goRegExp("")] : patternsOf(context, "accept-hosts"),
      paths: open ? [goRegExp("")] : patternsOf(context, "accept-paths"),
      rejectedPaths: open ? [] : patternsOf(context, "reject-paths"),
      rejectedMethods: open ? [] : patternsOf(context, "reject-methods"),
    };
    if (port < 0 || port > 65_535) throw new KubectlError(`listen tcp: address ${port}: invalid port`);
    const prefix = `/${flags.text("api-prefix").replace(/^\/|\/$/g, "")}/`.replace("//", "/");
    context.client();
    const chosen = port === 0 ? 30_000 + self.random.below(30_000) : port;
    try {
      self.serveHttp({
        port: chosen,
        address,
        handler: (request, _peer, responder) => {
          const refuse = (status: number, text: string): void =>
            responder.reply(status, { "content-type": "text/plain; charset=utf-8" }, encodeUtf8(text));
          if (!passes(filter, request)) refuse(403, "Forbidden\n");
          else if (!request.target.startsWith(prefix)) refuse(404, "404 page not found\n");
          else self.startThread(() => forward(context, request, `/${request.target.slice(prefix.length)}`, responder));
        },
      });
    } catch (error) {
      if (!(error instanceof SysError) || error.code !== "EADDRINUSE") throw error;
      throw new KubectlError(`listen tcp ${address}:${chosen}: bind: address already in use`);
    }
    yield* context.out(`Starting to serve on ${address}:${chosen}\n`);
    yield* self.pause();
  },
};
