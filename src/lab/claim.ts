// One tab at a time keeps a lab: two journals of one lab would overwrite each other. The browser's locks say who came first
// and free the place when a tab is closed or breaks.

export interface LabClaim {
  /** False while another tab has the lab. */
  take(): Promise<boolean>;
  release(): void;
}

/** A page that is being left may still hold the lock for a moment. */
const waitAtMostMs = 400;

/** Locks are absent on pages served without encryption from another machine: there, every tab keeps. */
export function labClaim(labId: string, locks: LockManager | undefined): LabClaim {
  let letGo: (() => void) | undefined;
  return {
    take: async () => {
      if (locks === undefined || letGo !== undefined) return true;
      return new Promise<boolean>((resolve) => {
        const hold = (): Promise<void> => {
          resolve(true);
          return new Promise((done) => {
            letGo = done;
          });
        };
        locks.request(`pilothouse.lab.${labId}`, { signal: AbortSignal.timeout(waitAtMostMs) }, hold).catch(() => resolve(false));
      });
    },
    release: () => {
      letGo?.();
      letGo = undefined;
    },
  };
}
