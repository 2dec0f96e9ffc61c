// The lab that is open on this page, for whoever wants to lead there without opening one: set by the lab's panel.

import type { Workbench } from "../../workbench/workbench.ts";

let open: Workbench | undefined;

/** Name of the event that `document` fires when a lab was opened or closed. */
export const workbenchChanged = "pilothouse:workbench";

export function setOpenWorkbench(workbench: Workbench | undefined): void {
  open = workbench;
  document.dispatchEvent(new CustomEvent(workbenchChanged));
}

export function openWorkbench(): Workbench | undefined {
  return open;
}
