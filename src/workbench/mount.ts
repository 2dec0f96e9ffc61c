// The door between a page and the workbench: a page calls it once the reader opens the lab. The page has it from the start, so it is small;
// what it opens comes in parts side by side, the world's worker first.

import type { Locale } from "../i18n/locales.ts";

export interface WorkbenchOptions {
  readonly labId: string;
  readonly locale: Locale;
  /** Whose progress the passed steps count for; undefined on the home page. */
  readonly lesson: string | undefined;
  /** Folder the site lies in on its server: "/" or "/kurs/". */
  readonly baseUrl: string;
  /** Called when the reader closes the lab; undefined where it cannot be closed. */
  readonly close: (() => void) | undefined;
}

/** What the page may ask of an open workbench. */
export interface Workbench {
  /** Types a command, with Enter, into the terminal used last, as soon as the session is ready. */
  run(command: string): void;
  focusTerminal(): void;
  /** Puts the keyboard where the reader left off: into the terminal, unless a panel is in front. */
  focus(): void;
  /** Ends the session and empties the place. */
  close(): void;
}

/** Starts the lab's session and draws the workbench into `place`.
 * @throws when the simulator's code cannot be loaded. */
export async function mountWorkbench(place: HTMLElement, options: WorkbenchOptions): Promise<Workbench> {
  const { labId, locale, baseUrl } = options;
  const opening = import("#lab/open.ts").then(({ openLab }) =>
    openLab(labId, locale, baseUrl.endsWith("/") ? baseUrl : `${baseUrl}/`),
  );
  try {
    const [session, translate, { drawWorkbench }] = await Promise.all([
      opening,
      import("../i18n/load.ts").then(({ loadStrings }) => loadStrings(locale)),
      import("./draw.tsx"),
    ]);
    return drawWorkbench(place, session, translate, options);
  } catch (error) {
    // Its worker runs already.
    opening.then(
      (session) => session.close(),
      () => {},
    );
    throw error;
  }
}
