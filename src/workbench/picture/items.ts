// Nodes and pods of the drawing as things to choose: one stop for the Tab key, arrow keys between them, Enter or a click
// opens the inspector. Handlers are the drawing's, not each item's: there may be thousands.

import { parseRef } from "#history/object-ref.ts";
import type { Desk } from "../desk.ts";

/** Attributes of one item; `object` as in `pods/default/web`. In SVG the names of attributes have no capitals. */
export function itemProps(object: string, label: string, first: boolean) {
  return { role: "button", "aria-label": label, "data-object": object, tabindex: first ? 0 : -1 } as const;
}

export function inspectItem(desk: Desk, target: EventTarget | null): void {
  const item = target instanceof Element ? target.closest<SVGElement>("[data-object]") : null;
  const object = parseRef(item?.dataset["object"] ?? "");
  if (object !== undefined) desk.inspect(object);
}

/** The nodes, then the pods, as they stand in the drawing. */
export function moveInPicture(event: KeyboardEvent): void {
  const { target, currentTarget } = event;
  if (!(currentTarget instanceof Element) || !(target instanceof SVGElement)) return;
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    target.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    return;
  }
  const items = [...currentTarget.querySelectorAll<SVGElement>("[data-object]")];
  const at = items.indexOf(target);
  const to = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[
    event.key
  ];
  const next = to === undefined ? undefined : items[to];
  if (to === undefined) return;
  event.preventDefault();
  next?.focus();
}
