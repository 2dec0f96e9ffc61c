// kubectl attach: the streams of a container's main process. `run -i` attaches the same way.

import type { Sys } from "#sim/program.ts";
import { runRemoteSession } from "../client/remote-session.ts";
import type { Command, Context } from "../context.ts";
import { type JsonObject, textAt } from "../documents.ts";
import { KubectlError } from "../errors.ts";
import { containerOf, findContainer, isEphemeral, noSuchContainer } from "../resources/pods.ts";
import { podFor, refuseCompleted, type Streams, sessionPath, usableStreams } from "./exec.ts";

const notices =
  "All commands and output from this session will be recorded in container logs, including credentials and sensitive information passed through the command prompt.\n" +
  "If you don't see a command prompt, try pressing enter.\n";

export const attach: Command = {
  path: "attach",
  *run(context) {
    const { flags, args } = context;
    if (args.length === 0) throw new KubectlError("at least 1 argument is required for attach");
    if (args.length > 2) {
      throw new KubectlError(
        `expected POD, TYPE/NAME, or TYPE NAME, (at most 2 arguments) saw ${args.length}: [${args.join(" ")}]`,
      );
    }
    const pod = yield* podFor(context, args.length === 2 ? [`${args[0]}/${args[1]}`] : args);
    refuseCompleted(pod, "attach");
    const wanted = { stdin: flags.bool("stdin"), tty: flags.bool("tty") };
    yield* attachToPod(context, pod, flags.text("container"), wanted);
  },
};

/** Attaches to a container and stays until the session ends. A terminal is used where the container has one. */
export function* attachToPod(context: Context, pod: JsonObject, containerName: string, wanted: Streams): Sys<void> {
  const quiet = context.flags.bool("quiet");
  if (containerName !== "" && findContainer(pod, containerName) === undefined)
    throw new KubectlError(`cannot attach to the container: ${noSuchContainer(pod, containerName).message}`);
  const container = yield* containerOf(context, pod, containerName, quiet);
  const tty = findContainer(pod, container)?.["tty"] === true;
  if (wanted.tty && !tty && !quiet) {
    yield* context.err(`error: Unable to use a TTY - container ${container} did not allocate one\n`);
  }
  const streams = yield* usableStreams(context, { stdin: wanted.stdin, tty });
  if (!quiet) yield* context.err(notices);
  const path = sessionPath(pod, "attach", container, [], streams);
  yield* runRemoteSession(context.client(), { path, stdin: streams.stdin, rawTerminal: streams.tty });
  if (!quiet && streams.tty) yield* context.out(`Session ended, ${howToResume(pod, container)}\n`);
}

/** Debugging containers run once (reattachMessage of pkg/cmd/attach). */
function howToResume(pod: JsonObject, container: string): string {
  const name = textAt(pod, "metadata", "name");
  const namespace = textAt(pod, "metadata", "namespace");
  const command = `'kubectl attach ${name} -c ${container} -n ${namespace} -i -t'`;
  return isEphemeral(pod, container)
    ? `the ephemeral container will not be restarted but may be reattached using ${command} if it is still running`
    : `resume using ${command} command`;
}
