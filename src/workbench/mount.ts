// The door between a page and the workbench: a page calls it once the reader opens the lab. The page has it from the start, so it is small;
// what it opens comes in parts side by side, the world's worker first.

import { startWorker } from "#lab/start-worker.ts";
import type { Workbench, WorkbenchOptions } from "./workbench.ts";

/** Starts the lab's session and draws the workbench into `place`.
 * @throws when the simulator's code cannot be loaded. */
export async function mountWorkbench(place: HTMLElement, options: WorkbenchOptions): Promise<Workbench> {
  const { labId, locale, baseUrl } = options;
  const worker = startWorker();
  const opening = import("#lab/open.ts").then(({ openLab }) =>
    openLab(labId, locale, baseUrl.endsWith("/") ? baseUrl : `${baseUrl}/`, worker, options),
  );
  try {
    const [session, translate, { drawWorkbench }] = await Promise.all([
      opening,
      import("../i18n/load.ts").then(({ loadStrings }) => loadStrings(locale)),
      // The line is the world's first: what draws it comes while it boots.
      worker.started.then(() => import("./draw.tsx")),
    ]);
    return drawWorkbench(place, session, translate, options);
  } catch (error) {
    opening.then(
      (session) => session.close(),
      () => worker.terminate(),
    );
    throw error;
  }
}
