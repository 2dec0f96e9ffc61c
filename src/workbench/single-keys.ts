// Where a letter is a letter and no shortcut of the page: fields, dialogs, terminals, and what the keyboard falls on when it leaves a
// terminal. Who has just left one may not have seen it, and the rest of a command would pause the cluster or turn the lesson.

const places = "input, textarea, select, dialog, [contenteditable], .xterm, [data-beside-terminal]";

export function takesLetters(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(places) !== null;
}
