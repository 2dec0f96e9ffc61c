// A drawing over the whole screen: it moves into a dialog, and back when that closes.

import { find, onClick } from "./dom.ts";

const dialog = find("[data-enlarged]", HTMLDialogElement);
let home: HTMLElement | undefined;

onClick("[data-enlarge]", (button) => {
  const figure = button.closest("figure");
  const drawing = figure?.querySelector(".figure-drawing");
  if (dialog === undefined || figure === null || drawing === null || drawing === undefined) return;
  home = figure;
  // The text below keeps its place.
  figure.style.minHeight = `${figure.offsetHeight}px`;
  dialog.append(drawing);
  dialog.showModal();
});

dialog?.addEventListener("close", () => {
  const drawing = dialog.querySelector(".figure-drawing");
  if (drawing !== null) home?.prepend(drawing);
  home?.style.removeProperty("min-height");
  home = undefined;
});
