// The board's rows as they are shown: in the teacher's order, with names or without.

import type { BoardRow, BoardState } from "../../wire.ts";
import type { CourseOutline } from "../outline.ts";

export type BoardOrder = "stuck" | "name";

/** Who may need help comes first. */
const urgency: readonly BoardState[] = ["stuck", "idle", "working", "new", "away"];

/** Within a state, who has been at it longest comes first. */
export function inOrder(rows: readonly BoardRow[], order: BoardOrder, language: string): readonly BoardRow[] {
  const { compare } = new Intl.Collator(language, { numeric: true });
  const byName = (a: BoardRow, b: BoardRow): number => compare(a.name, b.name);
  if (order === "name") return [...rows].sort(byName);
  return [...rows].sort((a, b) => urgency.indexOf(a.state) - urgency.indexOf(b.state) || a.stepSince - b.stepSince || byName(a, b));
}

/** Numbers in place of names, for the room's projector: a learner keeps theirs as long as the page is open. */
export class Numbers {
  readonly #numbers = new Map<string, number>();

  of(learner: string): number {
    const number = this.#numbers.get(learner) ?? this.#numbers.size + 1;
    this.#numbers.set(learner, number);
    return number;
  }
}

export type Dot = "passed" | "here" | "open";

/** One per step of the lab at which the learner is, or was last; none where there is no lab, or not this one any more. */
export function dotsOf({ presence, passedHere }: BoardRow, { labs }: CourseOutline): readonly Dot[] {
  const steps = labs[presence?.lab ?? ""]?.steps ?? [];
  return steps.map(({ id }) => {
    if (passedHere.includes(id)) return "passed";
    return id === presence?.step ? "here" : "open";
  });
}

/** How many are in each state, for the line above the board. */
export function countStates(rows: readonly BoardRow[]): ReadonlyMap<BoardState, number> {
  const counts = urgency.map((state) => [state, rows.filter((row) => row.state === state).length] as const);
  return new Map(counts.filter(([, count]) => count > 0));
}
