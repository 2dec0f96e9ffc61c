// A lab's run as a file and as a link: to take it to another browser, to hand it in, to show it. Both hold the seed and what
// came in; whoever opens them sees the same cluster.

import type { WorldInput } from "#world/input.ts";
import type { LabJournalEntry, SavedLab } from "./protocol.ts";
import { hasOtherFormat, isSavedLab } from "./saved-labs.ts";

const kind = "pilothouse-lab";
const version = 1;
/** A world is not replayed for longer than this, nor along more inputs: such files are not ours. */
const longestMs = 400 * 86_400_000;
const mostEntries = 200_000;

/** Why a file or a link cannot be taken up: garbage; no run of a lab; of another lab; of another simulator. */
export type LabFileRefusal = "unreadable" | "foreign" | "otherLab" | "outdated";

export type ReadLabFile =
  | { readonly ok: true; readonly saved: SavedLab }
  /** `lab`: of which lab it is, where that is known. */
  | { readonly ok: false; readonly refusal: LabFileRefusal; readonly lab: string };

export function writeLabFile(labId: string, saved: SavedLab): string {
  return `${JSON.stringify({ kind, version, lab: labId, saved })}\n`;
}

export function readLabFile(labId: string, text: string): ReadLabFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refuse("unreadable");
  }
  return checkLabFile(labId, value);
}

function checkLabFile(labId: string, value: unknown): ReadLabFile {
  if (typeof value !== "object" || value === null) return refuse("foreign");
  const file = value as { readonly [key: string]: unknown };
  const lab = file["lab"];
  if (file["kind"] !== kind || typeof lab !== "string") return refuse("foreign");
  if (lab !== labId) return refuse("otherLab", lab);
  return file["version"] === version ? checkLabRun(lab, file["saved"]) : refuse("outdated", lab);
}

/** A run that came from outside without a file around it. */
export function checkLabRun(labId: string, saved: unknown): ReadLabFile {
  if (hasOtherFormat(saved)) return refuse("outdated", labId);
  return isSavedLab(saved) && isReplayable(saved) ? { ok: true, saved } : refuse("unreadable", labId);
}

function isReplayable({ startMs, nowMs, entries }: SavedLab): boolean {
  const times = [startMs, ...entries.map(({ timeMs }) => timeMs)];
  const isOrdered = times.every((timeMs, index) => index === 0 || timeMs >= (times[index - 1] as number));
  return isOrdered && nowMs >= startMs && nowMs - startMs <= longestMs && entries.length <= mostEntries;
}

function refuse(refusal: LabFileRefusal, lab = ""): ReadLabFile {
  return { ok: false, refusal, lab };
}

/** Begins the fragment of a link to a run. */
export const linkMark = "#lab=";
/** Longer links break in mail and chat. */
const longestLink = 8000;

/** An entry in few words: time since the one before, and the input; a text alone goes to the terminal used last. */
type Packed = readonly [number, WorldInput | string];

/** The fragment of a link, `#lab=…`; undefined when the run is too long for one. */
export async function linkOf(labId: string, saved: SavedLab): Promise<string | undefined> {
  const { entries, hints: _hints, solutions: _solutions, exam: _exam, ...rest } = saved;
  const text = JSON.stringify({ kind, version, lab: labId, ...rest, entries: pack(saved.startMs, entries) });
  const link = linkMark + base64Url(await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text)));
  return link.length <= longestLink ? link : undefined;
}

export async function readLink(labId: string, fragment: string): Promise<ReadLabFile> {
  try {
    const bytes = await through(new DecompressionStream("deflate-raw"), bytesOf(fragment.slice(linkMark.length)));
    const { kind: k, version: v, lab, entries, ...rest } = JSON.parse(new TextDecoder().decode(bytes));
    const saved = { ...rest, entries: unpack(rest.startMs, entries), hints: {}, solutions: [] };
    return checkLabFile(labId, { kind: k, version: v, lab, saved });
  } catch {
    return refuse("unreadable");
  }
}

function pack(startMs: number, entries: readonly LabJournalEntry[]): readonly Packed[] {
  let atMs = startMs;
  let terminal = "";
  return entries.map(({ timeMs, input }) => {
    const passedMs = timeMs - atMs;
    atMs = timeMs;
    if (input.kind === "terminal-input" && input.terminal === terminal) return [passedMs, input.text];
    if (input.kind === "terminal-input") terminal = input.terminal;
    return [passedMs, input];
  });
}

function unpack(startMs: number, packed: readonly Packed[]): readonly LabJournalEntry[] {
  let timeMs = startMs;
  let terminal = "";
  return packed.map(([passedMs, what]) => {
    timeMs += passedMs;
    if (typeof what === "string") return { timeMs, input: { kind: "terminal-input", terminal, text: what } };
    if (what.kind === "terminal-input") terminal = what.terminal;
    return { timeMs, input: what };
  });
}

async function through(transform: GenericTransformStream, bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(transform as ReadableWritablePair<Uint8Array, Uint8Array>);
  return new Uint8Array(await new Response(stream as ReadableStream).arrayBuffer());
}

function base64Url(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
}
