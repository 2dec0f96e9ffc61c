// What a panel is given.

import type { Desk } from "../desk.ts";

export interface PanelProps {
  readonly desk: Desk;
  /** False while another tab is in front or the zone is folded: a panel that is not seen asks the world for nothing. */
  readonly shown: boolean;
  /** What it was opened for, in the panel's own words: an object, a file; "" for nothing in particular. */
  readonly argument: string;
}
