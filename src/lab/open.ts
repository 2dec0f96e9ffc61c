// Opens a lab in a browser: a worker for the world, the lab's texts from the site, the journal in local storage.

import { labClaim } from "./claim.ts";
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

/** `baseUrl` is the site's base path, with a slash at its end; `worker` one that was started ahead. */
export function openLab(
  labId: string,
  locale: string,
  baseUrl: string,
  worker: WorkerPort,
  shown: ShownRun | undefined = undefined,
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
    store: shown === undefined ? browserStore(labId) : storeOf(shown.saved),
    wallMs: () => Date.now(),
    newLab: () => {
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

function browserStore(labId: string): SessionStore {
  const storage = browserStorage();
  const claim = labClaim(labId, "locks" in navigator ? navigator.locks : undefined);
  return {
    load: () => loadSavedLab(storage, labId),
    save: (saved) => storeSavedLab(storage, labId, saved),
    forget: () => forgetSavedLab(storage, labId),
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
