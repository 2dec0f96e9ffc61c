// The lab that is open on this page, for whoever wants to lead there without opening one: set by the lab's panel.

import type { Workbench } from "../../workbench/workbench.ts";

let open: Workbench | undefined;

export function setOpenWorkbench(workbench: Workbench | undefined): void {
  open = workbench;
}

export function openWorkbench(): Workbench | undefined {
  return open;
}
