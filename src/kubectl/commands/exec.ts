// kubectl exec and kubectl attach.

import type { Sys } from "#sim/program.ts";
import { runRemoteSession } from "../client/remote-session.ts";
import type { Command, Context } from "../context.ts";
import { type JsonObject, textAt } from "../documents.ts";
import { KubectlError } from "../errors.ts";
import { containerOf, findContainer, noSuchContainer, podSelectorOf, podsBySelector } from "../resources/pods.ts";
import { select, selectionFromFlags } from "../resources/selection.ts";

interface Streams {
  readonly stdin: boolean;
  readonly tty: boolean;
}

function* podFor(context: Context, args: readonly string[]): Sys<JsonObject> {
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
function* streamsOf(context: Context): Sys<Streams> {
  const { flags, self } = context;
  if (!flags.bool("stdin")) return { stdin: false, tty: false };
  if (!flags.bool("tty")) return { stdin: true, tty: false };
  if (self.isTty(0)) return { stdin: true, tty: true };
  if (!flags.bool("quiet")) yield* context.err("Unable to use a TTY - input is not a terminal or the right kind of file\n");
  return { stdin: true, tty: false };
}

function refuseCompleted(pod: JsonObject, what: string): void {
  const phase = textAt(pod, "status", "phase");
  if (phase === "Succeeded" || phase === "Failed") {
    throw new KubectlError(`cannot ${what} a container in a completed pod; current phase is ${phase}`);
  }
}

function sessionPath(pod: JsonObject, verb: string, container: string, command: readonly string[], streams: Streams): string {
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
    const streams = yield* streamsOf(context);
    const path = sessionPath(pod, "exec", container, command, streams);
    yield* runRemoteSession(context.client(), { path, stdin: streams.stdin, rawTerminal: streams.tty });
  },
};

const attachWarning =
  "All commands and output from this session will be recorded in container logs, including credentials and sensitive information passed through the command prompt.\n";

export const attach: Command = {
  path: "attach",
  *run(context) {
    const { flags, args } = context;
    const quiet = flags.bool("quiet");
    if (args.length === 0) throw new KubectlError("at least 1 argument is required for attach");
    if (args.length > 2) {
      throw new KubectlError(
        `expected POD, TYPE/NAME, or TYPE NAME, (at most 2 arguments) saw ${args.length}: [${args.join(" ")}]`,
      );
    }
    const pod = yield* podFor(context, args.length === 2 ? [`${args[0]}/${args[1]}`] : args);
    refuseCompleted(pod, "attach");
    const container = yield* containerOf(context, pod, flags.text("container"), quiet);
    let streams = yield* streamsOf(context);
    const allocated = findContainer(pod, container)?.["tty"] === true;
    if (streams.tty && !allocated) {
      if (!quiet) yield* context.err(`error: Unable to use a TTY - container ${container} did not allocate one\n`);
      streams = { ...streams, tty: false };
    }
    if (!quiet) {
      yield* context.err(attachWarning);
      if (streams.tty) yield* context.err("If you don't see a command prompt, try pressing enter.\n");
    }
    const path = sessionPath(pod, "attach", container, [], streams);
    yield* runRemoteSession(context.client(), { path, stdin: streams.stdin, rawTerminal: streams.tty });
    if (quiet || !streams.tty) return;
    const name = textAt(pod, "metadata", "name");
    const namespace = textAt(pod, "metadata", "namespace");
    yield* context.out(`Session ended, resume using 'kubectl attach ${name} -c ${container} -n ${namespace} -i -t' command\n`);
  },
};
