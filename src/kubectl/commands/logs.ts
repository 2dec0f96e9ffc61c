// kubectl logs.

import { tryParseTime } from "#cluster/api/time.ts";
import { type Bytes, concatBytes, decodeUtf8, encodeUtf8, noBytes } from "#sim/bytes.ts";
import { isOwnError } from "#sim/errors.ts";
import type { HttpReply } from "#sim/http.ts";
import type { Sys } from "#sim/program.ts";
import { type Query, refusalOf } from "../client/rest-client.ts";
import type { Command, Context } from "../context.ts";
import { arrayAt, isObject, type JsonObject, textAt } from "../documents.ts";
import { isNotFound, KubectlError } from "../errors.ts";
import {
  annotatedContainer,
  containerNames,
  defaultedRemark,
  findContainer,
  noSuchContainer,
  podSelectorOf,
  podsBySelector,
} from "../resources/pods.ts";
import { select } from "../resources/selection.ts";

/** Lines shown of each pod when pods are selected by label. */
const selectorTailLines = 10;

const usage =
  "expected 'logs [-f] [-p] (POD | TYPE/NAME) [-c CONTAINER]'.\nPOD or TYPE/NAME is a required argument for the logs command";

interface LogSource {
  readonly pod: string;
  readonly container: string;
  readonly path: string;
  readonly query: Query;
}

function readArgs(context: Context): { readonly target: string; readonly container: string } {
  const { flags, args } = context;
  const selector = flags.text("selector");
  const [target = "", inline = ""] = args;
  if ((args.length === 0 && selector === "") || args.length > 2) throw context.usageError(usage);
  if (args.length === 1 && selector !== "") throw context.usageError("only a selector (-l) or a POD name is allowed");
  return { target, container: args.length === 2 ? inline : flags.text("container") };
}

function check(context: Context, container: string): void {
  const { flags, args } = context;
  if (flags.text("since-time") !== "" && flags.durationMs("since") !== 0) {
    throw new KubectlError("at most one of `sinceTime` or `sinceSeconds` may be specified");
  }
  if (flags.bool("all-containers") && container !== "") {
    throw new KubectlError(`--all-containers=true should not be specified with container name ${container}`);
  }
  if (flags.changed("container") && args.length === 2) {
    throw new KubectlError("only one of -c or an inline [CONTAINER] arg is allowed");
  }
  if (flags.number("limit-bytes") < 0) throw new KubectlError("--limit-bytes must be greater than 0");
  if (flags.durationMs("since") < 0) throw new KubectlError("--since must be greater than 0");
  if (flags.number("tail") < -1) throw new KubectlError("--tail must be greater than or equal to -1");
}

function queryFor(context: Context, container: string): Query {
  const { flags } = context;
  const sinceTime = flags.text("since-time");
  if (sinceTime !== "" && tryParseTime(sinceTime) === undefined) {
    throw new KubectlError(`parsing time "${sinceTime}" as "2006-01-02T15:04:05Z07:00": cannot parse "${sinceTime}" as "2006"`);
  }
  const tail = flags.text("selector") !== "" && !flags.changed("tail") ? selectorTailLines : flags.number("tail");
  const sinceMs = flags.durationMs("since");
  const limit = flags.number("limit-bytes");
  return {
    container,
    follow: flags.bool("follow") || undefined,
    previous: flags.bool("previous") || undefined,
    timestamps: flags.bool("timestamps") || undefined,
    sinceSeconds: sinceMs === 0 ? undefined : Math.round(sinceMs / 1000),
    sinceTime,
    tailLines: tail === -1 ? undefined : tail,
    limitBytes: limit === 0 ? undefined : limit,
    insecureSkipTLSVerifyBackend: flags.bool("insecure-skip-tls-verify-backend") || undefined,
  };
}

/** The pods a command line means. */
function* podsFor(context: Context, target: string): Sys<readonly JsonObject[]> {
  const { flags } = context;
  const { name: namespace } = context.namespace();
  const selector = flags.text("selector");
  if (selector !== "") {
    const path = `/api/v1/namespaces/${namespace}/pods`;
    const list = yield* context.client().json({ method: "GET", path, query: { labelSelector: selector } });
    const pods = arrayAt(list, "items").filter(isObject);
    if (pods.length === 0) yield* context.err(`No resources found in ${namespace} namespace.\n`);
    return pods;
  }
  let object: JsonObject;
  try {
    object = (yield* select(context, { args: [target], namespace, defaultType: "pods" })).infos[0]?.object ?? {};
  } catch (error) {
    if (!isOwnError(error) || !isNotFound(error)) throw error;
    throw new KubectlError(`error from server (NotFound): ${error.message} in namespace ${JSON.stringify(namespace)}`);
  }
  if (textAt(object, "kind") === "Pod") return [object];
  const wanted = podSelectorOf(object, "get the logs from");
  const timeoutMs = flags.durationMs("pod-running-timeout");
  const pods = yield* podsBySelector(context, textAt(object, "metadata", "namespace"), wanted, timeoutMs);
  const [first] = pods;
  if (pods.length <= 1 || flags.bool("all-pods") || first === undefined) return pods;
  yield* context.err(`Found ${pods.length} pods, using pod/${textAt(first, "metadata", "name")}\n`);
  return [first];
}

function* sourcesOf(context: Context, pod: JsonObject, container: string): Sys<readonly LogSource[]> {
  const { flags } = context;
  const name = textAt(pod, "metadata", "name");
  const path = `/api/v1/namespaces/${textAt(pod, "metadata", "namespace")}/pods/${name}/log`;
  const source = (chosen: string): LogSource => ({ pod: name, container: chosen, path, query: queryFor(context, chosen) });
  if (flags.bool("all-containers")) return containerNames(pod).map(source);
  let chosen = container;
  const annotated = annotatedContainer(pod);
  if (chosen === "" && annotated !== "") {
    if (findContainer(pod, annotated) !== undefined) chosen = annotated;
    else yield* context.err(`Default container name ${JSON.stringify(annotated)} not found in pod ${name}\n`);
  }
  if (chosen === "") {
    chosen = textAt(arrayAt(pod, "spec", "containers")[0], "name");
    if (!flags.bool("all-pods")) yield* context.err(defaultedRemark(pod, chosen));
  }
  if (findContainer(pod, chosen) === undefined) throw noSuchContainer(pod, chosen);
  return [source(chosen)];
}

/** A stream of log lines: output appears line by line, each with its prefix. */
class LineStream {
  readonly reply: HttpReply;
  readonly #prefix: Bytes;
  #held: Bytes = noBytes;

  constructor(reply: HttpReply, prefix: string) {
    this.reply = reply;
    this.#prefix = encodeUtf8(prefix);
  }

  /** The lines that are complete with `part`; all that is left for an empty part. */
  push(part: Bytes): Bytes {
    const all = concatBytes([this.#held, part]);
    const end = part.length === 0 ? all.length : all.lastIndexOf(10) + 1;
    this.#held = all.subarray(end);
    const whole = all.subarray(0, end);
    if (this.#prefix.length === 0 || whole.length === 0) return whole;
    const pieces: Bytes[] = [];
    for (let from = 0; from < whole.length; ) {
      const newline = whole.indexOf(10, from);
      const to = newline < 0 ? whole.length : newline + 1;
      pieces.push(this.#prefix, whole.subarray(from, to));
      from = to;
    }
    return concatBytes(pieces);
  }
}

function* openStream(context: Context, source: LogSource): Sys<LineStream> {
  const client = context.client();
  const reply = yield* client.open({ method: "GET", path: source.path, query: source.query, accept: "*/*" });
  if (reply.status !== 200) throw refusalOf(reply.status, decodeUtf8(yield* client.readBody(reply)));
  const prefixed = context.flags.bool("prefix") || context.flags.bool("all-pods");
  return new LineStream(reply, prefixed ? `[pod/${source.pod}/${source.container}] ` : "");
}

/** Copies streams to stdout until all have ended. */
function* copy(context: Context, streams: readonly LineStream[]): Sys<void> {
  const { self } = context;
  let open = streams;
  while (open.length > 0) {
    const ready = yield* self.poll(open.map((stream) => stream.reply.fd));
    for (const stream of open.filter((candidate) => ready.includes(candidate.reply.fd))) {
      const part = yield* self.read(stream.reply.fd);
      yield* context.out(stream.push(part));
      if (part.length > 0) continue;
      self.close(stream.reply.fd);
      open = open.filter((other) => other !== stream);
    }
  }
}

/** One stream; with -f a refusal is said and tried again each second. */
function* copyOne(context: Context, source: LogSource): Sys<void> {
  const { flags, self } = context;
  const deadline = self.nowMs + flags.durationMs("pod-running-timeout");
  for (;;) {
    try {
      return yield* copy(context, [yield* openStream(context, source)]);
    } catch (error) {
      if (!isOwnError(error)) throw error;
      if (flags.bool("ignore-errors")) return yield* context.out(`error: ${error.message}\n`);
      if (!flags.bool("follow")) throw error;
      yield* context.err(`${error.message}\n`);
      if (self.nowMs + 1000 > deadline) throw new KubectlError("timed out waiting for the condition");
      yield* self.sleep(1000);
    }
  }
}

export const logs: Command = {
  path: "logs",
  *run(context) {
    const { flags } = context;
    const { target, container } = readArgs(context);
    if (flags.durationMs("pod-running-timeout") <= 0) throw new KubectlError("--pod-running-timeout must be higher than zero");
    queryFor(context, container);
    const pods = yield* podsFor(context, target);
    check(context, container);
    const sources: LogSource[] = [];
    for (const pod of pods) sources.push(...(yield* sourcesOf(context, pod, container)));
    if (!flags.bool("follow") || sources.length < 2) {
      for (const source of sources) yield* copyOne(context, source);
      return;
    }
    const limit = flags.number("max-log-requests");
    if (sources.length > limit) {
      throw new KubectlError(
        `you are attempting to follow ${sources.length} log streams, but maximum allowed concurrency is ${limit}, use --max-log-requests to increase the limit`,
      );
    }
    const streams: LineStream[] = [];
    for (const source of sources) streams.push(yield* openStream(context, source));
    yield* copy(context, streams);
  },
};
