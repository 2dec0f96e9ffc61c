// Opens a lab in a browser: a worker for the world, the lab's texts from the site, the journal in local storage.

import { labClaim } from "./claim.ts";
import { linkMark, readLink } from "./lab-file.ts";
import { savedFormat } from "./protocol.ts";
import { forgetSavedLab, type KeyValueStorage, loadSavedLab, storeSavedLab } from "./saved-labs.ts";
import type { LabSession } from "./session.ts";
import { SessionClient } from "./session-client.ts";
import { startWorker } from "./start-worker.ts";
import type { LabBundle } from "./texts.ts";
import type { WorkerPort } from "./worker-port.ts";

/** `baseUrl` is the site's base path, with a slash at its end; `worker` one that was started ahead. */
export function openLab(labId: string, locale: string, baseUrl: string, worker: WorkerPort): LabSession {
  let startedAhead: WorkerPort | undefined = worker;
  const storage = browserStorage();
  const claim = labClaim(labId, "locks" in navigator ? navigator.locks : undefined);
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
    store: {
      load: () => loadSavedLab(storage, labId),
      save: (saved) => storeSavedLab(storage, labId, saved),
      forget: () => forgetSavedLab(storage, labId),
      claim: () => claim.take(),
      release: () => claim.release(),
    },
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

function browserStorage(): KeyValueStorage | undefined {
  try {
    return window.localStorage;
  } catch {
    return undefined;
  }
}
