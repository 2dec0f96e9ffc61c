// Draws the workbench of an open session: the larger part of it, which comes while the session's world starts.

import { render } from "preact";
import type { LabSession } from "#lab/session.ts";
import type { Translate } from "../i18n/translator.ts";
import { createDesk } from "./desk.ts";
import { panelById } from "./panels.ts";
import type { Workbench, WorkbenchOptions } from "./workbench.ts";
import { WorkbenchView } from "./workbench-view.tsx";
import "./workbench.css";

export function drawWorkbench(place: HTMLElement, session: LabSession, translate: Translate, options: WorkbenchOptions): Workbench {
  const desk = createDesk(session, translate, { ...options, isPanel: (id) => panelById(id) !== undefined });
  render(<WorkbenchView desk={desk} />, place);
  return {
    session,
    run: desk.run,
    focusTerminal: desk.focusTerminal,
    focus: desk.focus,
    commands: async (text) => (await import("./workbench-commands.ts")).workbenchCommands(desk, text),
    close: () => {
      render(null, place);
      desk.close();
    },
  };
}
