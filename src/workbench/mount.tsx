// The door between a page and the workbench: a page calls it once the reader opens the lab.

import { render } from "preact";
import { loadStrings } from "../i18n/load.ts";
import type { Locale } from "../i18n/locales.ts";
import { createDesk } from "./desk.ts";
import { WorkbenchView } from "./workbench-view.tsx";
import "./workbench.css";

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
  const [translate, { openLab }] = await Promise.all([loadStrings(options.locale), import("#lab/open.ts")]);
  const desk = createDesk(
    openLab(options.labId, options.locale, options.baseUrl.endsWith("/") ? options.baseUrl : `${options.baseUrl}/`),
    translate,
    options,
  );
  render(<WorkbenchView desk={desk} />, place);
  return {
    run: desk.run,
    focusTerminal: desk.focusTerminal,
    focus: desk.focus,
    close: () => {
      render(null, place);
      desk.close();
    },
  };
}
