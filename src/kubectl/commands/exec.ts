// kubectl exec, and what it shares with attach: the pod, the streams, the session's address.

import type { Sys } from "#sim/program.ts";
import { runRemoteSession } from "../client/remote-session.ts";
import type { Command, Context } from "../context.ts";
import { type JsonObject, textAt } from "../documents.ts";
import { KubectlError } from "../errors.ts";
import { containerOf, findContainer, noSuchContainer, podSelectorOf, podsBySelector } from "../resources/pods.ts";
import { select, selectionFromFlags } from "../resources/selection.ts";

export interface Streams {
  readonly stdin: boolean;
  readonly tty: boolean;
}

/** The pod that the arguments name, or the best one of the workload they name. */
export function* podFor(context: Context, args: readonly string[]): Sys<JsonObject> {
  const timeoutMs = context.flags.durationMs("pod-running-timeout");
  if (timeoutMs <= 0) throw context.usageError("--pod-running-timeout must be higher than zero");
  const { infos } = yield* select(context, { ...selectionFromFlags(context, args), defaultType: "pods", fetch: true });
  const [info] = infos;
  if (info?.object === undefined || infos.length > 1) {
    throw new KubectlError(`cannot ${context.command.name} into multiple objects at a time`);
  }
  if (info.mapping.kind === "Pod") return info.object;
  const selector = podSelectorOf(info.object, "attach to");
  return (yield* podsBySelector(context, info.namespace, selector, timeoutMs))[0] ?? {};
}

/** A terminal is only used when stdin is one. */
export function* usableStreams(context: Context, wanted: Streams): Sys<Streams> {
  const { flags, self } = context;
  if (!wanted.stdin) return { stdin: false, tty: false };
  if (!wanted.tty) return { stdin: true, tty: false };
  if (self.isTty(0)) return { stdin: true, tty: true };
  if (!flags.bool("quiet")) yield* context.err("Unable to use a TTY - input is not a terminal or the right kind of file\n");
  return { stdin: true, tty: false };
}

export function refuseCompleted(pod: JsonObject, what: string): void {
  const phase = textAt(pod, "status", "phase");
  if (phase === "Succeeded" || phase === "Failed") {
    throw new KubectlError(`cannot ${what} a container in a completed pod; current phase is ${phase}`);
  }
}

export function sessionPath(
  pod: JsonObject,
  verb: string,
  container: string,
  command: readonly string[],
  streams: Streams,
): string {
  const encode = (text: string) => encodeURIComponent(text).replaceAll("%20", "+");
  const query = [
    ...command.map((word) => `command=${encode(word)}`),
    `container=${encode(container)}`,
    ...(streams.tty ? [] : ["stderr=true"]),
    ...(streams.stdin ? ["stdin=true"] : []),
    "stdout=true",
    ...(streams.tty ? ["tty=true"] : []),
  ].join("&");
  return `/api/v1/namespaces/${textAt(pod, "metadata", "namespace")}/pods/${textAt(pod, "metadata", "name")}/${verb}?${query}`;
}

export const exec: Command = {
  path: "exec",
  *run(context) {
    const { flags, args, argsBeforeDash } = context;
    const target = args.length > 0 && argsBeforeDash !== 0 ? args[0] : undefined;
    const files = flags.list("filename");
    if (argsBeforeDash === undefined && (args.length > 1 || (args.length > 0 && files.length > 0))) {
      throw context.usageError("exec [POD] [COMMAND] is not supported anymore. Use exec [POD] -- [COMMAND] instead");
    }
    const command = argsBeforeDash === undefined ? [] : args.slice(argsBeforeDash);
    if (target === undefined && files.length === 0) throw new KubectlError("pod, type/name or --filename must be specified");
    if (command.length === 0) throw new KubectlError("you must specify at least one command for the container");
    const pod = yield* podFor(context, target === undefined ? [] : [target]);
    refuseCompleted(pod, "exec into");
    const wanted = flags.text("container");
    if (wanted !== "" && findContainer(pod, wanted) === undefined) throw noSuchContainer(pod, wanted);
    const container = yield* containerOf(context, pod, wanted, flags.bool("quiet"));
    const streams = yield* usableStreams(context, { stdin: flags.bool("stdin"), tty: flags.bool("tty") });
    const path = sessionPath(pod, "exec", container, command, streams);
    yield* runRemoteSession(context.client(), { path, stdin: streams.stdin, rawTerminal: streams.tty });
  },
};
