// Sends a container's log as `kubectl logs` asks for it: the last lines, since a time, with times, so many bytes, and
// what is still to come.

import type { LogOptions, LogSink } from "#cluster/apiserver/kubelet-gateway.ts";
import { type Bytes, concatBytes, encodeUtf8 } from "#sim/bytes.ts";
import type { ContainerLog, LogEntry } from "./runtime/container-log.ts";
import { formatLogTime } from "./runtime/log-time.ts";

function textOf(entry: LogEntry, timestamps: boolean): Bytes {
  return timestamps ? concatBytes([encodeUtf8(`${formatLogTime(entry)} `), entry.bytes]) : entry.bytes;
}

/** Calls the sink at once with what is there; `stop` ends a log that is followed. */
export function sendLog(log: ContainerLog, options: LogOptions, sink: LogSink): { stop(): void } {
  const { tailLines, sinceMs, timestamps, limitBytes, follow } = options;
  let left = limitBytes ?? Number.POSITIVE_INFINITY;
  let stopFollowing: (() => void) | undefined;
  const send = (entry: LogEntry): void => {
    if (left <= 0) return;
    const bytes = textOf(entry, timestamps);
    sink.onData(bytes.length <= left ? bytes : bytes.subarray(0, left));
    left -= bytes.length;
    if (left > 0) return;
    stopFollowing?.();
    sink.onEnd();
  };
  const entries = tailLines === undefined ? log.entries : tailLines === 0 ? [] : log.entries.slice(-tailLines);
  for (const entry of entries) if (sinceMs === undefined || entry.timeMs >= sinceMs) send(entry);
  if (left <= 0) return { stop() {} };
  if (follow) stopFollowing = log.follow(send, () => sink.onEnd());
  else sink.onEnd();
  return { stop: () => stopFollowing?.() };
}
