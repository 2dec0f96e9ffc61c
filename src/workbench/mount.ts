// The door between a page and the workbench: a page calls it once the reader opens the lab. The page has it from the start, so it is small;
// what it opens comes in parts side by side, the world's worker first.

import { startWorker } from "#lab/start-worker.ts";
import type { Locale } from "../i18n/locales.ts";

export interface NextLesson {
  readonly href: string;
  readonly title: string;
}

export interface WorkbenchOptions {
  readonly labId: string;
  readonly locale: Locale;
  /** Whose progress the passed steps count for; undefined on the home page. */
  readonly lesson: string | undefined;
  /** Folder the site lies in on its server: "/" or "/kurs/". */
  readonly baseUrl: string;
  /** The lesson after this one; undefined after the last, and outside of lessons. */
  readonly nextLesson?: NextLesson | undefined;
  /** Called when the reader closes the lab; undefined where it cannot be closed. */
  readonly close: (() => void) | undefined;
}

export interface WorkbenchCommand {
  readonly group: "actions" | "panels" | "objects" | "back";
  readonly title: string;
  /** Other words it is found by. */
  readonly also: string;
  readonly note: string;
  act(): void;
}

/** What the page may ask of an open workbench. */
export interface Workbench {
  /** Types a command, with Enter, into the terminal used last, as soon as the session is ready. */
  run(command: string): void;
  focusTerminal(): void;
  /** Puts the keyboard where the reader left off: into the terminal, unless a panel is in front. */
  focus(): void;
  /** What the palette can do here: actions, panels, moments to go back to, and the objects of the cluster that `text` names. */
  commands(text: string): Promise<readonly WorkbenchCommand[]>;
  /** Ends the session and empties the place. */
  close(): void;
}

/** Starts the lab's session and draws the workbench into `place`.
 * @throws when the simulator's code cannot be loaded. */
export async function mountWorkbench(place: HTMLElement, options: WorkbenchOptions): Promise<Workbench> {
  const { labId, locale, baseUrl } = options;
  const worker = startWorker();
  const opening = import("#lab/open.ts").then(({ openLab }) =>
    openLab(labId, locale, baseUrl.endsWith("/") ? baseUrl : `${baseUrl}/`, worker),
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
