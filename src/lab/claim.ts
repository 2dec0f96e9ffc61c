// One tab at a time keeps a lab: two journals of one lab would overwrite each other. The browser's locks say who came first
// and free the place when a tab is closed or breaks.

export interface LabClaim {
  /** False while another tab has the lab. */
  take(): Promise<boolean>;
  release(): void;
}

/** A page that is being left may still hold the lock for a moment: asked this often, this far apart. */
const tries = 5;
const betweenTriesMs = 80;

/** Locks are absent on pages served without encryption from another machine: there, every tab keeps. */
export function labClaim(labId: string, locks: LockManager | undefined): LabClaim {
  let letGo: (() => void) | undefined;
  const tryOnce = (available: LockManager): Promise<boolean> =>
    new Promise((resolve, reject) => {
      const answer = (lock: Lock | null): Promise<void> | undefined => {
        resolve(lock !== null);
        if (lock === null) return undefined;
        return new Promise((done) => {
          letGo = done;
        });
      };
      available.request(`pilothouse.lab.${labId}`, { ifAvailable: true }, answer).catch(reject);
    });
  return {
    take: async () => {
      if (locks === undefined || letGo !== undefined) return true;
      for (let attempt = 1; attempt <= tries; attempt += 1) {
        if (await tryOnce(locks)) return true;
        await new Promise((resolve) => setTimeout(resolve, betweenTriesMs));
      }
      return false;
    },
    release: () => {
      letGo?.();
      letGo = undefined;
    },
  };
}
