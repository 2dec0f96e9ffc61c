// The command palette: opened by Ctrl-K (Cmd-K on a Mac), F1 or a button; what it needs is loaded then. In a terminal Ctrl-K is the shell's,
// which cuts a line with it; F1 opens the palette there too.

import { find, onClick } from "./dom.ts";

const dialog = find("#palette", HTMLDialogElement);
const isMac = /Mac|iP/.test(navigator.platform);

function openPalette(): void {
  if (dialog === undefined) return;
  if (dialog.open) {
    dialog.close();
    return;
  }
  dialog.showModal();
  find("input", HTMLInputElement, dialog)?.select();
  void import("./palette-list.ts").then(({ fillPalette }) => fillPalette(dialog));
}

function isWanted(event: KeyboardEvent): boolean {
  if (event.shiftKey || event.altKey || event.isComposing) return false;
  if (event.key === "F1") return !event.ctrlKey && !event.metaKey;
  const inTerminal = event.target instanceof Element && event.target.closest(".xterm") !== null;
  const isCommand = isMac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey && !inTerminal;
  return isCommand && event.key.toLowerCase() === "k";
}

// Before a terminal or an editor takes the key for itself.
document.addEventListener(
  "keydown",
  (event) => {
    if (!isWanted(event)) return;
    event.preventDefault();
    event.stopPropagation();
    openPalette();
  },
  { capture: true },
);
onClick("[data-open-palette]", openPalette);
