// Sends a container's log as `kubectl logs` asks for it: the last lines, since a time, with times, so many bytes, and
// what is still to come. Only the current file is read: what was rotated away is not there.

import { parseTime } from "#cluster/api/time.ts";
import type { LogOptions, LogSink } from "#cluster/apiserver/kubelet-gateway.ts";
import { type Bytes, concatBytes, decodeUtf8, encodeUtf8 } from "#sim/bytes.ts";
import type { ContainerLog, LogLine } from "./runtime/container-log.ts";

const space = encodeUtf8(" ");

function textOf({ time, bytes }: LogLine, timestamps: boolean): Bytes {
  return timestamps ? concatBytes([time, space, bytes]) : bytes;
}

/** Calls the sink at once with what is there; `stop` ends a log that is followed. */
export function sendLog(log: ContainerLog, options: LogOptions, sink: LogSink): { stop(): void } {
  const { tailLines, sinceMs, timestamps, limitBytes, follow } = options;
  let left = limitBytes ?? Number.POSITIVE_INFINITY;
  let stopFollowing: (() => void) | undefined;
  const send = (line: LogLine): void => {
    if (left <= 0) return;
    const bytes = textOf(line, timestamps);
    sink.onData(bytes.length <= left ? bytes : bytes.subarray(0, left));
    left -= bytes.length;
    if (left > 0) return;
    stopFollowing?.();
    sink.onEnd();
  };
  for (const line of log.lines(tailLines)) if (sinceMs === undefined || parseTime(decodeUtf8(line.time)) >= sinceMs) send(line);
  if (left <= 0) return { stop() {} };
  if (follow) stopFollowing = log.follow(send, () => sink.onEnd());
  else sink.onEnd();
  return { stop: () => stopFollowing?.() };
}
