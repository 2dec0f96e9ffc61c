// The search dialog: opened by button or key; what it needs is loaded then.

import { find } from "./dom.ts";

const dialog = find("#search", HTMLDialogElement);

/** Opens the dialog and puts the keyboard into its field. */
export function openSearch(): void {
  if (dialog === undefined) return;
  if (!dialog.open) dialog.showModal();
  const field = find("input", HTMLInputElement, dialog);
  field?.focus();
  field?.select();
  void import("./search-results.ts").then(({ prepareSearch }) => prepareSearch(dialog));
}
