// What a page says when it opens a workbench, and what it may ask of an open one.

import type { OpenFor } from "#lab/open.ts";
import type { LabSession } from "#lab/session.ts";
import type { Locale } from "../i18n/locales.ts";

export interface NextLesson {
  readonly href: string;
  readonly title: string;
}

/** `shown` and `exam`: what stands in the place of the reader's own run. */
export interface WorkbenchOptions extends OpenFor {
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
  readonly session: LabSession;
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
