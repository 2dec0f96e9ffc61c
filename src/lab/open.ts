// Opens a lab in a browser: a worker for the world, the lab's texts from the site, the journal in local storage.

import type { ReadonlySignal } from "@preact/signals";
import { labClaim } from "./claim.ts";
import type { HeldExam } from "./exam.ts";
import { linkMark, readLink } from "./lab-file.ts";
import type { SessionStore } from "./lab-keeping.ts";
import { type SavedLab, savedFormat } from "./protocol.ts";
import { forgetSavedLab, type KeyValueStorage, loadSavedLab, storeSavedLab } from "./saved-labs.ts";
import type { LabSession } from "./session.ts";
import { SessionClient } from "./session-client.ts";
import { startWorker } from "./start-worker.ts";
import type { LabBundle } from "./texts.ts";
import type { WorkerPort } from "./worker-port.ts";

/** Somebody else's run, to look at: nothing of it is kept here, and one's own run of the lab stays as it is. */
export interface ShownRun {
  readonly saved: SavedLab;
  /** Said above the lab: whose it is and as of when. */
  readonly line: string;
  /** Said where the lab has become another one since, and begins afresh. */
  readonly outdated: string;
  /** Where one came from. */
  readonly back: { readonly href: string; readonly text: string };
}

/** A lab of a class's exam: a run of its own, apart from the reader's run of the lab. */
export interface ExamLab {
  readonly held: HeldExam;
  /** What the browser keeps the run under, in the place of the lab's id. */
  readonly keptAs: string;
  /** How it goes on. */
  readonly saved: SavedLab;
  /** How it begins. */
  readonly fresh: SavedLab;
  /** The classroom's clock, milliseconds since the epoch. */
  nowMs(): number;
  /** Said above the lab: which exam it is. */
  readonly line: string;
  readonly back: { readonly href: string; readonly text: string };
  /** Said when the time is up. */
  readonly over: string;
  /** What the classroom says of the steps that count. */
  readonly confirmed: ReadonlySignal<string>;
}

/** What the lab is opened for, where it is not the reader's own run of it. */
export interface OpenFor {
  readonly shown?: ShownRun | undefined;
  readonly exam?: ExamLab | undefined;
}

/** `baseUrl` is the site's base path, with a slash at its end; `worker` one that was started ahead. */
export function openLab(
  labId: string,
  locale: string,
  baseUrl: string,
  worker: WorkerPort,
  { shown, exam }: OpenFor = {},
): LabSession {
  let startedAhead: WorkerPort | undefined = worker;
  const session = new SessionClient({
    labId,
    locale,
    startWorker: () => {
      const first = startedAhead;
      startedAhead = undefined;
      return first ?? startWorker();
    },
    loadBundle: async () => {
      const reply = await fetch(`${baseUrl}labs/${labId}.${locale}.json`);
      if (!reply.ok) throw new Error(`${reply.status} ${reply.url}`);
      return (await reply.json()) as LabBundle;
    },
    store: storeFor(labId, { shown, exam }),
    wallMs: () => exam?.nowMs() ?? Date.now(),
    held: exam?.held,
    newLab: () => {
      if (exam !== undefined) return exam.fresh;
      const startMs = Math.floor(Date.now() / 1000) * 1000;
      const seed = crypto.getRandomValues(new Uint32Array(1))[0] ?? 1;
      return { format: savedFormat, seed, startMs, nowMs: startMs, entries: [], hints: {}, solutions: [] };
    },
  });
  if (location.hash.startsWith(linkMark)) {
    readLink(labId, location.hash).then((read) => {
      session.journal.offerRun(read, "link");
      // Asked once: a reload does not ask again.
      history.replaceState(history.state, "", location.pathname + location.search);
    });
  }
  // What was typed in the last moments before a reload.
  addEventListener("pagehide", () => session.keep());
  return session;
}

function storeFor(labId: string, { shown, exam }: OpenFor): SessionStore {
  if (shown !== undefined) return storeOf(shown.saved);
  if (exam === undefined) return browserStore(labId);
  return { ...browserStore(exam.keptAs), load: () => ({ saved: exam.saved, lost: undefined }) };
}

/** @param name the lab's, or that of one of its runs. */
function browserStore(name: string): SessionStore {
  const storage = browserStorage();
  const claim = labClaim(name, "locks" in navigator ? navigator.locks : undefined);
  return {
    load: () => loadSavedLab(storage, name),
    save: (saved) => storeSavedLab(storage, name, saved),
    forget: () => forgetSavedLab(storage, name),
    claim: () => claim.take(),
    release: () => claim.release(),
  };
}

/** Begins with a run that came from elsewhere, and keeps nothing. */
function storeOf(saved: SavedLab): SessionStore {
  return {
    load: () => ({ saved, lost: undefined }),
    save: () => true,
    forget: () => {},
    claim: () => Promise.resolve(true),
    release: () => {},
  };
}

function browserStorage(): KeyValueStorage | undefined {
  try {
    return window.localStorage;
  } catch {
    return undefined;
  }
}
